#!/usr/bin/env python3
"""Write two LKP result folders of STATS stats and RUNS runs each below DIR.

usage: matrices.py STATS RUNS DIR

Names, values and their mix are like those of a real report: half of them
profile rows, many that are 0, a few that changed.  Same numbers every time.
"""
import os
import random
import sys

MONITORS = [  # share of the names, prefix, decimals (None: integers), scale
    (50, 'perf-profile.%s.cycles-pp.%s', 2, 3),
    (18, 'sched_debug.cfs_rq:/.%s.%s', 2, 5000),
    (8, 'numa-vmstat.node%d.%s', None, 1e6),
    (6, 'slabinfo.%s.num_objs', None, 1e4),
    (5, 'proc-vmstat.%s', None, 1e7),
    (4, 'interrupts.CPU%d.%s', None, 1e4),
    (3, 'perf-stat.i.%s', 1, 1e9),
    (3, 'turbostat.%s', 2, 2000),
    (2, 'dmesg.WARNING:at_%s', None, 0),
    (1, 'stress-ng.time.%s', 2, 1e4),
]


def word(r, n):
    return '_'.join(r.choice(('page', 'fault', 'do', 'sys', 'lock', 'alloc',
                              'handle', 'mm', 'try', 'wake', 'queue', 'nr',
                              'free', 'active', 'anon', 'entry'))
                    for _ in range(n))


def name(r, number, pattern):
    kinds = pattern.count('%')
    parts = []
    for i in range(kinds):
        if pattern.split('%')[i + 1][0] == 'd':
            parts.append(r.randrange(4))
        elif kinds == 2 and i == 0 and 'profile' in pattern:
            parts.append(r.choice(('calltrace', 'children', 'self')))
        else:
            parts.append(word(r, r.randint(1, 4)) + str(number))
    return pattern % tuple(parts)


def row(r, runs, mean, decimals):
    if mean == 0:
        return [int(r.random() < 0.1) for _ in range(runs)]
    values = [mean * (1 + r.gauss(0, 0.05)) for _ in range(runs)]
    if decimals is None:
        return [int(v) for v in values]
    return [round(v, decimals) for v in values]


def stats(number):
    r = random.Random(1)
    out = []
    for share, pattern, decimals, scale in MONITORS:
        for i in range(number * share // 100):
            out.append((name(r, i, pattern), decimals,
                        scale * 10 ** r.uniform(-1, 0)))
    return out


def write(folder, known, runs, seed, changed):
    r = random.Random(seed)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'matrix.json'), 'w') as f:
        f.write('{\n')
        for key, decimals, mean in known:
            if changed and r.random() < 0.02:
                mean *= 1.5
            f.write('  "%s": [\n    %s\n  ],\n' % (
                key, ',\n    '.join(map(str, row(r, runs, mean, decimals)))))
        f.write('  "stats_source": [%s]\n}\n' % ', '.join(
            '"/result/%d/stats.json"' % i for i in range(runs)))


def main():
    number, runs, where = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    known = stats(number)
    write(os.path.join(where, 'base'), known, runs, 2, False)
    write(os.path.join(where, 'head'), known, runs, 3, True)


main()
