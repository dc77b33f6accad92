#!/usr/bin/env python3
"""perfpost parse on real kinds of mail: what must be read out of each."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

from tally import expect, verdict

PERFPOST = os.environ['PERFPOST']
CORPUS = os.path.join(os.environ['top_srcdir'], 'tests', 'corpus', 'mail')
REPORT = 'report.5c1e77a90b3d.1@ci.example.org'
DIFF = '''diff --git a/mm/example.c b/mm/example.c
index 1111111..2222222 100644
--- a/mm/example.c
+++ b/mm/example.c
@@ -10,7 +10,7 @@ static int walk(struct node *n)
 \tint i;
 
 \tfor (i = 0; i < n->count; i++)
-\t\ttouch(n, i);
+\t\ttouch_once(n, i);
 
 \treturn 0;
 }
'''


def parse(*args, code=0, **more):
    p = subprocess.run([PERFPOST, 'parse', *args], capture_output=True,
                       timeout=300, **more)
    expect('exit code', p.returncode, code)
    return [json.loads(line) for line in p.stdout.splitlines()], p


def mail(name):
    return parse('--own', 'perfbot@ci.example.org',
                 os.path.join(CORPUS, name + '.eml'))[0][0]


def patch(name, source='inline', verdict='ok', text=DIFF,
          files=('mm/example.c',)):
    p = mail(name)['patches']
    expect(name + ': patches', len(p), 1)
    expect(name + ': source', p[0]['source'], source)
    expect(name + ': verdict', p[0]['verdict'], verdict)
    expect(name + ': files', p[0]['files'], list(files))
    if text:
        expect(name + ': text', p[0]['text'], text)


def holds(got, key, want):
    """Does member "key" equal it, or hold (X_has) or lack (X_not) its parts?"""
    if key.endswith(('_has', '_not')):
        return all((part in got[key[:-4]]) == key.endswith('_has')
                   for part in want)
    return got[key] == want


def shortened(m):
    """A message as the cases write it: see the corpus's README.md."""
    short = dict(m)
    for key in ('to', 'cc', 'reply_to'):
        short[key] = [a['address'] for a in m[key]]
    short['requests'] = [r['kind'] for r in m['requests']]
    short['commands'] = [c['text'] for c in m['commands']]
    short['references'] = sorted(m['references'])
    short['new_text'] = m['new_text'].strip()
    return short


def has_patches(got, want):
    return len(got) == len(want) and all(
        any(all(holds(p, k, v) for k, v in one.items()) for p in got)
        for one in want)


def stated_of(name):
    with open(os.path.join(CORPUS, name + '.md'), encoding='utf-8') as f:
        said = re.search(r'```json\n(.*?)```', f.read(), re.S)
    return json.loads(said.group(1)).get('parse') if said else None


def stated():
    """The cases that say as JSON what must be read out of them."""
    names = sorted(os.path.basename(p)[:-4]
                   for p in glob.glob(os.path.join(CORPUS, '[0-9]' * 3 + '.eml')))
    read, _ = parse('--own', 'perfbot@ci.example.org',
                    *(os.path.join(CORPUS, n + '.eml') for n in names))
    expect('stated cases', len(read) == len(names) >= 70, True)
    for name, m in zip(names, map(shortened, read)):
        for key, want in stated_of(name).items():
            good = has_patches(m[key], want) if key == 'patches' else \
                holds(m, key, sorted(want) if key == 'references' else want)
            if not good:
                expect(f'{name}: {key}', m.get(key, m['new_text']), want)


def cases():
    expect('01: own', mail('01')['own'], True)
    expect('02: id', mail('02')['message_id'], mail('02b')['message_id'])
    expect('02b: new text', mail('02b')['new_text'],
           'Please rerun with this patch.\n')
    expect('02b: list', mail('02b')['list_id'],
           'kernel-perf.lists.example.org')
    expect('04: patches', mail('04')['patches'], [])
    expect('05: patches', mail('05')['patches'], [])
    expect('06: to', [a['address'] for a in mail('06')['to']],
           ['perfbot+r5c1e77a90b3d@ci.example.org',
            'perfbot+r77aa01bc22de@ci.example.org'])
    expect('14: in reply to', mail('14')['in_reply_to'], [REPORT])
    patch('15', 'attachment')
    patch('17')
    patch('18', 'attachment')
    patch('20', text=None)
    expect('20: text', '\U0001f680 \U00011080' in mail('20')['new_text'], True)
    expect('21: name', mail('21')['from'],
           {'name': 'Müller, Zoë "Łuk" (perf)',
            'address': 'zoe@dev.example.org'})
    patch('24', verdict='binary', text=None, files=['fw/x.bin'])
    expect('26: name', mail('26')['from']['name'], 'Jörg Example')
    expect('30: new text', mail('30')['new_text'], 'Looks good to me.\n')
    expect('30: patches', mail('30')['patches'], [])
    expect('32: in reply to', mail('32')['in_reply_to'], [REPORT])
    expect('32: references', mail('32')['references'], [REPORT])
    for name in ('33', '33b'):
        expect(name + ': automatic', mail(name)['automatic'], True)
    expect('34: automatic', mail('34')['automatic'], False)
    expect('36: text behind the NUL',
           'Please rerun with this patch.' in mail('36')['new_text'], True)
    patch('44')


def members():
    want = ('message_id in_reply_to references from to cc reply_to subject '
            'date list_id automatic own body new_text patches commands '
            'requests').split()
    expect('members', list(mail('02')), want)
    expect('members of a patch', list(mail('15')['patches'][0]),
           'source name files verdict line text'.split())


def mailboxes():
    files = sorted(os.listdir(CORPUS))
    folder, _ = parse(CORPUS)
    with tempfile.TemporaryDirectory() as d:
        box = os.path.join(d, 'mbox')
        maildir = os.path.join(d, 'maildir')
        os.makedirs(os.path.join(maildir, 'cur'))
        os.makedirs(os.path.join(maildir, 'new'))
        with open(box, 'wb') as out:
            for f in files:
                with open(os.path.join(CORPUS, f), 'rb') as one:
                    raw = one.read()
                with open(os.path.join(maildir, 'new', f), 'wb') as copy:
                    copy.write(raw)
                raw = b''.join(
                    b'>' + line if line.lstrip(b'>').startswith(b'From ')
                    else line for line in raw.splitlines(True))
                out.write(b'From x@example.org Tue Mar  3 10:15:00 2026\n' +
                          raw + (b'' if raw.endswith(b'\n') else b'\n') +
                          b'\n')
        expect('mbox', [m['message_id'] for m in parse(box)[0]],
               [m['message_id'] for m in folder])
        expect('mbox patches', [m['patches'] for m in parse(box)[0]],
               [m['patches'] for m in folder])
        expect('Maildir', parse(maildir)[0], folder)
        for jobs in '1', '2', '5':
            expect('jobs ' + jobs, parse('--jobs', jobs, maildir)[0], folder)
        with open(box, 'rb') as f:
            expect('standard input', parse(stdin=f)[0], parse(box)[0])
    expect('count', len(folder), len(files))


def failures():
    good = os.path.join(CORPUS, '02.eml')
    read, p = parse('/no/such/file', good, code=71)
    expect('read on behind a failure', len(read), 1)
    expect('says why', p.stderr.decode(), "perfpost: cannot open "
           "'/no/such/file': No such file or directory\n")
    read, p = parse('--jobs', '2', '/no/such/file', good, code=71)
    expect('the same with jobs', len(read), 1)
    parse('--jobs', '0', code=64)
    parse('--nonsense', code=64)


def big():
    """50 MB in one line and in many: read, in bounded memory."""
    head = b'From: a@example.org\nSubject: big\n\n'
    with tempfile.NamedTemporaryFile(suffix='.eml') as f:
        for body in (b'x' * 50000000, b'hello there\n' * 700000):
            f.seek(0)
            f.truncate()
            f.write(head + body)
            f.flush()
            p = subprocess.run([PERFPOST, 'parse', f.name],
                               capture_output=True, timeout=300)
            expect('big', (p.returncode, p.stdout[:21]),
                   (0, b'{"message_id": null, '))


cases()
stated()
members()
mailboxes()
failures()
big()
sys.exit(verdict())
