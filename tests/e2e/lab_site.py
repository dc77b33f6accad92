"""The bot among real servers: Postfix takes its mails and those of a
developer, Dovecot keeps the bot's mailbox, public-inbox the list's archive."""
import email
import email.policy
import glob
import json
import os
import re
import shutil
import smtplib
import socket
import sqlite3
import ssl
import subprocess
import threading
import time

from bot_site import PATCH, RUNNER
from mail_site import Authority, Dovecot, Postfix, missing

ANN = "ann@dev.example.org"
BOB = "bob@dev.example.org"
LIST = "kernel-perf@lists.example.org"
BOT = "perfbot@ci.example.org"
HOST = "mx.lab.test"     # resolves only where a test says so
BASE = "1111111111111111111111111111111111111111"
HEAD = "9a8b7c6d5e4f9a8b7c6d5e4f9a8b7c6d5e4f9a8b"
# What a milter of the operator's would say of a mail from dev.example.org.
PROOF = ("PREPEND Authentication-Results: mx.example.org; dmarc=pass "
         "header.from=dev.example.org")
# Fields that a server puts before a mail as it takes it.
TRACE = ("return-path", "x-original-to", "delivered-to", "received",
         "authentication-results")


def lacks():
    return missing(*Postfix.PROGRAMS, "dovecot", "public-inbox-mda")


class World:
    """The servers.  Each Maildir is somebody's, the bot's is Dovecot's."""

    def __init__(self, d):
        self.d = d
        os.chmod(d, 0o755)
        self.authority = Authority(d)
        certificate = self.authority.issue("good", f"localhost,DNS:{HOST}")
        os.mkdir(f"{d}/dovecot")
        self.dovecot = Dovecot(f"{d}/dovecot", certificate)
        self.boxes = {ANN: f"{d}/ann", BOB: f"{d}/bob", LIST: f"{d}/list",
                      BOT: self.dovecot.box}
        os.mkdir(f"{d}/postfix")
        self.postfix = Postfix(f"{d}/postfix", certificate, self.boxes,
                               self.dovecot.auth)
        with open(f"{d}/password", "w", encoding="utf-8") as f:
            f.write("secret\n")
        self.answers({})
        self.make_archive()

    def answers(self, replies):
        self.postfix.answers({BOT: PROOF, LIST: PROOF, **replies})

    def make_archive(self):
        self.archive = f"{self.d}/archive"
        self.pi = dict(os.environ, HOME=self.d, PI_CONFIG=f"{self.d}/pi",
                       ORIGINAL_RECIPIENT=LIST)
        for k in ("AUTHOR", "COMMITTER"):
            self.pi[f"GIT_{k}_NAME"] = "archive"
            self.pi[f"GIT_{k}_EMAIL"] = LIST
        run = {"env": self.pi, "check": True, "capture_output": True}
        subprocess.run(["public-inbox-init", "-V2", "perf", self.archive,
                        "https://archive.example.org/perf", LIST], **run)
        subprocess.run(["git", "config", "-f", self.pi["PI_CONFIG"],
                        "publicinboxmda.spamcheck", "none"], **run)
        self.archived = set()

    def archive_list(self):
        """The list's mails go into its archive, each once."""
        for path in sorted(glob.glob(f"{self.boxes[LIST]}/new/*")):
            if path in self.archived:
                continue
            self.archived.add(path)
            with open(path, "rb") as f:
                subprocess.run(["public-inbox-mda", "--no-precheck"],
                               input=f.read(), env=self.pi, check=True,
                               capture_output=True)

    def is_quiet(self):
        """Has Postfix nothing more to deliver?"""
        queue = f"{self.postfix.d}/queue"
        return not any(names for q in ("maildrop", "incoming", "active")
                       for _, _, names in os.walk(f"{queue}/{q}"))

    def settle(self, seconds=60):
        """Wait until what was handed to Postfix lies in a mailbox."""
        end = time.monotonic() + seconds
        quiet = 0
        while quiet < 3:
            quiet = quiet + 1 if self.is_quiet() else 0
            if time.monotonic() > end:
                raise AssertionError("Postfix is busy:\n" +
                                     self.postfix.log()[-2000:])
            time.sleep(0.05)

    def raw(self, address):
        self.settle()
        found = []
        for name in sorted(os.listdir(f"{self.boxes[address]}/new")):
            with open(f"{self.boxes[address]}/new/{name}", "rb") as f:
                found.append(f.read())
        return found

    def mails(self, address):
        return [email.message_from_bytes(m, policy=email.policy.default)
                for m in self.raw(address)]

    def kinds(self, address):
        """What of the bot's mails lies there: "report", "ack", ..."""
        return sorted(kind(m) for m in self.mails(address)
                      if m["From"].addresses[0].addr_spec == BOT)

    def say(self, who, to, text, answer_to=None, subject="Re: a report",
            mid=None, references=()):
        """A person's mail program; the Message-ID."""
        mid = mid or f"{time.monotonic_ns()}@{who.partition('@')[2]}"
        lines = [f"From: {who.partition('@')[0].capitalize()} <{who}>",
                 f"To: {to[0]}"]
        if to[1:]:
            lines.append("Cc: " + ", ".join(to[1:]))
        lines += [f"Subject: {subject}",
                  "Date: Tue, 03 Mar 2026 10:15:00 +0000",
                  f"Message-ID: <{mid}>"]
        if answer_to:
            lines += [f"In-Reply-To: {answer_to}", "References: " +
                      " ".join([*references, answer_to])]
        lines += ["MIME-Version: 1.0",
                  "Content-Type: text/plain; charset=utf-8", "", text]
        self.hand_in(who, to, "\r\n".join(lines).replace("\r\n", "\n")
                     .replace("\n", "\r\n"))
        return mid

    def hand_in(self, who, to, text):
        context = ssl.create_default_context(cafile=self.authority.ca)
        with smtplib.SMTP("localhost", self.postfix.smtp) as s:
            s.starttls(context=context)
            s.sendmail(who, to, text)
        self.settle()

    def stop(self):
        self.postfix.stop()
        self.dovecot.stop()


def kind(m):
    return (m["X-Perfpost"] or m["Message-ID"].strip("<").split(".")[0])


def own_part(raw):
    """A mail without what the servers wrote before it."""
    lines = raw.splitlines(keepends=True)
    while lines and (lines[0][:1] in b" \t" or lines[0].split(b":")[0]
                     .lower().decode("latin-1") in TRACE):
        lines.pop(0)
    return b"".join(lines)


class Bot:
    """One in a folder of its own; a report of its was sent to Ann and the
    list through Postfix."""

    def __init__(self, world, here, perfpost, variant="imap", conf=None):
        self.world, self.here, self.perfpost = world, here, perfpost
        self.variant = variant
        self.now = None
        self.prefix = []
        os.makedirs(here)
        with open(f"{here}/runner", "w", encoding="utf-8") as f:
            f.write(RUNNER.format(here=here))
        os.chmod(f"{here}/runner", 0o755)
        self.values(base=[100, 101, 99, 100], reported=[50, 51, 49, 50],
                    patched=[99, 100, 98, 100])
        self.smtp = {"host": "localhost", "port": world.postfix.smtp}
        self.imap = {"host": "localhost", "port": world.dovecot.tls}
        self.configure(**(conf or {}))

    def configure(self, **more):
        w, here = self.world, self.here
        ca = {"ca_file": w.authority.ca}
        conf = {
            "operator": {"name": "robot", "address": BOT},
            "store": f"{here}/db",
            "auth": {"servers": ["mx.example.org"]},
            "lists": [LIST],
            "send": {"driver": "smtp", "timeout": "20s",
                     "smtp": {**self.smtp, **ca}},
            "receive": {"every": "1s", "timeout": "20s", "imap": {
                **self.imap, **ca, "user": "robot",
                "password_file": f"{w.d}/password"}},
            "run": {"command": [f"{here}/runner"], "folder": f"{here}/jobs",
                    "minutes": 1},
            **more}
        if self.variant == "public-inbox":
            conf["receive"] = {"every": "1s", "public_inbox": {
                "folder": f"{here}/mirrors", "urls": [w.archive]}}
        with open(f"{here}/perfpost.conf", "w", encoding="utf-8") as f:
            json.dump(conf, f)   # which is YAML, too

    def values(self, **sides):
        with open(f"{self.here}/values.json", "w", encoding="utf-8") as f:
            json.dump(sides, f)

    def call(self, *args, prefix=(), check=True):
        env = dict(os.environ, PERFPOST_CONFIG=f"{self.here}/perfpost.conf")
        if self.now:
            env["SOURCE_DATE_EPOCH"] = str(self.now)
        if prefix:
            env["ASAN_OPTIONS"] = "detect_leaks=0"
        done = subprocess.run([*self.prefix, *prefix, self.perfpost, *args],
                              env=env, capture_output=True, text=True,
                              check=False)
        if "Sanitizer" in done.stderr or (check and done.returncode):
            raise AssertionError(f"{args}: {done.returncode}: "
                                 f"{done.stderr[:3000]}")
        return done

    def stage(self, *names, **more):
        said = ""
        for name in names:
            said += self.call("bot", "--once", "--stage", name, "--verbose",
                              **more).stderr
        return said

    def report(self):
        """Written, sent to Ann and the list; its Message-ID."""
        with open(f"{self.here}/first.json", "w", encoding="utf-8") as f:
            json.dump({"format": "perfpost-results/1",
                       "headline": "bench.score", "subsystem": "mm",
                       "commits": {BASE: {"subject": "mm: good"}, HEAD: {
                           "subject": "mm: slow",
                           "author": f"Ann <{ANN}>"}},
                       "metrics": {"bench.score": {"better": "higher",
                                                   "kpi": True}},
                       "results": [
                           {"axes": {"testcase": "bench", "commit": c},
                            "matrix": {"bench.score": v}} for c, v in
                           ((BASE, [100, 101, 99, 100]),
                            (HEAD, [50, 51, 49, 50]))]}, f)
        mail = self.call("report", "--to", ANN, "--cc", LIST,
                         f"{self.here}/first.json").stdout
        with open(f"{self.here}/report.eml", "w", encoding="utf-8") as f:
            f.write(mail)
        if self.variant == "public-inbox":
            self.stage("receive")    # where the archive ends now
        self.call("send", "--results", f"{self.here}/first.json",
                  f"{self.here}/report.eml")
        self.world.archive_list()
        return re.search("(?m)^Message-ID: (<.*>)", mail)[1]

    def ask(self, report, text=None, who=ANN):
        """An answer to the report, on its way to the bot."""
        mid = self.world.say(who, [BOT, LIST], text or
                             "Could you rerun with this patch?\n\n" + PATCH,
                             report)
        self.world.archive_list()
        return mid

    def work(self, now=None):
        """All stages, until there is nothing left to do."""
        for _ in range(60):
            self.stage("receive", "decide", "run", "send")
            left = self.query(
                "SELECT (SELECT count(*) FROM job WHERE state IN ('queued', "
                "'submitted')) + (SELECT count(*) FROM request WHERE state "
                "IN ('new', 'queued')) + (SELECT count(*) FROM outbox WHERE "
                "state = 'ready') + (SELECT count(*) FROM mail WHERE state "
                "= 'new')")[0][0]
            if not left and self.query("SELECT 1 FROM mail"):
                break
            time.sleep(0.1)
        self.world.settle()

    def query(self, sql, *args):
        db = sqlite3.connect(f"{self.here}/db")
        rows = db.execute(sql, args).fetchall()
        db.close()
        return rows

    def save(self, name):
        shutil.rmtree(f"{self.here}.{name}", ignore_errors=True)
        shutil.copytree(self.here, f"{self.here}.{name}")

    def restore(self, name):
        shutil.rmtree(self.here)
        shutil.copytree(f"{self.here}.{name}", self.here)


class Cutter:
    """A network before a server that breaks each connection once the server
    has said so many bytes; None: it holds."""

    def __init__(self, port):
        self.to, self.limit, self.cuts = port, None, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                a, _ = self.listener.accept()
            except OSError:
                return
            b = socket.create_connection(("127.0.0.1", self.to))
            threading.Thread(target=self.copy, args=(a, b, None),
                             daemon=True).start()
            threading.Thread(target=self.copy, args=(b, a, self.limit),
                             daemon=True).start()

    def copy(self, x, y, left):
        try:
            while data := x.recv(4096):
                if left is not None:
                    data, left = data[:left], left - len(data)
                y.sendall(data)
                if left is not None and left <= 0:
                    self.cuts += 1
                    break
        except OSError:
            pass
        for s in (x, y):
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def stop(self):
        self.listener.close()
