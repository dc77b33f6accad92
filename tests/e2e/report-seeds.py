#!/usr/bin/env python3
"""Is the classic report of each seed's results the seed's mail, line by line?

tests/data/seed-NNN.txt is what the mail says, taken out of the answer that
quotes it: quotation marks removed, what the way through mailers broke put
right, blanks at line ends and the plots left out, the operator's name and
address replaced.  Where the answer cut the quotation, so is it here: then the
report goes on.
"""
import os
import subprocess
import sys
import tempfile

DATA = os.path.join(os.environ['top_srcdir'], 'tests', 'data')
OPERATOR = """\
operator: {name: kernel test robot, address: robot@example.com}
disclaimer: |
  Results have been estimated based on internal Intel analysis and are provided
  for informational purposes only. Any difference in system hardware or software
  design or configuration may affect actual performance.
sign_off: |
  Thanks,
  Rita Example
"""
SEEDS = [  # number, tree, base, head, year of the layout, subject, cut
    ('000', '000_unixbench', '4b50bcc7', '5c0a85fa', 2016,
     '[lkp] [mm] 5c0a85fad9: unixbench.score -6.3% regression', True),
    ('001', '001_vm-scalability', 'c6ddfb6c', 'c9f4cd71', 2018,
     '[mm, huge page] c9f4cd7138: vm-scalability.median 6.1% improvement',
     False),
    ('002', '002_vm-scalability', 'dcdf11ee', '85b9f46e', 2020,
     '[mm, thp] 85b9f46e8e: vm-scalability.throughput -8.7% regression',
     True),
    ('004', '004_will-it-scale', '7566ec39', '8234f673', 2019,
     '[PM] 8234f6734c: will-it-scale.per_process_ops -3.6% regression',
     False),
]


def folder(tree, commit):
    for path, folders, _ in os.walk(os.path.join(DATA, 'trees', tree)):
        for name in folders:
            if name.startswith(commit):
                return os.path.join(path, name)
    sys.exit(f'no {commit} in {tree}')


def report(conf, seed, *options):
    number, tree, base, head, year = seed[:5]
    command = [os.environ['PERFPOST'], 'report', '--config', conf, '-t',
               'classic', '--style', 'lkp', '--era', str(year), '--all',
               '--plots', '0', '--facts',
               os.path.join(DATA, 'facts', number + '.yaml'), *options,
               folder(tree, base), folder(tree, head)]
    p = subprocess.run(command, capture_output=True, text=True, check=False)
    if p.returncode or p.stderr:
        print(f'seed {number}: exit {p.returncode}: {p.stderr}')
    return p.stdout


def lines(text):
    return [line.rstrip() for line in text.split('\n')]


def first_difference(want, got, cut):
    while want and not want[-1]:
        want.pop()
    if cut:
        got = got[:len(want)]
    else:
        while got and not got[-1]:
            got.pop()
    for i in range(max(len(want), len(got))):
        a = want[i] if i < len(want) else None
        b = got[i] if i < len(got) else None
        if a != b:
            return f'line {i + 1}:\n  wanted {a!r}\n  got    {b!r}'
    return None


def check(conf, seed):
    number, subject, cut = seed[0], seed[5], seed[6]
    with open(os.path.join(DATA, f'seed-{number}.txt'),
              encoding='utf-8') as f:
        want = lines(f.read())
    found = first_difference(want, lines(report(conf, seed, '-f', 'text')),
                             cut)
    if found:
        print(f'seed {number}: {found}')
    mail = report(conf, seed).replace('\n ', ' ')
    if f'Subject: {subject}\n' not in mail:
        print(f'seed {number}: no subject {subject!r}')
        found = True
    return not found


def main():
    with tempfile.TemporaryDirectory() as tmp:
        conf = os.path.join(tmp, 'perfpost.conf')
        with open(conf, 'w', encoding='utf-8') as f:
            f.write(OPERATOR)
        good = sum(check(conf, seed) for seed in SEEDS)
    print(f'report-seeds: {good} of {len(SEEDS)} right')
    return good != len(SEEDS)


os.environ.pop('LKP_SRC', None)
sys.exit(main())
