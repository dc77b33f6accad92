#!/usr/bin/env python3
"""Each stage is killed at calls that write, sync or send; nothing is lost.

usage: crash.py [--every N] [--jobs N] [--perfpost PROGRAM] [-v]

The story of one request is played once, step by step (a step is one stage,
run once), and each step's calls that change something outside of the process
are counted.  Then, for every N-th of these calls: the state before the step
is put back, the step is run and killed by SIGKILL at that call (strace
injects the signal; nothing is mocked), and the bot is started again and runs
to the end.  There must be one job that ran once, one acknowledgement, one
result and no mail lost; a second copy of a mail only where the kill came
while it was handed over, and then equal to the byte.

The same with a disk that is full from that call on (ENOSPC by injection), with
a mail server that is away for an hour of the clock, and, for each stage, with
a store that somebody else locks: for less and for longer than the bot waits.
The default is a sample; "make crash-sweep" does all of it (358 calls at which
it is killed, 342 from which on the disk is full, 14 stories), --jobs of them
side by side, each in a folder of its own.
"""
import argparse
import collections
import concurrent.futures
import email
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from traced import calls_made

SPACE = ("write", "pwrite64", "pwritev", "writev", "ftruncate", "fsync",
         "fdatasync", "mkdir", "mkdirat")     # what a full disk refuses
CALLS = ("write pwrite64 pwritev writev sendto sendmsg fsync fdatasync "
         "rename renameat renameat2 unlink unlinkat ftruncate mkdir "
         "mkdirat").split()
STAGES = ("receive", "decide", "run", "send")
STEPS = ("receive", "decide", "send", "run", "run", "send")
ANSWER = """\
From: Ann Example <ann@dev.example.org>
To: robot <perfbot@ci.example.org>
Cc: kernel-perf@lists.example.org
Subject: Re: [mm] 9a8b7c6d5e4f: bench.score -12.4% regression
Date: Tue, 03 Mar 2026 10:15:00 +0000
Message-ID: <ask.1@dev.example.org>
In-Reply-To: <report.1@ci.example.org>
References: <report.1@ci.example.org>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

Could you rerun with this patch?

diff --git a/mm/example.c b/mm/example.c
--- a/mm/example.c
+++ b/mm/example.c
@@ -1,2 +1,2 @@
 int i;
-touch(n, i);
+touch_once(n, i);
"""
# The runner: counts its starts, and gives the same values each time.
RUNNER = """\
#!/bin/sh
echo started >>"{here}/started"
cp "{here}/results.json" "$1/results/results.json"
"""
# The server: takes each mail as one more file; away while "away" is there.
SERVER = """\
#!/bin/sh
[ ! -e "{here}/away" ] || exit 75
f=$(mktemp "{here}/spool/.XXXXXX")
cat >"$f"
mv "$f" "$f.eml"
"""
COMMITS = ("1111111111111111111111111111111111111111",
           "9a8b7c6d5e4f9a8b7c6d5e4f9a8b7c6d5e4f9a8b")


def script(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    os.chmod(path, 0o755)


class Story:
    """A bot in a folder of its own, from which copies of its state are made."""

    def __init__(self, perfpost, here):
        self.perfpost = perfpost
        self.here = here
        self.state = os.path.join(here, "state")
        self.calls = 0
        for name in ("state", "state/spool", "state/in/new", "state/in/cur",
                     "state/in/tmp"):
            os.makedirs(os.path.join(here, name), exist_ok=True)
        script(f"{here}/runner", RUNNER.format(here=self.state))
        script(f"{here}/server", SERVER.format(here=self.state))
        self.configure()
        self.write_results()
        with open(f"{self.state}/in/new/1.ask", "w", encoding="utf-8") as f:
            f.write(ANSWER)
        self.put_report()

    def configure(self):
        with open(f"{self.here}/perfpost.conf", "w", encoding="utf-8") as f:
            f.write(f"""
operator: {{name: robot, address: perfbot@ci.example.org}}
store: {self.state}/db
auth: {{assume: true}}
send: {{driver: sendmail, sendmail: {{command: [{self.here}/server]}}}}
receive: {{maildir: {{folder: {self.state}/in}}}}
run: {{command: [{self.here}/runner], folder: {self.state}/jobs, minutes: 1}}
""")

    def write_results(self):
        patched = f"{COMMITS[1][:12]}+"
        values = {COMMITS[0]: 100, COMMITS[1]: 50}
        results = [{"axes": {"testcase": "bench", "commit": c},
                    "matrix": {"bench.score": [v - 1, v, v + 1, v]}}
                   for c, v in values.items()]
        with open(f"{self.state}/results.json", "w", encoding="utf-8") as f:
            json.dump({"format": "perfpost-results/1",
                       "metrics": {"bench.score": {"better": "higher"}},
                       "results": results, "headline": "bench.score",
                       "note": patched}, f)

    def put_report(self):
        """The report that was sent, as perfpost replay --given has it."""
        self.run("run")     # makes the store
        db = sqlite3.connect(f"{self.state}/db")
        db.execute("INSERT INTO report(key, token, subject, tested, base, "
                   "stat, public, facts, created, changed, message_id) "
                   "VALUES('5c1e77a90b3d', 'r5c1e77a90b3d', ?, ?, ?, "
                   "'bench.score', 1, ?, 1, 1, 'report.1@ci.example.org')",
                   ("[mm] 9a8b7c6d5e4f: bench.score -12.4% regression",
                    COMMITS[1], COMMITS[0],
                    '{"people": [{"address": "ann@dev.example.org", '
                    '"role": "author"}]}'))
        db.execute("INSERT INTO thread VALUES('report.1@ci.example.org', 1, "
                   "1)")
        db.commit()
        db.close()

    def run(self, stage, trace=None, now=None):
        argv = [self.perfpost, "bot", "--once", "--stage", stage, "--config",
                f"{self.here}/perfpost.conf"]
        env = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
        if now:
            env["SOURCE_DATE_EPOCH"] = str(now)
        self.calls += 1
        return subprocess.run((trace or []) + argv, env=env, text=True,
                              capture_output=True, check=False)

    def finish(self):
        """Start it again, as often as it takes: what was put off comes."""
        for i in range(40):
            for stage in STAGES:
                self.run(stage, now=int(time.time()) + 120 * max(0, i - 4))
            if self.is_over():
                return
            self.wait_for_job()

    def wait_for_job(self):
        jobs = f"{self.state}/jobs"
        for _ in range(400):
            names = os.listdir(jobs) if os.path.isdir(jobs) else []
            if all(os.path.exists(f"{jobs}/{n}/status.json") for n in names
                   if not n.startswith(".")):
                return
            time.sleep(0.02)

    def query(self, sql):
        db = sqlite3.connect(f"{self.state}/db")
        rows = db.execute(sql).fetchall()
        db.close()
        return rows

    def is_over(self):
        return self.query("SELECT sum(kind = 'result' AND state = 'sent'), "
                          "sum(state = 'ready') FROM outbox") == [(1, 0)]

    def spool(self):
        """Message-ID -> the distinct bytes that the server took, and how
        often."""
        taken = collections.defaultdict(collections.Counter)
        for name in os.listdir(f"{self.state}/spool"):
            if name.endswith(".eml"):
                with open(f"{self.state}/spool/{name}", "rb") as f:
                    data = f.read()
                taken[email.message_from_bytes(data)["Message-ID"]][data] += 1
        return taken

    def settle(self):
        """Jobs go on by themselves: wait until those that were started have
        written down how they ended."""
        end = time.monotonic() + 60
        jobs = f"{self.state}/jobs"
        while time.monotonic() < end and any(
                os.path.exists(f"{jobs}/{j}/lock") and
                not os.path.exists(f"{jobs}/{j}/status.json")
                for j in (os.listdir(jobs) if os.path.isdir(jobs) else [])):
            time.sleep(0.05)

    def save(self, name):
        self.settle()
        shutil.rmtree(f"{self.here}/{name}", ignore_errors=True)
        shutil.copytree(self.state, f"{self.here}/{name}")

    def restore(self, name):
        shutil.rmtree(self.state)
        shutil.copytree(f"{self.here}/{name}", self.state)

    def flaws(self, copies_allowed):
        """What is wrong with how it ended."""
        if not self.is_over():
            yield "not all was sent, or no result"
        mails = self.query("SELECT state, decision FROM mail")
        if mails != [("decided", "queue")]:
            yield f"mails: {mails}"
        jobs = self.query("SELECT state FROM job")
        if jobs != [("done",)]:
            yield f"jobs: {jobs}"
        asked = self.query("SELECT state FROM request")
        if asked != [("answered",)]:
            yield f"requests: {asked}"
        started = f"{self.state}/started"
        if not os.path.exists(started):
            yield "the job did not run"
        elif os.path.getsize(started) != len("started\n"):
            yield "the job ran more than once"
        kinds = self.query("SELECT kind, state FROM outbox ORDER BY id")
        if kinds != [("ack", "sent"), ("result", "sent")]:
            yield f"outbox: {kinds}"
        taken = self.spool()
        if len(taken) != 2:
            yield f"{len(taken)} different mails were sent"
        for mid, copies in taken.items():
            if len(copies) != 1:
                yield f"{mid}: copies that differ"
            if sum(copies.values()) > (2 if copies_allowed else 1):
                yield f"{mid}: sent {sum(copies.values())} times"
        check = self.query("PRAGMA integrity_check")
        if check != [("ok",)]:
            yield f"store: {check}"


class Sweep:
    """Of the points chosen, those whose turn it is: the part-th of parts."""

    def __init__(self, story, every, part, verbose):
        self.story = story
        self.every = every
        self.part, self.parts = part
        self.verbose = verbose
        self.killed = self.starved = self.failed = 0
        self.seen = self.wanting = self.chosen = 0

    def report(self, where, flaws):
        for flaw in flaws:
            self.failed += 1
            print(f"{where}: {flaw}", flush=True)
        if self.verbose:
            print(where, flush=True)

    def count(self, step):
        """How often the step makes each call; it is carried out."""
        log = f"{self.story.here}/trace"
        self.story.run(STEPS[step], ["strace", "-o", log, "-e",
                                     "trace=" + ",".join(CALLS)])
        return calls_made(log, CALLS)

    def point(self, step, call, k, what):
        self.chosen += 1
        if self.chosen % self.parts != self.part:
            return
        story = self.story
        story.restore("before")
        story.run(STEPS[step], ["strace", "-o", "/dev/null", "-e",
                                f"trace={call}", "-e",
                                f"inject={call}:{what}"])
        story.finish()
        if "KILL" in what:
            self.killed += 1
        else:
            self.starved += 1
        self.report(f"step {step} ({STEPS[step]}), {call} {k}, {what}",
                    story.flaws(STEPS[step] == "send"))

    def step(self, step):
        story = self.story
        story.wait_for_job()
        story.save("before")
        counts = self.count(step)
        story.save("after")
        for call, n in sorted(counts.items()):
            for k in range(1, n + 1):
                self.seen += 1
                if self.seen % self.every == 0:
                    self.point(step, call, k, f"signal=KILL:when={k}")
                # From here on there is no space, as long as the step runs.
                if call in SPACE:
                    self.wanting += 1
                    if self.wanting % self.every == 0:
                        self.point(step, call, k, f"error=ENOSPC:when={k}+")
        story.restore("after")

    def all(self):
        for step in range(len(STEPS)):
            self.step(step)
        self.story.finish()
        self.report("the whole story", self.story.flaws(False))


def server_away(story):
    """For an hour of the clock, and all else goes on: tried again, later and
    later, and in the end each mail is sent once."""
    now = 1800000000
    open(f"{story.state}/away", "w", encoding="utf-8").close()
    waits = collections.defaultdict(list)
    for minute in range(61):
        for stage in STAGES:
            story.run(stage, now=now + 60 * minute)
        story.wait_for_job()
        for mail, tries, due in story.query("SELECT id, tries, due FROM "
                                            "outbox WHERE tries > 0"):
            if len(waits[mail]) < tries:
                waits[mail].append(due - now - 60 * minute)
    if story.spool():
        yield "a mail went out meanwhile"
    if story.query("SELECT kind, state FROM outbox ORDER BY id") != [
            ("ack", "ready"), ("result", "ready")]:
        yield "after an hour there are not two mails that wait"
    for mail, wait in waits.items():
        if not 4 <= len(wait) <= 7 or any(b < 2 * a for a, b in
                                          zip(wait, wait[1:])):
            yield f"mail {mail} was put off by {wait}"
    os.unlink(f"{story.state}/away")
    for minute in range(61, 61 + 260, 20):
        story.run("send", now=now + 60 * minute)
    yield from story.flaws(False)


def disk_full(story):
    """Each step meets a full disk for an hour of the clock: nothing is given
    up meanwhile, and all of it happens once there is space."""
    now = 1800000000
    full = ["strace", "-o", "/dev/null", "-e", "trace=" + ",".join(SPACE),
            "-e", f"inject={','.join(SPACE)}:error=ENOSPC"]
    for step in STEPS:
        for _ in range(4):
            status = story.run(step, full, now=now).returncode
            if status != os.EX_TEMPFAIL:
                yield f"{step}: {status} with a full disk"
            now += 900
        now += 900
        story.run(step, now=now)
        story.wait_for_job()
    for stage in STAGES * 2:
        now += 3600
        story.run(stage, now=now)
    yield from story.flaws(False)


def lock(story, step, seconds):
    """Play up to the step, and have the step meet a locked store."""
    for earlier in STEPS[:step]:
        story.run(earlier)
        story.wait_for_job()
    held = ("mail", "job", "request", "outbox", "thread", "audit")
    before = [story.query(f"SELECT * FROM {t}") for t in held]
    db = sqlite3.connect(f"{story.state}/db", isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    p = subprocess.Popen([story.perfpost, "bot", "--once", "--stage",
                          STEPS[step], "--config",
                          f"{story.here}/perfpost.conf"],
                         stderr=subprocess.PIPE, text=True)
    time.sleep(seconds)
    gone = p.poll()
    db.execute("ROLLBACK")
    db.close()
    said = p.communicate(timeout=60)[1]
    return gone, p.returncode, said, before == [
        story.query(f"SELECT * FROM {t}") for t in held]


def locked_shortly(story, step):
    """Two seconds are waited for."""
    _, status, said, same = lock(story, step, 2)
    if status or same:
        yield f"{STEPS[step]} gave up: {status}, {said}"
    story.finish()
    yield from story.flaws(False)


def locked_for_long(story, step):
    """Longer than the bot waits: the stage says so, and nothing changed."""
    gone, status, said, same = lock(story, step, 45)
    if gone != os.EX_TEMPFAIL or status != gone or "lock" not in said:
        yield f"{STEPS[step]} ended with {gone}, {status}: {said}"
    if not same:
        yield f"{STEPS[step]} changed something"
    story.finish()
    yield from story.flaws(STEPS[step] == "send")


def stories(every):
    """The tests beside the sweep: name, function, its arguments."""
    yield "the server away", server_away, ()
    yield "the disk full", disk_full, ()
    for step in range(len(STEPS)):
        if every == 1 or step in (1, 2):
            yield f"step {step}, locked", locked_shortly, (step,)
            yield f"step {step}, locked for long", locked_for_long, (step,)


def play(perfpost, name, what, args):
    with tempfile.TemporaryDirectory() as here:
        return [f"{name}: {flaw}" for flaw in
                what(Story(perfpost, here), *args)]


def sweep(args, part):
    with tempfile.TemporaryDirectory() as here:
        s = Sweep(Story(args.perfpost, here), args.every, (part, args.jobs),
                  args.v)
        s.all()
        return s.killed, s.starved, s.failed, s.seen, s.wanting


def works():
    if not shutil.which("strace"):
        return False
    probe = subprocess.run(["strace", "-o", "/dev/null", "true"],
                           capture_output=True, check=False)
    return probe.returncode == 0


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--every", type=int, default=20)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--perfpost", default=os.environ.get("PERFPOST"))
    ap.add_argument("-v", action="store_true")
    args = ap.parse_args()
    if not works():
        print("strace does not work here")
        sys.exit(77)
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        parts = [pool.submit(sweep, args, i) for i in range(args.jobs)]
        others = [pool.submit(play, args.perfpost, *s)
                  for s in stories(args.every)]
        parts = [p.result() for p in parts]
        flaws = [flaw for o in others for flaw in o.result()]
    for flaw in flaws:
        print(flaw)
    killed, starved, failed = (sum(p[i] for p in parts) for i in range(3))
    print(f"killed at {killed} of {parts[0][3]} calls that write, sync or "
          f"send; a full disk from {starved} of {parts[0][4]} on; "
          f"{len(others)} stories with a server away or a store locked; "
          f"{failed + len(flaws)} flaws")
    sys.exit(1 if failed or flaws else 0)


main()
