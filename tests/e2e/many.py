#!/usr/bin/env python3
"""Very many at once: mails that each ask for a job of their own, ten jobs side
by side, and two bots with all their stages on one store, of which one is
killed half way.  Mails and jobs that are poisoned stop nothing else, and no
job is left in the end.

usage: many.py [--mails N]

The default is a sample; "make many" has a thousand.  Says how long it took and
how many jobs ran side by side.
"""
import argparse
import collections
import email
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from bot_site import PASS, REPORT_ID, SUBJECT, Site, BASE, HEAD

PARALLEL = 10
# Counts those that run with it; fails as it is told to by the patch.
RUNNER = """\
#!/bin/sh
mkdir "{here}/running/$$"
ls "{here}/running" | wc -l >>"{here}/side-by-side"
echo "$1" >>"{here}/started"
sleep 1
rmdir "{here}/running/$$"
case $(cat "$1"/patches/*) in
*poison-exit*) exit 3 ;;
*poison-kill*) kill -9 $$ ;;
*poison-build*) echo "it does not build" >"$1/results/error.txt"; exit 65 ;;
*poison-words*) echo "{{{{{{{{" >"$1/results/results.json"; exit 0 ;;
esac
as=$(sed -n 's/.*"as": "\\([^"]*+[^"]*\\)".*/\\1/p' "$1/job.json")
sed "s/PATCHED/$as/" "{here}/results.json" >"$1/results/results.json"
"""
RESULTS = """\
{"format": "perfpost-results/1", "headline": "bench.score",
 "metrics": {"bench.score": {"better": "higher", "kpi": true}},
 "results": [
 {"axes": {"testcase": "bench", "commit": "%s"},
  "matrix": {"bench.score": [100, 101, 99, 100]}},
 {"axes": {"testcase": "bench", "commit": "%s"},
  "matrix": {"bench.score": [50, 51, 49, 50]}},
 {"axes": {"testcase": "bench", "commit": "PATCHED"},
  "matrix": {"bench.score": [99, 100, 98, 100]}}]}
""" % (BASE, HEAD)
POISONED = ("poison-exit", "poison-kill", "poison-build", "poison-words")
NESTED = "".join(f"--b{i}\nContent-Type: multipart/mixed; boundary=b{i + 1}"
                 "\n\n" for i in range(3000))
HOSTILE = (b"", b"\0" * 100000, b"\n\n\n", b"From: \xff\xfe\n\n\xff" * 1000,
           b"Content-Type: multipart/mixed; boundary=b0\n\n" +
           NESTED.encode(), b"Subject: " + b"=?utf-8?q?=41?=" * 100000,
           b"References: " + b"<a@b> " * 200000 + b"\n\nrerun\n",
           b"no header at all, please rerun\n" * 20000)


def request(i, word):
    return f"""\
Authentication-Results: {PASS}dev.example.org
From: Person {i} <p{i}@dev.example.org>
To: robot <perfbot@ci.example.org>
Subject: Re: {SUBJECT}
Date: Tue, 03 Mar 2026 10:15:00 +0000
Message-ID: <ask.{i}@dev.example.org>
In-Reply-To: <{REPORT_ID}>
References: <{REPORT_ID}>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

Could you rerun with this patch?

diff --git a/mm/example.c b/mm/example.c
--- a/mm/example.c
+++ b/mm/example.c
@@ -1,2 +1,2 @@
 int i;
-touch(n, i);
+touch_{i}("{word}");
"""


class Crowd:
    def __init__(self, here, mails):
        self.here = here
        self.site = s = Site(here, os.environ["PERFPOST"], """
policy: {allow: [dev.example.org]}
budget: {day: 0, domain: 0, person: 0, report: 0}
caps: {day: 1000000, person: 1000000, thread: 1000000}
bot: {quarantine: HERE/quarantine}
""")
        path = f"{here}/perfpost.conf"
        with open(path, encoding="utf-8") as f:
            text = f.read()
        with open(path, "w", encoding="utf-8") as f:
            f.write(text.replace("minutes: 1", f"minutes: 1, parallel: "
                                 f"{PARALLEL}"))
        os.mkdir(f"{here}/running")
        for name, text in (("runner", RUNNER.format(here=here)),
                           ("results.json", RESULTS)):
            with open(f"{here}/{name}", "w", encoding="utf-8") as f:
                f.write(text)
        self.want = {}       # person -> what the patch says
        for i in range(mails):
            self.want[i] = POISONED[i // 25 % 4] if i % 25 == 7 else "good"
            self.drop(f"{i:06}.ask", request(i, self.want[i]).encode())
        for i, raw in enumerate(HOSTILE):
            self.drop(f"{i * mails // len(HOSTILE):06}.evil{i}", raw)
        s.stage("decide")
        db = sqlite3.connect(f"{here}/db")    # a job that cannot be read
        db.execute("INSERT INTO job(key, spec, report, minutes, created) "
                   "VALUES('k', '{', 1, 1, 1)")
        db.commit()
        db.close()

    def drop(self, name, raw):
        with open(f"{self.here}/in/tmp/{name}", "wb") as f:
            f.write(raw)
        os.rename(f"{self.here}/in/tmp/{name}", f"{self.here}/in/new/{name}")

    def start(self, name):
        with open(f"{self.here}/{name}.log", "wb") as log:
            return subprocess.Popen(
                [os.environ["PERFPOST"], "bot", "--config",
                 f"{self.here}/perfpost.conf"], stderr=log,
                start_new_session=True)

    def count(self, sql):
        return self.site.query(sql)[0][0]

    def backup(self):
        """Made while the bots work, and sound."""
        copy = f"{self.here}/copy"
        for words in (["store", "backup", copy],
                      ["store", "check", "--store", copy],
                      ["store", "restore", "--store", f"{copy}.2", copy]):
            done = self.site.call(*words)
            if done.returncode:
                print(f"{words}: {done.stderr}")
                return False
        return True

    def is_done(self):
        return self.count("SELECT count(*) FROM outbox WHERE kind = 'result' "
                          "AND state = 'sent'") >= len(self.want) and not \
            self.count("SELECT count(*) FROM mail WHERE state = 'new'") and \
            not self.left()

    def left(self):
        """Jobs that have not ended."""
        return self.site.query("SELECT id, state, tries, error, owner FROM "
                               "job WHERE state IN ('queued', 'submitted')")

    def most(self):
        """How many jobs ran side by side at most."""
        try:
            with open(f"{self.here}/side-by-side", encoding="utf-8") as f:
                return max(map(int, f.read().split()))
        except (FileNotFoundError, ValueError):
            return 0

    def state(self):
        return {t: dict(self.site.query(f"SELECT state, count(*) FROM {t} "
                                        "GROUP BY state"))
                for t in ("mail", "request", "job", "outbox")}

    def flaws(self):
        """What is wrong with how it ended."""
        q = self.site.query
        twice = q("SELECT mail, count(*) FROM request GROUP BY mail HAVING "
                  "count(*) > 1")
        if twice:
            yield f"asked once, held twice: {twice[:5]}"
        if self.count("SELECT count(*) FROM request WHERE state = "
                      "'answered'") != len(self.want):
            yield f"requests: {self.state()}"
        with open(f"{self.here}/started", encoding="utf-8") as f:
            started = collections.Counter(f.read().split())
        if len(started) != len(self.want) or max(started.values()) > 1:
            yield f"{len(started)} jobs ran, {started.most_common(3)}"
        most = self.most()
        if most > PARALLEL or (most < PARALLEL and len(self.want) >= 200):
            yield f"{most} jobs side by side, not {PARALLEL}"
        if self.left():
            yield f"jobs are left: {self.left()[:5]}"
        answers = collections.defaultdict(collections.Counter)
        for name in os.listdir(f"{self.here}/sent/new"):
            with open(f"{self.here}/sent/new/{name}", "rb") as f:
                m = email.message_from_binary_file(f)
            person = m["To"].split("<p")[-1].split("@")[0]
            answers[person][m["X-Perfpost"]] += 1
        for i, word in self.want.items():
            if answers[str(i)] != {"ack": 1, "result": 1}:
                yield f"person {i} ({word}) got {dict(answers[str(i)])}"
        # The job that cannot be read fails, too.
        failed = 1 + sum(w in POISONED[:3] for w in self.want.values())
        if q("SELECT count(*) FROM job WHERE state = 'failed'") != [
                (failed,)]:
            yield f"jobs: {self.state()}"
        if self.count("SELECT count(*) FROM mail") < len(self.want) + \
                len(HOSTILE) - 1:     # nobody has to store no mail at all
            yield f"mails: {self.state()}"


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--mails", type=int, default=40)
    args = ap.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as here:
        crowd = Crowd(here, args.mails)
        begin = time.monotonic()
        bots = [crowd.start("first"), crowd.start("second")]
        killed = 0
        while not crowd.is_done():
            time.sleep(0.2)
            took = time.monotonic() - begin
            sent = crowd.count("SELECT count(*) FROM outbox WHERE kind = "
                               "'result'")
            if not killed and sent > args.mails // 3:
                os.killpg(bots[1].pid, signal.SIGKILL)
                killed = sent
                failed += not crowd.backup()
            if took > 120 + 2 * args.mails:
                print(f"not done: {crowd.state()}")
                failed += 1
                break
        for b in bots:
            b.terminate()
            b.wait(60)
        for flaw in crowd.flaws():
            failed += 1
            print(flaw)
        for name in "first", "second":
            with open(f"{here}/{name}.log", encoding="utf-8") as f:
                log = f.read()
            if "Sanitizer" in log or failed:
                print(f"{name}:\n{log[:3000]}")
                failed += "Sanitizer" in log
        print(f"{args.mails} mails and {len(HOSTILE)} hostile ones, two bots, "
              f"one killed after {killed} results: {took:.1f} s; "
              f"{crowd.most()} jobs side by side at most; {crowd.state()}")
    sys.exit(bool(failed))


main()
