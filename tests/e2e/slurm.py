#!/usr/bin/env python3
"""The slurm driver against a real munged, slurmctld and slurmd on loopback."""
import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["top_srcdir"], "tests/e2e"))
sys.dont_write_bytecode = True
import slurm_site

TOOL = os.path.join(os.environ["top_builddir"], "tests/e2e/run-driver")
why = slurm_site.missing()
if why:
    print(f"SKIP: {why}")
    sys.exit(77)
site = slurm_site.Site()


def verb(name, folder, *command, remote="", deadline=0, want=0):
    p = subprocess.run([TOOL, "slurm", name, folder, remote, str(deadline),
                        *(command or ("true",))], capture_output=True,
                       text=True, timeout=120)
    assert p.returncode == want, (name, p.returncode, p.stderr)
    return json.loads(p.stdout) if p.stdout.startswith("{") else {}


def until(folder, remote, state, seconds=60):
    end = time.monotonic() + seconds
    while True:
        s = verb("poll", folder, remote=remote)
        if s["state"] == state:
            return s
        assert time.monotonic() < end, s
        time.sleep(0.2)


def queued():
    out = subprocess.run(["squeue", "--noheader", "--states=all", "--format=%A"],
                         capture_output=True, text=True, check=True).stdout
    return len(out.split())


def text(folder, name):
    with open(f"{folder}/{name}") as f:
        return f.read()


def a_job_runs_with_its_words_unread_by_any_shell():
    f = f"{site.dir}/a"
    hostile = "$(touch x); `id` * 'q\" \\"
    r = verb("submit", f, "sh", "-c",
             'printf %s "$1" >results/said; pwd >results/where; echo "$2"; cat',
             "runner", hostile)["remote"]
    s = until(f, r, "ended")
    assert s["code"] == 0 and s["signal"] == 0 and not s["deadline"], s
    assert 0 < s["started"] <= s["ended"], s
    assert text(f, "results/said") == hostile
    assert text(f, "results/where").strip() == f
    assert text(f, "log").strip() == f
    assert not os.path.exists(f"{f}/x")
    assert os.path.exists(f"{f}/status.json")


def an_exit_code_and_a_signal_are_told_apart():
    f, g = f"{site.dir}/b", f"{site.dir}/b2"
    r = verb("submit", f, "sh", "-c", "exit 65", "runner")["remote"]
    q = verb("submit", g, "sh", "-c", "kill -9 $$", "runner")["remote"]
    assert until(f, r, "ended")["code"] == 65
    s = until(g, q, "ended")
    assert s["signal"] == 9 and s["code"] == 0, s


def a_job_is_submitted_once_though_its_number_was_lost():
    f = f"{site.dir}/c"
    before = queued()
    r = verb("submit", f, "sleep", "2", "#")["remote"]
    assert verb("submit", f, "sleep", "2", "#")["remote"] == r
    assert queued() == before + 1
    until(f, "", "running")
    until(f, "", "ended")
    assert verb("submit", f, "sleep", "2", "#")["remote"] == ""
    assert queued() == before + 1


def a_job_is_cancelled_while_it_runs():
    f = f"{site.dir}/d"
    r = verb("submit", f, "sh", "-c", "sleep 100", "runner")["remote"]
    until(f, r, "running")
    verb("cancel", f, remote=r)
    s = until(f, r, "ended")
    assert s["cancelled"], s
    verb("cancel", f, remote=r)
    verb("cancel", f, remote="999999")


def a_job_that_slurm_forgot_and_nobody_ended_is_lost():
    f = f"{site.dir}/e"
    assert verb("poll", f, remote="999999")["state"] == "lost"
    assert verb("poll", f, remote="")["state"] == "lost"


def the_controller_may_be_away():
    f = f"{site.dir}/f"
    r = verb("submit", f, "sh", "-c", "sleep 9; echo done >results/r",
             "runner")["remote"]
    until(f, r, "running")
    site.saved()
    site.end("slurmctld", signal.SIGKILL)
    verb("poll", f, remote=r, want=75)
    verb("submit", f"{site.dir}/f2", want=75)
    site.start_controller()
    s = until(f, r, "ended")
    assert s["code"] == 0, s
    assert text(f, "results/r") == "done\n"


def a_node_that_dies_gives_the_job_back():
    f = f"{site.dir}/g"
    r = verb("submit", f, "sh", "-c",
             "ls results; touch results/half; test -e ../go || sleep 1000",
             "runner")["remote"]
    until(f, r, "running")
    end = time.monotonic() + 30
    while not os.path.exists(f"{f}/results/half"):
        assert time.monotonic() < end
        time.sleep(0.1)
    n = site.nodes[0]
    site.lose_node(n)
    site.scontrol("update", f"NodeName={n}", "State=DOWN", "Reason=test")
    open(f"{site.dir}/go", "w").close()
    assert verb("poll", f, remote=r)["state"] == "running"
    site.start_node(n)
    # Slurm holds a requeued job back for two minutes; we don't wait so long.
    end = time.monotonic() + 90
    while not os.path.exists(f"{f}/slurm.exit"):
        assert time.monotonic() < end, site.show()
        site.scontrol("update", f"JobId={r}", "StartTime=now")
        time.sleep(8)
    s = until(f, r, "ended")
    assert s["code"] == 0, s
    assert text(f, "log").count("half") == 0, text(f, "log")


def a_wrong_option_is_the_configurations_fault():
    f = f"{site.dir}/h"
    os.environ["SBATCH_PARTITION"] = "nowhere"
    verb("submit", f, want=78)
    del os.environ["SBATCH_PARTITION"]


try:
    for name, test in list(globals().items()):
        if callable(test) and test.__doc__ is None and name.count("_") > 2:
            start = time.monotonic()
            test()
            print(f"ok {name} ({time.monotonic() - start:.1f} s)", flush=True)
finally:
    site.stop()
