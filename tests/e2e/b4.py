#!/usr/bin/env python3
"""b4 as a second reader of patch series: of a thread with two versions and a
review, it takes the series that perfpost thread calls the newest, in the same
order; and what perfpost parse finds in its mails is what git am makes of what
b4 wrote."""
import json
import mailbox
import os
import shutil
import subprocess
import sys
import tempfile

from tally import expect, verdict

PERFPOST = os.environ['PERFPOST']
REVIEW = '''From: Ben <ben@example.org>
To: Ann <ann@example.org>
Subject: Re: [PATCH 2/3] mm: step 2
Date: Mon, 3 Mar 2031 12:00:00 +0000
Message-ID: <review@example.org>
In-Reply-To: <%s>

Looks good to me.

Reviewed-by: Ben <ben@example.org>
'''


class Place:
    """A home for git and b4 that asks nobody on the network."""

    def __init__(self, folder):
        self.folder = folder
        self.env = dict(os.environ, HOME=folder, XDG_DATA_HOME=folder,
                        XDG_CACHE_HOME=folder, GIT_CONFIG_NOSYSTEM='1')
        for key, value in (('user.name', 'Ann'),
                           ('user.email', 'ann@example.org'),
                           ('b4.attestation-policy', 'off')):
            self.run('git', 'config', '--global', key, value)
        self.git('init', '-q', '-b', 'main')
        self.write([f'line {i}' for i in range(60)])
        self.git('add', '-A')
        self.git('commit', '-qm', 'base')

    def run(self, *command, data=None):
        return subprocess.run(command, env=self.env, input=data, check=True,
                              cwd=self.folder, timeout=120,
                              capture_output=True).stdout

    def git(self, *args, data=None):
        return self.run('git', '-C', os.path.join(self.folder, 'r'), *args,
                        data=data)

    def write(self, lines):
        with open(os.path.join(self.folder, 'r', 'a.c'), 'w') as f:
            f.write('\n'.join(lines) + '\n')

    def series(self, version, steps):
        """The paths of its mails, cover letter first."""
        self.git('checkout', '-q', '-B', f'v{version}', 'main')
        with open(os.path.join(self.folder, 'r', 'a.c')) as f:
            lines = f.read().splitlines()
        for i in range(steps):
            lines[10 * i + 5] += f' in version {version}'
            self.write(lines)
            self.git('commit', '-qam', f'mm: step {i + 1}')
        out = self.git('format-patch', '--thread', '--cover-letter',
                       f'-v{version}', '-o', f'{self.folder}/p', 'main')
        paths = [os.path.join(self.folder, p)
                 for p in out.decode().splitlines()]
        # git names both covers after the second they are made in.
        for path in paths:
            with open(path) as f:
                mail = f.read()
            with open(path, 'w') as f:
                f.write(mail.replace('<cover.', f'<cover-v{version}.')
                        .replace('*** SUBJECT HERE ***', 'mm: some steps')
                        .replace('*** BLURB HERE ***', 'Some steps.'))
        return paths


def mail_id(path):
    with open(path) as f:
        m = mailbox.mboxMessage(f.read())
    return m['Message-Id'].strip('<>')


def perfpost(*args, data=None):
    p = subprocess.run([PERFPOST, *args], input=data, capture_output=True,
                       timeout=120)
    expect('perfpost ' + args[0], (p.returncode, p.stderr), (0, b''))
    return [json.loads(line) for line in p.stdout.splitlines()]


def newest(mbox):
    found = [s for t in perfpost('thread', '-f', 'json', mbox)
             for s in t['series'] if s['complete']]
    return max(found, key=lambda s: s['version'])


def main():
    if not shutil.which('b4'):
        print('SKIP: no b4')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, 'r'))
        os.makedirs(os.path.join(folder, 'out'))
        place = Place(folder)
        first, second = place.series(1, 3), place.series(2, 4)
        mbox = os.path.join(folder, 'mbox')
        with open(mbox, 'wb') as f:
            for path in first + second:
                with open(path, 'rb') as mail:
                    f.write(mail.read() + b'\n')
            f.write(b'From ben@example.org Mon Mar  3 12:00:00 2031\n')
            f.write((REVIEW % mail_id(first[2])).encode())
        ours = newest(mbox)
        expect('version', ours['version'], 2)
        place.run('b4', 'am', '-C', '-T', '-m', mbox, '-o',
                  os.path.join(folder, 'out'), '-n', 'taken',
                  mail_id(second[0]))
        taken = os.path.join(folder, 'out', 'taken.mbx')
        expect('order', [m['Message-Id'].strip('<>')
                         for m in mailbox.mbox(taken)],
               [i for i in ours['messages'] if i != mail_id(second[0])])
        place.git('checkout', '-q', '-b', 'am', 'main')
        place.git('am', '-q', taken)
        place.git('checkout', '-q', '-b', 'apply', 'main')
        for message in perfpost('parse', taken):
            for patch in message['patches']:
                expect('verdict', patch['verdict'], 'ok')
                place.git('apply', '--index', '-',
                          data=patch['text'].encode())
        place.git('commit', '-qm', 'all of it')
        trees = [place.git('rev-parse', f'{b}^{{tree}}')
                 for b in ('v2', 'am', 'apply')]
        expect('trees', trees, [trees[0]] * 3)
    return verdict()


sys.exit(main())
