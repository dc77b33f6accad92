#!/usr/bin/env python3
"""An SMTP server that does what real ones should not.

    smtp-sink.py FOLDER [MODE [CERTIFICATE KEY]]

Prints its port, then serves until it is ended.  Each mail that it takes goes
to FOLDER/N.eml with its envelope in FOLDER/N.env; each command it hears to
FOLDER/log.  MODE is one of:

    ok                  takes everything
    rcpt-CODE:ADDRESS   answers CODE for that recipient
    rcpt-CODE           for all of them
    hello-CODE mail-CODE data-CODE end-CODE
    hang-hello hang-mail hang-end     says nothing more from there on
    deaf                reads nothing of the text
    drop-hello drop-data drop-end     closes there; drop-data in the text,
                        drop-end after it, with the mail taken
    early               takes the mail before the text has ended
    early-CODE          the same, and answers CODE at the end; 250: twice
    soon-CODE           takes it at its end, and answers CODE half a second later
    late-CODE           the same, after a second, to a mail that it took
    twice               answers each mail twice
    leaves-N            closes after N mails; says-421-N: says so before;
                        hangs-up-N: at the next MAIL
    rset-502            knows no RSET
    garbage             answers RCPT with what is no reply
    endless             answers EHLO with lines without end
    starttls-lie        offers STARTTLS and answers in the clear
    starttls-inject     says more in the clear behind the answer to it
    echo                answers a login with what it was told
    smtps               TLS from the first byte
    slow                a byte a second
    pause               takes everything, after half a second

With a certificate it offers STARTTLS, and behind it a login: "bot" with the
password "open sesame", without which it takes nothing.
"""
import base64
import os
import socket
import socketserver
import ssl
import sys
import threading
import time

FOLDER = sys.argv[1]
MODE = sys.argv[2] if len(sys.argv) > 2 else "ok"
TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if len(sys.argv) > 4 else None
if TLS:
    TLS.load_cert_chain(*sys.argv[3:5])
# What somebody in between could add, in the same packet.
INJECTED = "\r\n250-sink\r\n250 AUTH PLAIN" if MODE == "starttls-inject" else ""
COUNT, LOCK = 0, threading.Lock()


def code_for(stage):
    """The code of a mode such as "mail-550", or None."""
    word = MODE.partition(":")[0]
    if word.startswith(stage + "-") and word[len(stage) + 1:].isdigit():
        return int(word[len(stage) + 1:])
    return None


class Drop(Exception):
    pass


class Talk(socketserver.StreamRequestHandler):
    def say(self, text):
        data = (text + "\r\n").encode()
        if MODE == "slow":
            for i in range(len(data)):
                self.wfile.write(data[i:i + 1])
                self.wfile.flush()
                time.sleep(1)
            return
        self.wfile.write(data)
        self.wfile.flush()

    def fault(self, stage):
        """Hang, drop or refuse at this stage; True when it was refused."""
        if MODE == "hang-" + stage:
            time.sleep(600)
        if MODE == "drop-" + stage:
            raise Drop
        code = code_for(stage)
        if code:
            self.say("%d %s refused by the sink" % (code, stage))
        return bool(code)

    def hear(self):
        line = self.rfile.readline(2000)
        if not line:
            raise Drop
        with open(FOLDER + "/log", "ab") as log:
            log.write(line)
        return line.decode("latin-1").rstrip("\r\n")

    def handle(self):
        try:
            self.talk()
        except (Drop, OSError):
            pass

    def start_tls(self):
        self.connection = TLS.wrap_socket(self.connection, server_side=True)
        self.rfile = self.connection.makefile("rb")
        self.wfile = self.connection.makefile("wb")
        self.is_tls = True

    def talk(self):
        self.is_tls, self.known, self.mails = False, TLS is None, 0
        if MODE == "smtps":
            self.start_tls()
        if self.fault("hello"):
            return
        self.say("220 sink ESMTP")
        self.reset()
        while True:
            line = self.hear()
            word = line.upper()
            if word.startswith("QUIT"):
                self.say("221 bye")
                return
            self.command(word, line)

    def reset(self):
        self.sender, self.to = None, []

    def taken(self):
        """The mail is kept: say so, and whatever this mode says besides."""
        self.say("250 2.0.0 taken")
        self.mails += 1
        if MODE == "twice":
            self.say("250 2.0.0 taken")
        if code_for("late"):
            threading.Timer(1, self.say, ["%d late" % code_for("late")]).start()
        if code_for("leaves") == self.mails:
            raise Drop
        if code_for("says-421") == self.mails:
            self.say("421 4.7.0 enough for this connection")
            raise Drop

    def command(self, word, line):
        if word.startswith("EHLO"):
            self.hello()
        elif word.startswith("STARTTLS"):
            self.say("220 go ahead" + INJECTED)
            if MODE == "starttls-lie":
                self.say("250 never meant it")
            else:
                self.start_tls()
        elif word.startswith("AUTH PLAIN"):
            if not line[11:]:
                self.say("334 ")
            self.login(line[11:] or self.hear())
        elif not self.known:
            self.say("530 5.7.0 log in first")
        elif word.startswith("MAIL FROM:"):
            if code_for("hangs-up") == self.mails:
                raise Drop
            if not self.fault("mail"):
                self.reset()
                self.sender = line[10:]
                self.say("250 2.1.0 ok")
        elif word.startswith("RCPT TO:"):
            self.rcpt(line[8:])
        elif word.startswith("DATA"):
            if not code_for("data"):
                self.data()
            else:
                self.fault("data")
        elif word.startswith("RSET"):
            if not self.fault("rset"):
                self.reset()
                self.say("250 ok")
        else:
            self.say("250 ok")

    def hello(self):
        if MODE == "endless":
            while True:
                self.say("250-and another thing")
        self.say("250-sink")
        if MODE == "starttls-lie" or (TLS and not self.is_tls):
            self.say("250-STARTTLS")
        elif TLS:
            self.say("250-AUTH PLAIN")
        self.say("250 SIZE 50000000")

    def login(self, secret):
        word = base64.b64decode(secret)
        self.known = word == b"\0bot\0open sesame"
        if MODE == "echo":
            self.known = False
            self.say("535-5.7.8 what is %s\r\n535 5.7.8 or '%s'?" % (
                secret, word.decode().split("\0")[2]))
            return
        self.say("235 2.7.0 ok" if self.known else "535 5.7.8 no")

    def rcpt(self, address):
        code = code_for("rcpt")
        whom = MODE.partition(":")[2]
        if MODE == "garbage":
            self.say("\x01\xff what?")
        elif code and (not whom or whom in address):
            self.say("%d 5.1.1 %s refused by the sink" % (code, address))
        else:
            self.to.append(address)
            self.say("250 2.1.5 ok")

    def data(self):
        if not self.to:
            self.say("554 no recipients")
            return
        self.say("354 go")
        lines = []
        if MODE.startswith("early"):
            self.say("250 2.0.0 taken already")
        if MODE == "deaf":
            time.sleep(600)
        while True:
            line = self.rfile.readline()
            if not line or (MODE == "drop-data" and len(lines) > 3):
                raise Drop
            if line == b".\r\n":
                break
            lines.append(line[1:] if line.startswith(b".") else line)
        if code_for("soon"):
            self.say("250 2.0.0 taken already")
            time.sleep(0.5)
        code = code_for("end") or code_for("early") or code_for("soon")
        if code:
            self.say("%d text refused by the sink" % code)
            return
        if MODE == "pause":
            time.sleep(0.5)
        self.keep(b"".join(lines))
        if not self.fault("end") and MODE != "early":
            self.taken()

    def keep(self, text):
        global COUNT
        with LOCK:
            COUNT += 1
            number = COUNT
        with open("%s/%d.env" % (FOLDER, number), "w") as f:
            f.write(self.sender + "\n" + "".join(a + "\n" for a in self.to))
        with open("%s/%d.eml" % (FOLDER, number), "wb") as f:
            f.write(text)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


if __name__ == "__main__":
    with Server(("127.0.0.1", 0), Talk) as server:
        if MODE == "deaf":
            server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        print(server.server_address[1], flush=True)
        server.serve_forever()
