#!/usr/bin/env python3
"""perfpost report --git: who gets the mail and why, from a checkout, the
facts, the options and the configuration."""
import email
import email.policy
import json
import os
import shutil
import subprocess
import sys
import tempfile

from tally import ok, verdict

PERFPOST = os.environ["PERFPOST"]

MAINTAINERS = """MEMORY
M:\tMark <mark@example.org>
R:\tRita <rita@example.org>
T:\tgit git://git.example.org/home.git mm-next
L:\tmm@lists.example.org (moderated for non-subscribers)
F:\tmm/
X:\tmm/excluded.c

SECRET
L:\tsecret@lists.example.org (subscribers-only)
F:\tmm/

ATTIC
L:\tattic@lists.example.org
S:\tObsolete
F:\tmm/

COUNTED
L:\tcounted@lists.example.org
K:\\b__counted_by\\b

THE REST
L:\tall@lists.example.org
T:\tgit git://git.example.org/all.git
F:\t*
F:\t*/
"""

MESSAGE = """mm: make it slow

It was too fast.

Fixes: 9fffc0ffee12 ("mm: too fast")
Link: https://lore.kernel.org/r/20260301.patch-1-ann@example.org
Signed-off-by: Ann <old@example.org>
Reviewed-by: "Reviewer, R\u00fcdiger" <rev@example.org>
Acked-by: Carl <carl@example.org>
Reported-by: perf robot <perfbot+r1@ci.example.org>
Reported-by: nobody at all
Tested-by: Tim <tim@example.org>
"""

CONFIG = """operator: {name: perf robot, address: perfbot@ci.example.org}
lists: [perf@lists.example.org]
trees:
  mm:
    url: https://git.example.org/mm.git
    allow: [mm-*]
    deny: ['*-wip']
    cc: [Tester <tester@example.org>]
    leave_out: [all@lists.example.org]
  home: {url: https://git.example.org/home.git, maintainers: true}
  quiet: {mail: nobody}
"""


class Place:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="recipients-")
        self.repo = self.folder + "/repo"
        os.mkdir(self.repo)
        self.git("init", "-q")
        self.put("MAINTAINERS", MAINTAINERS)
        self.put(".mailmap", "Ann Right <ann@example.org> <old@example.org>\n")
        self.put("mm/a.c", "1\n")
        self.base = self.commit("mm: start")
        self.put("mm/a.c", "int n; int v[] __counted_by(n);\n")
        self.head = self.commit(MESSAGE)
        with open(self.folder + "/conf", "w") as f:
            f.write(CONFIG)
        open(self.folder + "/empty", "w").close()

    def put(self, name, text):
        path = os.path.join(self.repo, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)

    def git(self, *args):
        env = dict(os.environ, GIT_AUTHOR_NAME="A. Old",
                   GIT_AUTHOR_EMAIL="old@example.org",
                   GIT_COMMITTER_NAME="Carl",
                   GIT_COMMITTER_EMAIL="carl@example.org",
                   GIT_CONFIG_GLOBAL="/dev/null")
        return subprocess.run(["git", *args], cwd=self.repo, env=env,
                              check=True, capture_output=True,
                              text=True).stdout.strip()

    def commit(self, message):
        self.git("add", ".")
        self.git("commit", "-qm", message)
        return self.git("rev-parse", "HEAD")

    def results(self, **facts):
        """A results file for the two commits, with these facts."""
        def result(commit, *values):
            return {"axes": {"testcase": "x", "commit": commit},
                    "matrix": {"x.score": values}}

        data = {"format": "perfpost-results/1", "headline": "x.score",
                "metrics": {"x.score": {"better": "higher", "kpi": True}},
                "results": [result(self.base, 100, 101, 99, 100),
                            result(self.head, 90, 91, 89, 90)], **facts}
        with open(self.folder + "/results.json", "w") as f:
            json.dump(data, f)
        return self.folder + "/results.json"

    def run(self, *args, config=True, **facts):
        env = {k: v for k, v in os.environ.items() if k != "EMAIL"}
        if not config:
            env["PERFPOST_CONFIG"] = self.folder + "/empty"
        more = ["--config", self.folder + "/conf"] if config else []
        return subprocess.run([PERFPOST, "report", *more, *args,
                               self.results(**facts)], capture_output=True,
                              text=True, env=env)

    def mail(self, *args, **facts):
        done = self.run(*args, **facts)
        ok(args, done.returncode == 0, done.stderr)
        return email.message_from_string(done.stdout,
                                         policy=email.policy.default)


def addresses(mail, header):
    value = mail[header]
    return [a.addr_spec for a in value.addresses] if value else []


def a_known_tree_tells_everybody(place):
    mail = place.mail("--git", place.repo, tree="mm", branch="mm-next")
    ok("to", addresses(mail, "To") == ["ann@example.org"], mail["To"])
    ok("name", mail["To"].addresses[0].display_name == "Ann Right")
    ok("cc", addresses(mail, "Cc") == [
        "carl@example.org", "rev@example.org", "mm@lists.example.org",
        "counted@lists.example.org", "perf@lists.example.org",
        "tester@example.org"], mail["Cc"])
    names = [a.display_name for a in mail["Cc"].addresses]
    ok("names", "Reviewer, R\u00fcdiger" in names, names)
    ok("thread", mail["In-Reply-To"] ==
       "<20260301.patch-1-ann@example.org>", mail["In-Reply-To"])
    ok("subject", mail["Subject"].startswith(
        "[mm:mm-next] [mm] %s: x.score -10.0%% regression" % place.head[:10]),
        mail["Subject"])
    ok("text", "mm: make it slow" in
       mail.get_body().get_content(), mail.get_body().get_content())


def an_unknown_tree_tells_the_author(place):
    for facts in {}, {"tree": "https://git.example.org/other.git",
                      "branch": "x"}:
        mail = place.mail("--git", place.repo, **facts)
        ok("to", addresses(mail, "To") == ["ann@example.org"], mail["To"])
        ok("cc", mail["Cc"] is None, mail["Cc"])
    mail = place.mail("--git", place.repo, "--cc", "Zo\u00eb <z@example.org>",
                      config=False)
    ok("option", addresses(mail, "Cc") == ["z@example.org"], mail["Cc"])


def branches_are_heeded(place):
    for tree, branch, code in (("mm", "mm-next", 0), ("mm", "mm-wip", 77),
                               ("mm", "master", 77), ("quiet", "x", 77)):
        done = place.run("--git", place.repo, tree=tree, branch=branch)
        ok((tree, branch), done.returncode == code, done.stderr)
        ok((tree, branch), bool(done.stdout) == (code == 0))


def a_branch_without_the_commit_tells_the_author(place):
    place.git("branch", "mm-held")
    place.git("branch", "mm-gone", place.base)
    place.git("update-ref", "refs/remotes/origin/mm-far", place.head)
    for branch, everybody in (("mm-held", True), ("mm-gone", False),
                              ("mm-far", True), ("mm-unknown", True)):
        done = place.run("--git", place.repo, tree="mm", branch=branch)
        ok(branch, done.returncode == 0, done.stderr)
        ok(branch, ("rev@example.org" in done.stdout) == everybody)
        ok(branch, ("any more" in done.stderr) != everybody, done.stderr)


def every_address_has_its_reason(place):
    done = place.run("--git", place.repo, "--why-recipients", tree="mm",
                     branch="mm-next")
    for line in ("To: Ann Right <ann@example.org>  (author; Signed-off-by)",
                 "Cc: Carl <carl@example.org>  (committer; Acked-by)",
                 "Cc: mm@lists.example.org  (list of MEMORY)",
                 "Cc: counted@lists.example.org  (list of COUNTED)",
                 "Cc: Tester <tester@example.org>  (the tree's cc)",
                 "--: all@lists.example.org  (list of THE REST, but leave_out "
                 "says 'all@lists.example.org')",
                 "--: perf robot <perfbot+r1@ci.example.org>  (Reported-by, "
                 "but it is the operator's)",
                 "--: old@example.org  (author; Signed-off-by, but .mailmap "
                 "has ann@example.org for it)",
                 "--: Tim <tim@example.org>  (Tested-by, but only "
                 "Signed-off-by, Reviewed-by, Acked-by and Reported-by are "
                 "told)",
                 "--: secret@lists.example.org  (list of SECRET, but it is "
                 "for subscribers only)",
                 "--: attic@lists.example.org  (list of ATTIC, but that is "
                 "obsolete)",
                 "--: Mark <mark@example.org>  (maintainer of MEMORY, but the "
                 "tree's 'maintainers' is not set)"):
        ok("why", line + "\n" in done.stdout, (line, done.stdout))
    ok("once", len(set(done.stdout.split("\n"))) ==
       len(done.stdout.split("\n")), done.stdout)


def whom_other_trees_would_tell_is_said(place):
    done = place.run("--git", place.repo, "--why-recipients")
    tail = "but of an unknown tree only the author hears)"
    for line in ("--: mm@lists.example.org  (list of MEMORY, " + tail,
                 "--: Carl <carl@example.org>  (committer; Acked-by, " + tail,
                 "--: perf@lists.example.org  (lists of the configuration, " +
                 tail):
        ok("unknown", line + "\n" in done.stdout, (line, done.stdout))
    done = place.run("--git", place.repo, "--why-recipients", tree="mm",
                     branch="mm-wip")
    ok("denied", done.returncode == 77 and "To:" not in done.stdout and
       "Cc:" not in done.stdout, done.stdout)
    for who in ("Ann Right <ann@example.org>  (author; Signed-off-by, ",
                "mm@lists.example.org  (list of MEMORY, ",
                "Tester <tester@example.org>  (the tree's cc, "):
        ok("denied", "--: " + who + "but branch 'mm-wip' of tree 'mm' gets "
           "no reports: deny '*-wip')\n" in done.stdout, done.stdout)
    done = place.run("--git", place.repo, "--why-recipients", tree="home")
    ok("maintainers", "Cc: Mark <mark@example.org>  (maintainer of MEMORY)"
       in done.stdout and "Cc: Rita <rita@example.org>  (reviewer of MEMORY)"
       in done.stdout, done.stdout)


def facts_do_without_a_checkout(place):
    commits = {place.head: {"author": "Fay <fay@example.org>",
                            "message": MESSAGE}}
    mail = place.mail(tree="mm", branch="mm-next", commits=commits)
    ok("facts to", addresses(mail, "To") == ["fay@example.org"])
    ok("facts cc", "rev@example.org" in addresses(mail, "Cc"), mail["Cc"])
    ok("facts thread", mail["In-Reply-To"] ==
       "<20260301.patch-1-ann@example.org>", mail["In-Reply-To"])


def a_mailed_patch_is_answered(place):
    mail = place.mail(patch={
        "subject": "[PATCH v15 1/3] mm: make it slow",
        "author": "Pat <pat@example.org>",
        "link": "https://lore.kernel.org/all/p.1-pat%40example.org/",
        "url": "https://git.example.org/robot/commits/1",
        "base": "https://git.example.org/mm.git master"})
    text = mail.get_body().get_content()
    ok("patch to", addresses(mail, "To") == ["pat@example.org"])
    ok("patch thread", mail["In-Reply-To"] == "<p.1-pat@example.org>")
    ok("patch references", mail["References"] == "<p.1-pat@example.org>")
    for line in ('("[PATCH v15 1/3] mm: make it slow")',
                 "url: https://git.example.org/robot/commits/1",
                 "base: https://git.example.org/mm.git master",
                 "patch link: https://lore.kernel.org/all/p.1-pat%40",
                 "\n| Reported-by: perf robot"):
        ok("patch text", line in text, (line, text))
    ok("patch tag", "\nReported-by:" not in text)
    subject = ": x.score -10.0% regression"
    for patch, tags in (("[PATCH v15 1/3] mm: make it slow", "[mm] [v15 1/3] "),
                        ("[PATCH 2/3] mm: make it slow", "[mm] [2/3] "),
                        ("[PATCH net v2] mm: make it slow", "[mm] [v2] "),
                        ("[PATCH] mm: make it slow", "[mm] ")):
        for template in "classic", "modern":
            mail = place.mail("-t", template, patch={
                "subject": patch, "author": "Pat <pat@example.org>"})
            ok("subject", mail["Subject"].endswith(
                tags + place.head[:10] + subject), mail["Subject"])


def a_patch_may_have_been_applied_elsewhere(place):
    """The checkout does not have the commit; the patch is told."""
    facts = {"patch": {"subject": "[PATCH v2] mm: make it slow",
                       "author": "Pat <pat@example.org>"}}
    head, place.head = place.head, "f" * 40
    done = place.run("--git", place.repo, **facts)
    ok("elsewhere", done.returncode == 0 and
       "does not have it; what is known" in done.stderr, done.stderr)
    ok("elsewhere", "[mm] [v2] ffffffffff: x.score" in done.stdout)
    done = place.run("--git", place.repo)
    ok("unknown", done.returncode == 65 and
       "does not have it\n" in done.stderr, done.stderr)
    done = place.run("--git", place.folder, **facts)
    ok("no checkout", done.returncode == 65, done.stderr)
    place.head = head


def a_patch_is_completed(place):
    """Link and base follow from the Message-ID and the tree."""
    mail = place.mail(tree="mm", branch="mm-next", patch={
        "subject": "[PATCH v2] mm: make it slow", "message_id": "<p/1@x.org>"})
    text = mail.get_body().get_content()
    for line in ("\nbase: https://git.example.org/mm.git mm-next\n",
                 "\npatch link: https://lore.kernel.org/all/p%2F1@x.org/\n"):
        ok("patch", line in text, (line, text))
    ok("patch", mail["In-Reply-To"] == "<p/1@x.org>", mail["In-Reply-To"])


def a_patch_on_another_tree_learns_its_home(place):
    patch = {"subject": "[PATCH] mm: make it slow"}
    home = "\n   git://git.example.org/home.git mm-next]\n"
    asked = "\n[is this the wrong tree or base? answer"
    for tree, known in (("mm", True), ("home", False),
                        ("https://git.example.org/all.git", False),
                        ("https://git.example.org/else.git", True)):
        text = place.run("-f", "text", "--git", place.repo, tree=tree,
                         branch="mm-next", patch=patch).stdout
        ok(tree, asked in text and (home in text) == known, text)
        ok(tree, known or " say it themselves]\n" in text, text)
        ok(tree, "   git://git.example.org/all.git" not in text, text)
    text = place.run("-f", "text", patch=dict(patch, trees=["a tree", "b"]))
    ok("facts", "\n   a tree\n   b]\n" in text.stdout, text.stdout)


def a_merge_is_for_whom_it_brings(place):
    """What it is to its first parent, unless it is for everybody."""
    def merge(name, files):
        place.git("checkout", "-qb", name, place.base)
        for n in range(files):
            place.put("mm/%s%d.c" % (name, n), "__counted_by\n")
        place.commit("mm: work of " + name)
        place.git("checkout", "-q", "-B", "trunk", place.base)
        place.put("doc/x", "1\n")
        place.commit("doc: other work")
        place.git("merge", "-q", "--no-ff", "-m", "Merge branch '%s'" % name,
                  name)
        return place.git("rev-parse", "HEAD")

    head = place.head
    for name, files, told in (("small", 3, True), ("most", 500, True),
                              ("pull", 501, False)):
        place.head = merge(name, files)
        done = place.run("--git", place.repo, "--why-recipients", tree="mm",
                         branch="mm-next")
        for who in ("mm@lists.example.org  (list of MEMORY)",
                    "counted@lists.example.org  (list of COUNTED)"):
            ok(name, ("Cc: " + who in done.stdout) == told, done.stdout)
        ok(name, ("--: the lists of MAINTAINERS  (a merge of 501 files, "
                  in done.stdout) != told, done.stdout)
        for who in ("To: Ann Right", "Cc: Carl", "Cc: perf@", "Cc: Tester"):
            ok(name, who in done.stdout, (who, done.stdout))
        # The base has a subsystem, a merge none.
        subject = place.mail("--git", place.repo)["Subject"]
        ok(name, subject == "%s: x.score -10.0%% regression" % place.head[:10],
           subject)
    place.head = head
    place.git("checkout", "-q", head)


def what_is_for_everybody_is_for_nobody(place):
    """A commit that more than thirty lists look after."""
    head = place.head
    with open(place.repo + "/MAINTAINERS", "a") as f:
        for n in range(31):
            f.write("\nD%d\nL:\td%d@lists.example.org\nF:\td%d/\n" %
                    (n, n, n))
    place.commit("MAINTAINERS: more")
    for lists, told in ((29, True), (31, False)):
        for n in range(lists):
            place.put("d%d/%d" % (n, lists), "1\n")
        place.head = place.commit("treewide: all")
        done = place.run("--git", place.repo, "--why-recipients", tree="mm",
                         branch="mm-next")
        ok(lists, ("Cc: d7@lists.example.org  (list of D7)\n" in
                   done.stdout) == told, done.stdout)
        ok(lists, ("--: d7@lists.example.org  (list of D7, but the commit "
                   "is for 32 lists, and more than 30 are none)\n" in
                   done.stdout) != told, done.stdout)
    place.git("checkout", "-q", head)
    place.head = head


def options_do_without_a_checkout(place):
    mail = place.mail("--tree", "mm", "--branch", "mm-next", "--subject",
                      "mm, thp: slower", "--author", "Opal <opal@example.org>",
                      tree="https://git.example.org/other.git")
    ok("options to", addresses(mail, "To") == ["opal@example.org"])
    ok("options subject", mail["Subject"].startswith(
        "[mm:mm-next] [mm, thp] %s: x.score -10.0%% regression"
        % place.head[:10]), mail["Subject"])
    ok("options text", '("mm, thp: slower")\nhttps://git.example.org/mm.git '
       "mm-next\n" in mail.get_body().get_content())
    ok("options cc", "perf@lists.example.org" in addresses(mail, "Cc"))


def the_side_reported_on_counts(place):
    commits = {place.base: {"subject": "a: one", "author": "a@example.org"},
               place.head: {"subject": "b: two", "author": "b@example.org"}}
    name = place.results(commits=commits)
    with open(name) as f:
        data = json.load(f)
    data["results"].append(dict(data["results"][1], axes={
        "testcase": "x", "commit": "c" * 40}))
    with open(name, "w") as f:
        json.dump(data, f)
    done = subprocess.run([PERFPOST, "report", "--why-recipients", "--config",
                           place.folder + "/conf", "--side", place.head[:12],
                           name], capture_output=True, text=True)
    ok("side", done.stdout.split("--:")[0] ==
       "To: b@example.org  (author)\n",
       done.stdout + done.stderr)


def odd_trailers_are_read(place):
    message = MESSAGE + """Reported-and-tested-by: Rat <rat@example.org>
reviewed-by: =?utf-8?q?Zo=C3=AB?= <zoe@example.org>
Acked-by: Fold
 <fold@example.org>	# for mm
Cc: Nobody <cc@example.org>
"""
    done = place.run("--why-recipients", tree="mm", branch="mm-next",
                     commits={place.head: {"message": message}})
    for line in ("Cc: Rat <rat@example.org>  (Reported-and-tested-by)",
                 "Cc: Zo\u00eb <zoe@example.org>  (Reviewed-by)",
                 "Cc: Fold <fold@example.org>  (Acked-by)"):
        ok("trailers", line + "\n" in done.stdout, (line, done.stdout))
    ok("trailers", "\n--: Nobody <cc@example.org>  (Cc, but only Signed"
       in done.stdout, done.stdout)
    text = place.run("-f", "text", tree="mm", branch="mm-next",
                     commits={place.head: {"message": message}}).stdout
    ok("fixes", '\n    Fixes: 9fffc0ffee12 ("mm: too fast")\n' in text, text)


def a_base_that_is_no_parent_is_told(place):
    place.put("mm/b.c", "1\n")
    place.commit("mm: more")
    place.put("mm/c.c", "1\n")
    tip = place.commit("mm: tip")
    words = "the base is not the parent of the commit ("
    near = place.run("-f", "text", "--git", place.repo).stdout
    name = place.results()
    with open(name) as f:
        data = json.load(f)
    data["results"][1]["axes"]["commit"] = tip
    with open(name, "w") as f:
        json.dump(data, f)
    far = subprocess.run([PERFPOST, "report", "-f", "text", "--git",
                          place.repo, "--config", place.folder + "/conf",
                          name], capture_output=True, text=True).stdout
    ok("parent", words in far and words not in near, near + far)


def commits_go_by_any_name(place):
    """A tag, or the beginning of a hash: the mail has hash and subject."""
    head = place.head
    place.git("tag", "-a", "-m", "x", "v7.1-rc1", head)
    for name, facts in (("v7.1-rc1", {}), (head[:12], {}),
                        (head, {head[:12]: {"label": "tip"}})):
        place.head = name
        for template in "classic", "modern":
            text = place.run("-f", "text", "-t", template, "--regzbot",
                             "--git", place.repo, commits=facts).stdout
            ok(name, 'commit: %s ("mm: make it slow")\n' % head in text,
               text)
            ok(name, '#regzbot introduced: %s\n' % head in text, text)
            ok(name, '("mm: make it slow")  <- tested\n' in text, text)
    # Without a checkout facts may have the longer name.
    place.head = head[:12]
    text = place.run("-f", "text", commits={head: {"subject": "x: y"}}).stdout
    ok("facts", '("x: y")\n' in text, text)
    place.head = head


def what_is_wrong_is_told(place):
    done = place.run("--to", "nobody")
    ok("option", done.returncode == 65 and "nobody" in done.stderr,
       done.stderr)
    done = place.run("--git", place.folder)
    ok("no checkout", done.returncode == 65, done.stderr)
    done = place.run("--git", "/no/such")
    ok("no folder", done.returncode == 65, done.stderr)
    done = place.run("--to", "a@example.org\nBcc: eve@example.net")
    ok("injection", done.returncode == 65 and not done.stdout)


def main():
    place = Place()
    for test in (a_known_tree_tells_everybody,
                 an_unknown_tree_tells_the_author, branches_are_heeded,
                 a_branch_without_the_commit_tells_the_author,
                 every_address_has_its_reason,
                 whom_other_trees_would_tell_is_said,
                 a_patch_on_another_tree_learns_its_home, facts_do_without_a_checkout,
                 a_mailed_patch_is_answered, a_patch_is_completed,
                 a_patch_may_have_been_applied_elsewhere,
                 options_do_without_a_checkout, the_side_reported_on_counts,
                 odd_trailers_are_read, a_base_that_is_no_parent_is_told,
                 a_merge_is_for_whom_it_brings,
                 what_is_for_everybody_is_for_nobody,
                 commits_go_by_any_name,
                 what_is_wrong_is_told):
        test(place)
    shutil.rmtree(place.folder)
    return verdict()


sys.exit(main())
