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


def two(base, head, name='sort', base_more=None, head_more=None, **facts):
    return Report(side(BASE, base, name, **(base_more or {})),
                  side(HEAD, head, name, **(head_more or {})), **facts)


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
            'before); that run did not complete and is left out.')
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
    # Other messages come and go by themselves.
    r = two(kpi(STEADY), kpi(STEADY, **{
        'dmesg.DHCP/BOOTP:Reply_not_for_us,op[#]xid[#]': [1, 0, 1, 1, 0, 0],
        'dmesg.usb#-#:can\'t_read_configurations,error': [0, 0, 1, 0, 0, 0]}))
    check(not any('New with' in s for s in r.short), 'noise', r.short)
    # What both sides have is no news.
    both = {'dmesg.WARNING:x': [1, 1, 0, 1, 1, 0]}
    r = two(kpi(STEADY, **both), kpi(SLOW, **both))
    check(not any('WARNING' in s for s in r.short), 'on both sides', r.short)


def check_rates():
    """A failure that came more often, when that is no chance."""
    soft = 'dmesg.BUG:soft_lockup-CPU##stuck_for#s'

    def often(hits, runs=10, others=0):
        rows = {soft: [1] * hits + [0] * (runs - hits)}
        for i in range(others):
            rows['dmesg.WARNING:x%d' % i] = [1] + [0] * (runs - 1)
        return rows

    ten = [812, 813, 811, 812, 814, 810, 812, 813, 811, 812]
    r = two(kpi(ten, **often(1)), kpi(ten, **often(8)))
    r.has_subject('%s in 8 of 10 runs' % soft)
    check('%s in 8 of 10 runs (1 of 10 before) on:' % soft in r.text, 'rates')
    r.finds(1, 'More often with this commit: BUG: soft lockup in 8 of 10 runs '
            '(1 of 10 before); chance alone would not do that.')
    check('| Reported-by:' in r.text, 'tags of a failure')
    check('X-Perfpost-Verdict: failure' in r.mail, 'a failure', r.mail)
    r = two(kpi(ten, **often(1)), kpi([v * .9 for v in ten], **often(8)))
    r.has_subject('sort.throughput -10.0% regression')
    r.finds(3, 'More often with this commit: BUG: soft lockup')
    r = two(kpi(ten, **often(8)), kpi(ten, **often(1)))
    r.has_subject('no significant change')
    r.finds(0, 'Less often with this commit: BUG: soft lockup in 1 of 10 runs '
            '(8 of 10 before)')
    r = two(often(1), often(8), 'boot')
    r.has_subject('%s in 8 of 10 runs' % soft)
    r = two(often(8), often(1), 'boot')
    r.has_subject('%s in 1 of 10 runs' % soft)
    r.lacks('Reported-by')
    check('X-Perfpost-Verdict: failure' not in r.mail, 'no failure', r.mail)
    check(r.data['news']['badge'] == 'fails less often', 'badge', r.data['news'])
    # Of three commits the one in the middle may have brought it.
    middle = 'c0ffeec0ffeec0ff'
    r = Report(side(BASE, kpi(ten, **often(0))),
               side(middle, kpi(ten, **often(3))),
               side(HEAD, kpi(ten, **often(4))))
    r.finds(1, 'New since the base: BUG: soft lockup in 4 of 10 runs, and in '
            '3 of 10 of c0ffeec0ff (0 of 10 before)')
    dead = {'last_state.is_incomplete_run': [1] * 4 + [0] * 6}
    r = Report(side(BASE, kpi(ten, **often(0))),
               side(middle, kpi(ten, **often(4), **dead)),
               side(HEAD, kpi(ten, **often(4), **dead)))
    r.finds(1, 'New since the base: BUG: soft lockup in 4 of 10 runs, and in '
            '4 of 10 of c0ffeec0ff (0 of 10 before)')
    # Chance; and where many failures come and go, one of them always does.
    for base, head in ((often(1, 6), often(3, 6)), (often(3), often(6)),
                       (often(1, 10, 9), often(8, 10, 9))):
        r = two(kpi(ten[:len(base[soft])], **base),
                kpi(ten[:len(base[soft])], **head))
        r.has_subject('no significant change')
        r.lacks('often with this commit')


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
    r.finds(1, 'sort.errors rose from 0.00 to 5.67')


def check_other_causes():
    """Where the commit need not be the cause the subject does not say so."""
    jobs = [{'job': {'testbox': b, 'ucode': u, 'disk': 'nvme0'}}
            for b, u in (('box1a', '0x1'), ('box1b', '0x2'))]
    r = two(kpi(STEADY), kpi(SLOW), base_more=jobs[0], head_more=jobs[1])
    r.has_subject('sort.throughput -12.3%, not comparable: the box and '
                  'microcode differ')
    r.finds(1, 'Not comparable: the box differs: base box1a; tested box1b.',
            'The microcode differs')
    r.lacks('Reported-by', 'It is real', ' regression', 'both sides: box')
    check('\tmicrocode: base 0x1; tested 0x2\n' in r.text, 'setup')
    check('neither a regression' in r.said, 'warned', r.said)
    r = two(kpi(STEADY), kpi(SLOW), base_more=jobs[0], head_more=jobs[0])
    r.has_subject('-12.3% regression')
    check('on both sides: box, microcode, disk' in r.text.replace(
        'kernel config, ', ''), 'same box')
    r = two(kpi(STEADY), kpi(SLOW),
            test={'kconfig_options': ['CONFIG_KASAN=y']})
    r.has_subject('-12.3% regression')
    r.finds(3, 'Caution: the kernel has debug or randomising options: KASAN.')
    r = two(kpi(STEADY), kpi(SLOW),
            commits={HEAD: {'parents': ['aa0e2d3c4b5a6978']}})
    r.finds(3, 'Caution: the base is not the parent of the commit')
    check('not just a new version of' in r.text, 'tags of a commit')
    for parents, other in ((BASE, 'c0ffeec0ffeec0ff'), 'c0ffeec0ff'), \
            (('c0ffeec0ffeec0ff', BASE), 'c0ffeec0ff'):
        r = two(kpi(STEADY), kpi(SLOW), commits={HEAD: {
            'parents': parents}})
        r.finds(3, 'Caution: this is a merge: any commit that it brings may '
                'be the cause, or only both sides together; its other parent '
                '(%s), measured, would tell.' % other)
        r.lacks('not just a new version of')
        check(not r.data['subsystem'], 'subsystem', r.data['subsystem'])
        check('\nIf you fix the issue, kindly add following tags\n| Rep'
              in r.text, 'tags of a merge', r.text)


    r = Report(side(BASE, kpi(STEADY)), side('c0ffeec0ffeec0ff', kpi(SLOW)),
               side(HEAD, kpi(SLOW)), commits={HEAD: {
                   'parents': [BASE, 'c0ffeec0ffeec0ff']}})
    r.finds(0, 'its other parent (c0ffeec0ff) stands in the table, too.')


def check_dead_benchmark():
    r = two(kpi(STEADY), kpi([0] * 6))
    r.has_subject('sort.throughput is 0 in all 6 runs')
    r.finds(1, 'sort.throughput is 0 in all 6 runs with the commit (base '
            '812.83 MB/s): the benchmark most likely failed. Next: its log.')
    r.lacks('Reported-by', 'It is real', 'regression')
    cs = {'vmstat.system.cs': [2000, 2010, 2005, 1995, 2001, 1999]}
    more = {'vmstat.system.cs': [2500, 2510, 2505, 2495, 2501, 2499]}
    r = two(kpi(STEADY, **cs), more)
    r.has_subject('no sort.throughput in any of 6 runs (base 6 of 6)')
    r.finds(1, 'No sort.throughput in any of 6 runs with the commit, but in 6 '
            'of 6 of the base')
    r = two(cs, kpi(STEADY, **more))
    r.has_subject('no sort.throughput in any of 6 runs of the base (6 of 6 '
                  'with the commit)')


def check_articles():
    for by, words in ((1.083, 'an 8.3%'), (1.11, 'an 11.0%'), (1.18, 'an 18.0%'),
                      (1.8, 'an 80.0%'), (1.107, 'a 10.7%'), (2.1, 'a 110.0%'),
                      (.92, 'a -8.0%')):
        r = two(kpi(STEADY), kpi([v * by for v in STEADY]))
        check('noticed %s ' % words in r.text, words, r.text[:90])
    for base, words in (([0] * 6, 'an improvement, from 0 to 812.83,'),
                        ([.5] * 6, 'an improvement, 1626 times as high,')):
        r = two(kpi(base), kpi(STEADY))
        check('noticed %s ' % words in r.text, words, r.text[:90])


def check_size():
    """One figure everywhere, small or large."""
    tiny = [811.70, 811.71, 811.69, 811.70, 811.70, 811.71]
    r = two(kpi([812.00, 812.01, 812.00, 811.99, 812.00, 812.01]), kpi(tiny))
    r.has_subject('sort.throughput -0.04%, no significant change')
    r.finds(1, 'fell by 0.04%', 'no change to speak of')
    r.finds(2, 'too small to matter')
    r.lacks(' -0.0%', '-0.037%', 'Reported-by')
    check(r.text.count('-0.04%') > 4, 'one figure', r.text)
    with tempfile.NamedTemporaryFile('w', suffix='.conf') as f:
        f.write('smallest_change: 0.01\n')
        f.flush()
        r = two(kpi([812.00, 812.01, 812.00, 811.99, 812.00, 812.01]),
                kpi(tiny), args=['--config', f.name])
        r.has_subject('sort.throughput -0.04% regression')
    ns = {'sort.ns': {'better': 'lower', 'kpi': True}}
    r = two({'sort.ns': STEADY}, {'sort.ns': [v * 1003 for v in STEADY]},
            metrics=ns)
    r.has_subject('sort.ns 1003 times as high (regression)')
    r.finds(1, 'sort.ns is 1003 times as high')
    r.finds(2, ' times the base')
    r.lacks('% and 1')
    r.lacks('e+05')
    check('a regression, 1003 times as high, of sort.ns on:' in r.text, 'text')
    share = {'sort.miss%': {'better': 'lower', 'unit': '%', 'kpi': True}}
    r = two({'sort.miss%': [8, 8.1, 8, 8, 8.1, 8]},
            {'sort.miss%': [19, 19.1, 19, 19, 19.1, 19]}, metrics=share)
    r.finds(1, 'sort.miss% rose by 11.0pp, from 8.03% to 19.03% (lower is')
    check('noticed an 11.0pp regression' in r.text, 'points', r.text[:90])


def check_doubt():
    r = two(kpi([812.1, 811]), kpi([700.2, 702]))
    r.finds(2, 'It is probably real, but there are only 2 runs of each')
    r = two(kpi([812.1]), kpi([700.2]))
    r.has_subject('sort.throughput -13.8%, not decided')
    r = two(kpi([812] * 6), kpi([812] * 6))
    r.has_subject('sort.throughput +0.0%, no significant change')
    r.finds(0, '812.00 in every run of both')
    r = two(kpi([812, 813, 811, 812, 814, 810]),
            kpi([812, 811, 811, 812, 813, 341]))
    r.has_subject('sort.throughput not decided: 1 run of 6 is far off')
    check('noticed a possible -9.7% difference, not decided as 1 run of 6 is '
          'far off, of sort.throughput on:' in r.text, 'sentence', r.text)
    r.finds(0, 'Without it the change is -0.02%',
            'Next: see what happened in run 6 of 5a4b3c2d1e')
    r.lacks('52 runs')
    check('neither a regression' in r.said, 'warned', r.said)
    with tempfile.NamedTemporaryFile('w', suffix='.eml') as f:
        f.write(r.mail)
        f.flush()
        p = subprocess.run([PERFPOST, 'lint', f.name], capture_output=True,
                           text=True, timeout=60, check=False)
        check(p.returncode == 0 and 'neither a regression' in p.stderr,
              'lint', p)
    r = two(kpi([812, 813, 811, 812, 814, 810]),
            kpi([812, 640, 811, 642, 813, 641]))
    r.finds(0, 'near 641.00 (0 of 6 runs of the base, 3 of 6 with the commit)',
            'clusters often come from')
    r = two(kpi(STEADY), kpi(SLOW))
    check('neither' not in r.said, 'no warning', r.said)


def check_boxes():
    """Each further test says where it ran, once."""
    def report(**facts):
        return Report(*(side(c, {name + '.x': v}, name) for name in
                        ('sort', 'find') for c, v in ((BASE, STEADY),
                                                      (HEAD, SLOW))),
                      metrics={n + '.x': {'better': 'higher', 'kpi': True}
                               for n in ('sort', 'find')}, **facts)

    stars = '*' * 99 + '\n%s\n' + '=' * 89 + '\n'
    for facts, line in (({}, 'box'),
                        ({'machines': {'box': '8 threads'}}, 'box: 8 threads'),
                        ({'test': {'machine': '8 threads'}}, 'box: 8 threads'),
                        ({'test': {'machine': 'box: 8 threads'}},
                         'box: 8 threads')):
        r = report(headline='sort.x', **facts)
        check(stars % line in r.text, line, r.text)


def check_trades():
    """What else the test measures is never left out."""
    p99 = {'sort.p99_us': {'better': 'lower', 'kpi': True}}
    both = dict(THROUGHPUT, **p99)
    r = two(kpi(SLOW, **{'sort.p99_us': [50, 50.2, 49.9, 50.1, 50, 49.8]}),
            kpi(STEADY, **{'sort.p99_us': [70, 70.2, 69.9, 70.1, 70, 69.8]}),
            metrics=both)
    r.finds(0, 'The trade: sort.throughput +14.1% (better)')
    # A KPI that did not change has its row.
    r = two(kpi(STEADY, **{'sort.p99_us': [50, 50.2, 49.9, 50.1, 50, 49.8]}),
            kpi(SLOW, **{'sort.p99_us': [50, 50.1, 49.9, 50.1, 50, 49.9]}),
            metrics=both)
    check('+0.0%      50.00        sort.p99_us' in r.text, 'row', r.text)
    many = {'sort.t%02d' % i: {'better': 'higher', 'kpi': True}
            for i in range(20)}
    r = two({s: STEADY for s in many},
            {s: [v * (1 + (i - 10) / 100) for v in STEADY]
             for i, s in enumerate(many)}, metrics=many)
    r.finds(0, 'Of 20 sort metrics 10 got worse (worst sort.t00 -10.0%), 9 '
            'better (best sort.t19 +9.0%).')


def check_others():
    fio = [side(c, {'fio.read_iops': v}, 'fio-basic') for c, v in
           ((BASE, STEADY), (HEAD, SLOW))]
    r = Report(side(BASE, kpi(STEADY)), side(HEAD, kpi(SLOW)), *fio,
               metrics=dict(THROUGHPUT, **{'fio.read_iops': {
                   'better': 'higher', 'kpi': True}}))
    r.finds(0, 'Also: fio-basic: fio.read_iops -12.3% regression (812.83 to '
            '712.67).')
    fixed = [v * 1.001 for v in STEADY]
    r = Report(*(side(c, kpi(v)) for c, v in (
        (BASE, STEADY), (HEAD, SLOW), ('7777888899990000', fixed),
        ('99990000aaaabbbb', SLOW))))
    r.finds(2, 'The first that is worse: 5a4b3c2d1e (-12.3%); 7777888899 is '
            'back at the base (+0.1%).')


def check_next():
    """Whoever takes the lock is named, and nothing where nothing is known."""
    chain = ('perf-profile.calltrace.cycles-pp.native_queued_spin_lock_'
             'slowpath._raw_spin_lock_irqsave.rmqueue_bulk.rmqueue')
    r = two(kpi(STEADY, **{chain: [7.294, 7.294, 7.29, 7.298, 7.294, 7.293]}),
            kpi(SLOW, **{chain: [17.385, 17.386, 17.385, 17.386, 17.385,
                                 17.386]}))
    r.finds(0, 'grew by 10.10 percentage points (pp), from 7.29% to 17.39%; '
            'the lock is taken in rmqueue_bulk.',
            'Next: see who takes the spinlock of rmqueue_bulk, or holds it '
            'longer.')
    r = two(kpi(STEADY), kpi(SLOW))
    r.lacks('Next:')
    r = two(kpi(SLOW), kpi(STEADY))
    r.lacks('Next:')


check_deaths()
check_splats()
check_rates()
check_failures_alone()
check_other_causes()
check_dead_benchmark()
check_articles()
check_size()
check_doubt()
check_boxes()
check_trades()
check_others()
check_next()
sys.exit(failed > 0)
