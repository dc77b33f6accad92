#!/usr/bin/env python3
"""perfpost send against a real Postfix on the loopback: what arrives and by
which way, whom and what it refuses, for now or for good, its logins (which a
real Dovecot checks), its certificates, and its sendmail."""
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mail_site import Authority, Dovecot, Postfix, missing
from send_site import ADA, GOOD, LIST, Place, smtp
from tally import ok, verdict

PASSWORD = 'open "sesame" \\ 1'


class World:
    def __init__(self, d):
        self.d = d
        self.ours, self.other = Authority(d), Authority(d, "other")
        self.good = self.ours.issue("good", "localhost")
        os.mkdir(d + "/dovecot")
        self.dovecot = Dovecot(d + "/dovecot", self.good, "bot", PASSWORD)
        os.mkdir(d + "/postfix")
        self.server = Postfix(
            d + "/postfix", self.good,
            {ADA: d + "/box/ada", LIST: d + "/box/kernel-perf"},
            self.dovecot.auth)
        self.secret(PASSWORD)

    def secret(self, word):
        with open(self.d + "/secret", "w") as f:
            f.write(word + "\n")

    def smtp(self, port, tls="starttls", more="", **rest):
        return smtp(port, ", ca_file: %s%s" % (self.ours.ca, more), 30,
                    tls=tls, **rest)

    def login(self):
        return self.smtp(self.server.submission, "starttls", ", user: bot, "
                         "password_file: %s/secret" % self.d)

    def stop(self):
        self.server.stop()
        self.dovecot.stop()


def attempt(conf, *args, stdin=None):
    """One "perfpost send": its result, and what stands in the outbox."""
    place = Place(conf)
    done = place.run(*(args or (GOOD,)), stdin=stdin)
    state = place.outbox()
    place.stop()
    return done, state


def body_of(mail):
    return mail.split(b"\n\n", 1)[1]


def arrives(w):
    """Unharmed, to all, by each way; in TLS where TLS was wanted."""
    with open(GOOD, "rb") as f:
        mail = f.read() + b"\n.\n..\n.x\n" + b"." * 900 + b"\nthe end\n"
    s = w.server
    for what, conf, word in (
            ("clear", w.smtp(s.smtp, "none"), b"with ESMTP "),
            ("STARTTLS", w.smtp(s.smtp), b"with ESMTPS "),
            ("TLS", w.smtp(s.smtps, "tls"), b"with ESMTPS "),
            ("login", w.login(), b"with ESMTPSA "),
            ("sendmail", "{driver: sendmail, timeout: 30, sendmail: "
             "{command: [%s]}}" % ", ".join(s.sendmail()), b"from userid")):
        done, state = attempt(conf, "-", stdin=mail)
        ok(what, done.returncode == 0, done.stderr)
        ok(what, state[0] == "sent", state)
        for address in ADA, LIST:
            got = s.mails(address)
            ok(what, len(got) == 1, address)
            ok(what, got and body_of(got[0]) == body_of(mail), address)
            ok(what, got and word in got[0], got and got[0][:700])
            ok(what, got and b"Return-Path: <perfbot@ci.example.org>"
               in got[0], address)
        s.empty()


def unnamed_stay_unnamed(w):
    done, _ = attempt(w.smtp(w.server.smtp), "--bcc", LIST, GOOD)
    ok("bcc", done.returncode == 0, done.stderr)
    mail, = w.server.mails(LIST)
    ok("bcc", b"\nBcc" not in mail and b"\nbcc" not in mail)
    w.server.mails(ADA)
    w.server.empty()


# What Postfix says to ADA; the exit code, the mail's state, ADA's state.
REPLIES = [
    ("450 4.2.0 Greylisted, come back later", 75, "ready", "ready"),
    ("452 4.2.2 The mailbox is full", 75, "ready", "ready"),
    ("552 5.2.2 The mailbox is full", 0, "sent", "refused"),
    ("550 5.1.1 No such user", 0, "sent", "refused"),
    ("554 5.7.1 We do not want your mail", 0, "sent", "refused"),
]


def one_is_refused(w):
    for reply, code, state, ada in REPLIES:
        w.server.answers({ADA: reply})
        done, got = attempt(w.smtp(w.server.smtp))
        ok(reply, done.returncode == code, (done.returncode, done.stderr))
        ok(reply, got == (state, 1, {ADA: ada, LIST: "sent"}), got)
        ok(reply, reply[10:].encode() in done.stderr, done.stderr)
        ok(reply, ADA.encode() in done.stderr, done.stderr)
        ok(reply, len(w.server.mails(LIST)) == 1)
        ok(reply, w.server.mails(ADA, 0) == [])
        w.server.empty()
    w.server.answers({})
    done, got = attempt(w.smtp(w.server.smtp), "--bcc",
                        "gone@dev.example.org", GOOD)
    ok("unknown", got[2].get("gone@dev.example.org") == "refused", got)
    ok("unknown", b"User unknown" in done.stderr, done.stderr)
    done, got = attempt(w.smtp(w.server.smtp), "--bcc",
                        "eve@elsewhere.example.net", GOOD)
    ok("relay", got[2].get("eve@elsewhere.example.net") == "refused", got)
    ok("relay", b"Relay access denied" in done.stderr, done.stderr)
    w.server.mails(ADA, 2)
    w.server.mails(LIST, 2)
    w.server.empty()


def all_are_refused(w):
    w.server.answers({ADA: "550 5.7.1 No robots", LIST: "550 5.7.1 No robots"})
    done, got = attempt(w.smtp(w.server.smtp))
    ok("all", done.returncode == 69, (done.returncode, done.stderr))
    ok("all", got == ("parked", 1, {ADA: "refused", LIST: "refused"}), got)
    ok("all", b"No robots" in done.stderr, done.stderr)
    w.server.answers({})


def greylisted(w):
    """Refused for now by one, then taken: everybody has it once."""
    w.server.answers({ADA: "450 4.2.0 Greylisted"})
    place = Place(w.smtp(w.server.smtp))
    ok("grey", place.run(GOOD).returncode == 75)
    ok("grey", len(w.server.mails(LIST)) == 1)
    w.server.answers({})
    ok("grey, not due", place.run("--queued").returncode == 0)
    ok("grey, not due", place.outbox()[:2] == ("ready", 1), place.outbox())
    done = place.run(GOOD)
    ok("grey, again", done.returncode == 0, done.stderr)
    ok("grey, again", place.outbox() ==
       ("sent", 2, {ADA: "sent", LIST: "sent"}), place.outbox())
    ok("grey, again", len(w.server.mails(ADA)) == 1)
    ok("grey, again", len(w.server.mails(LIST)) == 1)
    place.stop()
    w.server.empty()


def no_room(w):
    done, got = attempt(w.smtp(w.server.full))
    ok("full", done.returncode == 75, (done.returncode, done.stderr))
    ok("full", got == ("ready", 1, {ADA: "ready", LIST: "ready"}), got)
    ok("full", b"452 4.3.1" in done.stderr, done.stderr)
    with open(GOOD, "rb") as f:
        mail = f.read() + b"a line of forty bytes, the last a newline\n" * 60000
    done, got = attempt(w.smtp(w.server.smtp), "-", stdin=mail)
    ok("size", done.returncode == 69, (done.returncode, done.stderr))
    ok("size", got[0] == "parked", got)
    ok("size", b"552 5.3.4" in done.stderr, done.stderr)


def to_the_right_server_only(w):
    """Nothing is said to a server that cannot prove its name."""
    s = w.server
    late = w.ours.issue("late", "localhost", -1)
    elsewhere = w.ours.issue("elsewhere", "mail.example.net")
    for what, certificate, host, ca in (
            ("a name", w.good, "127.0.0.1", w.ours.ca),
            ("an authority", w.good, "localhost", w.other.ca),
            ("a date", late, "localhost", w.ours.ca),
            ("another name", elsewhere, "localhost", w.ours.ca)):
        s.use(certificate)
        for port, tls in (s.smtp, "starttls"), (s.smtps, "tls"), \
                (s.submission, "starttls"):
            before = s.log().count("mail=") + s.log().count("auth=")
            conf = smtp(port, ", ca_file: %s%s" % (
                ca, ", user: bot, password_file: %s/secret" % w.d
                if port == s.submission else ""), 30, host, tls)
            done, got = attempt(conf)
            what2 = "%s, %s" % (what, tls)
            ok(what2, done.returncode == 75, done.returncode)
            ok(what2, got[0] == "ready", got)
            ok(what2, b"ertificate" in done.stderr, done.stderr)
            ok(what2, s.log().count("mail=") + s.log().count("auth=") ==
               before, s.log()[-800:])
    s.use(w.good)
    ok("the right one", attempt(w.smtp(s.smtp))[0].returncode == 0)
    s.mails(ADA)
    s.mails(LIST)
    s.empty()


def logins(w):
    w.secret("something else")
    done, got = attempt(w.login())
    ok("login", done.returncode == 75, (done.returncode, done.stderr))
    ok("login", got[0] == "ready" and b"535 5.7.8" in done.stderr,
       done.stderr)
    ok("login", b"something else" not in done.stderr + done.stdout)
    w.secret(PASSWORD)
    done, got = attempt(w.smtp(w.server.submission))
    ok("no login", done.returncode == 69, done.returncode)
    ok("no login", b"554 5.7.1" in done.stderr or
       b"530 5.7.0" in done.stderr, done.stderr)


def many_over_one(w):
    """Fifty mails: how many connections, how long."""
    names, took = [], {}
    with open(GOOD, "rb") as f:
        mail = f.read()
    for i in range(50):
        names.append("%s/%d.eml" % (w.d, i))
        with open(names[-1], "wb") as f:
            f.write(mail.replace(b".1@ci.example.org>",
                                 b".%d@ci.example.org>" % (i + 100), 1))
    for most, connections in (100, 1), (20, 3), (1, 50):
        before = w.server.log().count(": connect from ")
        place = Place(w.smtp(w.server.smtp, more=", mails_per_connection: %d"
                             % most))
        start = time.monotonic()
        done = place.run(*names)
        took[most] = time.monotonic() - start
        ok("many", done.returncode == 0, done.stderr)
        place.stop()
        ok("many, all", len(w.server.mails(LIST, 50)) == 50)
        ok("many, all", len(w.server.mails(ADA, 50)) == 50)
        got = w.server.log().count(": connect from ") - before
        ok("many, connections", got == connections, (most, got))
        w.server.empty()
    print("50 mails: %.2f s over one connection, %.2f over 3, %.2f over 50" %
          tuple(took.values()))
    ok("many, faster", took[100] < took[1], took)


def is_asked(w):
    """check-config --connect, and what it says."""
    s = w.server
    for conf, code, word in (
            (w.smtp(s.smtp), 0, "which answers"),
            (w.smtp(s.smtps, "tls"), 0, "which answers"),
            (w.login(), 0, "which answers"),
            (w.smtp(s.smtp, host="127.0.0.1"), 78, "ertificate"),
            (w.smtp(1), 78, "refused")):
        place = Place(conf)
        done = place.check_config("--connect")
        ok(conf, done.returncode == code, (done.returncode, done.stderr))
        ok(conf, word in done.stdout + done.stderr, done.stderr)
        place.stop()
    w.secret("something else")
    place = Place(w.login())
    done = place.check_config("--connect")
    ok("password", done.returncode == 78 and "535 5.7.8" in done.stderr,
       done.stderr)
    place.stop()
    w.secret(PASSWORD)


def main():
    why = missing(*Postfix.PROGRAMS, "dovecot")
    if why:
        print("SKIP: " + why)
        return 77
    with tempfile.TemporaryDirectory(prefix="postfix-") as d:
        os.chmod(d, 0o755)
        w = World(d)
        try:
            for test in (arrives, unnamed_stay_unnamed, one_is_refused,
                         all_are_refused, greylisted, no_room,
                         to_the_right_server_only, logins, many_over_one,
                         is_asked):
                test(w)
            if verdict():
                print(w.server.log())
        finally:
            w.stop()
    return verdict()


sys.exit(main())
