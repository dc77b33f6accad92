#!/usr/bin/env python3
"""How long does a whole report take, against gnuplot for two plots?

usage: report.py PERFPOST TREES FACTS

Each tree below TREES has its results, FACTS a NNN.yaml for each.  The best of
some runs of each; the report's ratio is with the start-up of both programs.
"""
import glob
import os
import shutil
import subprocess
import sys
import time

HEAD = """set terminal dumb nofeed size 80,20
set title "%s"
set noxtics
set ytics nomirror
plot '-' notitle with points pt 15 lt 0, '-' notitle with linespoints pt -22
"""


def best(command, text=None, times=15):
    least = float('inf')
    for _ in range(times):
        start = time.perf_counter()
        p = subprocess.run(command, input=text, capture_output=True)
        least = min(least, time.perf_counter() - start)
        if p.returncode:
            sys.exit('%s: %s' % (command[0], p.stderr.decode()))
    return least * 1000


def two_plots():
    series = ''.join('%d %d\n' % (i, 1000 + i % 7) for i in range(30)) + 'e\n'
    return ''.join(HEAD % name + 2 * series for name in ('a.b', 'c.d')).encode()


def main():
    perfpost, trees, facts = sys.argv[1:]
    if not shutil.which('gnuplot'):
        print('gnuplot is not there to be compared with')
        return
    gnuplot = best(['gnuplot'], two_plots())
    print('gnuplot, two plots: %.1f ms; perfpost --version: %.1f ms' %
          (gnuplot, best([perfpost, '--version'])))
    for tree in sorted(os.listdir(trees)):
        sides = sorted(glob.glob(os.path.join(trees, tree, *'*******')))
        sides = [s for s in sides if os.path.isdir(s)]
        fact = os.path.join(facts, tree[:3] + '.yaml')
        if len(sides) < 2 or not os.path.exists(fact):
            continue
        took = best([perfpost, 'report', '--facts', fact, *sides])
        print('%-28s report %5.1f ms  ratio %.2f' % (tree, took,
                                                     took / gnuplot))


main()
