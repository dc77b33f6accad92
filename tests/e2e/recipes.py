#!/usr/bin/env python3
"""contrib/recipes, each with the program it is for, where that is here."""
import os
import re
import shutil
import smtplib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from bot_site import Site
from mail_site import Authority, Postfix, missing, owner, wait_for

perfpost = os.environ["PERFPOST"]
recipes = os.path.join(os.environ["top_srcdir"], "contrib/recipes")
MAIL = (b"From: Ann <ann@dev.example.org>\nTo: perfbot+r1@ci.example.org\n"
        b"Subject: x\nMessage-ID: <%s@dev.example.org>\n\nWords.\n")
OTHER = MAIL.replace(b"perfbot+r1", b"somebody")


def read(name):
    with open(f"{recipes}/{name}", encoding="utf-8") as f:
        return f.read()


def same(got, want, what):
    if got != want:
        raise AssertionError(f"{what}: {got!r}, not {want!r}")


def ids(site):
    """The Message-IDs of all mails that are in the store."""
    return [re.search(rb"ID: <(.*?)@", m[0])[1] for m in
            site.query("SELECT bytes FROM mail ORDER BY id")]


def environment(site, broken):
    return dict(os.environ, HOME=site.here, PERFPOST_CONFIG="/nowhere"
                if broken else f"{site.here}/perfpost.conf",
                PERFPOST=perfpost)


def postfix(site, mail, broken=False):
    """What pipe(8) would run."""
    argv = re.search(r"argv=(.*)", read("postfix-master.cf"))[1].split()
    argv[0] = perfpost
    return subprocess.run(argv, input=b"Return-Path: <ann@dev.example.org>\n"
                          + mail, env=environment(site, broken),
                          capture_output=True, check=False).returncode


def procmail(site, mail, broken=False):
    rc = f"{site.here}/procmailrc"
    with open(rc, "w", encoding="utf-8") as f:
        f.write(re.sub("(?m)^PERFPOST=.*", f"PERFPOST={perfpost}",
                       read("procmailrc")))
    env = environment(site, broken)
    return subprocess.run(
        ["procmail", f"PERFPOST_CONFIG={env['PERFPOST_CONFIG']}",
         f"DEFAULT={site.here}/mbox", f"LOGFILE={site.here}/procmail.log",
         rc], input=mail, env=env, capture_output=True,
        check=False).returncode


def give_away(folder):
    """Dovecot delivers to no mailbox of root's."""
    if os.getuid():
        return
    os.chmod(os.path.dirname(folder), 0o755)
    subprocess.run(["chown", "-R", "nobody:nogroup", folder], check=True)


def sieve(site, mail, broken=False):
    here = site.here
    os.makedirs(f"{here}/pipe", exist_ok=True)
    with open(f"{here}/pipe/perfpost-receive", "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\nPERFPOST_CONFIG="
                f"{environment(site, broken)['PERFPOST_CONFIG']} "
                f"PERFPOST={perfpost} exec {recipes}/sieve-pipe\n")
    os.chmod(f"{here}/pipe/perfpost-receive", 0o755)
    shutil.copy(f"{recipes}/perfpost.sieve", f"{here}/x.sieve")
    with open(f"{here}/dovecot.conf", "w", encoding="utf-8") as f:
        f.write("protocols =\nfirst_valid_uid = 0\n"
                "mail_uid = nobody\nmail_gid = nogroup\n"
                f"mail_location = maildir:{here}/mail\n"
                "plugin {\n"
                "sieve_plugins = sieve_extprograms\n"
                "sieve_extensions = +vnd.dovecot.pipe\n"
                f"sieve_pipe_bin_dir = {here}/pipe\n"
                f"sieve_pipe_socket_dir =\n}}\n")
    with open(f"{here}/mail.eml", "wb") as f:
        f.write(mail)
    give_away(here)
    done = subprocess.run(
        ["sieve-test", "-c", f"{here}/dovecot.conf", "-e", "-x",
         "+vnd.dovecot.pipe", f"{here}/x.sieve", f"{here}/mail.eml"],
        env=dict(environment(site, broken), USER="root"),
        capture_output=True, text=True, check=False)
    if "error" in done.stderr.lower() and not broken:
        raise AssertionError(done.stderr + done.stdout)
    return done.returncode


def is_taken_in(how, deferred):
    site = Site(tempfile.mkdtemp(dir=root), perfpost)
    same(how(site, MAIL % b"one"), 0, "exit status")
    same(ids(site), [b"one"], "stored")
    if how is not postfix:
        how(site, OTHER % b"two")
        same(ids(site), [b"one"], "another's mail")
    if deferred:
        same(how(site, MAIL % b"three", broken=True), 75, "exit status")
        same(ids(site), [b"one"], "stored")


def may_run(program):
    """May an ordinary user start it where it was built?"""
    try:
        return subprocess.run([program, "--version"], user=owner().pw_uid,
                              capture_output=True, check=False,
                              cwd="/").returncode == 0
    except OSError:
        return False


def by_postfix(d):
    """A real one hands mails over, and keeps what is not taken."""
    os.chmod(d, 0o755)
    site = Site(d + "/site", perfpost)
    give_away(site.here)
    conf = site.here + "/perfpost.conf"
    with open(d + "/transport", "w", encoding="utf-8") as f:
        f.write("perfbot@ci.example.org perfpost:\n")
    os.mkdir(d + "/postfix")
    server = Postfix(
        d + "/postfix", Authority(d).issue("good", "localhost"),
        {"perfbot@ci.example.org": d + "/box"},
        main=f"transport_maps = texthash:{d}/transport\n"
        "recipient_delimiter = +\nperfpost_destination_recipient_limit = 1\n",
        master=read("postfix-master.cf").replace(
            "user=perfpost", f"user={owner().pw_name}").replace(
            "/usr/bin/perfpost",
            f"/usr/bin/env PERFPOST_CONFIG={conf} {perfpost}"))

    def send(name):
        with smtplib.SMTP("127.0.0.1", server.smtp) as s:
            s.sendmail("ann@dev.example.org", "perfbot+r1@ci.example.org",
                       MAIL % name)
    try:
        # Nobody else may look into the store meanwhile: it would be root's.
        send(b"one")
        wait_for("delivery", lambda: server.log().count("status=sent") == 1,
                 60)
        same(ids(site), [b"one"], "stored")
        give_away(site.here)
        same(b"Delivered-To: perfbot+r1@ci.example.org" in
             site.query("SELECT bytes FROM mail")[0][0], True, "Delivered-To")
        os.rename(conf, conf + ".away")
        send(b"two")
        wait_for("deferral", lambda: "status=deferred" in server.log(), 60)
        os.rename(conf + ".away", conf)
        server.flush()
        wait_for("delivery", lambda: server.log().count("status=sent") == 2,
                 60)
        same(ids(site), [b"one", b"two"], "stored")
    except BaseException:
        print(server.log())
        raise
    finally:
        server.stop()


why = missing(*Postfix.PROGRAMS) or (
    not may_run(perfpost) and "perfpost is not for everybody here")
if why:
    print(f"{why}: no real Postfix was tried")
else:
    with tempfile.TemporaryDirectory() as root:
        by_postfix(root)
    print("a real Postfix: well")
with tempfile.TemporaryDirectory() as root:
    for how, needs, deferred in ((postfix, None, True),
                                 (procmail, "procmail", True),
                                 (sieve, "sieve-test", False)):
        if needs and not shutil.which(needs):
            print(f"no {needs}: its recipe was not tried")
            continue
        if how is sieve and not may_run(perfpost):
            print("perfpost is not for everybody here: no sieve was tried")
            continue
        is_taken_in(how, deferred)
        print(f"{how.__name__}: well")
