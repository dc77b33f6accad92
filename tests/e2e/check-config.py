#!/usr/bin/env python3
"""perfpost check-config: what it says of each driver, whether its server is
there or not, and of what must not stand in a configuration.  (SMTP servers:
send-postfix.py.)"""
import os
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mail_site import Authority, Dovecot, missing
from send_site import PERFPOST, Sink
from tally import ok, verdict

PASSWORD = "a word that nobody sees"


def ask(d, conf, *args):
    with open(d + "/conf", "w") as f:
        f.write("operator: {address: perfbot@ci.example.org}\n"
                "store: %s/store\n%s" % (d, conf))
    return subprocess.run([PERFPOST, "check-config", "--config", d + "/conf",
                           *args], capture_output=True, text=True, timeout=120)


def expect(d, conf, code, *words, connect=True):
    start = time.monotonic()
    done = ask(d, conf, *(["--connect"] if connect else []))
    ok(conf, done.returncode == code, (done.returncode, done.stderr))
    for word in words:
        ok(conf, word in done.stdout + done.stderr, (word, done.stderr))
    ok(conf, PASSWORD not in done.stdout + done.stderr, done.stderr)
    ok(conf, time.monotonic() - start < 30)


def imap(d, port, more="", host="localhost", tls="tls", ca="ca"):
    return ("receive: {timeout: 3s, imap: {host: %s, port: %d, user: bot, "
            "tls: %s, password_file: %s/password, ca_file: %s/%s.pem%s}}\n" %
            (host, port, tls, d, d, ca, more))


def imap_servers(d):
    why = missing("dovecot", "openssl", root=False)
    if why:
        print("no IMAP server: " + why)
        return
    authority = Authority(d)
    Authority(d, "other")
    os.mkdir(d + "/dovecot")
    server = Dovecot(d + "/dovecot", authority.issue("good", "localhost"),
                     "bot", PASSWORD)
    sink, silent = Sink("ok"), socket.create_server(("127.0.0.1", 0))
    port = silent.getsockname()[1]
    try:
        with open(d + "/password", "w") as f:
            f.write(PASSWORD + "\n")
        expect(d, imap(d, server.tls), 0, "imap, which answers")
        expect(d, imap(d, server.plain, tls="starttls"), 0, "which answers")
        for conf, *words in (
                (imap(d, 1), "cannot connect to 'localhost' port 1",
                 "Connection refused"),
                (imap(d, 993, host="no-such.invalid"), "cannot find the host"),
                (imap(d, port), ""),
                (imap(d, port, tls="starttls"), ""),
                (imap(d, sink.port), "does not speak TLS"),
                (imap(d, sink.port, tls="starttls"), "does not greet"),
                (imap(d, server.tls, host="127.0.0.1"), "ertificate"),
                (imap(d, server.tls, ca="other"), "issuer"),
                (imap(d, server.tls, ca="nowhere"), "no certificate auth"),
                (imap(d, server.tls, ", folder: Nowhere"), "'Nowhere'"),
                (imap(d, server.plain, tls="none", host="mail.example.org"),
                 "on this machine"),
                (imap(d, 70000), "no port")):
            expect(d, conf, 78, "imap: ", *words)
        with open(d + "/password", "w") as f:
            f.write(PASSWORD + " not\n")
        expect(d, imap(d, server.tls), 78, "login refused")
        os.unlink(d + "/password")
        expect(d, imap(d, server.tls), 78, "receive.imap.password",
               "No such file")
    finally:
        server.stop()
        sink.stop()
        silent.close()


def archives(d):
    def inbox(url):
        return ("receive: {timeout: 20s, public_inbox: {folder: %s/mirrors, "
                "urls: ['%s']}}\n" % (d, url))
    os.makedirs(d + "/archive/git")
    env = dict(os.environ, GIT_AUTHOR_NAME="x", GIT_COMMITTER_NAME="x",
               GIT_AUTHOR_EMAIL="x@example.org",
               GIT_COMMITTER_EMAIL="x@example.org")
    for args in (["init", "-q", d + "/work"],
                 ["-C", d + "/work", "commit", "-q", "--allow-empty", "-m",
                  "x"],
                 ["clone", "-q", "--bare", d + "/work",
                  d + "/archive/git/0.git"]):
        subprocess.run(["git", *args], env=env, check=True,
                       capture_output=True)
    expect(d, inbox(d + "/archive"), 0, "which answers")
    ok("archive", not os.path.exists(d + "/mirrors"))
    expect(d, inbox(d + "/nothing"), 78, "no archive at")
    expect(d, inbox("http://127.0.0.1:1/x"), 78, "127.0.0.1:1/x")
    expect(d, inbox("-oops"), 78, "bad address")


def local(d):
    """Files and programs."""
    os.makedirs(d + "/box/new")
    os.makedirs(d + "/box/cur")
    with open(d + "/file", "w"):
        pass
    for conf, code, word in (
            ("receive: {maildir: {folder: %s/box}}", 0, "which answers"),
            ("receive: {maildir: {folder: %s/none}}", 78, "cannot open"),
            ("receive: {mbox: {file: %s/file}}", 0, "which answers"),
            ("receive: {mbox: {file: %s/none}}", 0, "which answers"),
            ("receive: {mbox: {file: %s/box}}", 78, "is a folder"),
            ("send: {driver: maildir, maildir: {folder: %s/box}}", 0,
             "by maildir, which answers"),
            ("send: {driver: maildir, maildir: {folder: %s/a/b/c}}", 0,
             "by maildir, which answers"),
            ("send: {driver: maildir, maildir: {folder: %s/file/x}}", 78,
             "is no folder"),
            ("send: {sendmail: {command: %s/file}}", 78, "cannot start"),
            ("send: {sendmail: {command: %s/box}}", 78, "is a folder"),
            ("send: {sendmail: {command: [%s/none, -x]}}", 78,
             "cannot start"),
            ("send: {driver: smtp, smtp: {port: 0}}", 78, "no port")):
        expect(d, conf.replace("%s", d) + "\n", code, word)
    ok("nothing made", not os.path.exists(d + "/a"))


def mistakes(d):
    """With file and line, and without the secret."""
    for conf, word in (
            ("send:\n  smtp:\n    pasword_file: x\n",
             "conf:5: unknown key 'send.smtp.pasword_file'"),
            ("send:\n  smtp:\n    password: %s\n" % PASSWORD,
             "conf:5: 'send.smtp.password' must not stand here itself"),
            ("send:\n  smtp:\n    password: [%s]\n" % PASSWORD,
             "must not stand here itself"),
            ("receive: {imap: {password: %s}}\n" % PASSWORD,
             "conf:3: 'receive.imap.password' must not stand here itself"),
            ("receive: {imap: {passwd: %s}}\n" % PASSWORD,
             "conf:3: unknown key"),
            ("receive:\n  public_inbox:\n    urls: ['https://me:%s@x.org/']\n"
             % PASSWORD.replace(" ", "-"),
             "conf:5: 'receive.public_inbox.urls' must not hold a password"),
            ("send: {smtp: {port: %s}}\n" % PASSWORD, "takes a whole number"),
            ("send: {smtp: {password_command: []}}\n", "takes a program"),
            ("sned: {}\n", "did you mean 'send'?"),
            ("send: {smtp: {tls: maybe}}\n", "takes one of"),
            ("send: {}\nsend: {}\n", "conf:4:")):
        expect(d, conf, 78, word, connect=False)
        expect(d, conf, 78, "perfpost: %s/" % d, connect=False)
    expect(d, "send: {driver: smtp, smtp: {user: me, password_command: [sh, "
           "-c, 'echo %s; exit 3']}}\n" % PASSWORD, 78,
           "send.smtp.password: 'sh' ended with status 3", connect=False)


for test in imap_servers, archives, local, mistakes:
    with tempfile.TemporaryDirectory(prefix="check-config-") as folder:
        os.chmod(folder, 0o755)
        test(folder)
sys.exit(verdict())
