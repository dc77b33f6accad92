#!/usr/bin/env python3
"""perfpost send against a real OpenSMTPD on the loopback: what arrives, a
recipient that it refuses, TLS that it does not offer, and its sendmail.  Needs
root: smtpd does.  (TLS itself is tested in send.py: OpenSMTPD's own fails
with OpenSSL 3.)"""
import fcntl
import os
import pwd
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

PERFPOST = os.environ["PERFPOST"]
GOOD = os.environ["top_srcdir"] + "/tests/lint/good.eml"
failures = 0


def check(what, condition, detail=""):
    global failures
    if not condition:
        failures += 1
        print("FAIL: %s %s" % (what, detail))


def skip(why):
    print("SKIP: " + why)
    sys.exit(77)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """Mail for dev.example.org and lists.example.org into box/USER."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="smtpd-")
        os.chmod(self.folder, 0o711)
        nobody = pwd.getpwnam("nobody")
        os.mkdir(self.folder + "/box")
        os.chown(self.folder + "/box", nobody.pw_uid, nobody.pw_gid)
        self.port = free_port()
        self.configure()
        self.log = open(self.folder + "/log", "w")
        self.process = subprocess.Popen(
            ["smtpd", "-d", "-f", self.folder + "/smtpd.conf"],
            stdout=self.log, stderr=self.log)
        self.wait()

    def configure(self):
        with open(self.folder + "/smtpd.conf", "w") as f:
            f.write('''
table people {{ "ada" = "nobody", "kernel-perf" = "nobody" }}
listen on 127.0.0.1 port {1} hostname localhost
listen on socket
action store maildir "{0}/box/%{{rcpt.user}}" virtual <people>
match from any for domain "dev.example.org" action store
match from any for domain "lists.example.org" action store
'''.format(self.folder, self.port))

    def wait(self):
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.1)
        self.stop()
        skip("smtpd does not start")

    def mails(self, user, want=1):
        """What the user has, once there are so many."""
        folder = "%s/box/%s/new" % (self.folder, user)
        for _ in range(600):
            names = os.listdir(folder) if os.path.isdir(folder) else []
            if len(names) >= want:
                break
            time.sleep(0.1)
        return [open(folder + "/" + n, "rb").read() for n in names]

    def empty(self):
        shutil.rmtree(self.folder + "/box/ada", ignore_errors=True)
        shutil.rmtree(self.folder + "/box/kernel-perf", ignore_errors=True)

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder)


def send(send_conf, *args, stdin=None):
    """Run it with a fresh state; exit code, and {address: state}."""
    folder = tempfile.mkdtemp(prefix="send-")
    with open(folder + "/conf", "w") as f:
        f.write("operator: {address: perfbot@ci.example.org}\n"
                "store: %s/store\nsend: %s\n" % (folder, send_conf))
    done = subprocess.run([PERFPOST, "send", "--config", folder + "/conf",
                           *args], input=stdin, capture_output=True,
                          timeout=60)
    db = sqlite3.connect(folder + "/store")
    states = dict(db.execute("SELECT address, state FROM recipient"))
    db.close()
    shutil.rmtree(folder)
    return done, states


def smtp(port, more):
    return ("{driver: smtp, timeout: 15, smtp: {host: localhost, port: %d, "
            "%s}}" % (port, more))


def body_of(mail):
    return mail.split(b"\n\n", 1)[1]


def in_the_clear(server):
    with open(GOOD, "rb") as f:
        mail = f.read()
    mail += b"\n.\n..\n.x\nthe end\n"
    done, _ = send(smtp(server.port, "tls: none"), "-", stdin=mail)
    check("clear", done.returncode == 0, done.stderr)
    for user in "ada", "kernel-perf":
        got = server.mails(user)
        check("clear " + user, len(got) == 1)
        check("clear " + user, got and body_of(got[0]) == body_of(mail))
        check("clear " + user, got and b"Bcc" not in got[0])
    server.empty()


def no_tls_no_mail(server):
    done, states = send(smtp(server.port, "tls: starttls"), GOOD)
    check("no TLS", done.returncode == 75, (done.returncode, done.stderr))
    check("no TLS", set(states.values()) == {"ready"}, states)
    check("no TLS", server.mails("ada", 0) == [])


def one_is_refused(server):
    done, states = send(smtp(server.port, "tls: none"), "--bcc",
                        "gone@nowhere.example.net", GOOD)
    check("refused", done.returncode == 0, done.stderr)
    check("refused", states == {
        "ada@dev.example.org": "sent", "gone@nowhere.example.net": "refused",
        "kernel-perf@lists.example.org": "sent"}, states)
    check("refused", b"gone@nowhere.example.net" in done.stderr, done.stderr)
    server.empty()


def by_sendmail(server):
    done, _ = send("{driver: sendmail, timeout: 15}", GOOD)
    check("sendmail", done.returncode == 0, done.stderr)
    check("sendmail", len(server.mails("ada")) == 1)
    check("sendmail", len(server.mails("kernel-perf")) == 1)
    server.empty()


def main():
    if os.getuid() != 0:
        skip("needs root")
    if not shutil.which("smtpd"):
        skip("no smtpd")
    lock = open("/tmp/perfpost-test-smtpd.lock", "w")
    fcntl.flock(lock, fcntl.LOCK_EX)	# one smtpd a machine
    server = Server()
    try:
        for test in in_the_clear, no_tls_no_mail, one_is_refused, by_sendmail:
            test(server)
    finally:
        server.stop()
    return failures != 0


sys.exit(main())
