#!/usr/bin/env python3
"""The whole bot among real servers: a report goes out through Postfix, the
answer comes in from Dovecot by IMAP over TLS, or from a public-inbox archive,
the request is run, and the answers arrive in the developer's mailbox."""
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import lab_site
from lab_site import ANN, BOB, BOT, HOST, LIST, Bot, Cutter, World, kind

PERFPOST = os.environ["PERFPOST"]


def same(got, want, what=""):
    if got != want:
        raise AssertionError(f"{what}: {got!r}, not {want!r}")


def new_bot(variant="imap", **conf):
    """With empty mailboxes of everybody."""
    for box in world.boxes.values():
        subprocess.run(f"rm -f {box}/new/* {box}/cur/*", shell=True,
                       check=True)
    world.archived.clear()
    world.answers({})
    new_bot.n += 1
    return Bot(world, f"{world.d}/bot{new_bot.n}", PERFPOST, variant, conf)


new_bot.n = 0


def is_answered(bot, report, mid):
    """One acknowledgement and one result, in the thread, to both."""
    for who in ANN, LIST:
        same(world.kinds(who), ["ack", "report", "result"], who)
    for m in world.mails(ANN):
        if kind(m) == "report":
            continue
        same(m["In-Reply-To"], f"<{mid}>")
        same(m["References"].split(), [report, f"<{mid}>"])
        same(m["From"].addresses[0].addr_spec, BOT)
        if "ESMTPS" not in str(m["Received"]):
            raise AssertionError(f"not by TLS: {m['Received']}")
    result, = [m for m in world.mails(ANN) if kind(m) == "result"]
    same(result["X-Perfpost-Verdict"], "recovered")
    if "bench.score" not in result.get_body(("plain",)).get_content():
        raise AssertionError("no table in the result")
    same(bot.query("SELECT state FROM job"), [("done",)])
    with open(f"{bot.here}/started", encoding="utf-8") as f:
        same(len(f.read().split()), 1, "started")


def the_whole_loop(variant):
    bot = new_bot(variant)
    report = bot.report()
    same(world.kinds(ANN), ["report"])
    mid = bot.ask(report)
    bot.work()
    is_answered(bot, report, mid)
    bot.stage("receive", "decide", "run", "send")
    is_answered(bot, report, mid)
    if variant == "imap":    # its own copy in the mailbox is no loop
        same(bot.query("SELECT count(*) FROM request"), [(1,)])


def by_imap():
    the_whole_loop("imap")


def from_public_inbox():
    the_whole_loop("public-inbox")


def cancelled_by_mail():
    """While the job runs."""
    bot = new_bot()
    with open(f"{bot.here}/runner", "w", encoding="utf-8") as f:
        f.write(f"#!/bin/sh\ntouch {bot.here}/runs\nsleep 100\n")
    report = bot.report()
    bot.ask(report)
    bot.stage("receive", "decide", "run")
    until(lambda: os.path.exists(f"{bot.here}/runs"))
    bot.ask(report, "#robot cancel")
    bot.stage("receive", "decide", "run", "send")
    same(bot.query("SELECT state FROM job"), [("cancelled",)])


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it does not happen")
        time.sleep(0.1)


def imap_breaks_in_the_middle():
    """Wherever the connection breaks, each mail comes in once."""
    bot = new_bot()
    cutter = Cutter(world.dovecot.tls)
    bot.imap["port"] = cutter.port
    bot.imap["retry"] = "1s"
    bot.configure()
    filler = "".join(f"line {i} of many\n" for i in range(4000))
    for i in range(6):
        world.say(ANN, [BOT], filler, mid=f"long.{i}@dev.example.org")
    for limit in (10, 1500, 4000, 30000, 70000, 90000, 200000, None):
        cutter.limit = limit
        bot.stage("receive")
    # A mail at which it broke comes later, when its next try is due.
    end = time.monotonic() + 60
    while bot.query("SELECT count(*) FROM mail") != [(6,)] and \
            time.monotonic() < end:
        time.sleep(0.5)
        bot.stage("receive")
    cutter.stop()
    if cutter.cuts < 5:
        raise AssertionError(f"only {cutter.cuts} connections broke")
    raws = [raw for raw, in bot.query("SELECT bytes FROM mail")]
    same(sorted(re.search(rb"<long\.(\d)@", raw)[1] for raw in raws),
         [b"%d" % i for i in range(6)])
    for raw in raws:
        if b"line 3999" not in raw:
            raise AssertionError(f"a mail is not whole: {raw[-200:]}")


def outcome(bot):
    return dict(bot.query("SELECT address, state FROM recipient"))


def asked(**conf):
    """A bot that has an answer to Ann, Bob and the list to send."""
    bot = new_bot(**conf)
    bot.now = 1800000000
    report = bot.report()
    world.say(ANN, [BOT, LIST, BOB], "Is it reproducible?", report)
    bot.stage("receive", "decide")
    return bot


def greylisting():
    """Refused for now, taken an hour later; the others have it once."""
    bot = asked()
    world.answers({ANN: "450 4.2.0 Greylisted, come back later"})
    bot.stage("send")
    same(outcome(bot)[ANN], "ready")
    same(world.kinds(LIST), ["answer", "report"])
    world.answers({})
    bot.stage("send")     # too early
    same(world.kinds(ANN), ["report"])
    bot.now += 3600
    bot.stage("send", "send")
    for who in ANN, LIST:
        same(world.kinds(who), ["answer", "report"], who)
    same(world.kinds(BOB), ["answer"])
    same(set(outcome(bot).values()), {"sent"})


def a_recipient_is_refused():
    """For good: the others have it, and the operator hears of it."""
    bot = asked(bot={"notify": ["operator@dev.example.org"]})
    world.answers({BOB: "550 5.1.1 No such user"})
    bot.stage("send")
    same(outcome(bot)[BOB], "refused")
    same(world.kinds(ANN), ["answer", "report"])
    same(world.kinds(LIST), ["answer", "report"])
    same(world.kinds(BOB), [])
    bot.now += 86400
    bot.stage("send")
    same(world.kinds(ANN), ["answer", "report"])


@contextlib.contextmanager
def returned(address, why):
    """Postfix takes mail for it, and sends it back only then."""
    p, d = world.postfix, world.postfix.d
    saved = {}
    for name in "main.cf", "master.cf":
        with open(f"{d}/conf/{name}", encoding="utf-8") as f:
            saved[name] = f.read()
    with open(f"{d}/returns", "w", encoding="utf-8") as f:
        f.write(f"#!/bin/sh\necho {why}\nexit 69\n")
    os.chmod(f"{d}/returns", 0o755)
    p.write("transport", f"{address} returns:\n")
    p.write("main.cf", saved["main.cf"] +
            f"transport_maps = texthash:{d}/conf/transport\n")
    p.write("master.cf", saved["master.cf"] + "returns unix - n n - - pipe "
            f"user=nobody argv={d}/returns\n")
    reload = ["postfix", "-c", f"{d}/conf", "reload"]
    subprocess.run(reload, check=True, capture_output=True)
    try:
        yield
    finally:
        for name, text in saved.items():
            p.write(name, text)
        subprocess.run(reload, check=True, capture_output=True)


def a_mailbox_is_full():
    """Said at once, for now; or by a delivery report that comes back."""
    bot = asked()
    world.answers({ANN: "452 4.2.2 The mailbox is full"})
    bot.stage("send")
    same(outcome(bot)[ANN], "ready")
    world.answers({})
    bot.now += 3600
    bot.stage("send")
    same(world.kinds(ANN), ["answer", "report"])
    same(come_back("5.2.2 mailbox is full"), [])


def an_address_is_gone():
    """As the server finds when it has taken the mail."""
    same(come_back("5.1.1 no such user"), [(BOB,)])


def come_back(why):
    """The addresses that are known to fail after a delivery report."""
    with returned(BOB, why):
        bot = asked()
        bot.stage("send")
        same(outcome(bot)[BOB], "sent")
        until(lambda: any(why[6:].encode() in m for m in world.raw(BOT)))
        bot.stage("receive", "decide", "send")
    same(bot.query("SELECT decision FROM mail ORDER BY id DESC LIMIT 1"),
         [("ignore",)])
    same(world.kinds(ANN), ["answer", "report"])
    same(bot.query("SELECT count(*) FROM outbox WHERE kind = 'answer'"),
         [(1,)])
    return bot.query("SELECT address FROM address WHERE failing > 0")


def names_do_not_resolve():
    """No name server for a while: nothing is lost, nothing given up."""
    for name, text in ("nowhere", "127.0.0.1 localhost\n"), (
            "hosts", f"127.0.0.1 localhost {HOST}\n"), (
            "resolv", "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n"):
        with open(f"{world.d}/{name}", "w", encoding="utf-8") as f:
            f.write(text)

    def where(hosts):
        return ["unshare", "-m", "sh", "-c",
                'mount --bind "$0" /etc/hosts && '
                'mount --bind "$1" /etc/resolv.conf && shift && exec "$@"',
                f"{world.d}/{hosts}", f"{world.d}/resolv"]

    if subprocess.run([*where("hosts"), "true"], capture_output=True,
                      check=False).returncode:
        print("SKIP: names_do_not_resolve: mounts are not allowed here")
        return
    bot = asked()
    bot.smtp["host"] = bot.imap["host"] = HOST
    bot.configure()
    world.say(ANN, [BOT], "Thanks.", mid="thanks@dev.example.org")
    bot.prefix = where("nowhere")
    bot.stage("receive", "send")
    same(set(outcome(bot).values()), {"ready"})
    same(world.kinds(LIST), ["report"])
    same(bot.query("SELECT count(*) FROM mail"), [(1,)])
    bot.prefix = where("hosts")
    bot.now += 3600
    bot.stage("receive", "send")
    same(set(outcome(bot).values()), {"sent"})
    same(world.kinds(LIST), ["answer", "report"])
    same(bot.query("SELECT count(*) FROM mail"), [(2,)])


TESTS = [by_imap, from_public_inbox, cancelled_by_mail,
         imap_breaks_in_the_middle, greylisting, a_recipient_is_refused,
         a_mailbox_is_full, an_address_is_gone, names_do_not_resolve]
why = lab_site.lacks()
if why:
    print(f"SKIP: {why}")
    sys.exit(77)
bad = 0
only = sys.argv[1:]
with tempfile.TemporaryDirectory(prefix="perfpost-lab-") as root:
    world = World(root)
    try:
        for test in TESTS:
            if only and test.__name__ not in only:
                continue
            start = time.monotonic()
            try:
                test()
                print(f"ok {test.__name__} "
                      f"({time.monotonic() - start:.1f} s)", flush=True)
            except Exception:
                bad += 1
                traceback.print_exc()
                print(f"FAILED: {test.__name__}", flush=True)
        if bad and os.environ.get("SHOW"):
            print(world.postfix.log()[-6000:], world.dovecot.log()[-2000:])
    finally:
        world.stop()
sys.exit(bool(bad))
