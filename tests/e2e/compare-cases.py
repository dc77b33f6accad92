#!/usr/bin/env python3
"""Does compare --style lkp print what the reference prints, by our own rules?

The cases are the reference's (roots, options, its output): all that were written
for one of its rules each, and a quarter of the random ones.  compare-lkp.py does
the same by the rule files of lkp-tests, where those are at hand.
"""
import json
import os
import subprocess
import sys
import tempfile

PERFPOST = os.environ['PERFPOST']
CASES = os.path.join(os.environ['top_srcdir'], 'tests', 'data',
                     'compare_cases.json')


def each(option):
    return lambda values: [a for v in values for a in (option, v)]


ARGUMENTS = {
    'all': lambda v: ['--all'],
    'more': lambda v: ['--more'],
    'kpi': lambda v: ['--kpi'],
    'kpi_strict': lambda v: ['--kpi-strict'],
    'gap': lambda v: ['--gap', str(v)],
    'perf_profile_threshold': lambda v: ['--perf-profile-threshold', str(v)],
    'axis': lambda v: ['--axis', ','.join(v)],
    'allowed_stat': lambda v: ['--force', v],
    'different_rts': lambda v: ['--different-roots'],
    'all_failures': lambda v: ['--all-failures'],
    'by_stat': lambda v: ['--by-stat'],
    'sort_by_group': lambda v: ['--sort-groups'],
    'include': each('--include'),
    'stat_keys': each('--stat'),
}


def run(case, path):
    with open(path, 'w') as f:
        json.dump({'format': 'perfpost-results/1',
                   'results': case['roots']}, f)
    command = [PERFPOST, 'compare', '--style', 'lkp', path]
    for option, value in case['options'].items():
        command += ARGUMENTS[option](value)
    p = subprocess.run(command, capture_output=True, timeout=60,
                       env={**os.environ, 'LKP_SRC': ''})
    return p.stdout.decode(errors='replace') if p.returncode == 0 else \
        'status %d: %s' % (p.returncode, p.stderr.decode(errors='replace'))


with open(CASES) as f:
    cases = json.load(f)
wrong = 0
with tempfile.TemporaryDirectory() as tmp:
    for case in cases:
        out = run(case, os.path.join(tmp, 'results.json'))
        if out != case['stdout']:
            wrong += 1
            print('%s %s\n-- wanted\n%s-- got\n%s' % (
                case['name'], case['options'], case['stdout'], out))
print('%d of %d as the reference' % (len(cases) - wrong, len(cases)))
sys.exit(wrong != 0)
