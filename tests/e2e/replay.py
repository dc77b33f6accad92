#!/usr/bin/env python3
"""Every mail of tests/corpus/mail that needs a bot goes through perfpost replay.

The outcome that is right stands as JSON in the case's NN.md; README.md there
says the policy, which tests/replay has as a configuration.
"""
import glob
import json
import os
import re
import subprocess
import sys

top = os.environ["top_srcdir"]
perfpost = os.environ["PERFPOST"]
corpus = os.path.join(top, "tests/corpus/mail")
setting = os.path.join(top, "tests/replay")
failed = 0

# What a case says must be there before.
GIVEN = {"08": ["given-same-subject.yaml"]}
# About our own mails before they are sent, series, or a crash: other tests.
ELSEWHERE = {"09", "10", "23", "25", "26", "28", "29", "41", "43", "94", "95",
             "96"}


def replay(paths, given=()):
    argv = [perfpost, "replay", "--config", f"{setting}/perfpost.conf"]
    for name in ("given.yaml", *given):
        argv += ["--given", f"{setting}/{name}"]
    done = subprocess.run(argv + paths, capture_output=True, text=True)
    if done.returncode or done.stderr:
        fail(paths[0], f"exit {done.returncode}: {done.stderr[:2000]}")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return ([v for v in lines if v["type"] == "mail"],
            [v for v in lines if v["type"] == "send"])


def fail(case, text):
    global failed
    failed = 1
    print(f"{os.path.basename(case)}: {text}")


def bare(ids):
    return [i.strip("<>") for i in ([ids] if isinstance(ids, str) else ids)]


def checks(want, mails, sends):
    """(what, got, wanted) of every member that the case states."""
    first = mails[0]
    patch = first.get("patch_source") or {}
    for key, value in want.items():
        if key == "action":
            yield key, first["decision"], value
        elif key in ("jobs", "replies"):
            yield key, sum(m[key] for m in mails), value
        elif key in ("error", "bounce_for", "author", "authenticated",
                     "authorised", "reason", "patch_subject", "patch_author",
                     "patch_files", "tokens", "report"):
            yield key, first.get(key), value
        elif key == "reply_to":
            yield key, first["answered"], value
        elif key == "in_reply_to":
            yield key, first[key], bare(value)
        elif key == "patch_source" and isinstance(value, dict):
            yield key, {k: patch.get(k) for k in value}, value
        elif key == "patch_source":
            yield key, patch.get("kind"), value
        elif key == "patch_equals":
            mbox = first["job_list"][0]["spec"]["sides"][-1]["patch"]["mbox"]
            yield key, value in mbox, True
        elif key == "reply_subject":
            yield key, sends[0]["subject"], value
        elif key == "reply_references_last":
            yield key, sends[0]["references"][-1:], bare(value)
        elif key == "reply_to_addr":
            yield key, sends[0]["to"][0]["address"], value
        elif key == "reply_to_name_decoded":
            yield key, sends[0]["to"][0]["name"], value
        elif key == "record_message_id":
            yield key, bool(first["message_id"]), value
        elif key in ("tree", "branch"):
            asked = first["evidence"]["items"][0]["request"]
            yield key, asked[key], None if value == "report default" else value
        elif key == "second_copy":
            yield key, mails[1]["decision"], "duplicate"
        elif key == "fix_candidate":
            yield key, first["message_id"], value
        elif key not in ("precondition", "reply_header_ascii",
                         "report_culprit", "fault", "parse"):
            yield key, "not checked", value


def case(name):
    with open(f"{corpus}/{name}.md", encoding="utf-8") as f:
        want = json.loads(re.search(r"```json\n(.*?)```", f.read(),
                                    re.S).group(1))
    paths = sorted(glob.glob(f"{corpus}/{name}.eml") +
                   glob.glob(f"{corpus}/{name}[b-z].eml"))
    orders = [paths, paths[::-1]] if name in ("02", "90") else [paths]
    for order in orders:
        mails, sends = replay(order, GIVEN.get(name, ()))
        for what, got, wanted in checks(want, mails, sends):
            if got != wanted:
                fail(order[0], f"{what}: {got!r}, not {wanted!r}")
        for sent in sends:
            if sent["state"] != "ready":
                fail(order[0], f"{sent['kind']}: {sent['error']}")


names = sorted(os.path.basename(p)[:-3] for p in glob.glob(f"{corpus}/*.md")
               if not p.endswith("README.md"))
if len(names) < 130:
    sys.exit("the corpus is not there")
for n in names:
    if n not in ELSEWHERE:
        case(n)

# A copy of the whole set in one mailbox disturbs none of them.
everything = sorted(glob.glob(f"{corpus}/*.eml"))
mails, sends = replay(everything)
if len(mails) != len(everything):
    fail("all", f"{len(mails)} of {len(everything)} mails were told")
sys.exit(failed)
