#!/usr/bin/env python3
"""Patches that git makes come out of mails as they went in: random commits,
sent inline and attached in every encoding, read with perfpost parse and
applied again with git."""
import json
import os
import random
import subprocess
import sys
import tempfile
from email import policy
from email.message import EmailMessage

PERFPOST = os.environ['PERFPOST']
ROUNDS = int(os.environ.get('PATCH_ROUNDS', '40'))
NAMES = ['mm/a.c', 'mm/b.c', 'fs/x y.c', 'fs/Jörg.c', 'lib/Makefile',
         'doc/r.rst', 'include/linux/a.h', 't/"q".txt']
TRAPS = ['', '--', '-- ', '---', '+++ x', '@@ -1 +1 @@',
         'diff --git a/x b/x', '> quoted', 'From: me', '\t',
         '-----Original Message-----', 'Größe 中文 \U0001f680',
         'On Mon, 3 Mar 2026 at 10:15, Ann <a@example.org> wrote:']
bad = 0


class Repository:
    def __init__(self, where, rnd):
        self.where, self.rnd = where, rnd
        self.git('init', '-q')
        for name in NAMES:
            self.write(name, self.lines(rnd.randint(5, 60)))
        self.git('add', '-A')
        self.git('commit', '-qm', 'base')

    def git(self, *args, data=None, check=True):
        return subprocess.run(
            ['git', '-C', self.where, '-c', 'user.name=Ann', '-c',
             'user.email=ann@example.org', *args], input=data, check=check,
            capture_output=True)

    def write(self, name, lines):
        path = os.path.join(self.where, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as f:
            f.write('\n'.join(lines))

    def lines(self, n):
        return [self.line() for _ in range(n)] + ([''] if
                                                  self.rnd.random() < .9
                                                  else [])

    def line(self):
        if self.rnd.random() < .3:
            return self.rnd.choice(TRAPS)
        return '\t' * self.rnd.randint(0, 3) + ''.join(
            self.rnd.choice('abcdefgh (){};=+-*/<>')
            for _ in range(self.rnd.randint(1, 60)))

    def change(self):
        files = [f for f in self.git('ls-files', '-z').stdout.decode()
                 .split('\0') if f]
        for name in self.rnd.sample(files, min(3, len(files))):
            path = os.path.join(self.where, name)
            kind = self.rnd.random()
            new = 'n/%d.c' % self.rnd.randrange(10 ** 6)
            if kind < .7:
                with open(path, 'rb') as f:
                    raw = f.read()
                if b'\0' in raw:
                    continue    # binary: replaced or left, never edited
                lines = raw.decode().split('\n')
                at = self.rnd.randrange(len(lines) + 1)
                lines[at:at + self.rnd.randint(0, 3)] = [
                    self.line() for _ in range(self.rnd.randint(0, 3))]
                self.write(name, lines)
            elif kind < .76:
                os.unlink(path)
            elif kind < .84:
                self.write(new, self.lines(self.rnd.randint(0, 20)))
            elif kind < .92:
                self.write(new, [])
                os.rename(path, os.path.join(self.where, new))
            elif kind < .96:
                os.chmod(path, 0o755)
            else:
                with open(path, 'wb') as f:
                    f.write(b'\0' + self.rnd.randbytes(200))
        self.git('add', '-A')
        return self.git('commit', '-qm', 'mm: change\n\nSome words.',
                        check=False).returncode == 0


def mail(how, diff, whole):
    m = EmailMessage(policy=policy.SMTP.clone(max_line_length=998))
    m['From'] = 'Ann <ann@example.org>'
    m['Subject'] = 'Re: x'
    if how == 'attached':
        m.set_content('attached\n')
        m.add_attachment(whole, maintype='text', subtype='x-patch',
                         filename='a.patch')
    elif how == 'body':
        m.set_content(whole.decode().partition('\n\n')[2], cte='8bit')
    else:
        m.set_content('please test:\n\n' + diff.decode() + '\nThanks\n',
                      cte=how)
    return m.as_bytes()


def check(what, got, want):
    global bad
    if got != want:
        print(f'{what}: want {want!r}, got {got!r}')
        bad += 1


def one(repo, d, how, number):
    diff = repo.git('diff', '--binary', 'HEAD^', 'HEAD').stdout
    whole = repo.git('format-patch', '-1', '--stdout').stdout
    names = repo.git('diff', '--name-only', '-z', 'HEAD^', 'HEAD').stdout
    path = os.path.join(d, 'mail.eml')
    with open(path, 'wb') as f:
        f.write(mail(how, diff, whole))
    p = subprocess.run([PERFPOST, 'parse', path], check=True,
                       capture_output=True)
    m = json.loads(p.stdout)
    what = f'{number}, {how}'
    check(what + ': patches', len(m['patches']), 1)
    if len(m['patches']) != 1:
        return
    found = m['patches'][0]
    check(what + ': text', found['text'].encode(), diff)
    check(what + ': verdict', found['verdict'],
          'binary' if b'GIT binary patch' in diff else 'ok')
    check(what + ': files', sorted(found['files']),
          sorted(names.decode().split('\0')[:-1]))
    repo.git('checkout', '-q', 'HEAD^')
    check(what + ': git apply', repo.git(
        'apply', '--check', data=found['text'].encode(),
        check=False).returncode, 0)
    repo.git('checkout', '-q', '-')
    if how in ('8bit', 'base64', 'quoted-printable'):
        check(what + ': new text', m['new_text'], 'please test:\n\nThanks\n')


def other_forms(rnd, d):
    """Context diffs, and diffs without "a/", of trees of such lines: git takes
    what is read."""
    for number in range(ROUNDS // 4):
        for tree in 'old', 'new':
            os.makedirs(f'{d}/{tree}/mm', exist_ok=True)
        for name in NAMES[:3]:
            lines = [f'line {i}' if rnd.random() < .7 else ' ' + rnd.choice(
                TRAPS) for i in range(rnd.randint(0, 40))]
            changed = list(lines)
            for _ in range(rnd.randint(0, 4)):
                at = rnd.randrange(len(changed) + 1)
                changed[at:at + rnd.randint(0, 3)] = [
                    'new ' + rnd.choice(TRAPS)] * rnd.randint(0, 3)
            for tree, text in ('old', lines), ('new', changed):
                path = f'{d}/{tree}/mm/{os.path.basename(name)}'
                with open(path, 'w') as f:
                    f.write('\n'.join(text) + '\n' * (rnd.random() < .8))
        for options in ['-rcNp'], ['-rcN', '-C1'], ['-ruN']:
            diff = subprocess.run(['diff', *options, 'old', 'new'], cwd=d,
                                  capture_output=True).stdout
            if not diff:
                continue
            if options == ['-ruN']:     # as svn names them
                diff = diff.replace(b'--- old/', b'--- ').replace(
                    b'+++ new/', b'+++ ')
            with open(f'{d}/mail.eml', 'wb') as f:
                f.write(mail('8bit', diff, b''))
            p = subprocess.run([PERFPOST, 'parse', f'{d}/mail.eml'],
                               check=True, capture_output=True)
            found = json.loads(p.stdout)['patches']
            what = f'{number}, diff {options}'
            check(what, [f['verdict'] for f in found], ['ok'])
            subprocess.run(['rm', '-rf', f'{d}/got'], check=True)
            subprocess.run(['cp', '-r', f'{d}/old', f'{d}/got'], check=True)
            p = subprocess.run(['git', 'apply', '--whitespace=nowarn', '-'],
                               input=found[0]['text'].encode(), cwd=f'{d}/got',
                               capture_output=True, env=dict(
                                   os.environ, GIT_CEILING_DIRECTORIES=d))
            check(what + ': git apply', (p.returncode, p.stderr), (0, b''))
            same = subprocess.run(['diff', '-r', 'new', 'got'], cwd=d,
                                  capture_output=True)
            check(what + ': result', same.stdout, b'')


def main():
    rnd = random.Random(5)
    with tempfile.TemporaryDirectory() as d:
        os.mkdir(os.path.join(d, 'r'))
        repo = Repository(os.path.join(d, 'r'), rnd)
        done = 0
        for number in range(ROUNDS):
            if not repo.change():
                continue
            one(repo, d, rnd.choice(['attached', 'body', '8bit', 'base64',
                                     'quoted-printable']), number)
            done += 1
    with tempfile.TemporaryDirectory() as d:
        other_forms(rnd, d)
    check('enough of them', done > ROUNDS / 2, True)
    print('patches: ' + ('all well' if not bad else f'{bad} wrong'))
    sys.exit(bad != 0)


main()
