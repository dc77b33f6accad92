#!/usr/bin/env python3
"""The imap driver against a real dovecot, over TLS with an authority of the
test's own, and against servers that lie."""
import hashlib
import os
import random
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mail_site import Authority, Dovecot, missing
from tally import expect, verdict

TAKE = os.path.join(os.environ['top_builddir'], 'tests', 'tools',
                    'take-mails')
# A mail at which the connection breaks is given up after seconds, not hours.
IMPATIENT = '    retry: 1s\n    tries: 2\n'


def mail(number, more=''):
    return (f'From: Ann <ann@example.org>\nSubject: number {number}\n'
            f'Message-ID: <{number}@example.org>\n\nbody {number}\n{more}')


def sha(text):
    raw = text.replace('\n', '\r\n').encode()
    return hashlib.sha256(raw).hexdigest()


class Server(Dovecot):
    """A Dovecot, and how it is configured as a source of mails."""

    def conf(self, more='', port=None, host='localhost'):
        d = os.path.dirname(self.d)
        return (f'receive:\n  timeout: 20s\n  imap:\n    host: {host}\n'
                f'    port: {port or self.tls}\n    user: robot\n'
                f'    password_file: {d}/password\n'
                f'    ca_file: {d}/ca.pem\n{more}')


def take(d, conf, rounds=1, between=None, now=None):
    """The lines of each round; "between" is called before the second.  "now"
    stops the clock."""
    path = os.path.join(d, 'perfpost.conf')
    with open(path, 'w') as f:
        f.write(conf)
    p = subprocess.Popen([TAKE, path, os.path.join(d, 'cursors'),
                          str(rounds), 'poison'], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, text=True,
                         env={**os.environ, 'SOURCE_DATE_EPOCH': str(now)}
                         if now else None)
    found = []
    for k in range(rounds):
        if k:
            between(k)
            p.stdin.write('go\n')
            p.stdin.flush()
        lines = []
        for line in p.stdout:
            if line == 'end\n':
                break
            lines.append(line.rstrip('\n'))
        found.append(lines)
    p.stdin.close()
    p.stdout.close()
    p.wait(60)
    return found if rounds > 1 else found[0]


def hashes(lines):
    return [line.split()[-1] for line in lines if line.startswith('mail ')]


def forget(d):
    path = os.path.join(d, 'cursors')
    if os.path.exists(path):
        os.unlink(path)


def reading(d, server):
    for i in 1, 2:
        server.put(f'100{i}.a', mail(i))
    expect('all', hashes(take(d, server.conf())), [sha(mail(1)),
                                                   sha(mail(2))])
    expect('again', take(d, server.conf()), ['none imap'])
    found = take(d, server.conf(), 2, lambda k: server.put('1003.a', mail(3)))
    expect('polled', [hashes(f) for f in found], [[], [sha(mail(3))]])
    server.put('1004.a', mail(4))
    starttls = server.conf('    tls: starttls\n', server.plain)
    expect('STARTTLS', hashes(take(d, starttls)), [sha(mail(4))])
    expect('flags', [f.split(',')[-1] for f in server.files('')], ['S'] * 4)


def folders(d, server):
    forget(d)
    conf = server.conf('    done: Done\n    failed: Failed\n')
    server.put('1005.a', mail(5, 'poison'))
    expect('with folders', len(hashes(take(d, conf))), 5)
    expect('done', len(server.files('.Done')), 4)
    expect('failed', len(server.files('.Failed')), 1)
    expect('nothing left', server.files(''), [])
    server.put('1006.a', mail(6))
    expect('no cursor needed', hashes(take(d, conf)), [sha(mail(6))])


def made_anew(d, server):
    forget(d)
    server.put('1007.a', mail(7))
    expect('before', hashes(take(d, server.conf())), [sha(mail(7))])
    for name in os.listdir(server.box):
        if name.startswith('dovecot'):
            os.unlink(os.path.join(server.box, name))
    time.sleep(1.1)             # UIDVALIDITY is a time in seconds
    expect('another UIDVALIDITY', hashes(take(d, server.conf())),
           [sha(mail(7))])


class Relay:
    """A network between us and the server that can break."""

    def __init__(self, port):
        self.to = port
        self.open = []
        self.cuts = lambda data: False  # break the connection at this?
        self.up()

    def up(self, port=0):
        self.listener = socket.create_server(('127.0.0.1', port))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,),
                         daemon=True).start()

    def accept(self, listener):
        while True:
            try:
                a, _ = listener.accept()
                b = socket.create_connection(('127.0.0.1', self.to))
            except OSError:
                return
            self.open += [a, b]
            for x, y in (a, b), (b, a):
                threading.Thread(target=self.copy, args=(x, y),
                                 daemon=True).start()

    def copy(self, x, y):
        try:
            while data := x.recv(65536):
                if self.cuts(data):
                    raise OSError
                y.sendall(data)
        except OSError:
            for s in x, y:
                try:
                    s.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def down(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for s in self.open:
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            s.close()
        self.open = []


def reconnecting(d, server):
    server.put('1008.a', mail(8))
    relay = Relay(server.tls)

    def change(k):
        if k == 1:
            relay.down()
        else:
            relay.up(relay.port)
            server.put('1009.a', mail(9))
            time.sleep(3)
    found = take(d, server.conf('', relay.port), 3, change)
    relay.down()
    expect('first', hashes(found[0]), [sha(mail(8))])
    expect('server gone', found[1][0].split()[:3], ['error', 'imap', '4'])
    expect('server back', hashes(found[2]), [sha(mail(9))])


def through(relay, server):
    """In the clear, so that the relay sees what passes."""
    return server.conf('    tls: none\n    retry: 1s\n    tries: 3\n'
                       '    done: Done\n    failed: Lost\n',
                       relay.port, '127.0.0.1')


def one_breaks(d, server):
    """A mail at which the connection breaks each time, a process after the
    other: the others come, and it is given up when enough of them did."""
    relay = Relay(server.plain)
    conf = through(relay, server)
    take(d, conf)               # what the others left
    relay.cuts = lambda data: b'body 32' in data
    for i in 31, 32, 33:
        server.put(f'10{i}.a', mail(i))
    rounds, now = [], int(time.time())
    for more in None, None, None, 34, None, 35, 36:
        if more:
            now += 2 ** (more - 33)
            server.put(f'10{more}.a', mail(more))
        rounds.append(take(d, conf, now=now))
    lines = [line for r in rounds for line in r]
    # Once more at once, aside, with 34 before it, with 35 before it.
    expect('a breaking mail', [[line.split()[0] for line in r]
                               for r in rounds],
           [['mail', 'error'], ['error'], ['mail', 'none'], ['mail', 'none'],
            ['none'], ['mail', 'error', 'none'], ['mail', 'none']])
    expect('which one', (rounds[0][1].split()[3],
                         'is given up' in rounds[5][1]), ('mail', True))
    expect('the others', hashes(lines), [sha(mail(i)) for i in
                                         (31, 33, 34, 35, 36)])
    expect('it is kept', len(server.files('.Lost')), 1)
    relay.down()


def alone(d, server):
    """A network that lets no mail through costs none, however long."""
    forget(d)
    relay = Relay(server.plain)
    relay.cuts = lambda data: b'body' in data
    conf = through(relay, server)
    for i in 41, 42, 43:
        server.put(f'10{i}.a', mail(i))
    for k in range(16):
        time.sleep(0.5)
        got = take(d, conf)
        expect(f'nothing comes, {k}', (hashes(got), [
            line for line in got if line.startswith('error imap 2')]),
            ([], []))
    relay.cuts = lambda data: False
    came, end = [], time.monotonic() + 60
    while len(came) < 3 and time.monotonic() < end:
        came += hashes(take(d, conf))
        time.sleep(0.5)
    expect('all come then', sorted(came), sorted(sha(mail(i))
                                                 for i in (41, 42, 43)))
    expect('none is lost', len(server.files('.Lost')), 1)
    relay.down()


def now_and_then(d, server):
    """Of a network that breaks each third time every mail comes, once."""
    forget(d)
    relay = Relay(server.plain)
    dice = random.Random(5)
    relay.cuts = lambda data: b'body' in data and dice.random() < 0.34
    conf = through(relay, server).replace('tries: 3', 'tries: 10')
    conf = conf.replace('    done: Done\n', '')
    want = [mail(i) for i in range(50, 70)]
    for i, text in enumerate(want):
        server.put(f'20{i}.a', text)
    came, end = [], time.monotonic() + 90
    while len(came) < len(want) and time.monotonic() < end:
        came += hashes(take(d, conf))
        time.sleep(0.1)
    came += hashes(take(d, conf))
    expect('each came once', sorted(came), sorted(map(sha, want)))
    expect('some did later', came != list(map(sha, want)), True)
    relay.down()


def delay_grows(d, server):
    """A server that is broken is asked after 1, 2, 4 ... seconds."""
    asked = []
    listener = socket.create_server(('127.0.0.1', 0))

    def answer():
        while True:
            try:
                s, _ = listener.accept()
            except OSError:
                return
            asked.append(time.monotonic())
            s.close()
    threading.Thread(target=answer, daemon=True).start()
    found = take(d, server.conf('', listener.getsockname()[1]), 33,
                 lambda k: time.sleep(0.25))
    listener.close()
    expect('an error each time', [f[0].split()[:3] for f in found],
           [['error', 'imap', '4']] * 33)
    gaps = [b - a for a, b in zip(asked, asked[1:])]
    expect('asked ever less often', (len(gaps) >= 2, all(
        gap >= 2 ** k - 0.1 for k, gap in enumerate(gaps))), (True, True))


def unreadable(d, server):
    """One mail that the server itself cannot read."""
    forget(d)
    take(d, server.conf())
    for i in 20, 21, 22:
        server.put(f'10{i}.a', mail(i))
    os.chmod(f'{server.box}/new/1021.a', 0)
    found = take(d, server.conf('    failed: Broken\n' + IMPATIENT), 3,
                 lambda k: time.sleep(k + 0.2))
    lines = [line for f in found for line in f]
    expect('the others are read', hashes(lines), [sha(mail(20)),
                                                  sha(mail(22))])
    expect('the one is said', [line for line in lines if
                               line.startswith('error imap 2')] != [], True)
    for f in server.files() + server.files('.Broken'):
        for where in server.box, f'{server.box}/.Broken':
            if f.startswith('1021.a') and os.path.exists(f'{where}/cur/{f}'):
                os.unlink(f'{where}/cur/{f}')


def passwords(d, server):
    odd = 'open "sesame" \\ {3} %s *'
    for word in odd, 'secret':
        with open(f'{server.d}/passwd', 'w') as f:
            f.write('robot:{PLAIN}%s\n' % word)
        with open(f'{d}/password', 'w') as f:
            f.write(word + '\n')
        time.sleep(1.1)         # dovecot looks at the file's time
        got = take(d, server.conf())
        expect('password ' + word, got[-1], 'none imap')
    with open(f'{d}/password', 'w') as f:
        f.write('wrong\n')
    got = take(d, server.conf())[0]
    expect('wrong password', (got.split()[:3], 'login refused' in got),
           (['error', 'imap', '3'], True))
    with open(f'{d}/password', 'w') as f:
        f.write('secret\n')
    got = take(d, server.conf('    folder: Nowhere\n'))[0]
    expect('no such folder', "cannot open folder 'Nowhere'" in got, True)


def wrong_servers(d, server):
    server.put('1010.a', mail(10))
    got = take(d, server.conf(host='127.0.0.1'))[0]
    expect('address not in the certificate', got.split()[:3],
           ['error', 'imap', '3'])
    other = Authority(d, 'other')
    for what, more, port in (('TLS', '', server.tls),
                             ('STARTTLS', '    tls: starttls\n',
                              server.plain)):
        got = take(d, server.conf(more, port).replace(
            f'{d}/ca.pem', other.ca))[0]
        expect(what + ', unknown authority', (got.split()[:3],
               'not' in got), (['error', 'imap', '3'], True))
    for name, host, days in (('other name', 'mail.example.org', 30),
                             ('late', 'localhost', -1)):
        server.stop()
        server.start(server.authority.issue(name, host, days))
        for more, port in (('', server.tls),
                           ('    tls: starttls\n', server.plain)):
            got = take(d, server.conf(more, port))
            expect('certificate, ' + name, got[0].split()[:3],
                   ['error', 'imap', '3'])
    expect('no login tried', server.log().count('Login: user=<robot>') -
           wrong_servers.logins, 0)
    server.stop()
    server.start(server.good)
    expect('the right one', hashes(take(d, server.conf())),
           [sha(mail(10))])


def is_capability(s, what):
    """Answered as the protocol demands; what libetpan does otherwise stays in
    its process."""
    if what.strip().upper() != b'CAPABILITY':
        return False
    s.sendall(b'* CAPABILITY IMAP4rev1\r\n')
    return True


class Liar(threading.Thread):
    """A server of our own that says what it should not."""

    def __init__(self, d, script):
        super().__init__(daemon=True)
        self.script = script
        self.seen = []
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(f'{d}/good.pem', f'{d}/good.key')
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.port = self.listener.getsockname()[1]
        self.start()

    def run(self):
        while True:
            try:
                s, _ = self.listener.accept()
            except OSError:
                return
            try:
                self.script(self, s)
            except OSError:
                pass
            s.close()

    def line(self, s):
        got = b''
        while not got.endswith(b'\n'):
            c = s.recv(1)
            if not c:
                raise OSError
            got += c
        self.seen.append(got)
        return got


def injected(liar, s):
    """STARTTLS whose answer drags plain text behind it."""
    s.sendall(b'* OK [CAPABILITY IMAP4rev1 STARTTLS] hello\r\n')
    while True:
        tag, _, what = liar.line(s).partition(b' ')
        if what.strip().upper() == b'STARTTLS':
            s.sendall(tag + b' OK go\r\n* CAPABILITY IMAP4rev1 EVIL\r\n')
            s = liar.context.wrap_socket(s, server_side=True)
        else:
            s.sendall(b'* CAPABILITY IMAP4rev1 STARTTLS\r\n' + tag +
                      b' OK\r\n')


def preauthorised(liar, s):
    """Logged in without TLS: nothing may be said to it."""
    s.sendall(b'* PREAUTH hello\r\n')
    while True:
        tag, _, what = liar.line(s).partition(b' ')
        is_capability(s, what)
        s.sendall(tag + b' OK\r\n')


def without_starttls(liar, s):
    s.sendall(b'* OK [CAPABILITY IMAP4rev1] hello\r\n')
    while True:
        tag, _, what = liar.line(s).partition(b' ')
        is_capability(s, what)
        s.sendall(tag + (b' BAD no\r\n' if b'STARTTLS' in what.upper()
                         else b' OK\r\n'))


def silent(liar, s):
    while s.recv(1000):
        pass


def one_bad_mail(liar, s):
    """Mail 2 of 3 cannot be fetched: NO the first time, broken off later."""
    s = liar.context.wrap_socket(s, server_side=True)
    s.sendall(b'* OK hello\r\n')
    while True:
        tag, _, what = liar.line(s).partition(b' ')
        is_capability(s, what)
        what = what.strip().decode()
        if what.startswith('SELECT'):
            s.sendall(b'* 3 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n')
        elif what.startswith('UID SEARCH'):
            s.sendall(b'* SEARCH 1 2 3 4\r\n')
        elif what.startswith('UID FETCH 2 '):
            s.sendall(tag + b' NO it is broken\r\n')
            continue
        elif what.startswith('UID FETCH 3 ') and 'BODY' in what:
            s.close()
            raise OSError
        elif what.startswith('UID FETCH'):
            uid = what.split()[2]
            text = mail(int(uid)).replace('\n', '\r\n')
            item = (f'RFC822.SIZE {len(text)}' if 'SIZE' in what else
                    'BODY[] {%d}\r\n%s' % (len(text), text))
            s.sendall(f'* {uid} FETCH (UID {uid} {item})\r\n'.encode())
        s.sendall(tag + b' OK done\r\n')


def bad_fetches(bad):
    """A server whose second mail of three ends in what "bad" does."""
    def script(liar, s):
        s = liar.context.wrap_socket(s, server_side=True)
        s.sendall(b'* OK hello\r\n')
        while True:
            tag, _, what = liar.line(s).partition(b' ')
            is_capability(s, what)
            what = what.strip().decode()
            if what.startswith('SELECT'):
                s.sendall(b'* 3 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n')
            elif what.startswith('UID SEARCH'):
                first = int(what.split()[3].split(':')[0])
                hits = ' '.join(str(i) for i in (1, 2, 3) if i >= first)
                s.sendall(f'* SEARCH {hits}\r\n'.encode())
            elif what.startswith('UID FETCH'):
                uid = what.split()[2]
                if uid == '2' and 'BODY' in what:
                    bad(liar, s)
                    continue
                text = mail(int(uid)).replace('\n', '\r\n')
                item = (f'RFC822.SIZE {len(text)}' if 'SIZE' in what else
                        'BODY[] {%d}\r\n%s' % (len(text), text))
                s.sendall(f'* {uid} FETCH (UID {uid} {item})\r\n'.encode())
            s.sendall(tag + b' OK done\r\n')
    script.__name__ = bad.__name__
    return script


def hangs(liar, s):
    s.sendall(b'* 2 FETCH (UID 2 BODY[] {1000}\r\nFrom: x')
    while s.recv(1000):
        pass


def drips(liar, s):
    s.sendall(b'* 2 FETCH (UID 2 BODY[] {1000}\r\n')
    while True:
        s.sendall(b'x')
        time.sleep(0.2)


def drops(liar, s):
    s.sendall(b'* 2 FETCH (UID 2 BODY[] {1000}\r\nFrom: x')
    s.close()
    raise OSError


def floods(liar, s):
    """More than it announced, and more than fits."""
    s.sendall(b'* 2 FETCH (UID 2 BODY[] {4000000000}\r\n')
    while True:
        s.sendall(b'x' * 65536)


def mid_fetch(d, server):
    """Whatever happens in the middle of a mail, the others come."""
    for bad in hangs, drips, drops, floods:
        # With the cursor of a folder that stood there before it, too: its
        # mails had higher numbers.
        with open(f'{d}/cursors', 'w') as f:
            f.write('6:4711\n')
        liar = Liar(d, bad_fetches(bad))
        conf = server.conf(IMPATIENT, liar.port).replace('20s', '3s')
        found = take(d, conf, 4, lambda k: time.sleep((1.2, 2.2, 0.1)[k - 1]))
        lines = [line for f in found for line in f]
        expect(bad.__name__ + ', the others come', hashes(lines),
               [sha(mail(1)), sha(mail(3))])
        expect(bad.__name__ + ', it is said', [
            line.split()[2] for line in lines if line.startswith('error')],
            ['4', '4', '2'])
        expect(bad.__name__ + ', it is marked', [
            line for line in liar.seen if b'UID STORE 2' in line and
            b'Flagged' in line] != [], True)
        liar.listener.close()


def repeats(liar, s):
    """A server that says our own words again."""
    s = liar.context.wrap_socket(s, server_side=True)
    s.sendall(b'* OK hello\r\n')
    while True:
        tag, _, what = liar.line(s).partition(b' ')
        if is_capability(s, what):
            s.sendall(tag + b' OK done\r\n')
        else:
            s.sendall(tag + b' NO I do not like ' + what)


def secrets_are_kept(d, server):
    forget(d)
    got = take(d, server.conf('', Liar(d, repeats).port))[0]
    expect('an echo', (got.split()[:3], 'login refused' in got,
                       'secret' in got), (['error', 'imap', '3'], True, False))


def no_capabilities(liar, s):
    """libetpan may crash at this: that must not be more than an error."""
    s = liar.context.wrap_socket(s, server_side=True)
    s.sendall(b'* OK hello\r\n')
    while True:
        s.sendall(liar.line(s).split()[0] + b' OK\r\n')


def liars(d, server):
    for script, tls, want, text in (
            (injected, 'starttls', '3', 'STARTTLS'),
            (preauthorised, 'starttls', '3', 'before STARTTLS'),
            (without_starttls, 'starttls', '3', 'no STARTTLS'),
            (no_capabilities, 'tls', '4', '')):
        forget(d)
        liar = Liar(d, script)
        got = take(d, server.conf(f'    tls: {tls}\n', liar.port))[0]
        if got.split()[:3] != ['error', 'imap', want] or text not in got:
            expect(script.__name__, got, f'error imap {want} ... {text}')
        expect(script.__name__ + ', no password', [
            line for line in liar.seen if b'secret' in line or
            b'LOGIN' in line], [])
    forget(d)
    liar = Liar(d, silent)
    conf = server.conf('    tls: starttls\n', liar.port)
    start = time.time()
    got = take(d, conf.replace('20s', '2s'))[0]
    expect('silent', (got.split()[:3], time.time() - start < 10),
           (['error', 'imap', '4'], True))
    forget(d)
    liar = Liar(d, one_bad_mail)
    found = take(d, server.conf(IMPATIENT, liar.port), 4,
                 lambda k: time.sleep(5))
    lines = [line for f in found for line in f]
    expect('the others come', hashes(lines), [sha(mail(1)), sha(mail(4))])
    expect('the bad ones are said', [line.split()[2] for line in lines
                                     if line.startswith('error')],
           ['2', '4', '4', '2'])


def main():
    why = missing('dovecot', 'openssl', root=False)
    if why:
        print('receive-imap: ' + why)
        sys.exit(77)
    with tempfile.TemporaryDirectory() as d:
        os.chmod(d, 0o755)
        with open(f'{d}/password', 'w') as f:
            f.write('secret\n')
        authority = Authority(d)
        good = authority.issue('good', 'localhost')
        os.mkdir(f'{d}/dovecot')
        server = Server(f'{d}/dovecot', good)
        server.authority, server.good = authority, good
        try:
            for test in (reading, folders, made_anew, reconnecting,
                         one_breaks, alone, now_and_then, delay_grows,
                         unreadable, passwords):
                test(d, server)
            wrong_servers.logins = server.log().count('Login: user=<robot>')
            wrong_servers(d, server)
            for test in liars, mid_fetch, secrets_are_kept:
                test(d, server)
        finally:
            server.stop()
    sys.exit(verdict())


main()
