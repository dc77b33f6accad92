#!/usr/bin/env python3
"""What the people of the seeds' threads had to work out by hand is said."""
import glob
import json
import os
import subprocess
import sys

PERFPOST = os.environ['PERFPOST']
DATA = os.path.join(os.environ['top_srcdir'], 'tests', 'data')
failed = 0


def check(ok, what):
    global failed
    if not ok:
        failed += 1
        print('FAIL:', what)


def report(tree, base, head):
    folder = os.path.join(DATA, 'trees', tree)
    sides = [d for c in (base, head) for d in
             glob.glob(os.path.join(folder, *'*' * 6, c + '*'))]
    p = subprocess.run(
        [PERFPOST, 'report', '-f', 'json', '-t', 'modern', '--facts',
         os.path.join(DATA, 'facts', tree[:3] + '.yaml'), *sides],
        capture_output=True, text=True, timeout=60)
    check(p.returncode == 0, p.stderr)
    return json.loads(p.stdout)


def says(data, kind, *texts):
    found = [' '.join(f['text'].split()) for f in data['findings']
             if f['kind'] == kind]
    for text in texts:
        check(any(text in f for f in found),
              '%s: no "%s" in %s' % (kind, text, found))
    return found


def numbers(data, kind):
    return [f['numbers'] for f in data['findings'] if f['kind'] == kind]


for tree in ('000_unixbench', '000_unixbench_profile'):
    d = report(tree, '4b50bcc7ed', '5c0a85fad9')
    says(d, 'direction', 'unixbench.score fell by 6.3%', 'a regression')
    says(d, 'fixed-time', 'counters fell with the work done (-6.3%)',
         'unixbench.time.minor_page_faults -6.2%, per unit of work it did not')
    check(abs(numbers(d, 'fixed-time')[0]['counters'][0]
              ['percent_per_unit']) < .2, 'page faults per unit of work')

d = report('002_vm-scalability_profile', 'dcdf11ee14', '85b9f46e8e')
says(d, 'hot-path', 'Lock contention in _raw_spin_lock_irqsave under '
     'shmem_fault grew by 10.8')
says(d, 'next', 'see who takes the spinlock of pagevec_lru_move_fn')
check(any('_raw_spin_lock_irqsave' in r['stat'] and r['in_body']
          for r in d['groups'][0]['rows']), 'the row is in the mail')

d = report('004_will-it-scale', '7566ec393f', '8234f6734c')
says(d, 'one-sided', 'perf-stat (', 'uptime (',
     'collected on v4.20-rc7 only. No data (0 of 4 runs) on 8234f6734c')
says(d, 'hot-path', '4 call chains are renamed, not lost and gained',
     '__fget_light')
check(not any(abs(n.get('points', 0)) > 50 for n in numbers(d, 'hot-path')),
      'no loss or gain of the renamed chains')
table = d['groups'][0]['table']
check('cycles-pp.do_sys_poll.__x64' in table and '+4.6pp' in table and
      'hwframe.poll' not in table, 'renamed chains are one row')
check('perf-stat.' not in table, 'rows of one side')

d = report('001_vm-scalability_failed', 'c6ddfb6c58', 'c9f4cd7138')
says(d, 'odd-run', '1 of 5 runs of c9f4cd7138 did not complete and is left out')
says(d, 'direction', 'rose by 6.1%', 'an improvement')
check('failed: tested run 5: 0' in d['plots'][0]['text'], 'marked in the plot')

d = report('001_vm-scalability', 'c6ddfb6c58', 'c9f4cd7138')
check(not any('did not complete' in f for f in says(d, 'odd-run')),
      'no run failed there')
sys.exit(failed > 0)
