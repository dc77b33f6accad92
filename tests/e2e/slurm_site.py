"""A Slurm of the test's own on loopback: munged, slurmctld, one or two slurmds.

Everything lies in one temporary folder; stop() ends what was started and
nothing else.  Needs root (the daemons change users) and Debian's slurm-wlm.
"""
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import mail_site
from mail_site import free_port

PROGRAMS = ("munged", "mungekey", "slurmctld", "slurmd", "sbatch", "scontrol")


def missing():
    """What keeps the site from being built here, or None."""
    # slurmd ends at once where it finds no processors or no cgroups.
    for folder in "/sys/devices/system/cpu", "/sys/fs/cgroup":
        if not os.path.isdir(folder) or not os.listdir(folder):
            return f"nothing in {folder}, which slurmd wants"
    return mail_site.missing(*PROGRAMS)


class Site:
    def __init__(self, nodes=1):
        os.environ["PATH"] += ":/usr/sbin:/sbin"
        self.dir = tempfile.mkdtemp(prefix="perfpost-slurm-")
        os.chmod(self.dir, 0o755)
        self.process = {}
        self.nodes = [f"node{i}" for i in range(nodes)]
        self.ports = {n: free_port() for n in self.nodes}
        self.ctl_port = free_port()
        for d in ("state", "spool", "log", "munge"):
            os.makedirs(f"{self.dir}/{d}")
        try:
            self.start()
        except BaseException:
            self.stop()
            raise

    def start(self):
        self.munge()
        self.configure()
        os.environ["SLURM_CONF"] = f"{self.dir}/slurm.conf"
        self.start_controller()
        for n in self.nodes:
            self.start_node(n)

    def spawn(self, name, argv, **kw):
        log = open(f"{self.dir}/log/{name}.out", "ab")
        self.process[name] = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **kw)

    def munge(self):
        key, sock = f"{self.dir}/munge/key", f"{self.dir}/munge/socket"
        user = pwd.getpwnam("munge")
        subprocess.run(["mungekey", "-c", "-k", key], check=True)
        os.chown(key, user.pw_uid, user.pw_gid)
        os.chown(f"{self.dir}/munge", user.pw_uid, user.pw_gid)
        os.chmod(f"{self.dir}/munge", 0o755)
        self.spawn("munged", [
            "munged", "--foreground", "--force", f"--key-file={key}",
            f"--socket={sock}", f"--pid-file={self.dir}/munge/pid",
            f"--log-file={self.dir}/munge/log",
            f"--seed-file={self.dir}/munge/seed"],
            user=user.pw_uid, group=user.pw_gid, extra_groups=[])
        self.wait("munged", lambda: os.path.exists(sock))

    def configure(self):
        lines = [
            "ClusterName=test", f"SlurmctldHost={socket.gethostname()}(127.0.0.1)",
            "SlurmUser=root", "SlurmdUser=root", "AuthType=auth/munge",
            f"AuthInfo=socket={self.dir}/munge/socket",
            "ProctrackType=proctrack/pgid", "TaskPlugin=task/none",
            "SelectType=select/cons_tres", "SelectTypeParameters=CR_Core",
            f"SlurmctldPort={self.ctl_port}",
            f"StateSaveLocation={self.dir}/state",
            f"SlurmdSpoolDir={self.dir}/spool/%n",
            f"SlurmctldLogFile={self.dir}/log/slurmctld.log",
            f"SlurmdLogFile={self.dir}/log/slurmd-%n.log",
            f"SlurmctldPidFile={self.dir}/slurmctld.pid",
            f"SlurmdPidFile={self.dir}/slurmd-%n.pid",
            "ReturnToService=2", "SlurmdTimeout=10", "KillWait=2",
            "MessageTimeout=5", "MailProg=/bin/true", "JobRequeue=1",
            "SwitchType=switch/none", "MpiDefault=none",
        ]
        for n in self.nodes:
            lines.append(f"NodeName={n} NodeHostname={socket.gethostname()} "
                         f"NodeAddr=127.0.0.1 Port={self.ports[n]} "
                         "CPUs=1 State=UNKNOWN")
        lines.append(f"PartitionName=main Nodes={','.join(self.nodes)} "
                     "Default=YES MaxTime=INFINITE State=UP "
                     "OverSubscribe=FORCE:16")
        with open(f"{self.dir}/slurm.conf", "w") as f:
            f.write("\n".join(lines) + "\n")

    def start_controller(self):
        self.spawn("slurmctld", ["slurmctld", "-D"])
        self.wait("slurmctld", lambda: self.scontrol("ping") == 0)

    def start_node(self, n):
        self.spawn(n, ["slurmd", "-D", "-N", n])
        self.wait(n, lambda: self.node_state(n).startswith(("IDLE", "MIXED", "ALLOC")))

    def scontrol(self, *args):
        return subprocess.run(["scontrol", *args], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=30).returncode

    def node_state(self, n):
        out = subprocess.run(["scontrol", "--oneliner", "show", "node", n],
                             capture_output=True, text=True, timeout=30).stdout
        return out.partition("State=")[2].split(" ")[0]

    def wait(self, name, good, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if name in self.process and self.process[name].poll() is not None:
                break
            if good():
                return
            time.sleep(0.1)
        with open(f"{self.dir}/log/{name}.out", errors="replace") as f:
            print(f.read()[-2000:])
        raise SystemExit(f"{name} does not come up")

    def lose_node(self, n):
        """End a node as a power cut does: the daemon and what it started."""
        self.end(n, signal.SIGKILL)
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as f:
                    ours = f"SLURM_CONF={self.dir}".encode() in f.read()
                with open(f"/proc/{pid}/cmdline", "rb") as f:
                    job = b"slurmstepd" in f.read()
                cwd = os.readlink(f"/proc/{pid}/cwd")
            except OSError:
                continue
            if ours and (job or cwd.startswith(f"{self.dir}/")) and \
                    int(pid) != os.getpid():
                os.kill(int(pid), signal.SIGKILL)

    def show(self):
        """What the controller knows, for a test that fails."""
        return subprocess.run("scontrol -o show job; scontrol -o show node",
                              shell=True, capture_output=True, text=True).stdout

    def saved(self):
        """Wait until the controller has written down the jobs it has now: it
        does so some seconds after a change, and may just have done it."""
        path, now = f"{self.dir}/state/job_state", time.time()
        self.wait("slurmctld", lambda: os.path.exists(path) and
                  (os.path.getmtime(path) > now or time.time() > now + 12))

    def end(self, name, sig=signal.SIGTERM):
        p = self.process.pop(name)
        p.send_signal(sig)
        try:
            p.wait(10)
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()

    def stop(self):
        for n in reversed(list(self.process)):
            self.end(n)
        shutil.rmtree(self.dir, ignore_errors=True)
