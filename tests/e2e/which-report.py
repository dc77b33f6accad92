#!/usr/bin/env python3
"""Two reports have one subject, or a thread holds two patches: the bot asks
back, and an answer that says no more than which of them is enough, once,
whatever happens meanwhile."""
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from bot_site import (HEAD, PATCH, REPORT_ID, SUBJECT, TOKEN, Site,
                      failures, holds, same, text, to)
from traced import calls_made

perfpost = os.environ["PERFPOST"]
PLEASE = "Please rerun with this patch.\n\n" + PATCH
OTHER = "5d6e7f8091a25d6e7f8091a25d6e7f8091a25d6e"
KILLED_AT = "pwrite64 fdatasync fsync write ftruncate unlink".split()


def make(extra=""):
    """Report 1 is of HEAD on lkp-skl-fpga01, report 2 of OTHER on a machine
    in words."""
    s = Site(tempfile.mkdtemp(dir=root), perfpost, extra)
    db = sqlite3.connect(f"{s.here}/db")
    db.execute("UPDATE report SET machine = 'lkp-skl-fpga01', "
               "tree = 'linus/master'")
    db.execute("INSERT INTO report(key, token, subject, tested, base, stat, "
               "tree, machine, public, facts, created, changed, message_id) "
               "SELECT '77aa01bc22de', 'r77aa01bc22de', subject, ?, base, "
               "'other-bench.per_second', 'next/master', '128 threads Icelake "
               "with 256G memory', 1, facts, 1, 1, 'report.2@ci.example.org' "
               "FROM report", (OTHER,))
    db.execute("INSERT INTO thread VALUES('report.2@ci.example.org', 2, 1)")
    db.commit()
    db.close()
    return s


def ask(s, words=PLEASE, **more):
    """Ask without a thread; the question that comes back."""
    s.asked = s.mail(words, ref=None, **more)
    question, = s.go()
    same(s.decision(s.asked), "reply-ask-which")
    holds(text(question), "Which report is meant?")
    same(s.jobs(), [])
    s.question = text(question)
    return question["Message-ID"].strip("<>")


def reports(s):
    return [r[0] for r in s.query("SELECT report FROM job ORDER BY id")]


def the_name_is_enough():
    s = make()
    question = ask(s)
    mid = s.mail(f"> Please rerun with this patch.\nThe one of {HEAD[:12]}, "
                 "please.\n\nThanks,\nAnn", ref=question)
    ack, = s.go()
    same(s.decision(mid), "choose")
    same(s.decision(s.asked), "queue")
    same(to(ack), ["ann@dev.example.org"])
    same(ack["In-Reply-To"], f"<{s.asked}>")
    holds(ack["Reply-To"], f"perfbot+{TOKEN}@")
    holds(text(ack), "mm/example.c")
    holds(text(ack), f"tested: {HEAD[:12]}")
    same(reports(s), [1])
    result, = s.work()
    same(result["X-Perfpost-Verdict"], "recovered")
    # What is said below it now is known to be about that report.
    for below in (question, mid, s.asked):
        same(s.query("SELECT report FROM thread WHERE message_id = ?", below),
             [(1,)], below)
    same(s.query("SELECT kind, state, report FROM request"),
         [("rerun_with_patch", "answered", 1)])
    holds(s.call("why", mid).stdout, "decision   choose")


def whatever_tells_them_apart_names_one():
    for words, more in (
            (OTHER[:8], {}), ("I mean r77aa01bc22de.", {}),
            ("<report.2@ci.example.org>", {}),
            ("https://lore.example.org/r/report.2@ci.example.org/", {}),
            ("perfbot+r77aa01bc22de@ci.example.org", {}),
            ("", {"to": "perfbot+r77aa01bc22de@ci.example.org"}),
            ("That of other-bench.per_second", {}),
            ("The per_second one.", {}), ("The Icelake, please", {}),
            ("on next/master", {}), ("the second one", {}),
            ("Please rerun it for the Icelake machine.", {}),
            ("Please retest the next/master one.", {}),
            ("Please rerun with the patch, for the second one.", {}),
            ("QUOTED\nThis one, please.", {})):
        s = make()
        question = ask(s)
        if words.startswith("QUOTED"):
            above = s.question.partition("\n\nPlease answer")[0]
            words = "On Mon, robot wrote:\n" + "".join(
                f"> {line}\n" for line in above.splitlines()) + words[6:]
        mid = s.mail(words, ref=question, **more)
        ack, = s.go()
        same(s.decision(mid), "choose", words)
        same(ack["X-Perfpost"], "ack", words)
        same(reports(s), [2], words)


def both_are_both():
    s = make()
    s.mail("Both, please.", ref=ask(s))
    ack, = s.go()
    same(reports(s), [1, 2])
    holds(text(ack), f'About "{SUBJECT}" ({TOKEN}):')


def below_the_request_is_in_the_thread_too():
    s = make()
    ask(s)
    s.mail("Sorry, I meant the one on lkp-skl-fpga01.", ref=s.asked)
    same(len(s.go()), 1)
    same(reports(s), [1])


def once():
    s = make()
    question = ask(s)
    first = s.mail("the first", ref=question)
    same(len(s.go()), 1)
    # Once more by the list, once more to the byte, and another opinion.
    s.mail("the first\n-- \nlist mailing list", ref=question, mid=first,
           headers=["List-Id: <list.lists.example.org>"])
    (raw,), = s.query("SELECT bytes FROM mail WHERE message_id = ?", first)
    with open(f"{s.here}/in/new/again", "wb") as f:
        f.write(raw)
    later = s.mail("No, the second one", ref=question)
    same(s.go(), [])
    same(s.decision(later), "none")
    same(reports(s), [1])
    same(len(s.work()), 1)


def only_who_asked():
    s = make()
    question = ask(s)
    for who, proof in (("bob@dev.example.org", True),
                       ("eve@else.example.net", True)):
        mid = s.mail("the first one", who=who, ref=question, proof=proof)
        same(s.go(), [], who)
        same(s.decision(mid), "none")
    # Said to be no mail of ann's: as if it had not come.
    s.mail("the first one", ref=question, proof=False, headers=[
        "Authentication-Results: mx.ci.example.org; dmarc=fail "
        "header.from=dev.example.org"])
    same(s.go(), [])
    same(s.query("SELECT state FROM request"), [("asked",)])
    # Not in the thread.
    s.mail("the first one", ref="another@dev.example.org")
    same(s.go(), [])
    same(s.jobs(), [])
    s.mail("the second one", ref=question)
    same(len(s.go()), 1)
    same(reports(s), [2])


def an_answer_without_proof_must_be_confirmed():
    s = make()
    s.mail("the second one", ref=ask(s), proof=False)
    confirm, = s.go()
    same(confirm["X-Perfpost"], "confirm")
    same(s.jobs(), [])
    word = confirm["Reply-To"].addresses[0].addr_spec
    s.mail("yes", to=word, ref=None)
    ack, = s.go()
    same(ack["X-Perfpost"], "ack")
    same(reports(s), [2], "what was chosen is remembered")


def strangers_are_asked_and_must_confirm():
    s = make()
    question = ask(s, who="new@other.example.net")
    s.mail("the first one", who="new@other.example.net", ref=question)
    confirm, = s.go()
    same(confirm["X-Perfpost"], "confirm")
    same(s.jobs(), [])


def who_is_turned_away_is_not_asked():
    s = make("policy: {deny: ['*@bad.example.net']}\n")
    for more in ({"who": "x@bad.example.net"}, {"proof": False, "headers": [
            "Authentication-Results: mx.ci.example.org; dmarc=fail "
            "header.from=dev.example.org"]}):
        mid = s.mail(PLEASE, ref=None, **more)
        same(s.go(), [])
        same(s.decision(mid), "deny")


def what_does_not_tell_is_asked_once_more():
    for words in ("the one of deadbeef1234", "not the second one", "the third one",
                  f"{HEAD[:12]} on Icelake"):
        s = make()
        question = ask(s)
        mid = s.mail(words, ref=question)
        again, = s.go()
        holds(text(again), "I cannot tell from this which report is meant.")
        same(again["In-Reply-To"], f"<{mid}>")
        same(s.decision(mid), "reply-ask-which")
        s.mail(words, ref=again["Message-ID"].strip("<>"))
        same(s.go(), [], "not for ever")
        same(s.jobs(), [])
        s.mail("the second", ref=again["Message-ID"].strip("<>"))
        same(len(s.go()), 1)
        same(reports(s), [2])
        same(s.query("SELECT state FROM request"), [("queued",)])


def what_names_nothing_gets_no_answer():
    s = make()
    mid = s.mail("Thanks, I will have a look at this tomorrow.", ref=ask(s))
    same(s.go(), [])
    same(s.decision(mid), "none")
    same(s.query("SELECT state FROM request"), [("asked",)])


def never_mind():
    for words in "Never mind.", "#robot cancel", "No, forget it.":
        s = make()
        question = ask(s)
        mid = s.mail(words, ref=question)
        same(s.go(), [], words)
        same(s.decision(mid), "cancel", words)
        s.mail("the first one", ref=question)
        same(s.go(), [])
        same(s.query("SELECT state FROM request"), [("cancelled",)])
        same(s.jobs(), [])


def a_new_request_takes_the_place_of_the_old():
    s = make()
    question = ask(s)
    s.mail("The second one, but please rerun with this patch instead:\n\n" +
           PATCH.replace("touch_once", "touch_twice"), ref=question)
    ack, = s.go()
    same(reports(s), [2])
    holds(s.query("SELECT spec FROM job")[0][0], "touch_twice")
    same(s.query("SELECT state, report FROM request ORDER BY id"),
         [("cancelled", None), ("queued", 2)])
    s.mail("the second one", ref=question)
    same(s.go(), [])


def help_needs_no_report():
    s = make()
    mid = s.mail("#robot help", ref=None)
    answer, = s.go()
    same(s.decision(mid), "answer")
    holds(text(answer), "I read what you write in plain words")


def two_patches(s):
    """In the thread of report 1; their ids, and the question's."""
    ids = [s.mail("Maybe like this.\n\n" + PATCH.replace("touch_once", name),
                  who="bob@dev.example.org", to="ann@dev.example.org")
           for name in ("touch_twice", "touch_never")]
    s.asked = s.mail("robot, please rerun with the patch above.", ref=None,
                     headers=[f"In-Reply-To: <{ids[1]}>", "References: <" +
                              "> <".join([REPORT_ID, *ids]) + ">"])
    question, = s.go()
    same(s.decision(s.asked), "reply-ask-which")
    holds(text(question), "Which patch is meant?")
    for one in ids:
        holds(text(question), f"Message-ID: {one}")
    return ids, question["Message-ID"].strip("<>")


def a_patch_is_named_by_its_id():
    for form in "{}", "<{}>", "I mean https://lore.example.org/r/{}/, sorry.":
        s = make()
        ids, question = two_patches(s)
        mid = s.mail(form.format(ids[1]), ref=question)
        ack, = s.go()
        same(s.decision(mid), "choose", form)
        same(ack["X-Perfpost"], "ack")
        holds(text(ack), ids[1])
        holds(s.query("SELECT spec FROM job")[0][0], "touch_never")
        s.mail(form.format(ids[0]), ref=question)
        same(s.go(), [], "once")
        same(s.jobs(), ["queued"])


def what_names_no_patch_runs_nothing():
    s = make()
    ids, question = two_patches(s)
    for words in "Thanks, all!", "ask bob@dev.example.org", " ".join(ids):
        s.mail(words, ref=question)
        same(s.go(), [], words)
    s.mail(ids[0], who="bob@dev.example.org", ref=question)
    same(s.go(), [], "he did not ask")
    same(s.jobs(), [])


def the_report_then_the_patch():
    s = make()
    for name in "touch_twice", "touch_never":
        s.mail("Maybe like this.\n\n" + PATCH.replace("touch_once", name),
               who="bob@dev.example.org", to="ann@dev.example.org",
               mid=f"{name}@dev.example.org", ref=None, subject="an idea")
    same(s.go(), [])
    question = ask(s, "Please rerun with the patch above.", proof=False,
                   headers=["References: <touch_twice@dev.example.org> "
                            "<touch_never@dev.example.org>"])
    s.mail("the second one", ref=question)
    which, = s.go()
    holds(text(which), "Which patch is meant?")
    s.mail("<touch_never@dev.example.org>",
           ref=which["Message-ID"].strip("<>"))
    confirm, = s.go()
    same(confirm["X-Perfpost"], "confirm", "its request came without proof")
    s.mail("yes", to=confirm["Reply-To"].addresses[0].addr_spec, ref=None)
    same(len(s.go()), 1)
    same(reports(s), [2], "both choices are remembered")
    holds(s.query("SELECT spec FROM job")[0][0], "touch_never")


def killed_at_any_call():
    """The answer is decided and the process is killed at a call that writes:
    one job, one acknowledgement."""
    if not shutil.which("strace"):
        print("no strace: not killed")
        return
    s = make()
    s.mail("the second one", ref=ask(s))
    s.stage("receive")
    shutil.copytree(s.here, f"{s.here}.before")

    def decide(*trace):
        return subprocess.run(["strace", "-o", f"{s.here}/trace",
                               *trace, perfpost, "bot", "--once", "--stage",
                               "decide", "--config",
                               f"{s.here}/perfpost.conf"],
                              capture_output=True, check=False).returncode

    decide("-e", "trace=" + ",".join(KILLED_AT))
    counts = calls_made(f"{s.here}/trace", KILLED_AT)
    killed = 0
    for call, n in counts.items():
        for k in range(1, n + 1, 1 + n // 12):
            shutil.rmtree(s.here)
            shutil.copytree(f"{s.here}.before", s.here)
            killed += decide("-e", f"trace={call}", "-e",
                             f"inject={call}:signal=KILL:when={k}") != 0
            s.taken = set(os.listdir(f"{s.here}/sent/new"))
            same(len(s.go("decide", "decide", "send")), 1, f"{call} {k}")
            same(reports(s), [2], f"{call} {k}")
            same(s.query("SELECT state, report FROM request"),
                 [("queued", 2)], f"{call} {k}")
            same(s.query("SELECT decision FROM mail ORDER BY id"),
                 [("queue",), ("choose",)], f"{call} {k}")
    print(f"killed at {killed} calls")
    same(killed > 5, True, counts)


def an_older_store_remembers_its_question():
    s = make()
    os.unlink(f"{s.here}/db")
    with open(os.path.join(os.environ["top_srcdir"],
                           "tests/data/store-2.sql"), encoding="utf-8") as f:
        db = sqlite3.connect(f"{s.here}/db")
        db.executescript(f.read())
        db.close()
    (question,), = s.query("SELECT message_id FROM outbox WHERE kind = 'ask'")
    s.mail("on lkp-icl-2sp1", ref=question)
    s.go()
    same(reports(s), [1, 2])
    same(s.jobs(), ["done", "queued"])


with tempfile.TemporaryDirectory() as root:
    tests = [f for name, f in list(globals().items()) if callable(f) and
             getattr(f, "__module__", "") == "__main__" and
             name not in ("make", "ask", "reports", "two_patches")]
    bad = failures(t for t in tests
                   if len(sys.argv) < 2 or t.__name__ in sys.argv[1:])
sys.exit(bad > 0)
