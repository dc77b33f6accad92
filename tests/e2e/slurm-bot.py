#!/usr/bin/env python3
"""The whole bot with a real Slurm: a mail comes in, the job runs on a node,
the result's mail goes out; a job is cancelled by mail, while it waits and
while it runs; a node and the controller die under one."""
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import traceback

sys.path.insert(0, os.path.join(os.environ["top_srcdir"], "tests/e2e"))
sys.dont_write_bytecode = True
import slurm_site
from bot_site import PATCH, Site

CALLS = "pwrite64,fdatasync,wait4,waitid,rename,write,mkdir"
PLEASE = "Please rerun with this patch.\n\n" + PATCH


def same(got, want, what=""):
    if got != want:
        raise AssertionError(f"{what}: {got!r}, not {want!r}")


def bot(name, runner=None):
    here = f"{slurm.dir}/{name}"
    os.makedirs(here)
    s = Site(here, os.environ["PERFPOST"])
    path = f"{here}/perfpost.conf"
    with open(path, encoding="utf-8") as f:
        text = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace("minutes: 1", "minutes: 1, parallel: 2, driver: "
                             "slurm, submit_options: [--partition=main]"))
    if runner:
        with open(f"{here}/runner", "w", encoding="utf-8") as f:
            f.write(f"#!/bin/sh\n{runner}")
    return s


def kinds(mails):
    return [m["X-Perfpost"] for m in mails]


def until(s, sql, seconds=90):
    """Look after the jobs until the store says so."""
    end = time.monotonic() + seconds
    while not s.query(sql):
        s.stage("run")
        if time.monotonic() > end:
            raise AssertionError(f"never: {sql}\n{slurm.show()}")
        time.sleep(0.2)


def running(s):
    until(s, "SELECT 1 FROM job WHERE state = 'submitted'")
    end = time.monotonic() + 60
    while not os.path.exists(f"{s.here}/runs"):
        if time.monotonic() > end:
            raise AssertionError(f"it does not run\n{slurm.show()}")
        time.sleep(0.1)


def in_queue():
    """What Slurm has that waits or runs."""
    return subprocess.run(["squeue", "--noheader", "--format=%j"],
                          capture_output=True, text=True,
                          check=True).stdout.split()


def nothing_is_left():
    end = time.monotonic() + 30
    while in_queue():
        if time.monotonic() > end:
            raise AssertionError(f"left: {in_queue()}")
        time.sleep(0.2)


def a_mail_becomes_a_job_and_a_result():
    s = bot("whole")
    s.mail(PLEASE)
    same(kinds(s.go()), ["ack"])
    until(s, "SELECT 1 FROM job WHERE state = 'done'")
    result, = s.go("run", "send")
    same(kinds([result]), ["result"])
    same(result["X-Perfpost-Verdict"], "recovered")
    same(s.query("SELECT remote != '' FROM job"), [(1,)])
    with open(f"{s.here}/started", encoding="utf-8") as f:
        same(len(f.read().split()), 1, "started")


def a_running_job_is_cancelled_by_mail():
    s = bot("runs", "touch ../../runs\nsleep 1000\n")
    s.mail(PLEASE)
    s.go()
    running(s)
    same(len(in_queue()), 1)
    s.mail("#robot cancel")
    s.go("receive", "decide", "run", "send")
    same(s.jobs(), ["cancelled"])
    nothing_is_left()
    s.stage("run", "send")
    same(s.jobs(), ["cancelled"])


def a_waiting_job_is_cancelled_by_mail():
    """Slurm has it, and no node is free for it."""
    s = bot("waits", "touch ../../runs\n")
    for n in slurm.nodes:
        slurm.scontrol("update", f"NodeName={n}", "State=DRAIN",
                       "Reason=test")
    try:
        s.mail(PLEASE)
        s.go()
        until(s, "SELECT 1 FROM job WHERE state = 'submitted'")
        same(len(in_queue()), 1)
        s.mail("#robot cancel")
        s.go("receive", "decide", "run", "send")
        same(s.jobs(), ["cancelled"])
        nothing_is_left()
    finally:
        for n in slurm.nodes:
            slurm.scontrol("update", f"NodeName={n}", "State=RESUME")
    if os.path.exists(f"{s.here}/runs"):
        raise AssertionError("it ran")


def the_controller_dies_and_the_job_is_none_the_worse():
    """The bot says what is wrong, waits, and answers when it is back."""
    s = bot("away")
    os.rename(f"{s.here}/runner", f"{s.here}/measure")
    with open(f"{s.here}/runner", "w", encoding="utf-8") as f:
        f.write(f"#!/bin/sh\ntouch {s.here}/runs\n"
                f"until [ -e {s.here}/go ]; do sleep 0.2; done\n"
                f"exec {s.here}/measure \"$1\"\n")
    os.chmod(f"{s.here}/runner", 0o755)
    s.mail(PLEASE)
    s.go()
    running(s)
    slurm.saved()
    slurm.end("slurmctld", signal.SIGKILL)
    s.now = int(time.time()) + 10
    s.stage("run")
    same(s.jobs(), ["submitted"])
    open(f"{s.here}/go", "wb").close()
    slurm.start_controller()
    s.now += 60
    end = time.monotonic() + 60
    while s.jobs() != ["done"]:
        if time.monotonic() > end:
            raise AssertionError(f"{s.jobs()}\n{slurm.show()}")
        time.sleep(0.5)
        s.now += 40
        s.stage("run")
    result, = s.go("run", "send")
    same(kinds([result]), ["result"])
    with open(f"{s.here}/started", encoding="utf-8") as f:
        same(len(f.read().split()), 1, "started")


def killed_as_it_submits():
    """The stage dies right before, during and right after sbatch(1): the job
    is found again by its name, and runs once."""
    if not shutil.which("strace"):
        print("SKIP: no strace: nobody to kill the stage")
        return
    s = bot("dies")
    s.mail(PLEASE)
    s.go()
    shutil.copytree(s.here, f"{s.here}.before")
    log = f"{s.here}.trace"
    strace(s, "-o", log)
    with open(log, encoding="utf-8") as f:
        calls = [line.split("(")[0] for line in f if "(" in line]
    wait = s.query("SELECT 1 FROM job WHERE state = 'submitted'")
    same(wait, [(1,)])
    first = calls.index("wait4") if "wait4" in calls else len(calls) // 2
    for i in (first - 1, first, first + 1, len(calls) - 2):
        until(s, "SELECT 1 FROM job WHERE state = 'done'")
        shutil.rmtree(s.here)
        shutil.copytree(f"{s.here}.before", s.here)
        before = total()
        nth = calls[:i + 1].count(calls[i])
        strace(s, "-o", "/dev/null", "-e",
               f"inject={calls[i]}:signal=KILL:when={nth}")
        until(s, "SELECT 1 FROM job WHERE state = 'done'")
        same(total() - before, 1, f"jobs in Slurm, {calls[i]} {nth}")
        with open(f"{s.here}/started", encoding="utf-8") as f:
            same(len(f.read().split()), 1, f"started, {calls[i]} {nth}")


def strace(s, *options):
    subprocess.run(
        ["strace", "-qq", "-e", "trace=" + CALLS, *options, s.perfpost, "bot",
         "--once", "--stage", "run", "--config", f"{s.here}/perfpost.conf"],
        env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"),
        capture_output=True, check=False)


def total():
    """How many jobs Slurm ever got."""
    out = subprocess.run(["scontrol", "--oneliner", "show", "job"],
                         capture_output=True, text=True, check=False).stdout
    return max([int(n) for n in re.findall(r"JobId=(\d+)", out)] or [0])


why = slurm_site.missing()
if why:
    print(f"SKIP: {why}")
    sys.exit(77)
bad = 0
slurm = slurm_site.Site()
try:
    for test in (a_mail_becomes_a_job_and_a_result,
                 a_running_job_is_cancelled_by_mail,
                 a_waiting_job_is_cancelled_by_mail,
                 killed_as_it_submits,
                 the_controller_dies_and_the_job_is_none_the_worse):
        if sys.argv[1:] and test.__name__ not in sys.argv[1:]:
            continue
        start = time.monotonic()
        try:
            test()
            print(f"ok {test.__name__} ({time.monotonic() - start:.1f} s)",
                  flush=True)
        except Exception:
            bad += 1
            traceback.print_exc()
            print(f"FAILED: {test.__name__}", flush=True)
finally:
    slurm.stop()
sys.exit(bool(bad))
