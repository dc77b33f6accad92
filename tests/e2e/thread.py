#!/usr/bin/env python3
"""perfpost thread: the given series, and the same threads as notmuch."""
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from tally import expect, verdict

PERFPOST = os.environ['PERFPOST']
TOP = os.environ['top_srcdir']
CORPUS = os.path.join(TOP, 'tests', 'corpus', 'mail')


def threads(*paths):
    p = subprocess.run([PERFPOST, 'thread', '-f', 'json', *paths],
                       capture_output=True, timeout=300)
    expect('exit code', (p.returncode, p.stderr), (0, b''))
    return [json.loads(line) for line in p.stdout.splitlines()]


def series(paths):
    return [[i.split('@')[0] for i in s['messages']]
            for t in threads(*paths) for s in t['series'] if s['complete']]


def given_cases():
    for names, want in (
            (('23', '23b', '23c', '23d'), [['s1.1', 's1.2'],
                                           ['s2.1', 's2.2']]),
            (('25', '25b', '25c'), [['o.0', 'o.1', 'o.2']]),
            (('26', '26b'), [['n.1', 'n.2']]),
            (('94', '94b', '94c', '94d', '94e'), [['r.0', 'r.1', 'r.2']]),
            (('95', '95b', '95c', '95d'), [['v1.1', 'v1.2'],
                                           ['v2.1', 'v2.2']])):
        files = [os.path.join(CORPUS, n + '.eml') for n in names]
        for order in itertools.permutations(files):
            expect('series of ' + names[0], series(order), want)


def text():
    p = subprocess.run([PERFPOST, 'thread', os.path.join(CORPUS, '25.eml'),
                        os.path.join(CORPUS, '25c.eml')],
                       capture_output=True, text=True)
    expect('text', p.stdout, '''\
2026-03-03 10:15  Ada Example           [PATCH 0/2] a: cover
2026-03-03 11:05  Ada Example           `-[PATCH 2/2] a: two

series v1, 1 of 2 patches and cover letter: a: cover
''')


def notmuch_threads(folder, home):
    env = dict(os.environ, HOME=home,
               NOTMUCH_CONFIG=os.path.join(home, 'config'))
    with open(os.path.join(home, 'config'), 'w') as f:
        f.write(f'[database]\npath={folder}\n[user]\nname=x\n'
                'primary_email=x@example.org\n[new]\ntags=\n')
    subprocess.run(['notmuch', 'new', '--quiet'], env=env, check=True)
    out = subprocess.run(['notmuch', 'search', '--output=threads', '*'],
                         env=env, check=True, capture_output=True, text=True)
    found = set()
    for line in out.stdout.split():
        ids = subprocess.run(
            ['notmuch', 'search', '--output=messages', line], env=env,
            check=True, capture_output=True, text=True).stdout.split()
        found.add(frozenset(i.removeprefix('id:') for i in ids))
    return found


def as_notmuch():
    """600 list mails in random order, a quarter of them never seen."""
    if not shutil.which('notmuch'):
        print('thread: no notmuch to compare with')
        return
    with tempfile.TemporaryDirectory() as d:
        folder = os.path.join(d, 'mail')
        subprocess.run([sys.executable, os.path.join(
            TOP, 'tests', 'bench', 'list-mails.py'), folder, '600', '7'],
            check=True)
        cur = os.path.join(folder, 'cur')
        rnd = random.Random(3)
        for name in os.listdir(cur):
            if rnd.random() < 0.25:
                os.unlink(os.path.join(cur, name))
        ours = {frozenset(m['message_id'] for m in t['messages']
                          if not m['ghost']) for t in threads(folder)}
        expect('notmuch', ours ^ notmuch_threads(folder, d), set())
        expect('more than a few', len(ours) > 20, True)


given_cases()
text()
as_notmuch()
sys.exit(verdict())
