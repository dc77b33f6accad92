#!/usr/bin/env python3
"""How long does a comparison take, against loading its files with jansson?

usage: compare.py PERFPOST LOAD-JANSSON DIR

Generates matrices below DIR (kept for the next time), takes the best of some
runs of each, and leaves the start-up (perfpost --version) out of the former.
What is counted is processor time, so that a busy machine changes little.
Memory is what was needed above start-up, as a multiple of eight bytes a number.
"""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = [(n, r) for n in (10000, 50000) for r in (4, 20, 100)]


def measure(command, times):
    best, peak = float('inf'), 0
    for _ in range(times):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        best = min(best, used.ru_utime + used.ru_stime)
        peak = used.ru_maxrss * 1024
        if status:
            sys.exit('%s: status %d' % (' '.join(command), status))
    return best * 1000, peak


def main():
    perfpost, jansson, where = sys.argv[1:]
    start, start_peak = measure([perfpost, '--version'], 20)
    print('start-up %.1f ms' % start)
    print('  stats  runs   jansson   compare   ratio   memory')
    for number, runs in SIZES:
        folder = os.path.join(where, '%d-%d' % (number, runs))
        if not os.path.isdir(folder):
            subprocess.check_call([sys.executable,
                                   os.path.join(HERE, 'matrices.py'),
                                   str(number), str(runs), folder])
        sides = [os.path.join(folder, s) for s in ('base', 'head')]
        times = 3 if number * runs > 1000000 else 7
        loaded, _ = measure([jansson] + [os.path.join(s, 'matrix.json')
                                         for s in sides], times)
        took, peak = measure([perfpost, 'compare'] + sides, times)
        took -= start
        print('%7d  %4d  %6.0f ms %6.0f ms   %5.2f   %5.1fx' % (
            number, runs, loaded, took, took / loaded,
            (peak - start_peak) / (2 * 8 * number * runs)))


main()
