#!/usr/bin/env python3
"""perfpost send: against a server that misbehaves, and against none."""
import json
import os
import pty
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from send_site import ADA, GOOD, LIST, PERFPOST, SRC, Place, Sink, smtp
from tally import ok, verdict

# What the server does; exit code, outbox state, each recipient's state, and
# how many mails the server has in the end.
FAULTS = [
    ("ok", 0, "sent", "sent", "sent", 1),
    ("rcpt-550:" + ADA, 0, "sent", "refused", "sent", 1),
    ("rcpt-450:" + ADA, 75, "ready", "ready", "sent", 1),
    ("rcpt-550", 69, "parked", "refused", "refused", 0),
    ("rcpt-451", 75, "ready", "ready", "ready", 0),
    ("hello-554", 75, "ready", "ready", "ready", 0),
    ("hello-421", 75, "ready", "ready", "ready", 0),
    ("mail-550", 69, "parked", "refused", "refused", 0),
    ("mail-451", 75, "ready", "ready", "ready", 0),
    ("data-554", 69, "parked", "refused", "refused", 0),
    ("data-451", 75, "ready", "ready", "ready", 0),
    ("end-554", 69, "parked", "refused", "refused", 0),
    ("end-452", 75, "ready", "ready", "ready", 0),
    ("drop-hello", 75, "ready", "ready", "ready", 0),
    ("drop-data", 75, "ready", "ready", "ready", 0),
    ("drop-end", 75, "ready", "ready", "ready", 1),
    ("hang-hello", 75, "ready", "ready", "ready", 0),
    ("hang-mail", 75, "ready", "ready", "ready", 0),
    ("hang-end", 75, "ready", "ready", "ready", 1),
    ("garbage", 75, "ready", "ready", "ready", 0),
    ("endless", 75, "ready", "ready", "ready", 0),
    ("slow", 75, "ready", "ready", "ready", 0),
    ("early", 75, "ready", "ready", "ready", 1),
    ("early-250", 0, "sent", "sent", "sent", 0),
    ("soon-554", 69, "parked", "refused", "refused", 0),
    ("soon-452", 75, "ready", "ready", "ready", 0),
    ("early-554", 69, "parked", "refused", "refused", 0),
    ("early-452", 75, "ready", "ready", "ready", 0),
]


def faults():
    for mode, code, state, ada, other, mails in FAULTS:
        sink = Sink(mode)
        waits = mode.startswith("hang") or mode in ("slow", "garbage")
        place = Place(smtp(sink.port, timeout=3 if waits else 60))
        start = time.monotonic()
        done = place.run(GOOD)
        took = time.monotonic() - start
        got = place.outbox()
        ok(mode, done.returncode == code, (done.returncode, done.stderr))
        ok(mode, got == (state, 1, {ADA: ada, LIST: other}), got)
        ok(mode, len(sink.mails()) == mails, sink.mails())
        ok(mode, took < 40, "took %.1f s" % took)
        place.stop()
        sink.stop()


def numbered(i):
    """The mail as one of a row: bytes."""
    with open(GOOD, "rb") as f:
        return f.read().replace(b".1@ci.example.org>", b".%d@ci.example.org>" %
                                (i + 100), 1)


def files(place, n):
    names = []
    for i in range(n):
        names.append("%s/%d.eml" % (place.folder, i))
        with open(names[-1], "wb") as f:
            f.write(numbered(i))
    return names


def each_mail_has_its_own_replies():
    """A reply that comes too early or too late is no reply to the next mail,
    and costs no mail."""
    for mode, state in ("early", "ready"), ("early-250", "sent"), \
            ("early-554", "parked"), ("soon-554", "parked"), \
            ("late-550", "sent"), ("twice", "sent"), ("ok", "sent"):
        sink = Sink(mode)
        place = Place(smtp(sink.port))
        place.run(*files(place, 5))
        got = place.query("SELECT state FROM outbox")
        ok("own replies " + mode, got == [(state,)] * 5, got)
        if mode in ("late-550", "twice", "ok"):
            ok("own replies " + mode, len(sink.mails()) == 5, sink.mails())
        place.stop()
        sink.stop()


def connections(sink):
    return sink.log().count("EHLO")


def a_connection_has_many_mails():
    """As many as we or the server want; each mail goes once."""
    for mode, more, want in (
            ("ok", "", 1), ("ok", ", mails_per_connection: 3", 4),
            ("ok", ", mails_per_connection: 1", 10), ("leaves-4", "", 3),
            ("says-421-4", "", 3), ("hangs-up-4", "", 3), ("rset-502", "", 10),
            ("rcpt-550:ada", "", 1)):
        sink = Sink(mode)
        place = Place(smtp(sink.port, more))
        place.run(*files(place, 10))
        got = place.query("SELECT state, tries FROM outbox")
        ok("many " + mode, got == [("sent", 1)] * 10, got)
        ok("many " + mode, len(sink.mails()) == 10, sink.mails())
        ok("many " + mode, connections(sink) == want,
           (more, connections(sink)))
        place.stop()
        sink.stop()


def nobody_waits_for_ever():
    """A server that does not read a long text; one that never shakes hands."""
    for mode, tls in ("deaf", "none"), ("hang-hello", "tls"), \
            ("slow", "starttls"):
        sink = Sink(mode)
        place = Place(smtp(sink.port, timeout=2, tls=tls))
        start = time.monotonic()
        done = place.run("-", stdin=numbered(1) + (b"x" * 990 + b"\n") * 7000)
        ok(mode, done.returncode == 75, (done.returncode, done.stderr))
        ok(mode, time.monotonic() - start < 60)
        start = time.monotonic()
        if mode != "deaf":
            done = place.check_config("--connect")
            ok(mode, done.returncode == 78, done.stderr)
            ok(mode, "time" in done.stderr, done.stderr)
            ok(mode, time.monotonic() - start < 40)
        place.stop()
        sink.stop()


def progress_is_shown():
    """To a person who waits, and to nobody else."""
    sink = Sink("pause")
    place = Place(smtp(sink.port))
    names = files(place, 6)
    ours, theirs = pty.openpty()
    subprocess.run(place.command("send", *names), stderr=theirs,
                   stdout=subprocess.DEVNULL, timeout=120)
    os.close(theirs)
    text = os.read(ours, 10000)
    ok("progress", b"6 of 6 mails" in text, text)
    done = place.run(*names)
    ok("progress, no terminal", b"of 6" not in done.stderr, done.stderr)
    db = sqlite3.connect(place.folder + "/store")
    db.execute("UPDATE outbox SET state = 'ready'")
    db.execute("UPDATE recipient SET state = 'ready'")
    db.commit()
    db.close()
    ours, theirs = pty.openpty()
    subprocess.run(place.command("send", "--queued"), stderr=theirs,
                   stdout=subprocess.DEVNULL, timeout=120)
    os.close(theirs)
    text = os.read(ours, 10000)
    ok("progress, queued", b"6 of 6 mails" in text, text)
    place.stop()
    sink.stop()


def many_senders_send_each_once():
    sink = Sink("pause")
    place = Place(smtp(sink.port), "bot: {stop_file: STOP}\n".replace(
        "STOP", "/tmp"))
    place.run(*files(place, 10))
    ok("queue", place.query("SELECT count(*) FROM outbox WHERE "
                            "state = 'ready'") == [(10,)])
    ok("queue", not sink.mails())
    place.configure(smtp(sink.port))
    plan = place.run("--queued", "--dry-run")
    ok("plan", plan.returncode == 0, plan.stderr)
    ok("plan", plan.stdout.count(b"would be sent") == 10, plan.stdout)
    ok("plan", ADA.encode() in plan.stdout, plan.stdout)
    ok("plan", not sink.log())
    several = [subprocess.Popen(place.command("send", "--queued"),
                                stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL) for _ in range(3)]
    for p in several:
        ok("several", p.wait(120) == 0)
    ok("several", len(sink.mails()) == 10, sink.mails())
    ok("several", sink.log().count("MAIL") == 10, sink.log())
    got = place.query("SELECT DISTINCT state, tries FROM outbox")
    ok("several", got == [("sent", 1)], got)
    ok("several", place.run("--queued", "--dry-run").stdout == b"")
    place.stop()
    sink.stop()


def no_password_is_seen():
    """Not by who looks at processes, nor in what we say and write down."""
    folder = tempfile.mkdtemp(prefix="tls-")
    right = make_certificate(folder, "right", "localhost")
    with open(folder + "/secret", "w") as f:
        f.write("open sesame\n")
    for how in ("password_file: %s/secret" % folder,
                "password_command: [cat, %s/secret]" % folder):
        sink = Sink("hang-mail", *right)
        place = Place(smtp(sink.port, ", user: bot, ca_file: %s, %s" % (
            right[0], how), tls="starttls"))
        sender = subprocess.Popen(place.command("send", GOOD),
                                  stderr=subprocess.DEVNULL)
        for _ in range(200):
            if "MAIL" in sink.log():
                break
            time.sleep(0.05)
        ok(how, "MAIL" in sink.log(), sink.log())
        for pid in filter(str.isdigit, os.listdir("/proc")):
            for name in "cmdline", "environ":
                try:
                    with open("/proc/%s/%s" % (pid, name), "rb") as f:
                        ok(how, b"open sesame" not in f.read(), pid)
                except OSError:
                    pass
        sender.kill()
        sender.wait()
        place.stop()
        sink.stop()
    sink = Sink("echo", *right)
    place = Place(smtp(sink.port, ", user: bot, ca_file: %s, "
                       "password_file: %s/secret" % (right[0], folder),
                       tls="starttls"))
    done = place.run(GOOD)
    ok("echo", done.returncode == 75 and b"535" in done.stderr, done.stderr)
    with open(place.folder + "/store", "rb") as f:
        written = f.read()
    if os.path.exists(place.folder + "/store-wal"):
        with open(place.folder + "/store-wal", "rb") as f:
            written += f.read()
    asked = place.check_config("--connect")
    for text in done.stderr, written, asked.stderr.encode():
        ok("echo", b"sesame" not in text and b"AGJvdABvcGVu" not in text)
    place.stop()
    sink.stop()
    shutil.rmtree(folder)


def a_dead_sender_holds_nothing_up():
    sink = Sink("hang-mail")
    place = Place(smtp(sink.port))
    first = subprocess.Popen(place.command("send", GOOD),
                             stderr=subprocess.DEVNULL)
    for _ in range(200):
        if "MAIL" in sink.log():
            break
        time.sleep(0.05)
    first.kill()
    first.wait()
    sink.stop()
    sink = Sink("ok")
    place.configure(smtp(sink.port))
    done = place.run(GOOD)
    ok("after a death", done.returncode == 0, done.stderr)
    ok("after a death", sink.mails() == ["1.eml"])
    place.stop()
    sink.stop()


def text_arrives_unharmed():
    """Dots, empty lines, long tables: what comes out is what went in."""
    sink = Sink("ok")
    place = Place(smtp(sink.port))
    with open(GOOD, "rb") as f:
        mail = f.read()
    mail += b"\n.\n..\n.x\n\n" + b"".join(
        b".%063d\n" % i for i in range(20000)) + b".\n.\n"
    done = place.run("-", stdin=mail)
    ok("text", done.returncode == 0, done.stderr)
    ok("text", sink.read("1.eml") == mail.replace(b"\n", b"\r\n"))
    ok("envelope", sink.read("1.env").decode().split("\n")[:3] == [
        "<perfbot@ci.example.org> SIZE=%d" % len(sink.read("1.eml")),
        "<%s>" % ADA, "<%s>" % LIST], sink.read("1.env"))
    ok("EHLO", "EHLO ci.example.org" in sink.log())
    place.stop()
    sink.stop()


def a_mail_goes_once():
    sink = Sink("ok")
    place = Place(smtp(sink.port))
    for _ in range(3):
        done = place.run(GOOD)
        ok("once", done.returncode == 0, done.stderr)
    ok("once", b"was sent before" in done.stdout, done.stdout)
    ok("once", len(sink.mails()) == 1, sink.mails())
    place.stop()
    sink.stop()


def two_at_once_send_one():
    """Two processes, one mail: the second does not try."""
    sink = Sink("slow")
    place = Place(smtp(sink.port))
    args = [PERFPOST, "send", "--config", place.folder + "/conf", GOOD]
    first = subprocess.Popen(args, stderr=subprocess.DEVNULL)
    for _ in range(100):
        if os.path.exists(place.folder + "/store") and \
                place.query("SELECT 1 FROM sqlite_master WHERE "
                            "name = 'outbox'") and \
                place.query("SELECT 1 FROM outbox WHERE lease > 0"):
            break
        time.sleep(0.05)
    done = place.run(GOOD)
    ok("two at once", done.returncode == 75, done.returncode)
    ok("two at once", b"being sent" in done.stderr, done.stderr)
    done = place.run("--queued")
    ok("two at once", done.returncode == 0, done.stderr)
    first.kill()
    first.wait()
    place.stop()
    sink.stop()


def only_the_others_are_tried_again():
    sink = Sink("rcpt-450:" + ADA)
    place = Place(smtp(sink.port))
    place.run(GOOD)
    sink.stop()
    sink = Sink("ok")
    with open(place.folder + "/conf", "a") as f:
        f.write("# the server is well again\n")
    conf = open(place.folder + "/conf").read()
    open(place.folder + "/conf", "w").write(
        conf.split("send:")[0] + "send: %s\n" % smtp(sink.port))
    ok("again", place.run("--queued").returncode == 0)
    ok("not due yet", place.outbox()[0] == "ready", place.outbox())
    done = place.run(GOOD)		# by name it is tried at once
    ok("again", done.returncode == 0, done.stderr)
    ok("again", sink.read("1.env").decode().split("\n")[1:] ==
       ["<%s>" % ADA, ""], sink.read("1.env"))
    ok("again", place.outbox()[0:2] == ("sent", 2), place.outbox())
    place.stop()
    sink.stop()


def bcc_stands_nowhere():
    sink = Sink("ok")
    place = Place(smtp(sink.port))
    done = place.run("--bcc", "Eve <eve@example.net>", GOOD)
    ok("bcc", done.returncode == 0, done.stderr)
    ok("bcc", b"<eve@example.net>" in sink.read("1.env"))
    ok("bcc", b"eve@" not in sink.read("1.eml"))
    place.stop()
    sink.stop()


def nothing_goes_in_the_clear():
    folder = tempfile.mkdtemp(prefix="tls-")
    right = make_certificate(folder, "right", "localhost")
    for mode, more in ("ok", ()), ("starttls-lie", ()), \
            ("starttls-inject", right):
        sink = Sink(mode, *more)
        place = Place(smtp(sink.port, ", ca_file: " + right[0],
                           tls="starttls"))
        done = place.run(GOOD)
        ok("clear " + mode, done.returncode == 75, done.returncode)
        ok("clear " + mode, "MAIL" not in sink.log(), sink.log())
        ok("clear " + mode, "AUTH" not in sink.log(), sink.log())
        ok("clear " + mode, not sink.mails())
        place.stop()
        sink.stop()
    shutil.rmtree(folder)


def make_certificate(folder, name, host):
    base = "%s/%s" % (folder, name)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes",
         "-keyout", base + ".key", "-out", base + ".crt", "-days", "2",
         "-subj", "/CN=" + host, "-addext", "subjectAltName=DNS:" + host],
        check=True, capture_output=True)
    return base + ".crt", base + ".key"


def tls_is_verified():
    """A login behind TLS; no mail where the certificate is not right."""
    folder = tempfile.mkdtemp(prefix="tls-")
    right = make_certificate(folder, "right", "localhost")
    wrong = make_certificate(folder, "wrong", "elsewhere.example.net")
    for mode, certificate, trusted, word, code in (
            ("ok", right, right, "open sesame", 0),
            ("smtps", right, right, "open sesame", 0),
            ("ok", right, right, "open barley", 75),
            ("ok", right, wrong, "open sesame", 75),	# not our CA
            ("ok", right, None, "open sesame", 75),
            ("smtps", right, wrong, "open sesame", 75),
            ("ok", wrong, wrong, "open sesame", 75),	# another name
            ("smtps", wrong, wrong, "open sesame", 75)):
        with open(folder + "/secret", "w") as f:
            f.write(word + "\n")
        sink = Sink(mode, *certificate)
        more = ", user: bot, password_file: %s/secret" % folder
        if trusted:
            more += ", ca_file: " + trusted[0]
        place = Place(smtp(sink.port, more).replace(
            "tls: none", "tls: " + ("tls" if mode == "smtps" else "starttls")))
        done = place.run(GOOD)
        what = "TLS %s %s %s" % (mode, certificate[0], word)
        ok(what, done.returncode == code, (done.returncode, done.stderr))
        ok(what, len(sink.mails()) == (code == 0))
        ok(what, word.encode() not in done.stdout + done.stderr)
        if code and word == "open sesame":
            ok(what, "AUTH" not in sink.log(), sink.log())
        place.stop()
        sink.stop()
    shutil.rmtree(folder)


def dry_runs_change_nothing():
    sink = Sink("ok")
    place = Place(smtp(sink.port))
    done = place.run("--dry-run", GOOD)
    ok("dry", done.returncode == 0, done.stderr)
    for text in ADA, LIST, "perfbot@ci.example.org", "-12.4% regression":
        ok("dry", text.encode() in done.stdout, (text, done.stdout))
    ok("dry", not os.path.exists(place.folder + "/store"))
    ok("dry", not sink.log())
    bad = place.run("--dry-run", SRC + "/tests/lint/tag.eml")
    ok("dry", bad.returncode == 65, bad.returncode)
    place.stop()
    sink.stop()


def unfit_mails_stay():
    folder = tempfile.mkdtemp(prefix="box-")
    place = Place("{driver: maildir, maildir: {folder: %s/box}}" % folder)
    for name in "tag", "header-block", "empty-table":
        done = place.run(SRC + "/tests/lint/%s.eml" % name)
        ok("unfit " + name, done.returncode == 65, done.returncode)
    done = place.run(SRC + "/tests/lint/tag.eml", GOOD)
    ok("unfit", done.returncode == 65, done.returncode)
    ok("unfit", b"suggested tag" in done.stderr, done.stderr)
    ok("fit", len(os.listdir(folder + "/box/new")) == 1)
    place.stop()
    shutil.rmtree(folder)


def a_results_file_is_reported():
    """The report is made, sent, and known to the bot."""
    def result(commit, *values):
        return {"axes": {"testcase": "x", "commit": commit},
                "matrix": {"x.score": values}}

    base, head = "1" * 40, "2" * 40
    sink = Sink("ok")
    place = Place(smtp(sink.port))
    name = place.folder + "/results.json"
    with open(name, "w") as f:
        json.dump({"format": "perfpost-results/1", "headline": "x.score",
                   "tree": "https://git.example.org/x.git", "branch": "main",
                   "metrics": {"x.score": {"better": "higher", "kpi": True}},
                   "commits": {head: {"subject": "x: slow",
                                      "author": "Ann <ann@example.org>"}},
                   "results": [result(base, 100, 101, 99, 100),
                               result(head, 90, 91, 89, 90)]}, f)
    done = place.run(name)
    ok("results", done.returncode == 0, done.stderr)
    mail = sink.read("1.eml").decode()
    ok("results", "To: Ann <ann@example.org>\r\n" in mail, mail)
    ok("results", "-10.0% regression" in mail, mail)
    row, = place.query("SELECT tested, title, base, stat, tree, branch, "
                       "subject, message_id, token, facts FROM report")
    ok("report", row[:6] == (head, "x: slow", base, "x.score",
                             "https://git.example.org/x.git", "main"), row)
    ok("report", "x.score -10.0% regression" in row[6], row)
    ok("report", "Message-ID: <%s>" % row[7] in mail, row)
    ok("report", row[8] in "r" + row[7].split(".")[1], row)
    ok("report", json.loads(row[9]) == {
        "people": [{"address": "ann@example.org", "role": "author"}],
        "axes": {"testcase": "x"}}, row)
    done = place.run(name)
    ok("results again", b"was sent before" in done.stdout, done.stderr)
    first = row[7]
    with open(name) as f:
        facts = json.load(f)
    facts["test"] = {"machine": "another machine"}
    facts["results"] = [result(base, 200, 201, 199, 200),
                        result(head, 170, 171, 169, 170)]
    for one in facts["results"]:
        one["axes"]["tbox_group"] = "box2"
    with open(name, "w") as f:
        json.dump(facts, f)
    done = place.run(name)
    ok("another machine", done.returncode == 0, done.stderr)
    mail = sink.read("2.eml").decode()
    ok("another machine", "In-Reply-To: <%s>" % first in mail, mail)
    ok("another machine", re.search(r"Subject: Re: .*-10\.0% regression",
                                    mail), mail)
    ok("another machine", "Also on box2: -15.0% regression (200" in mail and
       "another machine" in mail and "Reported-by" not in mail, mail)
    ok("another machine", place.query(
        "SELECT coalesce(parent, 0) FROM report ORDER BY id") == [(0,), (1,)])
    # The opposite elsewhere, from results and as a finished mail.
    for n, box in (3, "box3"), (4, "box4"):
        for one in facts["results"]:
            one["axes"]["tbox_group"] = box
        facts["results"][1]["matrix"]["x.score"] = [230, 231, 229, 230]
        with open(name, "w") as f:
            json.dump(facts, f)
        sent = name
        if box == "box4":
            sent = place.folder + "/finished.eml"
            with open(sent, "wb") as f:
                f.write(subprocess.run([PERFPOST, "report", "--config",
                                        place.folder + "/conf", name],
                                       capture_output=True,
                                       check=True).stdout)
        done = place.run(sent)
        ok("the opposite", done.returncode == 0, done.stderr)
        mail = sink.read("%d.eml" % n).decode()
        ok("the opposite", "But on %s: 15.0%% improvement (200" % box in mail,
           mail)
    with open(name, "w") as f:
        f.write("{}")
    ok("no results", place.run(name).returncode == 65)
    place.stop()
    sink.stop()


def a_report_in_json_is_sent():
    """What "report -f json" printed holds the mail; through a pipe, too."""
    sink = Sink("ok")
    place = Place(smtp(sink.port))
    name = place.folder + "/results.json"
    with open(name, "w") as f:
        json.dump({"format": "perfpost-results/1", "branch": "main",
                   "metrics": {"x.score": {"better": "higher", "kpi": True}},
                   "results": [{"axes": {"testcase": "x", "commit": c * 40},
                                "matrix": {"x.score": [v, v + 1, v, v - 1]}}
                               for c, v in (("1", 100), ("2", 90))]}, f)
    report = [PERFPOST, "report", "--config", place.folder + "/conf", "-f",
              "json", name]
    made = subprocess.run(report + ["--to", "ann@example.org"],
                          capture_output=True)
    data = json.loads(made.stdout)
    ok("mail", data["mail"].startswith("From: ") and
       data["mail_refused"] is None, data["mail"])
    done = place.run("-", stdin=made.stdout)
    ok("json", done.returncode == 0, done.stderr)
    ok("json", sink.read("1.eml").decode().replace("\r\n", "\n") ==
       data["mail"])
    made = subprocess.run(report + ["--to", "nobody"], capture_output=True)
    ok("refused", made.returncode == 0 and
       "'nobody'" in json.loads(made.stdout)["mail_refused"], made.stdout)
    done = place.run("-", stdin=made.stdout)
    ok("refused", done.returncode == 65 and b"nobody" in done.stderr,
       done.stderr)
    done = place.run("-", stdin=made.stdout[:1000])
    ok("cut", done.returncode == 65, done.stderr)
    place.stop()
    sink.stop()


def the_emergency_stop_holds():
    sink = Sink("ok")
    place = Place(smtp(sink.port))
    stop = place.folder + "/stop"
    with open(place.folder + "/conf", "a") as f:
        f.write("bot: {stop_file: %s}\n" % stop)
    open(stop, "w").close()
    ok("stop", place.run(GOOD).returncode == 75)
    ok("stop", place.run("--queued").returncode == 75)
    ok("stop", not sink.mails() and place.outbox()[0] == "ready")
    os.remove(stop)
    ok("stop", place.run("--queued").returncode == 0)
    ok("stop", len(sink.mails()) == 1)
    place.stop()
    sink.stop()


def nobody_listens():
    place = Place(smtp(1))
    start = time.monotonic()
    done = place.run(GOOD)
    ok("nobody", done.returncode == 75, done.stderr)
    ok("nobody", time.monotonic() - start < 40)
    ok("nobody", place.outbox()[0] == "ready")
    place.stop()


def configurations_are_checked():
    def check_config(send, *args, more=""):
        place = Place(send)
        with open(place.folder + "/conf", "a") as f:
            f.write(more)
        done = subprocess.run(
            [PERFPOST, "check-config", "--config", place.folder + "/conf",
             *args], capture_output=True, text=True, timeout=60)
        place.stop()
        return done

    sink = Sink("ok")
    good = check_config(smtp(sink.port))
    ok("check", good.returncode == 0 and not sink.log(), good.stderr)
    good = check_config(smtp(sink.port), "--connect")
    ok("connect", good.returncode == 0, good.stderr)
    ok("connect", "MAIL" not in sink.log() and "EHLO" in sink.log())
    ok("connect", "by smtp, which answers" in good.stdout, good.stdout)
    sink.stop()
    for mode in "hello-554", "drop-hello":
        sink = Sink(mode)
        bad = check_config(smtp(sink.port), "--connect")
        ok("connect " + mode, bad.returncode == 78, bad.stderr)
        sink.stop()
    bad = check_config("{driver: maildir}", more="lists: [nobody]\n"
                       "trees: {x: {git: /no/such, cc: ['a@b, c@d']}}\n")
    ok("check", bad.returncode == 78, bad.returncode)
    for text in ("send.maildir.folder", "lists: 'nobody'", "'/no/such'",
                 "trees.x.cc"):
        ok("check", text in bad.stderr, (text, bad.stderr))
    bad = check_config("{driver: sendmail, sendmail: {command: /no/such}}",
                       "--connect")
    ok("check", bad.returncode == 78, bad.returncode)


def mistakes_are_told():
    place = Place("{driver: smtp, smtp: {port: 1, pasword: x}}")
    ok("config", place.run(GOOD).returncode == 78)
    place.stop()
    place = Place(smtp(1))
    ok("usage", place.run().returncode == 64)
    ok("usage", place.run("--queued", GOOD).returncode == 64)
    ok("bcc", place.run("--bcc", "a\nb", GOOD).returncode == 65)
    ok("file", place.run("/no/such").returncode == 71)
    place.stop()


for test in (faults, each_mail_has_its_own_replies,
             a_connection_has_many_mails, nobody_waits_for_ever,
             progress_is_shown, many_senders_send_each_once,
             no_password_is_seen, a_dead_sender_holds_nothing_up,
             text_arrives_unharmed, a_mail_goes_once,
             two_at_once_send_one, only_the_others_are_tried_again,
             bcc_stands_nowhere, nothing_goes_in_the_clear, tls_is_verified,
             dry_runs_change_nothing, unfit_mails_stay,
             a_results_file_is_reported, a_report_in_json_is_sent,
             the_emergency_stop_holds,
             nobody_listens, configurations_are_checked,
             mistakes_are_told):
    test()
sys.exit(verdict())
