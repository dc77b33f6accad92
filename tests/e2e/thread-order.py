#!/usr/bin/env python3
"""Nobody gets a result before the acknowledgement of the same thread: one who
is greylisted by a real Postfix waits for both, the others do not, and what
failed for good holds nothing back."""
import email
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from bot_site import PATCH, Site, failures, same
from mail_site import Authority, Postfix, missing

ANN, LIST = "ann@dev.example.org", "list@lists.example.org"
LATER = {ANN: "450 4.2.0 Greylisted, see you later"}


def make(more=""):
    s = Site(tempfile.mkdtemp(dir=root), os.environ["PERFPOST"])
    path = f"{s.here}/perfpost.conf"
    with open(path, encoding="utf-8") as f:
        conf = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(conf.replace(
            f"send: {{driver: maildir, maildir: {{folder: {s.here}/sent}}}}",
            "send: {driver: smtp, timeout: 60, " + more + "smtp: {host: "
            f"localhost, port: {server.smtp}, tls: none, "
            "helo: ci.example.org}}"))
    s.now = 1800000000
    server.empty()
    return s


def kinds(address, n):
    """What has arrived there, "n" mails."""
    return sorted(email.message_from_bytes(m)["X-Perfpost"]
                  for m in server.mails(address, n))


def let_it_run(s):
    for _ in range(400):
        s.now += 3
        s.stage("run")
        if s.query("SELECT 1 FROM outbox WHERE kind = 'result'"):
            return


def ask(s):
    """Ask, with the acknowledgement greylisted for one; the job runs."""
    server.answers(LATER)
    s.mail("Please rerun with this patch.\n\n" + PATCH)
    s.stage("receive", "decide", "send")
    same(outbox(s), [("ack", "ready")])
    let_it_run(s)


def outbox(s):
    return s.query("SELECT kind, state FROM outbox ORDER BY id")


def served(s, address):
    return s.query("SELECT o.kind FROM outbox o JOIN recipient r ON r.outbox "
                   "= o.id WHERE r.address = ? AND r.state = 'sent' ORDER BY "
                   "o.id", address)


def the_greylisted_waits_for_both():
    s = make()
    ask(s)
    server.answers({})      # it would be taken now, but its turn is later
    due, = s.query("SELECT due FROM outbox WHERE kind = 'ack'")[0]
    s.now = due - 1
    s.stage("send")
    same(served(s, ANN), [], "the result overtook it")
    same(served(s, LIST), [("ack",), ("result",)], "a third person waited")
    same(outbox(s), [("ack", "ready"), ("result", "ready")])
    s.now = due
    s.stage("send")
    same(served(s, ANN), [("ack",), ("result",)])
    same(outbox(s), [("ack", "sent"), ("result", "sent")])
    same(kinds(ANN, 2), ["ack", "result"])
    same(kinds(LIST, 2), ["ack", "result"], "twice")


def failed_for_good_holds_nothing_back():
    s = make("tries: 2, ")
    ask(s)
    due, = s.query("SELECT due FROM outbox WHERE kind = 'ack'")[0]
    s.now = due
    s.stage("send")         # the second and last try, then the result
    same(outbox(s)[0], ("ack", "failed"))
    server.answers({})
    s.now += 7200
    s.stage("send")
    same(served(s, ANN), [("result",)])
    same(kinds(ANN, 1), ["result"])


def refused_holds_nothing_back():
    s = make()
    server.answers({ANN: "550 5.7.1 not from you"})
    s.mail("Please rerun with this patch.\n\n" + PATCH)
    s.stage("receive", "decide", "send")
    same(outbox(s), [("ack", "sent")], "the list has it")
    server.answers({})
    let_it_run(s)
    s.stage("send")
    same(served(s, ANN), [("result",)])


lacks = missing(*Postfix.PROGRAMS)
if lacks:
    print(f"cannot start Postfix: {lacks}")
    sys.exit(77)
with tempfile.TemporaryDirectory() as root:
    os.chmod(root, 0o755)
    ours = Authority(root)
    os.mkdir(f"{root}/postfix")
    server = Postfix(f"{root}/postfix", ours.issue("good", "localhost"),
                     {a: f"{root}/box/{a}" for a in (ANN, LIST)})
    try:
        bad = failures([the_greylisted_waits_for_both,
                        failed_for_good_holds_nothing_back,
                        refused_holds_nothing_back])
    finally:
        server.stop()
sys.exit(bool(bad))
