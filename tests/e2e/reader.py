#!/usr/bin/env python3
"""A mail whose reader is killed costs a retry, then the quarantine; the bot
and all other mails go on."""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from bot_site import Site

perfpost = os.environ["PERFPOST"]
if not shutil.which("strace"):
    print("no strace: nobody to kill the reader")
    sys.exit(77)


def decide(site, kill=False, fails=None, want=0):
    """A round of the decide stage; "kill": its readers die as they begin,
    "fails": a system call that this kernel does not have."""
    strace = []
    if kill:
        strace = ["strace", "-f", "-qq", "-e", "trace=getppid", "-e",
                  "inject=getppid:signal=KILL"]
    elif fails:
        strace = ["strace", "-f", "-qq", "-e", f"trace={fails}", "-e",
                  f"inject={fails}:error=ENOSYS"]
    env = dict(os.environ, ASAN_OPTIONS="detect_leaks=0",
               SOURCE_DATE_EPOCH=str(site.now))
    done = subprocess.run(
        [*strace, perfpost, "bot", "--once", "--stage", "decide", "--config",
         f"{site.here}/perfpost.conf"], env=env, capture_output=True,
        text=True, check=False)
    if done.returncode != want or "Sanitizer" in done.stderr:
        raise AssertionError(f"{done.returncode}: {done.stderr[:2000]}")
    return done.stderr


def states(site):
    return site.query("SELECT state, tries FROM mail ORDER BY id")


def same(got, want):
    if got != want:
        raise AssertionError(f"{got!r}, not {want!r}")


with tempfile.TemporaryDirectory() as root:
    s = Site(root, perfpost, "bot: {quarantine: HERE/quarantine}\n")
    s.now = 1772532900
    s.mail("Poison.")
    s.stage("receive")
    said = decide(s, kill=True)
    if "is put off" not in said or "signal 9" not in said:
        raise AssertionError(f"{said!r}")
    same(states(s), [("new", 1)])
    s.mail("Please rerun.")
    s.stage("receive")
    decide(s, kill=False)  # the poisoned one is not due
    same(states(s), [("new", 1), ("decided", 0)])
    s.now += 61
    decide(s, kill=True)
    same(states(s)[0][0], "quarantined")
    kept, = os.listdir(f"{root}/quarantine")
    with open(f"{root}/quarantine/{kept}", encoding="utf-8") as f:
        if "Poison." not in f.read():
            raise AssertionError("the quarantine holds another mail")
    same(s.query("SELECT count(*) FROM audit WHERE what = 'quarantined'"),
         [(1,)])

# A kernel without landlock: said, and read all the same.
with tempfile.TemporaryDirectory() as root:
    s = Site(root, perfpost)
    s.now = 1772532900
    s.mail("Thanks.")
    s.stage("receive")
    said = decide(s, fails="landlock_create_ruleset")
    if "not confined by landlock: this kernel has none" not in said:
        raise AssertionError(f"{said!r}")
    same(states(s), [("decided", 0)])

# One without seccomp: nothing is read, and nothing happens to the mail.
with tempfile.TemporaryDirectory() as root:
    s = Site(root, perfpost)
    s.now = 1772532900
    s.mail("Thanks.")
    s.stage("receive")
    said = decide(s, fails="prctl", want=78)
    if "no seccomp" not in said:
        raise AssertionError(f"{said!r}")
    same(states(s), [("new", 0)])
    decide(s)
    same(states(s), [("decided", 0)])
