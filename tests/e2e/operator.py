#!/usr/bin/env python3
"""What an operator does wrong on the first day, and what perfpost says."""
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile

from tally import ok, verdict

PERFPOST = os.environ["PERFPOST"]
OPERATOR = "operator: {address: perfbot@ci.example.org}\n"


def run(d, conf, *args, stdin=None):
    with open(d + "/conf", "w", encoding="utf-8") as f:
        f.write(conf + f"store: {d}/store\n")
    return subprocess.run([PERFPOST, args[0], "--config", d + "/conf",
                           *args[1:]], input=stdin, capture_output=True,
                          text=True, timeout=120, check=False)


def results(d):
    def one(commit, values):
        return {"axes": {"commit": commit * 40, "testcase": "t"}, "matrix": {
            "stats_source": [str(i) for i in range(len(values))],
            "t.ops": values}}
    with open(d + "/results", "w", encoding="utf-8") as f:
        json.dump({"format": "perfpost-results/1", "results": [
            one("a", [100, 101, 102]), one("b", [80, 81, 82])]}, f)
    return d + "/results"


def sending(d):
    report = run(d, OPERATOR, "report", results(d))
    ok("report", report.returncode == 0 and
       "the mail names nobody" in report.stderr, report.stderr)
    lint = subprocess.run([PERFPOST, "lint", "-"], input=report.stdout,
                          capture_output=True, text=True, check=False)
    ok("lint", lint.returncode == 65 and "name nobody but the sender" in
       lint.stdout, lint)
    out = f"send: {{driver: maildir, maildir: {{folder: {d}/sent}}}}\n"
    send = run(d, OPERATOR + out, "send", "-", stdin=report.stdout)
    ok("send", send.returncode == 65 and "name nobody" in send.stderr,
       send)
    seen = run(d, OPERATOR + out, "send", "--only-to", "me@example.net", "-",
               stdin=report.stdout)
    mail, = [open(f"{d}/sent/new/{f}", encoding="ascii").read()
             for f in os.listdir(d + "/sent/new")]
    ok("only to", seen.returncode == 0 and "me@example.net alone" in
       seen.stdout and "nobody" not in seen.stderr, seen)
    ok("only to", report.stdout in mail.replace("\r\n", "\n"), mail)
    ok("only to", "me@example.net" not in mail.split("\n\n", 1)[1], mail)
    for what in "outbox", "reports":
        listed = run(d, OPERATOR + out, what, "--all", "--json")
        ok("only to", json.loads(listed.stdout) == [], listed)
    shutil.rmtree(d + "/sent")
    plan = run(d, OPERATOR + out, "send", "-n", "--only-to", "me@example.net",
               "-", stdin=report.stdout)
    ok("only to", plan.returncode == 0 and "  to       me@example.net, and "
       "nobody else\n" in plan.stdout and not os.path.exists(d + "/sent"),
       plan)
    for more in ["--queued"], ["--bcc", "x@example.net", "-"]:
        ok("only to", run(d, OPERATOR + out, "send", "--only-to",
                          "me@example.net", *more).returncode == 64, more)
    ok("only to", run(d, OPERATOR + out, "send", "--only-to", "no address",
                      "-", stdin=report.stdout).returncode == 65)
    named = run(d, OPERATOR, "report", "--to", "ann@example.org", results(d))
    ok("named", named.returncode == 0 and "nobody" not in named.stderr,
       named.stderr)
    send = run(d, out, "send", "-", stdin=named.stdout)
    ok("no operator", send.returncode == 78 and
       send.stderr.count("\n") == 1 and "operator.address" in send.stderr,
       send)
    ok("no operator", not os.path.exists(d + "/sent"))
    send = run(d, OPERATOR + out, "send", "-", stdin=named.stdout)
    ok("sent", send.returncode == 0, send)
    for end in "", "-wal", "-shm":
        if os.path.exists(f"{d}/store{end}"):
            mode = stat.S_IMODE(os.stat(f"{d}/store{end}").st_mode)
            ok("mode", mode == 0o600, end, oct(mode))
    os.chmod(d + "/store", 0o664)
    for told in True, False:
        queue = run(d, OPERATOR + out, "queue")
        ok("tightened", queue.returncode == 0 and
           ("could be read by others" in queue.stderr) == told, queue)
    mode = stat.S_IMODE(os.stat(d + "/store").st_mode)
    ok("tightened", mode == 0o600, oct(mode))


def pages(d):
    path = results(d)
    with open(d + "/page", "w", encoding="utf-8"):
        pass
    os.symlink("page", d + "/link")
    for to in "/dev/null", d + "/link", d + "/new":
        done = subprocess.run([PERFPOST, "preview", "--html", to, path],
                              capture_output=True, text=True, check=False)
        ok(to, done.returncode == 0, done.stderr)
    ok("device", stat.S_ISCHR(os.stat("/dev/null").st_mode))
    ok("link", os.path.islink(d + "/link") and
       os.path.getsize(d + "/page") > 1000)
    ok("new", os.path.getsize(d + "/new") > 1000)


def configurations(d):
    for conf, word in (
            ("template: nosuch", "conf:2: 'template' is of no use: no temp"),
            ("templates: /nonexistent", "conf:2: 'templates' is no folder"),
            ("run: {folder: /proc/jobs}", "conf:2: 'run.folder' is no place"),
            ("bot: {quarantine: /proc/x}", "conf:2: 'bot.quarantine' is no"),
            ("run: {parallel: 0}", "conf:2: 'run.parallel' takes a whole"),
            ("run: {runs: 0}", "conf:2: 'run.runs' takes a whole"),
            ("budget: {day: -5}", "conf:2: 'budget.day' takes a number that"),
            ("archive: {mail: 'https://lore.example.org/'}",
             "conf:2: 'archive.mail' needs %s"),
            ("trees: {x: {watch: true}}", "conf:2: 'trees.x.watch' needs")):
        done = run(d, OPERATOR + conf + "\n", "check-config")
        ok(conf, done.returncode == 78 and word in done.stderr, done)
    send = f"send: {{driver: maildir, maildir: {{folder: {d}/sent}}}}\n"
    good = (f"run: {{folder: {d}/a/b, runs: 1}}\nbudget: {{day: 0}}\n"
            "archive: {mail: 'https://lore.example.org/%s'}\n")
    done = run(d, OPERATOR + send + good, "check-config")
    ok("good", done.returncode == 0 and "bot.notify is not set" in
       done.stderr, done)
    ok("nothing made", not os.path.exists(d + "/a"), os.listdir(d))
    done = run(d, OPERATOR + send + "bot: {notify: [a@example.org]}\n",
               "check-config")
    ok("notify", done.returncode == 0 and "notify" not in done.stderr, done)
    name = "operator.name is not set: mails come from 'kernel test robot'"
    ok("name", name in done.stderr, done)
    done = run(d, "operator: {address: perfbot@ci.example.org, name: lab 7}\n" +
               send, "check-config")
    ok("name", done.returncode == 0 and "operator.name" not in done.stderr,
       done)


def index_page(d, conf):
    done = run(d, conf, "status", "--html", d + "/pages")
    ok("status --html", done.returncode == 0, done)
    with open(d + "/pages/index.html", encoding="utf-8") as f:
        return f.read()


def states(d):
    conf = (OPERATOR + f"bot: {{stop_file: {d}/stop}}\ntrees: {{x: {{git: "
            f"{d}/none, watch: true}}}}\nreceive: {{imap: {{host: localhost, "
            f"port: 1, user: bot, password_file: {d}/results}}}}\n")
    results(d)
    for _ in range(2):
        done = run(d, conf, "bot", "--once", "--stage", "receive")
        once = run(d, conf, "bot", "--once", "--stage", "run")
        ok("tree", ("tree x:" in once.stderr) == (_ == 0), once)
    with open(d + "/stop", "w", encoding="utf-8"):
        pass
    done = run(d, conf, "status")
    for word in (f"STOPPED   nothing is sent while {d}/stop is there",
                 "receive  NOT RUNNING, seen ", "stage receive: imap: "):
        ok("status", word in done.stdout, word, done)
    index = index_page(d, conf)
    for word in (f"nothing is sent while {d}/stop is there", "NOT RUNNING<"):
        ok("status --html", word in index, (word, index))
    os.unlink(d + "/stop")
    ok("status --html", "STOPPED" not in index_page(d, conf))
    ok("status", "STOPPED" not in run(d, conf, "status").stdout)


for test in sending, pages, configurations, states:
    with tempfile.TemporaryDirectory(prefix="operator-") as folder:
        test(folder)
sys.exit(verdict())
