#!/usr/bin/env python3
"""perfpost answer as an operator uses it: a report goes out through a real
Postfix, somebody writes back, and the operator answers with a comparison of
further results: first looked at, then sent, in the thread and to its people."""
import email
import email.policy
import glob
import os
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from bot_site import cc, failures, holds, same, text, to
from mail_site import Authority, Postfix, missing

perfpost = os.environ["PERFPOST"]
source = os.environ["top_srcdir"]
ADA, MAX, LIST = ("ada@dev.example.org", "max@keeper.example.org",
                  "kernel-perf@lists.example.org")
SUBJECT = "[mm, thp] 85b9f46e8e: vm-scalability.throughput -8.7% regression"
NOTE = """\
Yes. The time goes to the lock of the LRU lists, see the profile below.

Reported-by: nobody, this is only a line of text

Best Regards,
Adam Operator
"""
QUESTION = f"""\
Authentication-Results: mx.ci.example.org; dmarc=pass header.from=dev.example.org
From: Ada <{ADA}>
To: kernel test robot <perfbot@ci.example.org>
Cc: {LIST}, Max <{MAX}>
Subject: Re: {SUBJECT}
Date: Tue, 03 Mar 2026 10:15:00 +0000
Message-ID: <why.1@dev.example.org>
In-Reply-To: <REPORT>
References: <REPORT>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

On Mon, 02 Mar 2026, kernel test robot wrote:
> FYI, we noticed a -8.7% regression

Interesting.  Adam, you have the profiles of both, have you not?
"""


def results(name):
    """Base and reported commit of a tree of results."""
    found = {os.path.basename(os.path.dirname(p))[:4]: os.path.dirname(p)
             for p in glob.glob(f"{source}/tests/data/trees/{name}/**/"
                                "matrix.json", recursive=True)}
    return [found["dcdf"], found["85b9"]]


class Desk:
    """An operator's: a configuration, a store, a report that was sent."""

    def __init__(self, here, more=""):
        self.here = here
        with open(f"{here}/conf", "w", encoding="utf-8") as f:
            f.write("operator: {name: kernel test robot, address: "
                    f"perfbot@ci.example.org}}\nstore: {here}/store\n"
                    "send: {driver: smtp, timeout: 60, smtp: {host: localhost,"
                    f" port: {server.smtp}, tls: starttls, ca_file: "
                    f"{ours.ca}, helo: ci.example.org}}}}\n"
                    f"auth: {{servers: [mx.ci.example.org]}}\n{more}")
        with open(f"{here}/note", "w", encoding="utf-8") as f:
            f.write(NOTE)
        self.arrived = {a: len(server.mails(a, 0)) for a in (ADA, MAX, LIST)}

    def run(self, *words, stdin=None, status=0):
        done = subprocess.run([perfpost, *words[:1], "--config",
                               f"{self.here}/conf", *words[1:]], input=stdin,
                              capture_output=True, text=True, timeout=120)
        same(done.returncode, status, f"{words[0]}: {done.stderr}")
        if "Sanitizer" in done.stderr:
            raise AssertionError(done.stderr)
        return done.stdout + done.stderr

    def report(self):
        """Sent; its Message-ID."""
        mail = self.run("report", "--facts",
                        f"{source}/tests/data/facts/002.yaml", "--to",
                        f"Ada <{ADA}>", "--cc", LIST,
                        *results("002_vm-scalability"))
        self.run("send", "-", stdin=mail)
        self.id = email.message_from_string(mail)["Message-ID"].strip("<>")
        for address, n in ((ADA, 1), (LIST, 1), (MAX, 0)):
            self.got(address, n)
        return self.id

    def question(self):
        self.run("receive", stdin=QUESTION.replace("REPORT", self.report()))
        self.run("bot", "--once", "--stage", "decide")
        holds(self.run("why", "why.1@dev.example.org"), "decision   none")
        return "why.1@dev.example.org"

    def answer(self, id, *options, status=0, stdin=None,
               of="002_vm-scalability_profile"):
        return self.run("answer", *options, id, *results(of), status=status,
                        stdin=stdin)

    def got(self, address, n):
        """The "n" mails that arrive there since the desk stands."""
        before = self.arrived[address]
        mails = server.mails(address, before + n)[before:]
        same(len(mails), n, address)
        return [email.message_from_bytes(m, policy=email.policy.default)
                for m in mails]

    def outbox(self):
        db = sqlite3.connect(f"{self.here}/store")
        rows = db.execute("SELECT kind, state FROM outbox").fetchall()
        db.close()
        return rows


def desk(more=""):
    return Desk(tempfile.mkdtemp(dir=root), more)


def previewed_then_sent():
    d = desk()
    id = d.question()
    shown = d.answer(id, "--dry-run", "--note", f"{d.here}/note")
    same(d.outbox(), [("report", "sent")], "a preview keeps nothing")
    holds(d.answer(f"<{id}>", "--note", f"{d.here}/note"),
          "waits in the outbox as mail 2 (ready)")
    same(d.outbox()[1:], [("answer", "ready")])
    d.got(ADA, 1)      # it is the sending stage that sends
    d.run("send", "--queued")
    same(d.outbox()[1:], [("answer", "sent")])
    for address, n in ((ADA, 2), (LIST, 2), (MAX, 1)):
        m = d.got(address, n)[-1]
        same(to(m), [ADA])
        same(sorted(cc(m)), sorted([LIST, MAX]))
        same(m["Subject"], f"Re: {SUBJECT}")
        same(m["In-Reply-To"], f"<{id}>")
        same(m["References"].split(), [f"<{d.id}>", f"<{id}>"])
        same(m["Auto-Submitted"], "no", "a person wrote it")
        holds(m["Reply-To"], "perfbot+r")
    said = text(m)
    same(said, text(email.message_from_string(
        shown, policy=email.policy.default)), "as it was shown")
    same(said.splitlines()[:3], [
        "Ada wrote on 03 Mar 2026:",
        "> Interesting. Adam, you have the profiles of both, have you not?",
        ""])
    holds(said, "\nYes. The time goes to the lock of the LRU lists,")
    holds(said, "\nBest Regards,\nAdam Operator\n\n====")
    same("\nReported-by:" in said, False, "no tag at a line's beginning")
    holds(said, "  49791027            -8.7%   45476800        "
          "vm-scalability.throughput\n")
    holds(said, "perf-profile.calltrace.cycles-pp")
    same(len(said.split("\n-- \n")), 2)


def once():
    d = desk()
    id = d.question()
    for _ in range(2):
        holds(d.answer(id), "waits in the outbox as mail 2")
    d.run("send", "--queued")
    holds(d.answer(id), "was sent before, as mail 2")
    d.run("send", "--queued")
    d.got(ADA, 2)
    # Other words are another answer.
    d.answer(id, "--note", "-", stdin="One more thing.\n")
    d.run("send", "--queued")
    holds(text(d.got(ADA, 3)[-1]), "\n\nOne more thing.\n\n===")


def answers_to_it_are_known():
    d = desk()
    d.answer(d.question())
    d.run("send", "--queued")
    mine = d.got(ADA, 2)[-1]["Message-ID"]
    d.run("receive", stdin=QUESTION.replace("why.1", "rerun.1").replace(
        "<REPORT>", mine).replace("Interesting.", "#robot status\n\n"))
    d.run("bot", "--once", "--stage", "decide")
    holds(d.run("why", "rerun.1@dev.example.org"), "found by   thread")


def below_ones_own_report():
    d = desk()
    d.report()
    d.answer(d.id, "--note", f"{d.here}/note", "--kpi")
    d.run("send", "--queued")
    m = d.got(ADA, 2)[-1]
    same(to(m), [ADA], "who got the report")
    same(cc(m), [LIST])
    same(m["In-Reply-To"], f"<{d.id}>")
    same(text(m).splitlines()[0], NOTE.splitlines()[0], "nobody is quoted")
    same("perf-profile" in text(m), False)


def greylisted_is_sent_later():
    d = desk()
    d.answer(d.question())
    server.answers({ADA: "450 4.2.0 Greylisted"})
    d.run("send", "--queued", status=os.EX_TEMPFAIL)
    server.answers({})
    same(d.outbox()[1:], [("answer", "ready")])
    db = sqlite3.connect(f"{d.here}/store")
    db.execute("UPDATE outbox SET due = 0")
    db.commit()
    db.close()
    d.run("send", "--queued")
    for address, n in ((ADA, 2), (LIST, 2), (MAX, 1)):
        d.got(address, n)


def reviewed_first():
    d = desk("bot: {review: yes}\n")
    holds(d.answer(d.question()), "waits in the outbox as mail 2 (review)")
    d.run("send", "--queued")
    d.got(ADA, 1)
    d.run("outbox", "approve", "2")
    d.run("send", "--queued")
    d.got(ADA, 2)


def what_cannot_be_answered():
    d = desk()
    id = d.question()
    holds(d.answer("none@x.example.org", status=os.EX_DATAERR),
          "no mail <none@x.example.org>")
    with open(f"{d.here}/note", "wb") as f:
        f.write(b"\xff\n")
    holds(d.answer(id, "--note", f"{d.here}/note", status=os.EX_DATAERR),
          "no UTF-8")
    d.run("answer", id, status=os.EX_USAGE)
    holds(d.run("answer", id, results("002_vm-scalability")[0],
                status=os.EX_DATAERR), "only one result")
    same(d.outbox(), [("report", "sent")])


def the_report_knows_its_machine():
    d = desk()
    d.report()
    holds(d.run("reports", "--json"), '"machine": "lkp-skl-fpga01"')


lacks = missing(*Postfix.PROGRAMS)
if lacks:
    print(f"cannot start Postfix: {lacks}")
    sys.exit(77)
TESTS = [previewed_then_sent, once, answers_to_it_are_known,
         below_ones_own_report, greylisted_is_sent_later, reviewed_first,
         what_cannot_be_answered, the_report_knows_its_machine]
with tempfile.TemporaryDirectory() as root:
    os.chmod(root, 0o755)
    ours = Authority(root)
    os.mkdir(f"{root}/postfix")
    server = Postfix(f"{root}/postfix", ours.issue("good", "localhost"),
                     {a: f"{root}/box/{a}" for a in (ADA, MAX, LIST)})
    try:
        bad = failures(TESTS)
    finally:
        server.stop()
sys.exit(bool(bad))
