#!/usr/bin/env python3
"""The receiving drivers, each with a real peer: files, git, public-inbox."""
import fcntl
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from mail_site import free_port, listens, wait_for
from tally import expect, verdict

TAKE = os.path.join(os.environ['top_builddir'], 'tests', 'tools',
                    'take-mails')


def mail(number, more=''):
    return (f'From: Ann <ann@example.org>\nTo: bot@example.org\n'
            f'Subject: number {number}\nMessage-ID: <{number}@example.org>\n'
            'Date: Tue, 03 Mar 2026 10:15:00 +0000\n\n'
            f'body {number}\n{more}').encode()


def sha(raw):
    return hashlib.sha256(raw).hexdigest()


class Take:
    """The program that takes mails in, asked round after round."""

    def __init__(self, folder, conf, rounds=1, fail='-never-'):
        path = os.path.join(folder, 'perfpost.conf')
        with open(path, 'w') as f:
            f.write(conf)
        self.p = subprocess.Popen(
            [TAKE, path, os.path.join(folder, 'cursors'), str(rounds), fail],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def round(self, go=False):
        if go:
            self.p.stdin.write('go\n')
            self.p.stdin.flush()
        lines = []
        for line in self.p.stdout:
            if line == 'end\n':
                break
            lines.append(line.rstrip('\n'))
        return lines

    def end(self):
        self.p.stdin.close()
        expect('exit', self.p.wait(60), 0)
        self.p.stdout.close()


def take(folder, conf, **more):
    t = Take(folder, conf, **more)
    lines = t.round()
    t.end()
    return lines


def hashes(lines):
    return [line.split()[-1] for line in lines if line.startswith('mail ')]


def maildir(d):
    box = os.path.join(d, 'box')
    for sub in 'new', 'cur', 'tmp':
        os.makedirs(os.path.join(box, sub))

    def put(name, raw):
        with open(os.path.join(box, name), 'wb') as f:
            f.write(raw)
    put('new/1000.a', mail(1))
    put('new/1002.a', mail(3))
    put('cur/1001.a:2,', mail(2))
    put('cur/0999.a:2,S', mail(0))
    put('new/1003.a', mail(4, 'poison'))
    conf = f'receive:\n  maildir:\n    folder: {box}\n'
    got = take(d, conf, fail='poison')
    expect('maildir', hashes(got), [sha(mail(i)) for i in (1, 2, 3)] +
           [sha(mail(4, 'poison'))])
    expect('maildir, settled', sorted(os.listdir(os.path.join(box, 'cur'))),
           ['0999.a:2,S', '1000.a:2,S', '1001.a:2,S', '1002.a:2,S',
            '1003.a:2,FS'])
    expect('maildir, new', os.listdir(os.path.join(box, 'new')), [])
    expect('maildir, again', take(d, conf), ['none maildir'])
    put('new/1004.a', mail(5, 'poison'))
    conf += f'    failed: {d}/failed\n'
    take(d, conf, fail='poison')
    expect('maildir, failed', os.listdir(os.path.join(d, 'failed')),
           ['1004.a'])
    conf = f'receive:\n  maildir:\n    folder: {d}/nowhere\n'
    expect('maildir, none there', take(d, conf)[0].split()[:3],
           ['error', 'maildir', '6'])


def maildir_unreadable(d):
    """What cannot be read is said once, and the others come."""
    box = os.path.join(d, 'box')
    for sub in 'new', 'cur', 'tmp':
        os.makedirs(os.path.join(box, sub))
    os.mkdir(os.path.join(box, 'new/1000.folder'))
    os.symlink('/nowhere', os.path.join(box, 'new/1001.nowhere'))
    with open(os.path.join(box, 'new/1002.large'), 'wb') as f:
        f.write(mail(1))
        f.truncate(200 << 20)
    with open(os.path.join(box, 'new/1003.a'), 'wb') as f:
        f.write(mail(2))
    t = Take(d, f'receive:\n  maildir:\n    folder: {box}\n'
             f'    failed: {d}/failed\n', rounds=2)
    got = t.round()
    expect('unreadable', [line.split()[:3] for line in got if
                          line.startswith('error')],
           [['error', 'maildir', '2']] * 2)
    expect('unreadable, the rest', hashes(got), [sha(mail(2))])
    expect('unreadable, again', t.round(go=True), ['none maildir'])
    t.end()
    expect('unreadable, moved', sorted(os.listdir(d + '/failed')),
           ['1000.folder', '1002.large'])


def maildir_shared(d):
    """Mails arrive and a mail reader moves them while we read."""
    box = os.path.join(d, 'box')
    for sub in 'new', 'cur', 'tmp':
        os.makedirs(os.path.join(box, sub))

    def deliver():
        for i in range(100):
            with open(f'{box}/tmp/{2000 + i}.a', 'wb') as f:
                f.write(mail(i))
            os.rename(f'{box}/tmp/{2000 + i}.a', f'{box}/new/{2000 + i}.a')

    def look():
        while deliverer.is_alive():
            for name in os.listdir(f'{box}/new'):
                try:
                    os.rename(f'{box}/new/{name}', f'{box}/cur/{name}:2,')
                except FileNotFoundError:
                    pass
    deliverer = threading.Thread(target=deliver)
    t = Take(d, f'receive:\n  maildir:\n    folder: {box}\n', rounds=50)
    deliverer.start()
    reader = threading.Thread(target=look)
    reader.start()
    found = t.round()
    for _ in range(48):
        found += t.round(go=True)
        if not deliverer.is_alive():
            break
    reader.join()
    found += t.round(go=True)
    t.p.kill()
    expect('shared', {*hashes(found)} == {sha(mail(i)) for i in range(100)},
           True)
    expect('shared, settled', len([n for n in os.listdir(f'{box}/cur')
                                   if n.endswith(':2,S')]), 100)


def mbox_shared(d):
    """An MTA appends slowly, under both locks: no half a mail comes."""
    path = os.path.join(d, 'mbox')
    lines = 'a line\n' * 200

    def append(i):
        while True:
            try:
                os.close(os.open(path + '.lock', os.O_CREAT | os.O_EXCL))
                break
            except FileExistsError:
                time.sleep(0.01)
        with open(path, 'ab') as f:
            fcntl.lockf(f, fcntl.LOCK_EX)
            raw = (b'From ann@example.org Tue Mar  3 10:15:00 2026\n' +
                   mail(i, lines) + b'\n')
            for part in raw[:300], raw[300:700], raw[700:]:
                f.write(part)
                f.flush()
                time.sleep(0.03)
        os.unlink(path + '.lock')

    def deliver():
        for i in range(20):
            append(i)
    deliverer = threading.Thread(target=deliver)
    deliverer.start()
    t = Take(d, f'receive:\n  mbox:\n    file: {path}\n', rounds=100)
    found = t.round()
    for _ in range(98):
        alive = deliverer.is_alive()
        found += t.round(go=True)
        if not alive:
            break
        time.sleep(0.05)
    deliverer.join()
    t.p.kill()
    expect('mbox, shared', hashes(found),
           [sha(mail(i, lines)) for i in range(20)])


def mbox(d):
    path = os.path.join(d, 'mbox')
    line = b'From ann@example.org Tue Mar  3 10:15:00 2026\n'

    def add(raw):
        with open(path, 'ab') as f:
            f.write(line + raw + b'\n')
    conf = f'receive:\n  timeout: 1s\n  mbox:\n    file: {path}\n'
    expect('mbox, none there', take(d, conf), ['none mbox'])
    add(mail(1))
    add(mail(2, '>From the past\n'))
    expect('mbox', hashes(take(d, conf)),
           [sha(mail(1)), sha(mail(2, 'From the past\n'))])
    expect('mbox, again', take(d, conf), ['none mbox'])
    add(mail(3))
    t = Take(d, conf, rounds=3)
    expect('mbox, one more', hashes(t.round()), [sha(mail(3))])
    add(mail(4))
    with open(path + '.lock', 'w'):
        pass
    got = t.round(go=True)
    expect('mbox, locked by FILE.lock', got[0].split()[:3],
           ['error', 'mbox', '4'])
    os.unlink(path + '.lock')
    time.sleep(1.2)
    expect('mbox, unlocked', hashes(t.round(go=True)),
           [sha(mail(4))])
    t.end()
    with open(path, 'ab') as f:
        fcntl.lockf(f, fcntl.LOCK_EX)
        got = take(d, conf)
        expect('mbox, locked by fcntl', got[0].split()[:3],
               ['error', 'mbox', '4'])
    expect('mbox, no lock left', os.path.exists(path + '.lock'), False)
    left_locks(d, path, conf, add)
    os.unlink(path)
    add(mail(5))
    expect('mbox, replaced', hashes(take(d, conf)), [sha(mail(5))])


def left_locks(d, path, conf, add):
    """FILE.lock of a process that is dead is broken at once; of one that
    cannot be asked only when it is old."""
    dead = subprocess.Popen(['true'])
    dead.wait()
    alive = subprocess.Popen(['sleep', '60'])
    host, old = socket.gethostname(), time.time() - 1000
    n = 100
    for text, age, free in (
            (f'{dead.pid}:{host}', None, True), (f'{dead.pid}', None, True),
            (f'  {dead.pid}\n', None, True),
            (f'{dead.pid}:other.example.org', None, False),
            (f'{dead.pid}:other.example.org', old, True),
            (f'{alive.pid}:{host}', None, False),
            (f'{alive.pid}', None, False), (f'{alive.pid}', old, True),
            ('0', None, False), ('0', old, True), ('', None, False),
            ('', old, True), ('-1', None, False),
            ('99999999999999999999', None, False),
            ('x' * 5000, None, False), ('x' * 5000, old, True)):
        n += 1
        add(mail(n))
        with open(path + '.lock', 'w') as f:
            f.write(text)
        if age:
            os.utime(path + '.lock', (age, age))
        what = f'mbox, lock of {text[:30]!r} {age and "old"}'
        got = take(d, conf)
        expect(what, [line.split()[0] for line in got],
               ['mail', 'none'] if free else ['error'])
        expect(what, os.path.exists(path + '.lock'), not free)
        if not free:
            os.unlink(path + '.lock')
            expect(what, hashes(take(d, conf)), [sha(mail(n))])
    alive.kill()
    alive.wait()
    a_killed_one(d, path, conf, add)


def a_killed_one(d, path, conf, add):
    """The lock of our own process, killed while it held it."""
    add(mail(200))
    with open(path, 'ab') as f:
        fcntl.lockf(f, fcntl.LOCK_EX)       # keeps it waiting with its lock
        t = Take(d, conf.replace('1s', '30s'))
        wait_for('the lock', lambda: os.path.exists(path + '.lock') and
                 os.path.getsize(path + '.lock'))
        with open(path + '.lock') as lock:
            expect('mbox, whose lock', lock.read(),
                   f'{t.p.pid}:{socket.gethostname()}')
        t.p.kill()
        t.p.wait()
    expect('mbox, killed', os.path.exists(path + '.lock'), True)
    start = time.monotonic()
    expect('mbox, after the killed', hashes(take(d, conf)), [sha(mail(200))])
    expect('mbox, at once', time.monotonic() - start < 5, True)


def stdin(d):
    path = os.path.join(d, 'perfpost.conf')
    with open(path, 'w') as f:
        f.write('receive:\n  drivers: stdin\n')
    p = subprocess.run([TAKE, path, os.path.join(d, 'cursors'), '1'],
                       input=mail(1), capture_output=True)
    expect('stdin', hashes(p.stdout.decode().splitlines()), [sha(mail(1))])


def git(where, *args, data=None):
    env = dict(os.environ, GIT_AUTHOR_NAME='x', GIT_AUTHOR_EMAIL='x@x',
               GIT_COMMITTER_NAME='x', GIT_COMMITTER_EMAIL='x@x')
    return subprocess.run(['git', '-C', where, *args], input=data, env=env,
                          check=True, capture_output=True).stdout


class Archive:
    """A public-inbox v2 archive, epoch by epoch, as its format says."""

    def __init__(self, where):
        self.where = where
        self.epoch = -1
        self.next_epoch()

    def next_epoch(self):
        self.epoch += 1
        self.repo = os.path.join(self.where, 'git', f'{self.epoch}.git')
        os.makedirs(self.repo)
        git(self.repo, 'init', '-q', '--bare')
        git(self.repo, 'symbolic-ref', 'HEAD', 'refs/heads/master')
        self.tip = None

    def add(self, raw, name='m'):
        blob = git(self.repo, 'hash-object', '-w', '--stdin',
                   data=raw).decode().strip()
        tree = git(self.repo, 'mktree', data=f'100644 blob {blob}\t{name}\n'
                   .encode()).decode().strip()
        parent = ['-p', self.tip] if self.tip else []
        self.tip = git(self.repo, 'commit-tree', tree, *parent,
                       data=b'x').decode().strip()
        git(self.repo, 'update-ref', 'refs/heads/master', self.tip)


def public_inbox(d):
    a = Archive(os.path.join(d, 'archive'))
    for i in range(1, 4):
        a.add(mail(i))
    head = (f'receive:\n  public_inbox:\n    folder: {d}/mirrors\n'
            f'    urls: [{a.where}]\n')
    conf = head + '    from: start\n'
    expect('archive, all', hashes(take(d, conf)),
           [sha(mail(i)) for i in (1, 2, 3)])
    expect('archive, again', hashes(take(d, conf)), [])
    a.add(mail(2), name='d')
    a.add(mail(4))
    expect('archive, new ones', hashes(take(d, conf)), [sha(mail(4))])
    a.next_epoch()
    a.add(mail(5))
    expect('archive, next epoch', hashes(take(d, conf)), [sha(mail(5))])
    a.add(mail(6))
    expect('archive, on in it', hashes(take(d, conf)), [sha(mail(6))])
    # The archive takes a mail out of its history: nothing is lost.
    a.tip = None
    a.add(mail(6))
    a.add(mail(7))
    expect('archive, rewritten', sha(mail(7)) in hashes(take(d, conf)), True)
    os.unlink(os.path.join(d, 'cursors'))
    shutil.rmtree(os.path.join(d, 'mirrors'))
    conf = head
    os.rename(a.where, a.where + '.away')
    os.makedirs(a.where)
    expect('archive, not yet there', take(d, conf)[0].split()[0], 'error')
    os.rmdir(a.where)
    os.rename(a.where + '.away', a.where)
    expect('archive, from now on', hashes(take(d, conf)), [])
    mirror = os.path.join(d, 'mirrors', os.listdir(d + '/mirrors')[0])
    expect('archive, not all of it', os.path.exists(
        f'{mirror}/{a.epoch}.git/shallow'), True)
    a.add(mail(8))
    expect('archive, since then', hashes(take(d, conf)), [sha(mail(8))])
    os.rename(a.repo, a.repo + '.away')
    expect('archive, gone', take(d, conf)[0].split()[0], 'error')
    os.rename(a.repo + '.away', a.repo)
    expect('archive, back', hashes(take(d, conf)), [])


def broken_archives(d):
    """A mail that git cannot read is passed over at last; a server that hangs
    is left."""
    a = Archive(os.path.join(d, 'archive'))
    a.add(mail(1))
    conf = (f'receive:\n  timeout: 10s\n  public_inbox:\n'
            f'    folder: {d}/mirrors\n    urls: [{a.where}]\n'
            '    from: start\n')
    expect('before', hashes(take(d, conf)), [sha(mail(1))])
    a.add(mail(2))
    a.add(mail(3))
    mirror = os.path.join(d, 'mirrors', os.listdir(d + '/mirrors')[0],
                          '0.git')
    git(mirror, 'fetch', '-q', a.repo, 'HEAD:refs/heads/here')
    blob = git(mirror, 'rev-parse', 'refs/heads/here~1:m').decode().strip()
    os.unlink(f'{mirror}/objects/{blob[:2]}/{blob[2:]}')
    t = Take(d, conf, rounds=3)
    found = t.round()
    for wait in 1.2, 2.2:
        time.sleep(wait)
        found += t.round(go=True)
    t.end()
    expect('a blob is missing', [line.split()[3] for line in found
                                 if line.startswith('error')], ['4', '4', '2'])
    expect('a blob is missing, the rest', hashes(found), [sha(mail(3))])
    with socket.create_server(('127.0.0.1', 0)) as s:
        start = time.monotonic()
        got = take(d, conf.replace(a.where, 'http://127.0.0.1:%d/x' %
                                   s.getsockname()[1]).replace('10s', '2s'))
        expect('a server that hangs', got[0].split()[:1], ['error'])
        expect('a server that hangs, left', time.monotonic() - start < 20,
               True)
    got = take(d, conf.replace(a.where, 'ext::sh -c "touch %s/oops"' % d))
    expect('no programs', (got[0].split()[:1], os.path.exists(d + '/oops')),
           (['error'], False))


def served(d, env, conf, where):
    """The same over the web, as lore.kernel.org serves its archives."""
    port = free_port()
    with open(d + '/httpd.log', 'w') as log:
        p = subprocess.Popen(['public-inbox-httpd', '-W0', '-l',
                              f'127.0.0.1:{port}'], env=env, stdout=log,
                             stderr=log)
    try:
        wait_for('public-inbox-httpd', lambda: listens(port))
        os.unlink(os.path.join(d, 'cursors'))
        conf = conf.replace(where, f'http://127.0.0.1:{port}/perf/')
        expect('over the web', len(hashes(take(d, conf))), 3)
        subprocess.run(['public-inbox-mda', '--no-precheck'], input=mail(4),
                       env=env, check=True, capture_output=True)
        expect('over the web, one more', len(hashes(take(d, conf))), 1)
    finally:
        p.terminate()
        p.wait()


def real_public_inbox(d):
    """One that public-inbox itself makes and fills."""
    if not shutil.which('public-inbox-init'):
        print('receive: no public-inbox')
        return
    where = os.path.join(d, 'inbox')
    env = dict(os.environ, HOME=d, PI_CONFIG=os.path.join(d, 'config'),
               GIT_AUTHOR_NAME='x', GIT_AUTHOR_EMAIL='x@example.org',
               GIT_COMMITTER_NAME='x', GIT_COMMITTER_EMAIL='x@example.org',
               ORIGINAL_RECIPIENT='bot@example.org')
    run = {'env': env, 'check': True, 'capture_output': True}
    subprocess.run(['public-inbox-init', '-V2', 'perf', where,
                    'https://archive.example.org/perf', 'bot@example.org'],
                   **run)
    subprocess.run(['git', 'config', '-f', env['PI_CONFIG'],
                    'publicinboxmda.spamcheck', 'none'], **run)
    for i in 1, 2:
        subprocess.run(['public-inbox-mda', '--no-precheck'], input=mail(i),
                       **run)
    subprocess.run(['public-inbox-index', where], **run)
    conf = (f'receive:\n  public_inbox:\n    folder: {d}/mirrors\n'
            f'    urls: [{where}]\n    from: start\n')
    expect('public-inbox', len(hashes(take(d, conf))), 2)
    subprocess.run(['public-inbox-mda', '--no-precheck'], input=mail(3),
                   **run)
    got = take(d, conf)
    expect('public-inbox, one more', len(hashes(got)), 1)
    served(d, env, conf, where)


for test in (maildir, maildir_unreadable, maildir_shared, mbox, mbox_shared,
             stdin, public_inbox, broken_archives, real_public_inbox):
    with tempfile.TemporaryDirectory() as folder:
        test(folder)
sys.exit(verdict())
