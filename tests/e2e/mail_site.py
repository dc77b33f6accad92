"""Mail servers of the test's own on the loopback, with TLS by an authority of
its own: Dovecot (IMAP) and Postfix (SMTP), as Debian brings them.

Each lies in a folder of its own and ends with stop().  Both need root where
they change users; missing() says what keeps one from being started here.
"""
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

SYSTEM_PATH = "/usr/sbin:/sbin"


def find(program):
    return shutil.which(program, path=os.environ["PATH"] + ":" + SYSTEM_PATH)


def missing(*programs, root=True):
    """What is not here of it, or None."""
    if root and os.geteuid() != 0:
        return "not root"
    for p in programs:
        if not find(p):
            return f"no {p}"
    return None


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(what, condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(what + " does not come up")
        time.sleep(0.05)


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port)).close()
        return True
    except OSError:
        return False


def openssl(*args):
    subprocess.run(["openssl", *args], check=True, capture_output=True)


def owner():
    """The ordinary user that mailboxes belong to."""
    return pwd.getpwuid(65534 if os.geteuid() == 0 else os.geteuid())


def make_maildir(path):
    for sub in "new", "cur", "tmp":
        os.makedirs(f"{path}/{sub}", exist_ok=True)
    if os.geteuid() == 0:
        subprocess.run(["chown", "-R", f"{owner().pw_uid}:{owner().pw_gid}",
                        path], check=True)


class Authority:
    """One that vouches for servers: FOLDER/ca.pem, FOLDER/NAME.{pem,key}."""

    def __init__(self, folder, name="ca"):
        self.folder, self.name = folder, name
        self.ca = f"{folder}/{name}.pem"
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days",
                "30", "-subj", f"/CN=Test authority {name}", "-keyout",
                f"{folder}/{name}.key", "-out", self.ca)

    def issue(self, name, host, days=30):
        """The certificate and key of a server; days -1: it has run out."""
        base = f"{self.folder}/{name}"
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj",
                f"/CN={host}", "-keyout", base + ".key", "-out",
                base + ".csr")
        with open(base + ".ext", "w", encoding="utf-8") as f:
            f.write(f"subjectAltName=DNS:{host}\n")
        openssl("x509", "-req", "-in", base + ".csr", "-CA", self.ca,
                "-CAkey", f"{self.folder}/{self.name}.key",
                "-CAcreateserial", "-days", str(days), "-extfile",
                base + ".ext", "-out", base + ".pem")
        return base + ".pem", base + ".key"


DOVECOT = """
base_dir = {d}/run
state_dir = {d}/state
log_path = {d}/dovecot.log
listen = 127.0.0.1
protocols = imap
first_valid_uid = 0
last_valid_uid = 0
auth_mechanisms = plain login
ssl = yes
ssl_cert = <{cert}
ssl_key = <{key}
disable_plaintext_auth = yes
mail_location = maildir:{box}
passdb {{
  driver = passwd-file
  args = scheme=plain username_format=%u {d}/passwd
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={home}
}}
service imap-login {{
  inet_listener imap {{
    port = {plain}
  }}
  inet_listener imaps {{
    port = {tls}
    ssl = yes
  }}
}}
service auth {{
  inet_listener {{
    port = {auth}
  }}
}}
"""


class Dovecot:
    """One user, one Maildir: "plain" (STARTTLS) and "tls" are its ports,
    "auth" is where Postfix may ask for passwords, "box" the Maildir."""

    def __init__(self, folder, certificate, user="robot", password="secret"):
        self.d = folder
        self.home = f"{folder}/home"
        self.box = f"{self.home}/Maildir"
        self.plain, self.tls, self.auth = (free_port() for _ in range(3))
        os.makedirs(self.home)
        with open(f"{folder}/passwd", "w", encoding="utf-8") as f:
            f.write(f"{user}:{{PLAIN}}{password}\n")
        make_maildir(self.home)
        make_maildir(self.box)
        self.start(certificate)

    def start(self, certificate):
        conf = f"{self.d}/dovecot.conf"
        with open(conf, "w", encoding="utf-8") as f:
            f.write(DOVECOT.format(
                d=self.d, cert=certificate[0], key=certificate[1],
                box=self.box, home=self.home, uid=owner().pw_uid,
                gid=owner().pw_gid, plain=self.plain, tls=self.tls,
                auth=self.auth))
        subprocess.run([find("dovecot"), "-c", conf], check=True)
        wait_for("dovecot", lambda: listens(self.tls))

    def stop(self):
        pid = f"{self.d}/run/master.pid"
        with open(pid, encoding="utf-8") as f:
            os.kill(int(f.read()), signal.SIGTERM)
        for _ in range(100):
            if not os.path.exists(pid):
                return
            time.sleep(0.1)

    def put(self, name, text):
        """Deliver a mail, as an MTA on the same machine would."""
        path = f"{self.box}/tmp/{name}"
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(path, 0o644)
        if os.geteuid() == 0:
            os.chown(path, owner().pw_uid, owner().pw_gid)
        os.rename(path, f"{self.box}/new/{name}")

    def files(self, folder=""):
        where = f"{self.box}/{folder}/cur"
        return sorted(os.listdir(where)) if os.path.isdir(where) else []

    def log(self):
        with open(f"{self.d}/dovecot.log", encoding="utf-8") as f:
            return f.read()


POSTFIX = """
compatibility_level = 3.6
queue_directory = {d}/queue
data_directory = {d}/data
mail_owner = postfix
setgid_group = postdrop
maillog_file = /dev/stdout
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.example.org
mydestination =
alias_maps =
local_recipient_maps =
notify_classes =
disable_dns_lookups = yes
default_transport = error:5.4.4 this test has no network
mynetworks = 127.0.0.1/32
virtual_mailbox_domains = {domains}
virtual_mailbox_base = /
virtual_mailbox_maps = texthash:{d}/conf/boxes
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
virtual_minimum_uid = 1
message_size_limit = 2000000
smtpd_tls_cert_file = {cert}
smtpd_tls_key_file = {key}
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{auth}
smtpd_relay_restrictions = reject_unauth_destination
smtpd_recipient_restrictions = check_recipient_access texthash:{d}/conf/access
smtpd_error_sleep_time = 0
"""

# A daemon of smtpd serves one connection: answers() holds from the next one on.
MASTER = """
{smtp} inet n - n - - smtpd -o max_use=1
{smtps} inet n - n - - smtpd -o max_use=1 -o smtpd_tls_wrappermode=yes
{submission} inet n - n - - smtpd -o max_use=1
  -o smtpd_sasl_auth_enable=yes -o smtpd_tls_security_level=encrypt
  -o smtpd_relay_restrictions=permit_sasl_authenticated,reject
{full} inet n - n - - smtpd -o max_use=1 -o queue_minfree=2000000000000000
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
tlsmgr unix - - n 1000? 1 tlsmgr
proxymap unix - - n - - proxymap
postlog unix-dgram n - n - 1 postlogd
"""


class Postfix:
    """
    Takes mail for "boxes" ({address: Maildir}) and for nobody else in their
    domains.  Its ports:

        smtp        in the clear or by STARTTLS
        smtps       TLS from the first byte
        submission  STARTTLS, then a login that Dovecot's "auth" port checks
        full        as smtp, but its disk is full
    """
    PROGRAMS = ("postfix", "openssl")

    def __init__(self, folder, certificate, boxes, auth=1, main="", master=""):
        """"main" and "master": further lines of main.cf and master.cf"""
        self.d, self.boxes, self.main = folder, dict(boxes), main
        self.smtp, self.smtps, self.submission, self.full = (
            free_port() for _ in range(4))
        for sub in "queue", "data", "conf":
            os.makedirs(f"{folder}/{sub}")
        os.chmod(folder, 0o755)
        os.chown(f"{folder}/data", pwd.getpwnam("postfix").pw_uid, -1)
        for box in self.boxes.values():
            make_maildir(box)
        self.auth = auth
        self.domains = {a.partition("@")[2] for a in boxes}
        self.configure(master)
        self.use(certificate)
        self.answers({})
        self.start()

    def write(self, name, text):
        with open(f"{self.d}/conf/{name}.new", "w", encoding="utf-8") as f:
            f.write(text)
        os.rename(f"{self.d}/conf/{name}.new", f"{self.d}/conf/{name}")

    def configure(self, master):
        self.write("boxes", "".join(f"{a} {box}/\n" for a, box in
                                    self.boxes.items()))
        self.write("master.cf", MASTER.format(**{
            k: f"127.0.0.1:{getattr(self, k)}" for k in
            ("smtp", "smtps", "submission", "full")}) + master)

    def use(self, certificate):
        """Show another one, from the next connection on."""
        self.write("main.cf", POSTFIX.format(
            d=self.d, cert=certificate[0], key=certificate[1],
            auth=self.auth, uid=owner().pw_uid, gid=owner().pw_gid,
            domains=" ".join(sorted(self.domains))) + self.main)

    def answers(self, replies):
        """What RCPT is answered with, from the next connection on:
        {"ada@dev.example.org": "450 4.2.0 Greylisted"}; the others are taken."""
        self.write("access", "".join(f"{a} {r}\n" for a, r in
                                     replies.items()))

    def start(self):
        with open(f"{self.d}/log", "ab") as log:
            self.process = subprocess.Popen(
                [find("postfix"), "-c", f"{self.d}/conf", "start-fg"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True)
        wait_for("postfix", lambda: all(listens(p) for p in (
            self.smtp, self.smtps, self.submission, self.full)), 60)

    def stop(self):
        """The master itself: what was started is a script that waits for it,
        and would leave it behind."""
        with open(f"{self.d}/queue/pid/master.pid", encoding="utf-8") as f:
            os.kill(int(f.read()), signal.SIGTERM)
        self.process.wait(60)

    def sendmail(self):
        """The command that hands it a mail, and its first arguments."""
        return [find("sendmail"), "-C", f"{self.d}/conf"]

    def flush(self):
        """Try again now what could not be delivered."""
        subprocess.run([find("postqueue"), "-c", f"{self.d}/conf", "-f"],
                       check=True)

    def mails(self, address, want=1, seconds=60):
        """What stands in the Maildir, in order of arrival (names tell only
        the second), once there are so many."""
        new = f"{self.boxes[address]}/new"
        end = time.monotonic() + seconds
        while len(os.listdir(new)) < want and time.monotonic() < end:
            time.sleep(0.05)
        found = []
        for path in sorted((f"{new}/{name}" for name in os.listdir(new)),
                           key=lambda p: os.stat(p).st_mtime_ns):
            with open(path, "rb") as f:
                found.append(f.read())
        return found

    def empty(self):
        for box in self.boxes.values():
            for name in os.listdir(f"{box}/new"):
                os.unlink(f"{box}/new/{name}")

    def log(self):
        with open(f"{self.d}/log", encoding="utf-8", errors="replace") as f:
            return f.read()
