#!/usr/bin/env python3
"""How long does a comparison take, against loading its files with jansson?

usage: compare.py PERFPOST LOAD-JANSSON USED DIR

Generates matrices below DIR (kept for the next time), takes the best of some
runs of each, and leaves the start-up (perfpost --version) out of the former.
What is counted is processor time, so that a busy machine changes little.
Memory is what was needed above start-up, as a multiple of eight bytes a number.
"""
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = [(n, r) for n in (10000, 50000) for r in (4, 20, 100)]


def measure(used, command, times):
    """Milliseconds and bytes."""
    best, peak = subprocess.check_output([used, str(times)] + command).split()
    return float(best), int(peak) * 1024


def main():
    perfpost, jansson, used, where = sys.argv[1:]
    start, start_peak = measure(used, [perfpost, '--version'], 20)
    print('start-up %.1f ms' % start)
    if shutil.which('jq'):
        print('jq --version %.1f ms' %
              measure(used, ['jq', '--version'], 20)[0])
    print('  stats  runs   jansson   compare   ratio   memory')
    for number, runs in SIZES:
        folder = os.path.join(where, '%d-%d' % (number, runs))
        if not os.path.isdir(folder):
            subprocess.check_call([sys.executable,
                                   os.path.join(HERE, 'matrices.py'),
                                   str(number), str(runs), folder])
        sides = [os.path.join(folder, s) for s in ('base', 'head')]
        times = 3 if number * runs > 1000000 else 7
        files = [os.path.join(s, 'matrix.json') for s in sides]
        loaded, _ = measure(used, [jansson] + files, times)
        took, peak = measure(used, [perfpost, 'compare'] + sides, times)
        took -= start
        print('%7d  %4d  %6.0f ms %6.0f ms   %5.2f   %5.1fx' % (
            number, runs, loaded, took, took / loaded,
            (peak - start_peak) / (2 * 8 * number * runs)))


main()
