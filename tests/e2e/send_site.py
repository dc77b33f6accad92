"""What the tests of "perfpost send" share: a place to send from, a server that
misbehaves."""
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

PERFPOST = os.environ["PERFPOST"]
SRC = os.environ["top_srcdir"]
GOOD = SRC + "/tests/lint/good.eml"
ADA, LIST = "ada@dev.example.org", "kernel-perf@lists.example.org"


class Sink:
    """tests/tools/smtp-sink.py in one of its modes."""

    def __init__(self, mode, *certificate):
        self.folder = tempfile.mkdtemp(prefix="sink-")
        self.process = subprocess.Popen(
            [sys.executable, SRC + "/tests/tools/smtp-sink.py", self.folder,
             mode, *certificate], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline())

    def mails(self):
        return sorted(f for f in os.listdir(self.folder)
                      if f.endswith(".eml"))

    def read(self, name):
        with open(self.folder + "/" + name, "rb") as f:
            return f.read()

    def log(self):
        try:
            return self.read("log").decode("latin-1")
        except FileNotFoundError:
            return ""

    def stop(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder)


class Place:
    """A folder with a configuration and a store of its own."""

    def __init__(self, send, more=""):
        self.folder = tempfile.mkdtemp(prefix="send-")
        self.configure(send, more)

    def configure(self, send, more=""):
        with open(self.folder + "/conf", "w") as f:
            f.write("operator: {address: perfbot@ci.example.org}\n"
                    "store: %s/store\nsend: %s\n%s" % (self.folder, send,
                                                       more))

    def command(self, *args):
        return [PERFPOST, args[0], "--config", self.folder + "/conf",
                *args[1:]]

    def run(self, *args, stdin=None):
        return subprocess.run(self.command("send", *args), input=stdin,
                              capture_output=True, timeout=120)

    def check_config(self, *args):
        return subprocess.run(self.command("check-config", *args),
                              capture_output=True, text=True, timeout=120)

    def query(self, sql):
        db = sqlite3.connect(self.folder + "/store")
        rows = db.execute(sql).fetchall()
        db.close()
        return rows

    def outbox(self):
        """state, tries, {address: state} of the only mail"""
        (id, state, tries), = self.query("SELECT id, state, tries FROM outbox")
        return state, tries, dict(self.query(
            "SELECT address, state FROM recipient WHERE outbox = %d" % id))

    def stop(self):
        shutil.rmtree(self.folder)


def smtp(port, more="", timeout=60, host="localhost", tls="none"):
    """A value for "send:" in the configuration."""
    return ("{driver: smtp, timeout: %d, smtp: {host: %s, port: %d, tls: %s, "
            "helo: ci.example.org%s}}" % (timeout, host, port, tls, more))
