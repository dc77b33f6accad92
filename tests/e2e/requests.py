#!/usr/bin/env python3
"""How well are answers to a report understood?

usage: requests.py [-v] [--split NAME] [FILE MIN-MESSAGES MIN-FIELDS]...

Each line of FILE is one answer and what a careful reader sees in it (tests/data/README).  All go
through `perfpost parse` as mails to the robot; a line `[attachment: NAME, TYPE, SIZE bytes]` becomes
a real attachment.  Counted are the messages whose kinds are right, those that ask nothing and would
start a job (none may), and the fields that are right; a value that the mail does not state is wrong.
Without FILE: the sets of tests/data with the bar of each.
"""
import argparse, json, os, re, subprocess, sys, tempfile
from email import policy
from email.message import EmailMessage

TOP = os.environ.get('top_srcdir', os.path.join(os.path.dirname(__file__), '..', '..'))
PROGRAM = os.environ.get('PERFPOST', './perfpost')
ROBOT = 'perf-robot@ci.example.org'
JOBS = {'rerun', 'rerun_with_patch', 'rerun_with_tree', 'change_params'}
FIELDS = ('patch', 'url', 'msgid', 'tree', 'branch', 'commit')
LINKS = {'url', 'msgid'}  # an archive link may be read both ways
DIFF = '''--- a/mm/lru.c
+++ b/mm/lru.c
@@ -1,3 +1,3 @@
 {
-\tslow();
+\tfast();
 }
'''
SETS = [('requests-given.jsonl', 0.98, 0.95), ('requests-own.jsonl', 0.95, 0.92),
        ('requests-lists.jsonl', 0.97, 0.82), ('requests-terse.jsonl', 0.97, 0.90),
        ('requests-fresh.jsonl', 0.97, 0.90), ('requests-real.jsonl', 0.95, 0.85),
        ('requests-forms.jsonl', 0.95, 0.92)]
BLIND = [('requests-blind-a.jsonl', 0.93, 0.83, 0), ('requests-blind-b.jsonl', 0.92, 0.80, 0),
         ('requests-blind-c.jsonl', 0.90, 0.80, 0),
         ('requests-blind-d.jsonl', 0.88, 0.70, 0)]


def mail(case):
    m = EmailMessage(policy=policy.SMTP)
    m['From'] = case.get('from', 'Ilse Developer <ilse@example.com>')
    m['To'] = case.get('to', f'kernel test robot <{ROBOT}>')
    m['Cc'] = case.get('cc', 'linux-kernel@lists.example.org')
    m['Subject'] = case.get('subject', 'Re: [mm/lru] 22fb273bb7: will-it-scale.per_process_ops -7.4% regression')
    m['Message-ID'] = f"<{case['id']}@example.com>"
    m['In-Reply-To'] = '<203103040912.22fb273b@ci.example.org>'
    note = re.compile(r'^\[attachment: ([^,\]]+), ([^,\]]+)[^\]]*\]\n?', re.M)
    m.set_content(note.sub('', case['text']), cte='8bit')
    for name, kind in note.findall(case['text']):
        main, _, sub = kind.strip().partition('/')
        data = DIFF if re.search(r'patch|diff|\.txt$', name + kind) else 'CONFIG_X=y\n'
        m.add_attachment(data.encode(), maintype=main, subtype=sub or 'octet-stream', filename=name.strip())
    return m.as_bytes()


def parse(cases):
    with tempfile.TemporaryDirectory() as d:
        files = [os.path.join(d, f'{i:05}.eml') for i in range(len(cases))]
        for f, c in zip(files, cases):
            with open(f, 'wb') as out:
                out.write(mail(c))
        p = subprocess.run([PROGRAM, 'parse', '--own', ROBOT, '--explain', *files], stdout=subprocess.PIPE, check=True)
    return [json.loads(l) for l in p.stdout.splitlines()]


def stated(v):
    return v not in (None, '', 'none')


def score(want, got):
    """Right and wrong fields; each request wanted meets the found one that is most like it."""
    left, right, wrong = list(got), 0, []
    for w in want:
        same = [g for g in left if g['kind'] == w['kind']]
        g = max(same, key=lambda g: sum(g[k] == w.get(k) for k in FIELDS if stated(w.get(k))), default=None)
        if g:
            left.remove(g)
        for k in FIELDS:
            value = g[k] if g else None
            if stated(w.get(k)) and value == w[k]:
                right += 1
            elif stated(w.get(k)):
                wrong.append(f'{k}: want {w[k]!r} got {value!r}')
            elif k != 'patch' and stated(value) and not (k in LINKS and any(stated(w.get(o)) for o in LINKS)):
                wrong.append(f'{k}: want none got {value!r}')
    return right, wrong


def understood(case, want, got):
    accept = {k.split('/')[0] for k in case.get('accept', [])}
    if got == want:
        return True
    return bool(accept) and got <= want | accept and bool(got & accept or not got and 'none' in accept)


def judge(case, reply, verbose, quiet):
    want = [i for i in case['intents'] if i['kind'] != 'none']
    kinds, got = {i['kind'] for i in want}, {r['kind'] for r in reply['requests']}
    ok = understood(case, kinds, got)
    false_job = not kinds and bool(got & JOBS - {k.split('/')[0] for k in case.get('accept', [])})
    right, wrong = score(want, reply['requests'])
    if (not ok or wrong or verbose) and not quiet:
        print(f"{'ok   ' if ok else 'WRONG'} {case['id']}: want {sorted(kinds)} got {sorted(got)} {'; '.join(wrong)}")
        for e in reply['explanations']:
            print(f"        {e['rule'] or '-'}: {e['why']}: {e['sentence'][:150]}")
    return ok, not kinds, false_job, right, len(wrong)


def check(path, min_messages, min_fields, max_false, quiet, split, verbose):
    with open(path) as f:
        cases = [c for c in map(json.loads, f) if not split or c.get('split') == split]
    sums = [sum(n) for n in zip(*(judge(c, r, verbose, quiet) for c, r in zip(cases, parse(cases))))]
    ok, none, false_jobs, right, wrong = sums
    print(f'{os.path.basename(path)}: {ok} of {len(cases)} messages right; {false_jobs} of {none} that ask nothing '
          f'would start a job; {right} of {right + wrong} fields right')
    return ok >= min_messages * len(cases) and false_jobs <= max_false and right >= min_fields * (right + wrong)


def main():
    a = argparse.ArgumentParser()
    a.add_argument('-v', action='store_true')
    a.add_argument('--split')
    a.add_argument('set', nargs='*')
    o = a.parse_args()
    sets = [(o.set[i], float(o.set[i + 1]), float(o.set[i + 2]), 0, False) for i in range(0, len(o.set), 3)]
    sets = sets or [(os.path.join(TOP, 'tests', 'data', n), m, f, 0, False) for n, m, f in SETS]
    if not o.set:  # of these only the sums are shown
        sets += [(os.path.join(TOP, 'tests', 'data', n), m, f, j, True) for n, m, f, j in BLIND]
    return 0 if all([check(*s, o.split, o.v) for s in sets]) else 1


sys.exit(main())
