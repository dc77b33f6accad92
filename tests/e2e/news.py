#!/usr/bin/env python3
"""What a report puts into its subject, its first sentence and "In short" when
the news is not a change of the headline, or not that alone."""
import json
import os
import subprocess
import sys
import tempfile

PERFPOST = os.environ['PERFPOST']
BASE, HEAD = '1f0e2d3c4b5a6978', '5a4b3c2d1e0f9988'
THROUGHPUT = {'sort.throughput': {'better': 'higher', 'unit': 'MB/s',
                                  'kpi': True}}
SLOW = [712, 714, 711, 716, 713, 710]
STEADY = [812, 815, 811, 816, 813, 810]
failed = 0


def check(ok, what, *more):
    global failed
    if not ok:
        failed += 1
        print('FAIL:', what, *more)


def side(commit, matrix, test='sort', **more):
    axes = {'testcase': test, 'tbox_group': 'box', 'commit': commit}
    return dict({'axes': axes, 'matrix': matrix}, **more)


class Report:
    """One report of results given as sides, each of its forms."""

    def __init__(self, *sides, args=(), rc=0, **facts):
        data = dict({'format': 'perfpost-results/1', 'results': sides,
                     'metrics': THROUGHPUT}, **facts)
        with tempfile.NamedTemporaryFile('w', suffix='.json') as f:
            json.dump(data, f)
            f.flush()
            self.args = [f.name, *args]
            self.data = json.loads(self.run('json', rc))
            self.text = self.run('text', rc)
            self.run('html', rc)
            self.mail = self.run('eml', rc, '--to', 'ann@example.org')
            self.said = self.stderr
        self.short = [' '.join(f['text'].split())
                      for f in self.data['in_short']]
        self.subject = self.mail.split('\nSubject: ')[1].split('\nDate:')[0]
        self.subject = ' '.join(self.subject.split())

    def run(self, form, rc, *more):
        p = subprocess.run([PERFPOST, 'report', '-t', 'modern', '-f', form,
                            *more, *self.args], capture_output=True,
                           text=True, timeout=60, check=False)
        check(p.returncode == rc, form, p.returncode, p.stderr)
        self.stderr = p.stderr
        return p.stdout

    def has_subject(self, words):
        check(words in self.subject, 'subject', repr(words), self.subject)

    def finds(self, number, *words):
        """Finding "number" (0: any) says all of it."""
        list_ = self.short[number - 1:number] if number else self.short
        for w in words:
            check(any(w in s for s in list_), 'finding', number, repr(w),
                  self.short)

    def lacks(self, *words):
        for w in words:
            check(w not in self.text, 'not', repr(w))


def two(base, head, test='sort', base_more=None, head_more=None, **facts):
    return Report(side(BASE, base, test, **(base_more or {})),
                  side(HEAD, head, test, **(head_more or {})), **facts)


def kpi(values, **more):
    return dict({'sort.throughput': values}, **more)


def check_deaths():
    """A panic of runs is the news, whatever the surviving ones measured."""
    oops = 'dmesg.Kernel_panic-not_syncing:Oops'
    dead = {'last_state.is_incomplete_run': [0, 0, 0, 1, 1, 1],
            oops: [0, 0, 0, 1, 1, 1]}
    alive = {'last_state.is_incomplete_run': [0] * 6}
    r = two(kpi(STEADY, **alive), kpi([812, 815, 811, None, None, None],
                                      **dead))
    r.has_subject('5a4b3c2d1e: %s in 3 of 6 runs' % oops)
    r.finds(1, '3 of 6 runs with the commit died of Kernel panic-not syncing: '
            'Oops; none of 6 without it. The runs that survived show no '
            'change.')
    check('| Reported-by:' in r.text, 'tags of a failure')
    r = two(kpi(STEADY, **alive), kpi([712, 715, 711, None, None, None],
                                      **dead))
    r.has_subject('%s in 3 of 6 runs' % oops)
    r.finds(2, 'sort.throughput fell by 12.3%')


def check_splats():
    soft = 'dmesg.BUG:soft_lockup-CPU##stuck_for#s'
    one = {soft: [0, 0, 1, 0, 0, 0],
           'last_state.is_incomplete_run': [0, 0, 1, 0, 0, 0]}
    whole = {'last_state.is_incomplete_run': [0] * 6}
    r = two(kpi(STEADY, **whole), kpi(SLOW, **one))
    r.has_subject('sort.throughput -12.3% regression')
    r.finds(3, 'New with this commit: BUG: soft lockup in 1 of 6 runs (0 of 6 '
            'before); that run did not complete.')
    r = two(kpi(STEADY, **whole), kpi(STEADY, **one))
    r.has_subject('%s in 1 of 6 runs' % soft)
    r = two(kpi(STEADY), kpi(STEADY, **{
        'dmesg.WARNING:at_mm/slab_common.c:#': [1] * 6,
        'dmesg.BUG:KASAN:slab-use-after-free_in_sort_r': [1, 1, 1, 0, 0, 0],
        'stderr.noise': [1] * 6}))
    r.has_subject('dmesg.BUG:KASAN:slab-use-after-free_in_sort_r in 3 of 6')
    r.finds(1, 'BUG: KASAN: slab-use-after-free in sort_r in 3 of 6 runs, '
            'WARNING: at mm/slab_common.c:# in 6 of 6 runs (0 of 6 before)')
    r = two(kpi(STEADY, **{'dmesg.WARNING:x': [1, 1, 0, 1, 1, 0]}),
            kpi(STEADY, **{'dmesg.WARNING:x': [0] * 6}))
    r.finds(0, 'Gone with this commit: WARNING: x in 4 of 6 runs')
    # What both sides have is no news.
    both = {'dmesg.WARNING:x': [1, 1, 0, 1, 1, 0]}
    r = two(kpi(STEADY, **both), kpi(SLOW, **both))
    check(not any('WARNING' in s for s in r.short), 'on both sides', r.short)


def check_failures_alone():
    """No stat with data on both sides, and yet a report."""
    panic = {'dmesg.Kernel_panic-not_syncing:Fatal_exception': [1] * 6,
             'last_state.is_incomplete_run': [1] * 6}
    r = two(kpi(STEADY), kpi([0] * 6, **panic))
    r.has_subject('dmesg.Kernel_panic-not_syncing:Fatal_exception in 6 of 6')
    r.finds(1, '6 of 6 runs with the commit died of Kernel panic',
            'No run with the commit survived')
    kasan = 'dmesg.BUG:KASAN:slab-use-after-free_in_foo'
    r = two({kasan: [0] * 6}, {kasan: [1, 1, 0, 0, 1, 1]}, 'boot')
    r.has_subject('%s in 4 of 6 runs' % kasan)
    r.lacks('whether that is better', 'two clusters')
    r = two({'xfstests.generic.475.pass': [1] * 4,
             'xfstests.generic.475.fail': [0] * 4},
            {'xfstests.generic.475.pass': [0] * 4,
             'xfstests.generic.475.fail': [1] * 4}, 'xfstests')
    r.has_subject('xfstests.generic.475.fail in 4 of 4 runs')
    r = two({'sort.errors': [0] * 6}, {'sort.errors': [5, 6, 5, 7, 5, 6]},
            metrics={'sort.errors': {'better': 'lower', 'kpi': True}})
    r.has_subject('sort.errors from 0 to 5.67 (regression)')
    r.finds(1, 'from 0.00 to 5.67')


check_deaths()
check_splats()
check_failures_alone()
sys.exit(failed > 0)
