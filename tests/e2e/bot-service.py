#!/usr/bin/env python3
"""The bot as a service: ready, watched, told to reload and to end."""
import fcntl
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from bot_site import Site, failures

perfpost = os.environ["PERFPOST"]
WAIT = 60


class Service:
    """The bot, and its service manager's end of the socket."""

    def __init__(self, site, *options, watchdog_ms=400):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        path = f"{site.here}/notify"
        self.socket.bind(path)
        self.socket.settimeout(WAIT)
        self.heard = []
        self.log = f"{site.here}/log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [perfpost, "bot", "--config", f"{site.here}/perfpost.conf",
                 "--verbose", *options], stderr=log,
                env=dict(os.environ, NOTIFY_SOCKET=path,
                         WATCHDOG_USEC=str(watchdog_ms * 1000)))

    def hear(self, what):
        """Wait for a message that begins so; the others are passed over."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            message = self.socket.recv(4096).decode()
            self.heard.append(message)
            if message.startswith(what):
                return
        raise AssertionError(f"no {what} but {self.heard[-5:]}")

    def says(self, what):
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            with open(self.log, encoding="utf-8") as f:
                text = f.read()
            if what in text:
                return text
            time.sleep(0.05)
        raise AssertionError(f"no {what!r} in:\n{text}")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.hear("STOPPING=1")
        code = self.process.wait(WAIT)
        if code:
            raise AssertionError(f"ended with {code}")


def change(site, old, new):
    path = f"{site.here}/perfpost.conf"
    with open(path, encoding="utf-8") as f:
        text = f.read()
    assert old in text
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace(old, new))


def is_ready_watched_and_ends(*options):
    s = Service(Site(tempfile.mkdtemp(dir=root), perfpost), *options)
    s.hear("READY=1")
    s.hear("WATCHDOG=1")
    s.hear("WATCHDOG=1")
    s.end()


def reloads(*options):
    """A bad configuration is refused and the old one works on."""
    site = Site(tempfile.mkdtemp(dir=root), perfpost)
    s = Service(site, *options)
    s.hear("READY=1")
    change(site, f"{site.here}/in", f"{site.here}/other")
    change(site, "minutes: 1", "minutes: many")
    s.process.send_signal(signal.SIGHUP)
    s.hear("RELOADING=1")
    s.hear("READY=1")
    s.says("the configuration stays as it was: ")
    put(f"{site.here}/in", "first")
    wait_for(site, 1)
    change(site, "minutes: many", "minutes: 1")
    for name in ("new", "cur", "tmp"):
        os.makedirs(f"{site.here}/other/{name}")
    s.process.send_signal(signal.SIGHUP)
    s.hear("RELOADING=1")
    s.hear("READY=1")
    put(f"{site.here}/other", "second")
    wait_for(site, 2)
    s.end()


def put(folder, name):
    """As a mail server does it: the bot looks into new at any moment."""
    with open(f"{folder}/tmp/{name}", "w", encoding="utf-8") as f:
        f.write("From: Ann <ann@dev.example.org>\nSubject: x\n"
                f"Message-ID: <{name}@dev.example.org>\n\nNothing.\n")
    os.rename(f"{folder}/tmp/{name}", f"{folder}/new/{name}")


def wait_for(site, n):
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        (count,), = site.query("SELECT count(*) FROM mail")
        if count == n:
            return
        time.sleep(0.1)
    raise AssertionError(f"{count} mails, not {n}")


def a_stage_reloads():
    reloads("--stage", "receive")


def a_killed_stage_is_started_again():
    s = Service(Site(tempfile.mkdtemp(dir=root), perfpost))
    s.hear("READY=1")
    children = subprocess.run(["ps", "-o", "pid=", "--ppid",
                               str(s.process.pid)], capture_output=True,
                              check=True, text=True).stdout.split()
    if len(children) != 4:
        raise AssertionError(f"{children}")
    os.kill(int(children[0]), signal.SIGKILL)
    s.says("ended (signal 9)")
    s.end()


def a_locked_store_costs_no_mail():
    """What could not be stored is read again, from where the store says."""
    site = Site(tempfile.mkdtemp(dir=root), perfpost)
    box = f"{site.here}/mbox"
    change(site, f"maildir: {{folder: {site.here}/in}}",
           f"mbox: {{file: {box}}}")
    s = Service(site, "--stage", "receive", watchdog_ms=60000)
    s.hear("READY=1")
    append(box, "first")
    wait_for(site, 1)
    other = sqlite3.connect(f"{site.here}/db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    append(box, "second")
    s.says("database is locked")
    other.execute("ROLLBACK")
    other.close()
    append(box, "third")
    wait_for(site, 3)
    s.end()


def append(box, name):
    """As an MTA does it, under the lock."""
    with open(box, "a", encoding="utf-8") as f:
        fcntl.lockf(f, fcntl.LOCK_EX)
        f.write("From ann@dev.example.org Tue Mar  3 10:15:00 2026\n"
                "From: Ann <ann@dev.example.org>\nSubject: x\n"
                f"Message-ID: <{name}@dev.example.org>\n\nNothing.\n\n")


def logs_json():
    site = Site(tempfile.mkdtemp(dir=root), perfpost)
    s = Service(site, "--stage", "decide", "--log", "json")
    s.hear("READY=1")
    change(site, "minutes: 1", "minutes: many")
    s.process.send_signal(signal.SIGHUP)
    text = s.says("stays as it was")
    s.end()
    for line in text.splitlines():
        if sorted(json.loads(line)) != ["level", "text", "time"]:
            raise AssertionError(line)


def ends_at_once_on_nonsense():
    done = subprocess.run([perfpost, "bot", "--log", "xml"],
                          capture_output=True, check=False)
    if done.returncode != 64:
        raise AssertionError(done.returncode)


TESTS = [is_ready_watched_and_ends,
         lambda: is_ready_watched_and_ends("--stage", "send"),
         reloads, a_stage_reloads, a_killed_stage_is_started_again,
         a_locked_store_costs_no_mail, logs_json, ends_at_once_on_nonsense]
with tempfile.TemporaryDirectory() as root:
    bad = failures(TESTS)
sys.exit(bool(bad))
