"""A bot of its own in a folder: mails in, mails out, for the tests."""
import email
import email.policy
import json
import os
import sqlite3
import subprocess
import time
import traceback

BASE = "1111111111111111111111111111111111111111"
HEAD = "9a8b7c6d5e4f9a8b7c6d5e4f9a8b7c6d5e4f9a8b"
TOKEN = "r5c1e77a90b3d"
REPORT_ID = "report.1@ci.example.org"
SUBJECT = "[mm] 9a8b7c6d5e4f: bench.score -50.0% regression"
BOT = "perfbot@ci.example.org"
PASS = "mx.ci.example.org; dmarc=pass header.from="

PATCH = """\
diff --git a/mm/example.c b/mm/example.c
--- a/mm/example.c
+++ b/mm/example.c
@@ -1,3 +1,3 @@
 int i;
-touch(n, i);
+touch_once(n, i);
 return 0;
"""

# Writes the values that "values" has for each side; fails when told to.
RUNNER = """\
#!/usr/bin/env python3
import json, os, sys
here, job_folder = {here!r}, sys.argv[-1]
job = json.load(open(job_folder + "/job.json"))
with open(here + "/started", "a") as f:
    f.write(job_folder + "\\n")
if os.path.exists(here + "/broken"):
    open(job_folder + "/results/error.txt", "w").write(
        open(here + "/broken").read())
    sys.exit(65)
values = json.load(open(here + "/values.json"))
json.dump({{"format": "perfpost-results/1", "headline": "bench.score",
  "metrics": {{"bench.score": {{"better": "higher", "kpi": True}}}},
  "results": [{{"axes": {{"testcase": "bench", "commit": s["as"]}},
               "matrix": {{"bench.score": values[s["name"]]}}}}
              for s in job["sides"]]}}, open(job_folder +
  "/results/results.json", "w"))
"""


class Site:
    def __init__(self, here, perfpost, extra="", public=1, checkout=False):
        self.here = here
        self.perfpost = perfpost
        self.now = None
        self.taken = set()
        self.n = 0
        for name in ("in/new", "in/cur", "in/tmp"):
            os.makedirs(f"{here}/{name}", exist_ok=True)
        with open(f"{here}/secret", "w", encoding="utf-8") as f:
            f.write("a secret of sixteen bytes and more\n")
        with open(f"{here}/runner", "w", encoding="utf-8") as f:
            f.write(RUNNER.format(here=here))
        os.chmod(f"{here}/runner", 0o755)
        self.values(base=[100, 101, 99, 100], reported=[50, 51, 49, 50],
                    patched=[99, 100, 98, 100], onto=[50, 50, 51, 49])
        self.head = HEAD
        trees = self.make_checkout() if checkout else ""
        with open(f"{here}/perfpost.conf", "w", encoding="utf-8") as f:
            f.write(f"""
operator: {{name: robot, address: {BOT}}}
store: {here}/db
auth: {{servers: [mx.ci.example.org], providers: [mail.example.com]}}
send: {{driver: maildir, maildir: {{folder: {here}/sent}}}}
receive: {{maildir: {{folder: {here}/in}}}}
run: {{command: [{here}/runner], folder: {here}/jobs, minutes: 1}}
{trees}{extra.replace('HERE', here)}
""")
        self.put_report(public)

    def values(self, **sides):
        with open(f"{self.here}/values.json", "w", encoding="utf-8") as f:
            json.dump(sides, f)

    def git(self, *args):
        env = dict(os.environ, GIT_AUTHOR_NAME="Ann", GIT_COMMITTER_NAME="Ann",
                   GIT_AUTHOR_EMAIL="ann@dev.example.org",
                   GIT_COMMITTER_EMAIL="ann@dev.example.org",
                   GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")
        return subprocess.run(["git", "-C", f"{self.here}/tree", *args],
                              env=env, check=True, capture_output=True,
                              text=True).stdout.strip()

    def make_checkout(self):
        os.makedirs(f"{self.here}/tree/mm")
        self.git("init", "-q", "-b", "master")
        self.write("mm/example.c", "int i;\ntouch(n, i);\nreturn 0;\n")
        self.write("MAINTAINERS", "Maintainers List\n\nEXAMPLE\n"
                   "M:\tMax Keeper <max@keeper.example.org>\nF:\tmm/\n")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "base")
        self.write("mm/other.c", "int other;\n")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "mm: other\n\n"
                 "Reviewed-by: Rita <rita@dev.example.org>")
        self.head = self.git("rev-parse", "HEAD")
        return f"trees: {{demo: {{git: {self.here}/tree}}}}\n"

    def write(self, name, text):
        with open(f"{self.here}/tree/{name}", "w", encoding="utf-8") as f:
            f.write(text)

    def put_report(self, public):
        self.stage("run")
        db = sqlite3.connect(f"{self.here}/db")
        db.execute("INSERT INTO report(key, token, subject, tested, base, "
                   "stat, public, facts, created, changed, message_id) "
                   "VALUES(?, ?, ?, ?, ?, 'bench.score', ?, ?, 1, 1, ?)",
                   (TOKEN[1:], TOKEN, SUBJECT, self.head, BASE, public,
                    json.dumps({"people": [
                        {"address": "ann@dev.example.org",
                         "role": "author"},
                        {"address": "bob@dev.example.org",
                         "role": "participant"}],
                        "axes": {"testcase": "bench",
                                 "kconfig": "x86_64-rhel-9.4"}}),
                    REPORT_ID))
        db.execute("INSERT INTO thread VALUES(?, 1, 1)", (REPORT_ID,))
        db.commit()
        db.close()

    def set_results(self, tree, stat):
        """The report's results are those of tests/data/trees/TREE."""
        top = os.path.join(os.environ["top_srcdir"], "tests/data/trees", tree)
        found = sorted(folder for folder, _, files in os.walk(top)
                       if "matrix.json" in files)[:2]
        commits = [os.path.basename(f) for f in found]
        db = sqlite3.connect(f"{self.here}/db")
        db.execute("UPDATE report SET results = ?, stat = ?, base = ?, "
                   "tested = ?", (json.dumps(found), stat, *commits))
        db.commit()
        db.close()

    def call(self, *args):
        env = dict(os.environ)
        if self.now:
            env["SOURCE_DATE_EPOCH"] = str(self.now)
        return subprocess.run([self.perfpost, *args, "--config",
                               f"{self.here}/perfpost.conf"], env=env,
                              capture_output=True, text=True, check=False)

    def stage(self, *names):
        for name in names:
            done = self.call("bot", "--once", "--stage", name)
            if done.returncode or "Sanitizer" in done.stderr:
                raise AssertionError(f"{name}: {done.returncode}: "
                                     f"{done.stderr[:3000]}")

    def mail(self, text, who="ann@dev.example.org", proof=True, to=BOT,
             ref=REPORT_ID, subject=f"Re: {SUBJECT}", mid=None, headers=None,
             body=None):
        """Drop a mail in; its Message-ID."""
        self.n += 1
        mid = mid or f"m{self.n}@{who.split('@')[1]}"
        lines = []
        if proof:
            lines.append(f"Authentication-Results: {PASS}"
                         f"{who.split('@')[1]}")
        lines += [f"From: {who.split('@')[0].capitalize()} <{who}>",
                  f"To: robot <{to}>", "Cc: list@lists.example.org",
                  f"Subject: {subject}",
                  "Date: Tue, 03 Mar 2026 10:15:00 +0000",
                  f"Message-ID: <{mid}>"]
        if ref:
            lines += [f"In-Reply-To: <{ref}>", f"References: <{ref}>"]
        lines += headers or []
        lines += ["MIME-Version: 1.0",
                  "Content-Type: text/plain; charset=utf-8", "", text]
        raw = body or "\n".join(lines)
        with open(f"{self.here}/in/new/{self.n}", "w",
                  encoding="utf-8") as f:
            f.write(raw)
        return mid

    def go(self, *stages):
        """What is sent by it: messages, oldest first."""
        self.stage(*(stages or ("receive", "decide", "send")))
        return self.sent()

    def sent(self):
        folder, new = f"{self.here}/sent/new", []
        for name in os.listdir(folder) if os.path.isdir(folder) else []:
            if name not in self.taken:
                self.taken.add(name)
                with open(f"{folder}/{name}", "rb") as f:
                    new.append(email.message_from_binary_file(
                        f, policy=email.policy.default))
        return sorted(new, key=lambda m: m["Message-ID"])

    def work(self):
        """Let the jobs run to their end; what is sent."""
        for _ in range(200):
            self.stage("run")
            if not self.query("SELECT 1 FROM job WHERE state IN ('queued', "
                              "'submitted')"):
                break
            time.sleep(0.05)
        return self.go("run", "send")

    def query(self, sql, *args):
        db = sqlite3.connect(f"{self.here}/db")
        rows = db.execute(sql, args).fetchall()
        db.close()
        return rows

    def decision(self, mid):
        return self.query("SELECT decision FROM mail WHERE message_id = ? "
                          "ORDER BY id DESC", mid)[0][0]

    def jobs(self):
        return [r[0] for r in self.query("SELECT state FROM job ORDER BY id")]


def text(message):
    return message.get_body(("plain",)).get_content()


def to(message):
    return [a.addr_spec for a in message["To"].addresses]


def cc(message):
    return [a.addr_spec for a in message["Cc"].addresses] \
        if message["Cc"] else []


def same(got, want, what=""):
    if got != want:
        raise AssertionError(f"{what}: {got!r}, not {want!r}")


def holds(where, what):
    if what not in where:
        raise AssertionError(f"no {what!r} in:\n{where[:3000]}")


def failures(tests):
    """Run them all; how many failed."""
    bad = 0
    for test in tests:
        try:
            test()
        except Exception:
            bad += 1
            traceback.print_exc()
            print(f"FAILED: {test.__name__}")
    return bad
