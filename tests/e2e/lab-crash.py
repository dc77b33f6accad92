#!/usr/bin/env python3
"""The bot among real servers, each stage killed at calls that write, sync or
talk: one job, one acknowledgement and one result come of it, and no mail is
lost.  A second copy arrives only when Postfix had the first one before the
kill, and then it is the same to the byte.

usage: lab-crash.py [--points N] [-v]

By IMAP from Dovecot, and once more from a public-inbox archive.  The default
is a sample of N calls a step; 0 is all of them ("make lab-sweep").
"""
import argparse
import collections
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lab_site
from lab_site import ANN, LIST, Bot, World, own_part
from traced import calls_made

CALLS = ("write pwrite64 writev sendto sendmsg recvfrom recvmsg fsync "
         "fdatasync rename unlink ftruncate mkdir").split()
STEPS = ("receive", "decide", "send", "run", "run", "send")


class Story:
    """From a report that was sent, and answered, to the result."""

    def __init__(self, world, folder, variant):
        self.world, self.variant = world, variant
        self.bot = Bot(world, folder, os.environ["PERFPOST"], variant)
        self.bot.ask(self.bot.report())
        self.empty()

    def empty(self):
        """Nobody has any mail of the bot's but those of the state."""
        for who in ANN, LIST:
            box = f"{self.world.boxes[who]}/new"
            for name in os.listdir(box):
                os.unlink(f"{box}/{name}")

    def trace(self, step, *options):
        return self.bot.stage(STEPS[step], check=False, prefix=[
            "strace", "-qq", "-e", "trace=" + ",".join(CALLS), *options])

    def wait_for_job(self):
        jobs = f"{self.bot.here}/jobs"
        for _ in range(600):
            names = os.listdir(jobs) if os.path.isdir(jobs) else []
            if all(os.path.exists(f"{jobs}/{n}/status.json") for n in names
                   if os.path.exists(f"{jobs}/{n}/lock")):
                return
            time.sleep(0.05)

    def count(self, step):
        """How often the step makes each call; it is carried out."""
        log = f"{self.world.d}/trace"
        self.trace(step, "-o", log)
        return calls_made(log, CALLS)

    def taken(self):
        """Message-ID -> how often each of its bytes lies with Ann."""
        found = collections.defaultdict(collections.Counter)
        for raw in self.world.raw(ANN):
            own = own_part(raw)
            mid = own.split(b"\nMessage-ID: ")[1].split(b"\n")[0].decode()
            found[mid][own] += 1
        return found

    def finish(self):
        for _ in range(40):
            self.bot.stage("receive", "decide", "run", "send")
            if self.bot.query("SELECT count(*) FROM outbox WHERE kind = "
                              "'result' AND state = 'sent'") == [(1,)]:
                break
            time.sleep(0.05)
        self.world.settle()

    def flaws(self, before, earlier):
        """What is wrong with how it ended.  "before": what Ann had right
        after the kill, "earlier": what was sent in the steps before."""
        q = self.bot.query
        left = q("SELECT count(*) FROM mail WHERE state = 'new'")
        if left != [(0,)]:
            yield f"{left} mails were not decided"
        asked = q("SELECT decision FROM mail WHERE decision = 'queue'")
        if len(asked) != 1:
            yield f"{len(asked)} mails were granted"
        for what, want in (("job", ("done",)), ("request", ("answered",))):
            got = q(f"SELECT state FROM {what}")
            if got != [want]:
                yield f"{what}: {got}"
        with open(f"{self.bot.here}/started", encoding="utf-8") as f:
            if len(f.read().split()) != 1:
                yield "the job ran more than once"
        kinds = q("SELECT kind, state FROM outbox WHERE kind != 'report' "
                  "ORDER BY id")
        if kinds != [("ack", "sent"), ("result", "sent")]:
            yield f"outbox: {kinds}"
        got = self.taken()
        if len(got) + earlier != 2:
            yield f"{len(got)} different mails arrived, {earlier} earlier"
        for mid, copies in got.items():
            if len(copies) != 1:
                yield f"{mid}: copies that differ"
            if sum(copies.values()) > (2 if mid in before else 1):
                yield (f"{mid}: {sum(copies.values())} copies, "
                       f"{len(before)} at the kill")
        if q("PRAGMA integrity_check") != [("ok",)]:
            yield "the store is damaged"


class Sweep:
    def __init__(self, story, points, verbose):
        self.story, self.points, self.verbose = story, points, verbose
        self.seen = self.killed = self.failed = self.twice = 0
        self.earlier = 0    # mails that the steps before have sent

    def sample(self, points):
        """Some, from all over the step."""
        if not self.points or len(points) <= self.points:
            return points
        stride = len(points) / self.points
        return [points[int((i + 0.5) * stride)] for i in range(self.points)]

    def point(self, step, call, k):
        story = self.story
        story.bot.restore("before")
        story.empty()
        story.trace(step, "-o", "/dev/null", "-e",
                    f"inject={call}:signal=KILL:when={k}")
        before = story.taken()
        story.finish()
        self.killed += 1
        self.twice += any(sum(c.values()) == 2
                          for c in story.taken().values())
        where = f"{story.variant}, step {step} ({STEPS[step]}), {call} {k}"
        for flaw in story.flaws(before, self.earlier):
            self.failed += 1
            print(f"{where}: {flaw}", flush=True)
        if self.verbose:
            print(where, flush=True)

    def all(self):
        story = self.story
        for step, name in enumerate(STEPS):
            story.wait_for_job()
            story.bot.save("before")
            story.empty()
            counts = story.count(step)
            sent = len(story.taken())
            story.wait_for_job()
            story.bot.save("after")
            points = [(call, k) for call, n in sorted(counts.items())
                      for k in range(1, n + 1)]
            self.seen += len(points)
            for call, k in self.sample(points):
                self.point(step, call, k)
            story.bot.restore("after")
            self.earlier += sent
        if self.earlier != 2:
            self.failed += 1
            print(f"{story.variant}: {self.earlier} mails in all")
        print(f"{story.variant}: killed at {self.killed} of {self.seen} "
              f"calls; {self.twice} times a mail came twice", flush=True)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--points", type=int, default=2)
    ap.add_argument("-v", action="store_true")
    args = ap.parse_args()
    why = lab_site.lacks() or lab_site.missing("strace")
    if why or subprocess.run(["strace", "-o", "/dev/null", "true"],
                             check=False).returncode:
        print(f"SKIP: {why or 'strace does not work here'}")
        sys.exit(77)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="perfpost-lab-") as root:
        world = World(root)
        try:
            for variant in "imap", "public-inbox":
                sweep = Sweep(Story(world, f"{root}/{variant}", variant),
                              args.points, args.v)
                sweep.all()
                failed += sweep.failed
        finally:
            world.stop()
    sys.exit(bool(failed))


main()
