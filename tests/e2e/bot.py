#!/usr/bin/env python3
"""What the bot does with what people write: each test is a small story."""
import http.server
import json
import os
import re
import signal
import sqlite3
import sys
import tempfile
import threading
import time
import types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from bot_site import (BASE, BOT, PATCH, REPORT_ID, SUBJECT, TOKEN, Site,
                      cc, failures, holds, same, text, to)

perfpost = os.environ["PERFPOST"]
PLEASE = "Please rerun with this patch.\n\n" + PATCH


def make(extra="", **more):
    return Site(tempfile.mkdtemp(dir=root), perfpost, extra, **more)


def author_gets_a_result():
    s = make()
    mid = s.mail(PLEASE)
    ack, = s.go()
    same(s.decision(mid), "queue")
    same(to(ack), ["ann@dev.example.org"])
    same(cc(ack), ["list@lists.example.org"])
    same(ack["Subject"], f"Re: {SUBJECT}")
    same(ack["In-Reply-To"], f"<{mid}>")
    same(ack["Auto-Submitted"], "auto-replied")
    same(ack["Reply-To"], f"robot <perfbot+{TOKEN}@ci.example.org>")
    holds(text(ack), "mm/example.c")
    result, = s.work()
    same(s.jobs(), ["done"])
    same(result["X-Perfpost-Verdict"], "recovered")
    same(text(result).splitlines()[0], "Recovered.")
    holds(text(result), "<- patched")
    holds(text(result), "| Tested-by: robot")
    same([p.get_filename() for p in result.iter_attachments()],
         ["perfpost-answer.json"])
    same(s.work(), [], "done twice")


def verdicts_follow_from_values():
    for verdict, patched in (("no change", [50, 51, 50, 49]),
                             ("partly recovered", [75, 76, 74, 75]),
                             ("worse", [30, 31, 29, 30]),
                             ("inconclusive", [30, 120, 20, 90]),
                             ("recovered", [130, 131, 129, 130])):
        s = make()
        s.values(base=[100, 101, 99, 100], reported=[50, 51, 49, 50],
                 patched=patched)
        s.mail(PLEASE)
        s.go()
        result, = s.work()
        said = text(result).replace("\n", " ")
        same(result["X-Perfpost-Verdict"], verdict)
        holds(said, {"no change": "The patch makes no difference: 50.00 with "
                     "it, 50.00 without (+0.0%, within noise). The base has "
                     "100.00.",
                     "partly recovered": "That undoes 50% of the change; the "
                     "99.5% interval of that part is +",
                     "worse": "30.00 with the patch, 50.00 without, 100.00 at "
                     "the base. That adds 40% of the change",
                     "inconclusive": "Too much spread to say",
                     "recovered": "bench.score is beyond the base: 130.00 with "
                     "the patch, 100.00 at the base"}[verdict])
        holds(said, "against the first column (base).")
        if verdict == "inconclusive":
            holds(text(result).replace("\n", " "), "runs a side to tell")
        if verdict in ("no change", "worse", "inconclusive"):
            same("Tested-by" in text(result), False, verdict)


def rerun_measures_again():
    s = make()
    s.mail("Could you please rerun this? Is it reproducible?")
    s.go()
    result, = s.work()
    same(result["X-Perfpost-Verdict"], "confirmed")
    holds(text(result), "no patch was applied")
    s.mail("Please rerun this once more.")
    s.go()
    same(len(s.jobs()), 2, "a rerun is not answered from the last one")


def a_small_change_is_none():
    for conf, verdict in (("", "confirmed"),
                          ("smallest_change: 2\n", "not reproduced")):
        s = make(conf)
        s.values(base=[1000, 1001, 999, 1000], reported=[990, 991, 989, 990])
        s.mail("Could you please rerun this?")
        s.go()
        result, = s.work()
        same(result["X-Perfpost-Verdict"], verdict, conf)


def once_more_is_what_the_result_was_of():
    """Whoever answers the result of a run with a patch means the patch."""
    s = make()
    first = s.mail(PLEASE)
    s.go()
    result, = s.work()
    thread = f"{REPORT_ID}> <{first}> <{result['Message-ID'].strip('<>')}"
    s.mail("Thanks! Could you run it once more with 12 runs?", ref=thread)
    ack, = s.go()
    holds(text(ack), f"patch:    of the mail <{first}>")
    holds(text(ack), "runs:     12 of each")
    s.mail("Could you rerun it?", ref=thread)       # not what is known
    ack, = s.go()
    holds(text(ack), f"patch:    of the mail <{first}>")
    same(s.jobs(), ["done", "queued", "queued"])
    for words in ("Could you rerun it without the patch?",
                  "Could you please rerun the original report?"):
        s.mail(words, ref=thread)
        ack, = s.go()
        holds(text(ack), "patch:    none, no patch is applied")


def stranger_confirms():
    s = make()
    mid = s.mail(PLEASE, who="eve@else.example.net", proof=False)
    ask, = s.go()
    same(s.decision(mid), "hold-for-confirmation")
    same(s.jobs(), [])
    same(to(ask), ["eve@else.example.net"])
    same(cc(ask), [], "the word goes to nobody else")
    word = re.search(r"<(perfbot\+c.*)>", ask["Reply-To"]).group(1)
    # Somebody else who got hold of it.
    s.mail("yes", who="bob@dev.example.org", to=word, ref=None)
    s.go()
    same(s.jobs(), [])
    s.mail("yes", who="eve@else.example.net", proof=False, to=word, ref=None)
    ack, = s.go()
    same(s.jobs(), ["queued"])
    same(ack["In-Reply-To"], f"<{mid}>")
    s.mail("yes, again", who="eve@else.example.net", proof=False, to=word)
    same(s.go(), [])
    same(s.jobs(), ["queued"])


def no_is_no():
    for said, jobs in (("No.\n", []), ("no, that was not me", []),
                       ("Please don't run it.", []), ("#robot cancel", []),
                       ("No problem, go ahead.", ["queued"]),
                       ("Now it is me.", ["queued"]), ("", ["queued"])):
        s = make()
        mid = s.mail(PLEASE, who="eve@else.example.net", proof=False)
        ask, = s.go()
        word = re.search(r"<(perfbot\+c.*)>", ask["Reply-To"]).group(1)
        for _ in range(2):      # nor later, when it was a no
            s.mail(said, who="eve@else.example.net", proof=False, to=word,
                   ref=None)
            same(len(s.go()), len(jobs), said)
            same(s.jobs(), jobs, said)
            said, jobs = ("yes", []) if not jobs else (said, jobs)
            if jobs:
                break


def reasons_to_ask_are_told():
    for more, why in (({"proof": False}, "could not verify"),
                      ({}, "do not know your address yet")):
        s = make()
        s.mail(PLEASE, who="eve@else.example.net", **more)
        ask, = s.go()
        holds(text(ask), why)


def confirmation_expires():
    s = make("policy: {confirm_within: 1h, secret_file: HERE/secret}\n")
    s.now = 1800000000
    s.mail(PLEASE, who="eve@else.example.net")
    ask, = s.go()
    word = re.search(r"<(perfbot\+c.*)>", ask["Reply-To"]).group(1)
    s.now += 3601
    s.mail("yes", who="eve@else.example.net", to=word)
    late, = s.go()
    same(late["X-Perfpost-Error"], "confirmation-expired")
    s.stage("decide")
    same(s.query("SELECT state FROM request"), [("cancelled",)])
    same(s.jobs(), [])


def forged_and_denied_are_silent():
    s = make("policy: {deny: ['*@bad.example.net']}\n")
    forged = s.mail(PLEASE, proof=False, headers=[
        "Authentication-Results: mx.ci.example.org; dkim=pass "
        "header.d=evil.example.net; dmarc=fail"])
    denied = s.mail(PLEASE, who="eve@bad.example.net")
    same(s.go(), [])
    same(s.decision(forged), "deny")
    same(s.decision(denied), "deny")


def copies_are_one():
    munged = {"who": "perf@lists.example.org", "headers": [
        "List-Id: <perf.lists.example.org>",
        "Archived-At: <https://archive.example.org/x>",
        "X-Original-From: Ann <ann@dev.example.org>"]}
    footer = "\n-- \n_______________________________________________\n" \
             "perf mailing list -- perf@lists.example.org\n"
    for list_first in (False, True):
        s = make()
        for through_list in (list_first, not list_first):
            if through_list:
                s.mail(PLEASE + footer, mid="same@dev.example.org", **munged)
            else:
                s.mail(PLEASE, mid="same@dev.example.org")
            s.go()
        same(s.jobs(), ["queued"], f"list first: {list_first}")
        same(s.query("SELECT count(*) FROM outbox WHERE kind = 'ack'"),
             [(1,)])


def patch_must_fit():
    s = make(checkout=True)
    wrong = PATCH.replace("touch(n, i)", "tuch(n, i)")
    s.mail("Please rerun with this patch.\n\n" + wrong)
    error, = s.go()
    same(error["X-Perfpost-Error"], "patch-does-not-apply")
    holds(text(error), "-tuch(n, i);")
    same(s.jobs(), [])
    s.mail(PLEASE)
    ack, = s.go()
    holds(text(ack), f"checked:  it applies to {s.head[:12]}")
    same(s.jobs(), ["queued"])
    s.mail("Please rerun with this patch.\n\n" + PATCH.replace("mm/example", "it"))
    error, = s.go()
    holds(text(error), "The file it.c does not exist there.")
    s.mail("Please rerun with this patch on top of deadbeef1234.\n\n" + PATCH)
    error, = s.go()
    same(error["X-Perfpost-Error"], "unknown-base")


def branch_is_tried_where_the_commit_does_not_fit():
    s = make(checkout=True)
    s.git("checkout", "-q", "-b", "topic")
    s.write("mm/example.c", "int j;\nprod(n, i);\nreturn 0;\n")
    s.git("commit", "-q", "-a", "-m", "mm: prod")
    s.query("SELECT 1")
    db = sqlite3.connect(f"{s.here}/db")
    db.execute("UPDATE report SET branch = 'topic'")
    db.commit()
    db.close()
    s.mail("Please rerun with this patch.\n\n" + PATCH.replace(
        " int i;", " int j;").replace("touch(n", "prod(n"))
    ack, = s.go()
    holds(text(ack), "does not apply to the commit reported")
    holds(text(ack), "onto")
    # Is it the patch, or was it well there without it?
    for onto, verdict in (([50, 50, 51, 49], "recovered"),
                          ([100, 101, 99, 100], "inconclusive")):
        s.values(base=[100, 101, 99, 100], reported=[50, 51, 49, 50],
                 patched=[99, 100, 98, 100], onto=onto)
        result, = s.work()
        same(result["X-Perfpost-Verdict"], verdict)
        same("Tested-by" in text(result), verdict == "recovered")
        holds(text(result).replace("\n", " "),
              "without it on the same commit")
        s.mail("Please rerun with this patch, 12 times.\n\n" +
               PATCH.replace(" int i;", " int j;").replace("touch(n",
                                                          "prod(n"))
        s.go()


def bad_patches_are_named():
    for name, patch in (
            ("patch-path-not-accepted", PATCH.replace("mm/", "../mm/")),
            ("patch-touches-git-folder",
             PATCH.replace("mm/example.c", ".git/hooks/x")),
            ("patch-makes-symlink", PATCH.replace(
                "--- a", "new file mode 120000\n--- a")),
            ("patch-damaged", PATCH.replace("@@ -1,3", "@@ -1,9"))):
        s = make()
        s.mail("Please rerun with this patch.\n\n" + patch)
        error, = s.go()
        same(error["X-Perfpost-Error"], name)
        holds(text(error), "Please ")
        same(s.jobs(), [], name)


def host_files_need_an_operator():
    s = make(checkout=True)
    patch = PATCH.replace("mm/example.c", "Makefile")
    s.write("Makefile", "int i;\ntouch(n, i);\nreturn 0;\n")
    s.git("add", ".")
    s.git("commit", "-q", "-m", "make")
    s.head = s.git("rev-parse", "HEAD")
    mid = s.mail(f"Please rerun with this patch on top of {s.head}.\n\n" + patch)
    held, = s.go()
    same(s.decision(mid), "hold-for-operator")
    holds(text(held), "Makefile")
    same(s.jobs(), [])
    holds(s.call("queue").stdout, "ann@dev.example.org")
    same(s.call("queue", "approve", "7").returncode, 65)
    same(s.call("queue", "approve", "1").returncode, 0)
    same(s.jobs(), ["queued"])
    ack, = s.go("send")
    same(ack["X-Perfpost"], "ack")
    # A maintainer of the files may, without.
    s.mail(f"Please rerun with this patch on top of {s.head}.\n\n" + patch,
           who="max@keeper.example.org")
    s.go()
    same(s.query("SELECT state FROM request ORDER BY id"),
         [("queued",), ("queued",)])


def equal_requests_merge():
    s = make()
    s.mail(PLEASE)
    s.go()
    s.mail("Could you please test this patch?\n\n" + PATCH,
           who="bob@dev.example.org", headers=["X-Other: 1"])
    ask, = s.go()
    word = re.search(r"<(perfbot\+c.*)>", ask["Reply-To"]).group(1)
    s.mail("yes", who="bob@dev.example.org", to=word)
    ack, = s.go()
    holds(text(ack), "The same was asked before")
    same(s.jobs(), ["queued"])
    result, = s.work()
    same(to(result) + cc(result), ["ann@dev.example.org",
         "list@lists.example.org", "bob@dev.example.org"])
    s.mail(PLEASE.replace("Please", "Please do"))
    ack, = s.go()
    holds(text(ack), "measured before")
    again, = s.work()
    same(again["X-Perfpost-Verdict"], "recovered")
    same(s.jobs(), ["done"])


def cancelled_by_mail():
    s = make()
    s.mail(PLEASE)
    s.go()
    s.mail("#robot cancel", who="bob@dev.example.org")
    s.go()
    same(s.jobs(), ["queued"], "another's")
    s.mail("#robot cancel")
    answer, = s.go()
    holds(text(answer), "is taken back")
    same(s.jobs(), ["cancelled"])
    same(s.work(), [])


def never_mind_takes_back():
    """In answer to the acknowledgement, whatever it would mean elsewhere."""
    def asked():
        s = make()
        first = s.mail("Please rerun with this patch.\n\n" + PATCH)
        ack, = s.go()
        return s, f"{REPORT_ID}> <{first}> <{ack['Message-ID'].strip('<>')}"

    for words in ("Never mind.", "Sorry, wrong patch!", "Oops, please disregard",
                  "Forget it, I found the bug."):
        s, thread = asked()
        s.mail(words, ref=thread)
        answer, = s.go()
        holds(text(answer), "Request 1 of yours is taken back.")
        same(s.jobs(), ["cancelled"])
    for words, who in (("Never mind the whitespace.", "bob@dev.example.org"),
                       ("No need to hurry.", "ann@dev.example.org"),
                       ("Thanks, stopping by later.", "ann@dev.example.org")):
        s, thread = asked()
        s.mail(words, ref=thread, who=who)
        same(s.go(), [])
        same(s.jobs(), ["queued"])
    s, _ = asked()      # not an answer to it
    s.mail("Never mind.")
    same(s.go(), [])
    same(s.jobs(), ["queued"])


def running_job_is_cancelled():
    s = make()
    with open(f"{s.here}/runner", "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\nexec sleep 60\n")
    s.mail(PLEASE)
    s.go()
    s.stage("run")
    same(s.jobs(), ["submitted"])
    s.mail("#robot cancel")
    s.go()
    for _ in range(100):
        s.stage("run")
        if os.path.exists(f"{s.here}/jobs/1.0/status.json"):
            break
    holds(open(f"{s.here}/jobs/1.0/status.json", encoding="utf-8").read(),
          '"cancelled": true')


def budgets_end():
    s = make("budget: {person: 20}\n")
    s.mail(PLEASE)
    s.go()
    s.mail(PLEASE.replace("touch_once", "touch_twice"))
    no, = s.go()
    holds(text(no).replace("\n", " "), "of the 20 for you today 2 are left")
    same(s.jobs(), ["queued"])


def budgets_are_of_people_domains_reports_and_days():
    other = PLEASE.replace("touch_once", "touch_twice")
    for limit, whose in (("domain", "your domain today"),
                         ("report", "this report"), ("day", "everybody")):
        s = make(f"budget: {{{limit}: 20}}\npolicy: {{allow: ['*@*']}}\n")
        s.mail(PLEASE)
        s.go()
        who = "eve@else.example.net" if limit == "day" \
            else "joe@dev.example.org"
        mid = s.mail(other, who=who)
        no, = s.go()
        same(s.decision(mid), "deny", limit)
        holds(text(no).replace("\n", " "), f"for {whose}")
        same(s.jobs(), ["queued"], limit)
        # What is measured, or will be, costs nothing more.
        s.mail(PLEASE, who=who)
        ack, = s.go()
        holds(text(ack), "The same was asked before")
        # The time that a job did not use is given back.
        s.work()
        s.mail(other, who=who)
        s.go()
        same(s.jobs(), ["done", "queued"], limit)


def caps_are_of_people_threads_and_days():
    for cap, why in (("thread", "in this thread"), ("day", "answers today"),
                     ("person", "to this person")):
        s = make(f"caps: {{{cap}: 1}}\n")
        s.mail("#robot status\n1")
        same(len(s.go()), 1, cap)
        s.mail(PLEASE)
        same(s.go(), [], cap)
        same(s.jobs(), ["queued"], "nothing else is lost")
        same(s.query("SELECT count(*) FROM mail WHERE reason LIKE ?",
                     f"%{why}%"), [(1,)], cap)


def caps_silence():
    s = make("caps: {person: 2}\n")
    for i in range(4):
        s.mail(f"#robot status\n{i}")
    same(len(s.go()), 2)
    same(s.query("SELECT count(*) FROM mail WHERE reason LIKE '%no answer%'"),
         [(2,)])


def loops_end():
    s = make()
    for headers in (["Auto-Submitted: auto-replied"],
                    ["Return-Path: <>"], ["X-Perfpost: ack"],
                    ["Sender: perfbot+x@ci.example.org"]):
        mid = s.mail(PLEASE, headers=headers)
        same(s.go(), [], headers)
        same(s.decision(mid), "ignore", headers)
    mid = s.mail(PLEASE, who="perfbot+r000@ci.example.org")
    same(s.go(), [])
    # A person's mail through a list is none of these.
    mid = s.mail(PLEASE, headers=["Precedence: bulk",
                                  "List-Id: <list.lists.example.org>"])
    same(len(s.go()), 1)
    same(s.decision(mid), "queue")


def delivery_report(number, about, said, sender="From: postmaster@mx.example.net",
                    returned=""):
    """What a mail server says of those to whom "about" went (RFC 3464)."""
    return f"""\
{sender}
To: {BOT}
Subject: Undelivered
Message-ID: <dsn.{number}@mx.example.net>
In-Reply-To: {about}
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

It failed.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

{said}{returned}
--b--
"""


def bounces_are_heeded():
    s = make("bot: {notify: [ops@ci.example.net]}\n")
    s.mail("", body=delivery_report(1, f"<{REPORT_ID}>", """\
Final-Recipient: rfc822; list@lists.example.org
Action: failed
Status: 5.1.1""", "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.net"))
    notice, = s.go()
    same(to(notice), ["ops@ci.example.net"])
    holds(text(notice), "list@lists.example.org")
    s.mail("#robot status")
    answer, = s.go()
    same(cc(answer), [])
    # One report on several recipients, of whom but some failed.
    s.mail("", body=delivery_report(2, f"<{REPORT_ID}>", """\
Final-Recipient: rfc822; bob@dev.example.org
Action: delivered
Status: 2.0.0

Original-Recipient: rfc822;ann@dev.example.org
Final-Recipient: rfc822; a.new.name@dev.example.com
Action: failed
Status: 5.1.1

Final-Recipient: rfc822; other@dev.example.org
Status: 5.1.10
Action: failed

Final-Recipient: rfc822; full@dev.example.org
Status: 5.2.2
Action: failed""").replace("\n", "\r\n"))
    same(s.go(), [])
    db = sqlite3.connect(f"{s.here}/db")
    same(sorted(r[0] for r in db.execute("SELECT address FROM address WHERE "
                                         "failing")),
         ["ann@dev.example.org", "list@lists.example.org",
          "other@dev.example.org"])
    # A forged one, on an answer of ours that went to somebody else.
    s.mail("", body=delivery_report(3, answer["Message-ID"], """\
Final-Recipient: rfc822; victim@dev.example.org
Action: failed
Status: 5.1.1
""", returned=f"""
--b
Content-Type: text/rfc822-headers

Message-ID: {answer["Message-ID"]}"""))
    same(s.go(), [])
    same(db.execute("SELECT count(*) FROM address WHERE failing AND "
                    "address LIKE 'victim%'").fetchone(), (0,))


def a_clock_that_ran_ahead_is_survived():
    """Whatever was put off by it is tried again once it is right."""
    s = make("caps: {person: 3}\n")
    right = int(time.time())
    s.now = right + 3600 * 24 * 365
    s.mail("Robot, could you test this series, please?\n",
           subject="[PATCH 0/2] mm: fix", mid="cover@dev.example.org")
    os.makedirs(f"{s.here}/sent")
    os.rename(f"{s.here}/sent", f"{s.here}/away")
    open(f"{s.here}/sent", "w").close()
    for n in (5, 6):
        s.mail(f"#robot rerun {n}", who="bob@dev.example.org")
    same(s.go("receive", "decide"), [])
    s.call("bot", "--once", "--stage", "send")      # which fails for now
    os.remove(f"{s.here}/sent")
    os.rename(f"{s.here}/away", f"{s.here}/sent")
    s.now = right
    for i, name in ((1, "example"), (2, "other")):
        s.mail("text\n---\n" + PATCH.replace("example", name),
               subject=f"[PATCH {i}/2] mm: {name}", ref="cover@dev.example.org")
    s.mail("#robot status", who="bob@dev.example.org")
    s.go()
    s.now += 121
    s.go()
    db = sqlite3.connect(f"{s.here}/db")
    same(sorted(db.execute("SELECT kind, state FROM outbox")),
         [("ack", "sent"), ("answer", "sent")] + [("confirm", "sent")] * 2)


def emergency_stop_keeps_all():
    s = make("bot: {stop_file: HERE/stop}\n")
    open(f"{s.here}/stop", "w", encoding="utf-8").close()
    s.mail(PLEASE)
    same(s.go(), [])
    same(s.query("SELECT state FROM outbox"), [("ready",)])
    os.unlink(f"{s.here}/stop")
    same(len(s.go()), 1)


def review_keeps_mails():
    s = make("bot: {review: yes}\n")
    s.mail(PLEASE)
    same(s.go(), [])
    holds(s.call("outbox").stdout, "review")
    same(s.call("outbox", "approve", "1").returncode, 0)
    same(len(s.go()), 1)


def answer_to(s, question):
    """The text of the one mail that answers a question."""
    mid = s.mail(question)
    got, = s.go()
    same(s.decision(mid), "answer", question)
    return text(got)


def questions_are_answered():
    s = make()
    for ask, answer in (("#robot status", "The report is open"),
                        ("#robot help", "#robot rerun"),
                        ("Which kernel config was that?", "x86_64-rhel-9.4")):
        holds(answer_to(s, ask), answer)
    same(s.jobs(), [])


def answers_begin_with_the_answer():
    s = make()
    s.set_results("000_unixbench_profile", "unixbench.score")
    for ask, begin, also in (
            ("Is this reproducible?",
             "Yes, from run to run; but it was measured only once, for the "
             "report.", "is not recorded"),
            ("Did this ever get resolved?",
             "Not that I know. The report is open. I watch no tree",
             "Nothing that was asked"),
            ("What does this metric mean?",
             "unixbench.score: ", "higher is better. The report compares the "
             "means of the runs: 14057 at the base, 13172 tested."),
            ("How do I run this test by hand?",
             "I do not have the commands of this test.",
             '#robot help'),
            ("Could you send me the dmesg, and which compiler was it?",
             "    compiler: gcc-4.9", "I do not have the kernel's log.")):
        said = answer_to(s, ask).split("\n\n", 1)[1].replace("\n", " ")
        same(said[:len(begin)], begin, ask)
        holds(said, also)
    same(s.jobs(), [])


def what_was_measured_later_counts_too():
    s = make()
    s.mail("Could you please rerun this?")
    s.go()
    s.work()
    s.values(base=[100, 101, 99, 100], reported=[100, 100, 99, 101],
             patched=[100] * 4)
    s.mail(PLEASE)      # measures base and tested, too: the report has none
    s.go()
    s.work()
    s.mail("#robot rerun testcase=other")
    s.go()
    s.work()
    s.mail("Is this reproducible?")
    answer, = s.go()
    said = text(answer).replace("\n", " ")
    holds(said, "Not always: 1 of 2 measurements show it.")
    holds(said, "100.00 at the base, 50.00 tested: -50.0% regression (4 and 4 "
          "runs)")
    holds(said, "asked for with testcase=other")


def what_was_tried_is_told():
    s = make()
    s.mail(PLEASE)
    s.go()
    s.work()
    s.mail("Did this ever get resolved?", who="bob@dev.example.org")
    answer, = s.go()
    said = text(answer).replace("\n", " ")
    holds(said, "Not that I know. The report is open. The patch in the mail of "
          "ann@dev.example.org of ")
    holds(said, "brought it back to the base (job 1: recovered).")
    s.mail("#robot fixed 0123456789ab")
    s.go()
    s.mail("So, was this resolved?")
    answer, = s.go()
    holds(text(answer).replace("\n", " "), "Yes. The report is fixed by "
          "ann@dev.example.org (0123456789ab).")


def data_comes_from_the_results():
    s = make()
    s.set_results("000_unixbench_profile", "unixbench.score")
    for ask, answer in (
            ("Is this reproducible? How many runs?",
             "3 runs, mean 14057, standard deviation 0.3%"),
            ("Is this reproducible?", "is a -6.3% regression"),
            ("Could you send me the job file?",
             "    commit: 5c0a85fad949212b3e059692deecdeed74ae7ec7\n"),
            ("Which compiler was used?", "    compiler: gcc-4.9\n"),
            ("Can you share the perf profile?",
             "perf-profile.cycles-pp.page_remove_rmap")):
        holds(answer_to(s, ask), answer)
    same(s.jobs(), [])


def states_are_set_by_those_who_may():
    s = make()
    s.mail("#robot invalid", who="eve@else.example.net")
    s.mail("#robot invalid", who="bob@dev.example.org")
    same(s.go(), [])
    holds(s.call("reports").stdout, " open ")
    s.mail("#robot fixed 0123456789ab")
    answer, = s.go()
    holds(text(answer), "Closed as fixed (0123456789ab), on your word.")
    holds(s.call("reports").stdout, " fixed ")


def a_mail_gives_one_state():
    s = make()
    s.set_results("000_unixbench_profile", "unixbench.score")
    s.mail("This is expected, the old code was wrong. Please mark as invalid.")
    answer, = s.go()
    said = text(answer).replace("\n", " ")
    holds(said, "Closed as invalid, on your word.  For the record: 3 of 3 "
          "runs lie beyond all of the base's, -6.3% regression.")
    same("expected," in said.split("Closed")[1], False)
    same(s.query("SELECT state FROM report"), [("invalid",)])
    s.mail("Please reopen it.", who="eve@else.example.net")
    same(s.go(), [])
    same(s.query("SELECT state FROM report"), [("invalid",)])
    s.mail("Sorry, I was wrong. Please reopen it.")
    answer, = s.go()
    holds(text(answer), "Opened again")
    same(s.query("SELECT state FROM report"), [("open",)])


def what_is_not_to_be_sent_is_named():
    for said, what in (("#robot stop branch next/master",
                        "Reports on the branch next/master: which"),
                       ("#robot stop tree", "Reports on this tree: which"),
                       ("#robot stop", "I will send nothing more into this")):
        s = make()
        s.mail(said)
        answer, = s.go()
        holds(text(answer), what)


def what_came_before_fixes_nothing():
    s = make(checkout=True)
    before = s.git("rev-parse", "HEAD~1")
    s.write("mm/example.c", "int mended;\n")
    s.git("commit", "-q", "-a", "-m", "mm: mend it")
    after = s.git("rev-parse", "HEAD")
    for base, commit, why in (
            (before, before, f'The commit {before[:12]} ("base") is the base, '
             f'the one that we compared with: it came before {s.head[:12]} '
             '("mm: other") and was measured without the regression.'),
            (BASE, before[:14], f'The commit {before[:12]} ("base") came before '
             f'{s.head[:12]} ("mm: other"), which was measured with'),
            (BASE, s.head[:12], f'The commit {s.head[:12]} ("mm: other") is '
             "the reported one: the regression came with it.")):
        db = sqlite3.connect(f"{s.here}/db")
        db.execute("UPDATE report SET base = ?", (base,))
        db.commit()
        db.close()
        mid = s.mail(f"That should be fixed by {commit}.")
        ask, = s.go()
        same(s.decision(mid), "reply-ask-which", commit)
        same(s.query("SELECT state FROM report"), [("open",)], commit)
        holds(text(ask).replace("\n", " "), why)
        holds(text(ask), "Which commit do you mean?")
        holds(text(ask), "the report stays open")
    s.mail(f"That should be fixed by {after[:12]}.")
    answer, = s.go()
    same(s.query("SELECT state FROM report"), [("fixed",)])


def duplicates_name_the_other():
    s = make()
    db = sqlite3.connect(f"{s.here}/db")
    db.execute("INSERT INTO report(key, token, subject, tested, base, stat, "
               "facts, created, changed, message_id) VALUES('77aa01bc22de', "
               "'r77aa01bc22de', 'the other', 'x', 'y', 'z', '{}', 1, 1, "
               "'report.2@ci.example.org')")
    db.execute("INSERT INTO thread VALUES('report.2@ci.example.org', 2, 1)")
    db.commit()
    db.close()
    for which in ("r77aa01bc22de", "<report.2@ci.example.org>",
                  "https://lore.example.org/r/report.2@ci.example.org/"):
        s.mail(f"#robot dup {which}")
        answer, = s.go()
        holds(text(answer), 'a duplicate (of "the other", r77aa01bc22de)')


def taking_it_on_is_noted():
    s = make()
    for who, state in (("bob@dev.example.org", "open"),
                       ("ann@dev.example.org", "acknowledged")):
        mid = s.mail("Thanks for the report, I'll send a fix tomorrow.",
                     who=who)
        same(s.go(), [])
        same(s.decision(mid), "none")
        same(s.query("SELECT state FROM report"), [(state,)])


def refs_are_no_options():
    s = make()
    s.mail("#robot test base=--output=x\n\n" + PATCH)
    error, = s.go()
    holds(text(error), "is no commit")
    same(s.jobs(), [])


def private_reports_stay_private():
    s = make(public=0)
    same(s.go() + [s.mail("#robot status", who="eve@else.example.net")],
         ["m1@else.example.net"])
    s.mail(PLEASE, who="eve@else.example.net")
    same(s.go(), [])
    s.mail("#robot status")
    same(len(s.go()), 1)


def patch_of_the_thread():
    s = make()
    first = s.mail("Maybe like this, untested.\n\n" + PATCH,
                   who="bob@dev.example.org", to="ann@dev.example.org")
    same(s.go(), [])
    s.mail("robot, could you please rerun with the patch above?", ref=first)
    ack, = s.go()
    holds(text(ack), first)
    same(s.jobs(), ["queued"])


def series_that_is_answered():
    """"Please test this series" below its cover letter, or in it."""
    def part(i, name, patch):
        return s.mail("text\n---\n" + patch, subject=f"[PATCH {i}/2] mm: {name}",
                      ref="cover@dev.example.org", mid=f"part{i}@dev.example.org")

    other = PATCH.replace("example", "other")
    for ref, asked in (("cover", "Could you please test this series?"),
                       ("part2", "could you rerun with these patches?"),
                       ("part1", "robot, please rerun with the patch above")):
        s = make()
        s.mail("Words.\n", subject="[PATCH 0/2] mm: fix", mid="cover@dev.example.org")
        part(2, "two", other)
        part(1, "one", PATCH)
        same(s.go(), [])
        s.mail(asked, subject="Re: [PATCH 0/2] mm: fix", ref=f"{REPORT_ID}> "
               f"<cover@dev.example.org> <{ref}@dev.example.org")
        ack, = s.go()
        same(ack["X-Perfpost"], "ack")
        holds(text(ack), "file:     mm/example.c\n    file:     mm/other.c")
    # An earlier patch of the report's thread is not meant by it.
    s.mail("Could you please test the patch?", ref=f"{REPORT_ID}> <x@dev.example.org")
    error, = s.go()
    same(error["X-Perfpost-Error"], "no-patch-found")
    # What the cover letter asks waits for its patches, but not for ever.
    for complete in (True, False):
        s = make()
        s.now = int(time.time())
        s.mail("Robot, could you test this series, please?\n",
               subject="[PATCH 0/2] mm: fix", mid="cover@dev.example.org")
        same(s.go(), [])
        part(1, "one", PATCH)
        if complete:
            part(2, "two", other)
        same(s.go(), [])
        for minutes in (1, 2, 4, 8):
            s.now += 60 * minutes + 1
            mails = s.go()
            if mails:
                break
        same([m["X-Perfpost"] for m in mails], ["ack" if complete else "error"])
        same(minutes, 1 if complete else 8)
        same(mails[0]["X-Perfpost-Error"], None if complete else "series-incomplete")


def series_by_id():
    s = make()
    for i, name in ((2, "b"), (1, "a")):
        s.mail("text\n---\n" + PATCH.replace("example", name),
               who="joe@dev.example.org", to="list@lists.example.org",
               subject=f"[PATCH v2 {i}/2] mm: {name}", ref="20260301.1@d.example.org"
               if i == 2 else None, mid=f"20260301.{i}@d.example.org")
    same(s.go(), [])
    s.mail("#robot test <20260301.1@d.example.org>")
    ack, = s.go()
    holds(text(ack), "file:     mm/a.c\n    file:     mm/b.c")
    s.mail("text\n---\n" + PATCH, who="joe@dev.example.org", mid="20260302.1@d.example.org",
           to="list@lists.example.org", subject="[PATCH 1/3] mm: x", ref=None)
    s.mail("#robot test <20260302.1@d.example.org>")
    error, = s.go()
    same(error["X-Perfpost-Error"], "series-incomplete")
    holds(text(error), "2/3 3/3")


def pages_are_fetched_with_care():
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            pages = {"/fix.patch": "From: Joe <joe@dev.example.org>\n"
                     "Subject: [PATCH] mm: fix\n\nText.\n---\n" + PATCH,
                     "/big.patch": "x" * 300000}
            if self.path == "/away.patch":
                self.send_response(302)
                self.send_header("Location", "http://localhost:1/x.patch")
                self.end_headers()
                return
            body = pages.get(self.path)
            self.send_response(200 if body else 404)
            self.end_headers()
            self.wfile.write((body or "").encode())

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = f"http://127.0.0.1:{server.server_port}"
    fetch = "fetch: {insecure: true, hosts: ['127.0.0.1'], max_size: 100000"
    s = make(fetch + ", addresses: [127.0.0.0/8]}\n")
    s.mail(f"#robot test {host}/fix.patch")
    ack, = s.go()
    holds(text(ack), 'mm: fix"')
    holds(text(ack), f"{host}/fix.patch")
    for page, why in (("none.patch", "404"), ("big.patch", "100000 bytes"),
                      ("away.patch", "localhost")):
        s.mail(f"#robot test {host}/{page}")
        error, = s.go()
        holds(text(error).replace("\n", " "), why)
    # A host that is away is asked again; then whoever asked is told.
    s = make(fetch + ", addresses: [127.0.0.0/8]}\n")
    s.now = 1800000000
    mid = s.mail("#robot test http://127.0.0.1:1/x.patch")
    for _ in range(4):
        same(s.go(), [], "told too early")
        s.now += 600
    error, = s.go()
    same(s.decision(mid), "reply-error")
    holds(text(error).replace("\n", " "), "annot fetch http://127.0.0.1:1/x.patch")
    # By default nothing on this machine is fetched, whatever the name.
    s = make(fetch + "}\n")
    s.mail(f"#robot test {host}/fix.patch")
    error, = s.go()
    holds(text(error).replace("\n", " "), "address that is not for us")
    server.shutdown()


def builds_that_fail_are_told():
    s = make()
    with open(f"{s.here}/broken", "w", encoding="utf-8") as f:
        f.write("mm/example.c:2: error: no touch_once\nmake: stop\n")
    s.mail(PLEASE)
    s.go()
    result, = s.work()
    same(s.jobs(), ["failed"])
    same(result["X-Perfpost-Verdict"], "failed")
    holds(text(result), "    mm/example.c:2: error: no touch_once")
    same(text(result).splitlines()[0],
         "It could not be measured: mm/example.c:2: error: no touch_once.")


def parent_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
        return int(f.read().rsplit(")", 1)[1].split()[1])


def runs_on(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
            return f.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def a_job_whose_keeper_was_killed_starts_again_alone():
    s = make()
    with open(f"{s.here}/runner", encoding="utf-8") as f:
        runner = f.read()
    first = ("#!/bin/sh\nsetsid sh -c 'echo $$ >" + s.here + "/orphan; "
             "exec sleep 300' &\necho $$ >" + s.here + "/self\nsleep 300\n")
    with open(f"{s.here}/runner", "w", encoding="utf-8") as f:
        f.write(first)
    s.mail(PLEASE)
    s.go("receive", "decide", "run", "send")
    end = time.monotonic() + 60
    while not all(os.path.exists(f"{s.here}/{n}") and
                  os.path.getsize(f"{s.here}/{n}")
                  for n in ("self", "orphan")) and time.monotonic() < end:
        time.sleep(0.05)
    with open(f"{s.here}/self", encoding="utf-8") as f:
        runs = int(f.read())
    with open(f"{s.here}/orphan", encoding="utf-8") as f:
        orphan = int(f.read())
    with open(f"{s.here}/runner", "w", encoding="utf-8") as f:
        f.write(runner)
    keeper = parent_of(runs)
    for pid in parent_of(keeper), keeper:
        os.kill(pid, signal.SIGKILL)
    same(runs_on(orphan), True)
    result, = s.work()
    same(runs_on(orphan), False, "it goes on beside the second try")
    same(s.jobs(), ["done"])
    same(result["X-Perfpost-Verdict"], "recovered")
    same(s.query("SELECT tries FROM job"), [(1,)])


def runners_that_fail_are_the_operators():
    s = make("bot: {notify: [ops@ci.example.net]}\n")
    with open(f"{s.here}/runner", "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\necho oops; exit 3\n")
    s.mail(PLEASE)
    s.go()
    notice, result = sorted(s.work(), key=lambda m: m["X-Perfpost"])
    holds(text(result), "the runner ended with 3")
    holds(text(result), "I have told the people who operate me")
    same(to(notice), ["ops@ci.example.net"])
    holds(text(notice), "the runner ended with 3")


def machines_that_are_busy_are_waited_for():
    s = make()
    s.now = 1800000000
    s.mail(PLEASE)
    s.go()
    with open(f"{s.here}/runner", encoding="utf-8") as f:
        runner = f.read()
    with open(f"{s.here}/runner", "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\nexit 75\n")
    for _ in range(6):
        s.now += 301
        s.stage("run")
        end = time.monotonic() + 60
        while s.jobs() == ["submitted"] and time.monotonic() < end:
            s.now += 3
            s.stage("run")
        same(s.jobs(), ["queued"])
    holds(s.call("queue").stdout, "the machine is not ready")
    with open(f"{s.here}/runner", "w", encoding="utf-8") as f:
        f.write(runner)
    s.now += 301
    s.stage("run")
    end = time.monotonic() + 60
    while s.jobs() == ["submitted"] and time.monotonic() < end:
        s.now += 3
        s.stage("run")
    result, = s.go("run", "send")
    same(result["X-Perfpost-Verdict"], "recovered")


def constant_values_have_no_interval():
    s = make()
    s.values(base=[100] * 6, reported=[50] * 6, patched=[100] * 6)
    s.mail(PLEASE)
    s.go()
    result, = s.work()
    said = text(result).replace("\n", " ")
    holds(said, "bench.score is back at the base: 100.00 with the patch, "
          "100.00 at the base, 50.00 without. That undoes 100% of the change.")
    holds(said, "    6 runs of each ")
    same("interval" in said, False)


def runs_that_did_not_end_are_counted():
    s = make()
    s.values(base=[100] * 6, reported=[50] * 6, patched=[100] * 4)
    s.mail(PLEASE)
    s.go()
    result, = s.work()
    holds(text(result), "runs: base 6, tested 6, patched 4 (6 of each were "
          "asked for)")


def no_values_are_said_so():
    s = make()
    s.values(base=[100, 101], reported=[50, 51], patched=[])
    s.mail(PLEASE)
    s.go()
    result, = s.work()
    same(result["X-Perfpost-Verdict"], "inconclusive")
    holds(text(result), "There are no values of bench.score with the patch.")


def the_end_of_a_long_error_is_told():
    s = make()
    with open(f"{s.here}/broken", "w", encoding="utf-8") as f:
        f.writelines(f"  CC mm/{i}.o\n" for i in range(2000))
        f.write("mm/example.c:2: error: no touch_once\n")
    s.mail(PLEASE)
    s.go()
    result, = s.work()
    lines = [x for x in text(result).splitlines() if x.startswith("      CC ")]
    same(lines[-1], "      CC mm/1999.o")
    same(len(lines), 39)
    holds(text(result), "    mm/example.c:2: error: no touch_once")


def what_turned_round_is_not_confirmed():
    s = make()
    s.values(base=[50, 51, 49, 50], reported=[100, 101, 99, 100])
    s.mail("Could you please rerun this?")
    s.go()
    result, = s.work()
    same(result["X-Perfpost-Verdict"], "not reproduced")
    part, = result.iter_attachments()
    told = json.loads(part.get_content())
    same(told["undone"], {"part": None, "low": None, "high": None})
    same(s.here in part.get_content().decode(), False, "names of files")
    holds(text(result), "improvement")


def unknown_reports_are_asked_for():
    s = make()
    mid = s.mail(PLEASE, ref=None, subject="hello")
    error, = s.go()
    same(s.decision(mid), "reply-error")
    same(error["X-Perfpost-Error"], "unknown-report")
    mid = s.mail(PLEASE, ref=None, to="max@keeper.example.org",
                 subject="another thread")
    same(s.go(), [])
    same(s.decision(mid), "none")


def a_link_to_the_report_is_no_patch():
    s = make()
    link = f"https://lore.example.org/r/{REPORT_ID}/"
    mid = s.mail(f"Regarding {link} - please rerun with this patch.\n\n" +
                 PATCH, ref=None, subject="hello")
    ack, = s.go()
    same(s.decision(mid), "queue")
    holds(text(ack), "patch:    in the text of your mail")
    same(s.query("SELECT report FROM mail"), [(1,)])
    s = make()
    s.mail(f"Could you rerun {link} with 12 runs?", ref=None, subject="hello")
    ack, = s.go()
    holds(text(ack), "patch:    none, no patch is applied")
    holds(text(ack), "runs:     12 of each")
    s.mail(f"Please rerun with the patch at {link}", ref=None, subject="hello")
    error, = s.go()
    same(error["X-Perfpost-Error"], "no-patch-found")


def each_question_stands_above_its_answer():
    s = make()
    s.mail("Could you rerun with this patch? And what was the kernel config?"
           "\n\n" + PATCH)
    ack, = s.go()
    holds(text(ack), "\n> And what was the kernel config?\n\n"
          "    kconfig: x86_64-rhel-9.4\n")
    same(text(ack).count("> Could you rerun with this patch?"), 1)


def a_list_that_hides_the_author_gets_copies_only():
    s = make()
    s.mail(PLEASE, who="perf@lists.example.org", headers=[
        "List-Id: <perf.lists.example.org>",
        "X-Original-From: Ann <ann@dev.example.org>"])
    ask, = s.go()
    holds(text(ask), "Ann wrote")
    word = re.search(r"<(perfbot\+c.*)>", ask["Reply-To"]).group(1)
    s.mail("yes", to=word, ref=None)
    ack, = s.go()
    same(to(ack), ["ann@dev.example.org"])
    result, = s.work()
    same(to(result), ["ann@dev.example.org"])
    same("list@lists.example.org" in cc(result), True, cc(result))


def parameters_are_data():
    s = make()
    s.mail("#robot rerun testcase=bench2")
    same(len(s.go()), 1)
    same(s.jobs(), ["queued"])
    for bad in ("evil=1", "nr_task=-1"):
        s.mail(f"#robot rerun {bad}")
        error, = s.go()
        same(error["X-Perfpost-Error"], "unknown-parameter")
        holds(text(error).replace("\n", " "), "what I can change is testcase,")
    same(s.jobs(), ["queued"])


def what_was_not_done_is_said():
    s = make()
    s.mail("Could you get a perf profile for both commits, and rerun on a "
           "box with more nodes with testcase=bench2?")
    ack, = s.go()
    holds(text(ack), "I do not do: a perf profile; the choice of a machine.")
    same(s.query("SELECT count(*) FROM audit WHERE what = 'forwarded'"),
         [(1,)])
    result, = s.work()      # the runner measures what it always does
    same(text(result).splitlines()[0], "Confirmed, but not with testcase=bench2.")
    holds(text(result).replace("\n", " "), "Its results say testcase=bench: "
          "it was not measured with bench2.")
    same(result["X-Perfpost-Verdict"], "confirmed")
    s = make()
    s.mail("#robot rerun kconfig=x86_64-tiny")
    s.go()
    result, = s.work()
    holds(text(result).replace("\n", " "), "The runner does not say that it "
          "used kconfig=x86_64-tiny.")
    # It does say so.
    s = make()
    s.mail("#robot rerun testcase=bench")
    s.go()
    result, = s.work()
    same(text(result).splitlines()[0], "Confirmed.")
    same("does not say" in text(result), False)


def addresses_in_patches_get_nothing():
    s = make()
    s.mail("Please rerun with this patch.\n\nFrom: Zoe <zoe@z.example.org>\n"
           "Subject: [PATCH] mm: x\n\nCc: vic@z.example.org\n"
           "Signed-off-by: Zoe <zoe@z.example.org>\n---\n" + PATCH)
    ack, = s.go()
    same([a for a in to(ack) + cc(ack) if "z.example.org" in a], [])


def fixes_are_seen_in_watched_trees():
    s = make(checkout=True)
    conf = f"{s.here}/perfpost.conf"
    with open(conf, encoding="utf-8") as f:
        changed = f.read().replace("{git:", "{watch: true, branch: master, "
                                   "git:")
    with open(conf, "w", encoding="utf-8") as f:
        f.write(changed)
    s.now = 1800000000
    s.stage("run")
    s.write("mm/example.c", "int fixed;\n")
    s.git("commit", "-q", "-a", "-m", "mm: mend it\n\n"
          f"Fixes: {s.head[:12].upper()} (\"mm: other\")")
    s.stage("run")
    holds(s.call("reports").stdout, " open ")     # not yet looked at again
    s.now += 601
    s.stage("run")
    holds(s.call("reports").stdout, " fixed ")
    holds(s.call("reports", "show", "1").stdout, "mm: mend it")


def fixes_are_seen_by_whatever_names_the_report():
    for said in ("Closes: https://lore.example.org/r/" + REPORT_ID,
                 f"Reported-by: robot <perfbot+{TOKEN}@ci.example.org>",
                 "This reverts commit HEAD."):
        s = make(checkout=True)
        conf = f"{s.here}/perfpost.conf"
        with open(conf, encoding="utf-8") as f:
            changed = f.read().replace("{git:", "{watch: true, git:")
        with open(conf, "w", encoding="utf-8") as f:
            f.write(changed)
        s.now = 1800000000
        s.stage("run")
        s.write("mm/example.c", "int fixed;\n")
        s.git("commit", "-q", "-a", "-m", "mm: mend it\n\n" +
              said.replace("HEAD", s.head))
        s.now += 601
        s.stage("run")
        same(s.query("SELECT state FROM report"), [("fixed",)], said)


def dry_run_changes_nothing():
    s = make()
    s.mail(PLEASE)
    s.stage("receive")
    for _ in range(2):
        done = s.call("bot", "--dry-run")
        holds(done.stdout, '"decision": "queue"')
        holds(done.stdout, '"type": "send"')
    same(s.jobs(), [])
    same(s.query("SELECT state FROM mail"), [("new",)])


def configuration_is_checked():
    s = make(checkout=True)
    done = s.call("check-config", "--connect")
    same(done.returncode, 0, done.stderr)
    holds(done.stdout, "ok: tree demo stands at ")
    s = make("trees: {demo: {git: HERE/none}}\n"
             "bot: {notify: [perfbot+x@ci.example.org]}\n")
    done = s.call("check-config")
    same(done.returncode, 78)
    holds(done.stderr, "trees.demo: ")
    holds(done.stderr, "perfbot+x@ci.example.org is the bot itself")


# Who takes arguments helps the others.
TESTS = [t for t in list(globals().values())
         if isinstance(t, types.FunctionType) and t.__module__ == "__main__"
         and not t.__code__.co_argcount and
         (len(sys.argv) < 2 or t.__name__ in sys.argv[1:])]
with tempfile.TemporaryDirectory() as root:
    bad = failures(TESTS)
sys.exit(bad != 0)
