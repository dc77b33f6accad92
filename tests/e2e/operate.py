#!/usr/bin/env python3
"""What operators do: look at the state, save and restore it, move on from an
older schema, hand mails over on standard input, and have very many at once."""
import html.parser
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from bot_site import PATCH, Site, failures, holds, same

perfpost = os.environ["PERFPOST"]
source = os.environ["top_srcdir"]
PLEASE = "Please rerun with this patch.\n\n" + PATCH
EVIL = "<script>alert(1)</script>\u202e\"'&{{now}}"


def make(extra=""):
    return Site(tempfile.mkdtemp(dir=root), perfpost, extra)


def status_tells():
    s = make("budget: {day: 100}\n")
    s.mail(PLEASE)
    s.stage("receive", "decide")
    done = s.call("status")
    same(done.returncode, 0, done.stderr)
    for line in ("mails     1 decided", "jobs      1 queued",
                 "outbox    1 ready", "of 100 machine-minutes"):
        holds(done.stdout, line)
    state = json.loads(s.call("status", "--json").stdout)
    same(sorted(state), ["budget", "errors", "jobs", "lag", "mails", "outbox",
                         "queue", "reports", "requests", "stages", "time"])
    same(len(state["queue"]), 1)
    seen = [(one["name"], one["ago"] < 60) for one in state["stages"]]
    for stage in "receive", "decide":
        if (stage, True) not in seen:
            raise AssertionError(f"{stage} was not seen: {seen}")
    if not state["budget"]["spent"] > 0:
        raise AssertionError(state["budget"])


def status_tells_what_went_wrong():
    s = make()
    s.mail(PLEASE)
    with open(f"{s.here}/broken", "w", encoding="utf-8") as f:
        f.write("it does not build\n")
    s.go()
    s.work()
    holds(s.call("status").stdout, "job 1: it does not build")


def output_that_cannot_be_written_is_told():
    s = make()
    s.mail(PLEASE)
    s.go()
    s.work()
    s.mail("#robot status")
    s.stage("receive")
    with open(f"{s.here}/in/new/box", "w", encoding="utf-8") as f:
        f.write("From a@b Mon Jan  1 00:00:00 2026\nFrom: a@dev.example.org\n"
                "Message-ID: <a@dev.example.org>\n\nHi\n")
    for words in (["replay", f"{s.here}/in/new/box"], ["bot", "--dry-run"],
                  ["why", "m1@dev.example.org"],
                  ["why", "--json", "m1@dev.example.org"],
                  ["reports"], ["reports", "--json"], ["queue", "--all"],
                  ["queue", "--all", "--json"], ["outbox"],
                  ["outbox", "show", "1"], ["outbox", "--json", "--all"],
                  ["status"], ["status", "--json"], ["reports", "show", "1"],
                  ["queue", "show", "1"], ["check-config"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([perfpost, *words, "--config",
                                   f"{s.here}/perfpost.conf"], stdout=full,
                                  stderr=subprocess.PIPE, text=True,
                                  check=False)
        same(done.returncode, os.EX_IOERR, f"{words}: {done.stderr}")
        same(done.stderr.count("cannot write to standard output"), 1, words)
        if "Sanitizer" in done.stderr:
            raise AssertionError(done.stderr)


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.refs = set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.refs += [v for k, v in attrs if k in ("href", "src")]


def pages_are_whole_and_inert():
    s = make()
    s.mail(PLEASE, subject=f"Re: {EVIL}")
    s.go()
    db = sqlite3.connect(f"{s.here}/db")
    db.execute("UPDATE report SET subject = ?", (EVIL,))
    db.commit()
    db.close()
    done = s.call("status", "--html", f"{s.here}/pages")
    same(done.returncode, 0, done.stderr)
    names = sorted(os.listdir(f"{s.here}/pages"))
    same(names, ["index.html", "queue.html", "report-1.html", "reports.html"])
    for name in names:
        with open(f"{s.here}/pages/{name}", encoding="utf-8") as f:
            text = f.read()
        page = Page()
        page.feed(text)
        if "script" in page.tags or "\u202e" in text:
            raise AssertionError(f"{name}: {page.tags}")
        for ref in page.refs:
            if not os.path.exists(f"{s.here}/pages/{ref}"):
                raise AssertionError(f"{name}: {ref} is not there")
    holds(text, "{{now}}")
    look_in_chromium(f"{s.here}/pages", names)


def look_in_chromium(folder, names):
    if not shutil.which("chromium"):
        print("no chromium: pages not looked at in a browser")
        return
    for name in names:
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
             f"--user-data-dir={folder}/../profile", "--dump-dom",
             f"file://{folder}/{name}"], capture_output=True, text=True,
            timeout=120, check=True)
        holds(done.stdout, "As of ")
        if name.startswith("report"):
            holds(done.stdout, "&lt;script&gt;alert(1)")
        if "<script" in done.stdout:
            raise AssertionError(f"{name} has a script")


def a_backup_comes_back():
    s = make()
    s.mail(PLEASE)
    s.go()
    copy = f"{s.here}/copy"
    same(s.call("store", "backup", copy).returncode, 0)
    same(s.call("store", "backup", copy).returncode, 64, "overwrites")
    same(s.call("store", "check").returncode, 0)
    same(s.call("store", "restore", copy).returncode, 64, "overwrites")
    before = s.query("SELECT id, message_id, state FROM outbox")
    for end in ("", "-wal", "-shm"):
        if os.path.exists(f"{s.here}/db{end}"):
            os.remove(f"{s.here}/db{end}")
    same(s.call("store", "restore", copy).returncode, 0)
    same(s.query("SELECT id, message_id, state FROM outbox"), before)
    s.work()
    same(s.jobs(), ["done"])


def a_damaged_store_is_told():
    s = make()
    path = f"{s.here}/damaged"
    with open(path, "wb") as f:
        f.write(b"SQLite format 3\0" + b"x" * 5000)
    done = s.call("store", "check", "--store", path)
    if not done.returncode or "Sanitizer" in done.stderr:
        raise AssertionError(done.stderr)


def older_schemas_move_on():
    """One fixture for each schema that there was."""
    s = make()
    (now,), = s.query("PRAGMA user_version")
    for version in range(1, now):
        path = f"{s.here}/old-{version}"
        with open(f"{source}/tests/data/store-{version}.sql",
                  encoding="utf-8") as f:
            db = sqlite3.connect(path)
            db.executescript(f.read())
            rows = {t: db.execute(f"SELECT count(*) FROM {t}").fetchone()
                    for t in ("mail", "job", "request", "outbox", "audit")}
            same(db.execute("PRAGMA user_version").fetchone(), (version,))
            db.close()
        s.call("bot", "--once", "--stage", "decide", "--store", path)
        same(s.call("store", "check", "--store", path).returncode, 0)
        db = sqlite3.connect(path)
        same(db.execute("PRAGMA user_version").fetchone(), (now,))
        for table, count in rows.items():
            same(db.execute(f"SELECT count(*) FROM {table}").fetchone(),
                 count, table)
        new = sqlite3.connect(f"{s.here}/db")
        schema = "SELECT name, sql FROM sqlite_schema ORDER BY name"
        same(db.execute(schema).fetchall(), new.execute(schema).fetchall())
        db.close()
        new.close()


def hand_over(s, mail, *options):
    return subprocess.run([perfpost, "receive", "--config",
                           f"{s.here}/perfpost.conf", *options], input=mail,
                          capture_output=True, check=False)


MAIL = (b"From: Ann <ann@dev.example.org>\nTo: perfbot@ci.example.org\n"
        b"Subject: x\nMessage-ID: <x@dev.example.org>\n\nFrom here on.\n")


def a_mail_is_handed_over():
    s = make()
    same(hand_over(s, MAIL).returncode, 0)
    same(hand_over(s, b"From ann Mon Mar  2\n" + MAIL).returncode, 0)
    same(s.query("SELECT bytes FROM mail"), [(MAIL,)])
    s.stage("decide")
    same(s.decision("x@dev.example.org"), "none")
    same(hand_over(s, b"").returncode, 65)
    same(hand_over(s, MAIL, "--store", "/nowhere/db").returncode, 75)
    same(hand_over(s, MAIL, "--config", "/nowhere").returncode, 75)
    # As in the middle of an upgrade: the other program is not there.
    os.makedirs(f"{s.here}/alone/share")
    with open(f"{s.here}/alone/share/stamp", "wb"):
        shutil.copy(perfpost, f"{s.here}/alone/perfpost")
    same(subprocess.run([f"{s.here}/alone/perfpost", "receive"], input=MAIL,
                        capture_output=True, check=False).returncode, 75)


def very_many_at_once():
    """A thousand jobs wait; two bots share ten that run side by side."""
    s = make()
    path = f"{s.here}/perfpost.conf"
    with open(path, encoding="utf-8") as f:
        text = f.read().replace("minutes: 1", "minutes: 1, parallel: 10")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    s.mail(PLEASE)
    s.stage("receive", "decide")
    db = sqlite3.connect(f"{s.here}/db")
    db.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
               "FROM n WHERE i < 999) INSERT INTO job(key, spec, report, "
               "minutes, created) SELECT 'k' || i, spec, report, 1, created "
               "FROM job, n WHERE id = 1")
    db.execute("UPDATE job SET spec = '{' WHERE key = 'k1'")  # poisoned
    db.commit()
    db.close()
    same(len(s.jobs()), 1000)
    command = [perfpost, "bot", "--once", "--stage", "run", "--config", path]
    for _ in range(3):
        both = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
                for _ in range(2)]
        for one in both:
            said = one.communicate()[1]
            if one.returncode or "Sanitizer" in said:
                raise AssertionError(f"{one.returncode}: {said[:2000]}")
    with open(f"{s.here}/started", encoding="utf-8") as f:
        started = f.read().split()
    same(len(started), len(set(started)), "a job was started twice")
    if len(started) < 10:
        raise AssertionError(f"only {len(started)} were started")
    (running,), = s.query("SELECT count(*) FROM job WHERE "
                          "state = 'submitted'")
    if running > 10:
        raise AssertionError(f"{running} at once")
    state = json.loads(s.call("status", "--json").stdout)
    same(sum(state["jobs"].values()), 1000)
    while not all(os.path.exists(f"{folder}/status.json")
                  for folder in started):
        time.sleep(0.1)


def why_tells_of_what_waits():
    s = make()
    s.mail(PLEASE, subject="Re: =?utf-8?q?J=C3=B6rg?=")
    s.stage("receive")
    done = s.call("why", "<m1@dev.example.org>")
    same(done.returncode, 0, done.stderr)
    for line in ("mail       m1@dev.example.org\n",
                 "from       ann@dev.example.org\n",
                 "subject    Re: J\u00f6rg\n", "state      new\n",
                 "decision   none yet: it waits for the bot\n"):
        holds(done.stdout, line)
    db = sqlite3.connect(f"{s.here}/db")
    db.execute("UPDATE mail SET tries = 2, reason = 'no disk'")
    db.commit()
    said = s.call("why", "m1@dev.example.org").stdout
    holds(said, "decision   none yet, after 2 tries\nreason     no disk\n")
    db.execute("UPDATE mail SET state = 'quarantined', decision = 'quarantine'")
    db.commit()
    db.close()
    said = s.call("why", "m1@dev.example.org").stdout
    holds(said, "state      quarantined\ndecision   quarantine\nreason     no")
    none = s.call("why", "m2@dev.example.org")
    same((none.returncode, none.stdout), (65, ""))
    holds(none.stderr, "no mail <m2@dev.example.org>")


def what_waits_is_hurried():
    """One by its number, all with --all; what failed only by its number."""
    for command, table, state in (("outbox", "outbox", "ready"),
                                  ("queue", "job", "queued")):
        s = make()
        s.mail(PLEASE)
        s.stage("receive", "decide")
        db = sqlite3.connect(f"{s.here}/db")

        def put(state, due, db=db, table=table):
            db.execute(f"UPDATE {table} SET state = ?, due = ?, tries = 3",
                       (state, due))
            db.commit()

        def due(s=s, table=table):
            return s.query(f"SELECT due, tries FROM {table} WHERE id = 1")[0]

        later = int(time.time()) + 3000
        for words, want in (("retry 1", (0, 3)), ("retry --all", (0, 3))):
            put(state, later)
            done = s.call(command, *words.split())
            same((done.returncode, due()), (0, want), done)
            holds(s.query("SELECT group_concat(what) FROM audit")[0][0],
                  "retry")
        done = s.call(command, "retry", "1")
        same(done.returncode, 65, done)
        holds(s.call(command, "retry", "--all").stdout, "0 ")
        put("failed", later)
        holds(s.call(command, "retry", "--all").stdout, "0 ")
        same(due(), (later, 3))
        same(s.call(command, "retry", "1").returncode, 0)
        same(due(), (0, 0))
        for wrong in ["retry"], ["retry", "--all", "1"], ["cancel", "--all"]:
            same(s.call(command, *wrong).returncode, 64, wrong)
        db.close()


TESTS = [output_that_cannot_be_written_is_told, status_tells, status_tells_what_went_wrong,
         pages_are_whole_and_inert, a_backup_comes_back,
         a_damaged_store_is_told, older_schemas_move_on,
         a_mail_is_handed_over, why_tells_of_what_waits,
         what_waits_is_hurried, very_many_at_once]
with tempfile.TemporaryDirectory() as root:
    bad = failures(TESTS)
sys.exit(bool(bad))
