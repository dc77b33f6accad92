#!/usr/bin/env python3
"""perfpost plot from a results file to ASCII and SVG."""
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

PERFPOST = os.environ['PERFPOST']
TESTS = os.path.join(os.environ['top_srcdir'], 'tests')
SVG = '{http://www.w3.org/2000/svg}'
failed = 0


def check(ok, what):
    global failed
    if not ok:
        failed += 1
        print('FAIL:', what)


def results(stat, base, head, **more):
    one = [{'axes': {'testcase': stat.split('.')[0], 'commit': c * 40},
            'matrix': {stat: v}} for c, v in (('a', base), ('b', head))]
    return dict({'format': 'perfpost-results/1', 'results': one}, **more)


def plot(data, *options):
    with tempfile.NamedTemporaryFile('w', suffix='.json') as f:
        json.dump(data, f)
        f.flush()
        return subprocess.run([PERFPOST, 'plot', *options, f.name],
                              capture_output=True, text=True, timeout=60)


def classic_cases():
    lines = open(os.path.join(TESTS, 'plots', 'classic.txt')).read().split('\n')
    for i in range(0, len(lines) - 1, 24):
        title = lines[i + 1][len('title '):]
        base, head = ([None if v == 'nan' else float(v) if '.' in v or 'e' in v
                       else int(v) for v in lines[i + k].split()[1:]]
                      for k in (2, 3))
        yield lines[i], title, base, head, lines[i + 4:i + 24]


def test_classic():
    for name, title, base, head, want in list(classic_cases())[::6]:
        p = plot(results(title, base, head), '--plot-style', 'classic',
                 '--stat', title)
        want = ''.join('%-80s\n' % line for line in want)
        check(p.stdout == want and p.returncode == 0, name + p.stderr)


def test_trend():
    stat = 'fio.write_iops'
    data = results(stat, [100, 101, 99, 100], [90, 91, 0, 89, None],
                   metrics={stat: {'better': 'higher', 'unit': 'io/s',
                                   'kpi': True}})
    p = plot(data)
    check(p.returncode == 0, p.stderr)
    for text in ('io/s, higher is better', 'base aaaaaaaaaa, 4 runs',
                 'tested bbbbbbbbbb, 3 of 5 runs', '-10.0%', 'x3',
                 'failed: tested run 3: 0, run 5: no data',
                 '[*] bisect-good sample  [O] bisect-bad sample'):
        check(text in p.stdout, text)
    check(all(len(line) <= 80 for line in p.stdout.split('\n')), '80 columns')
    check(p.stdout.isascii(), 'ASCII')


def test_history():
    stat = 'fio.write_iops'
    points = [{'label': 'v5.%d' % i, 'values': [100 + i % 2, 101]}
              for i in range(12)]
    points += [{'label': 'a' * 10, 'values': [1]},
               {'label': 'b' * 7, 'values': [1]},
               {'label': 'v5.13', 'values': [80, 81, 'x']}]
    p = plot(results(stat, [100, 101], [80, 81],
                     trend=[{'stat': stat, 'points': points}]), '--stat', stat)
    order = [p.stdout.find(x) for x in ('v5.0', 'v5.13')]
    check(p.returncode == 0 and min(order) > 0, 'labels of the history')
    check('bisect-bad' in p.stdout and '[x] failed run' in p.stdout,
          'bad commits of the history')


def test_groups():
    data = results('fio.write_iops', [100, 101], [80, 81])
    for r in data['results']:
        r['axes']['tbox_group'] = 'box1'
    more = results('fio.write_iops', [50, 51], [40, 41])['results']
    for r in more:
        r['axes']['tbox_group'] = 'box2'
        r['matrix']['fio.other'] = [1, 2]
    data['results'] += more
    p = plot(data, '--stat', 'fio.write_iops', '--stat', 'fio.other')
    lines = [line.strip() for line in p.stdout.split('\n')]
    check([line[:5] for line in lines if line.startswith('box')] ==
          ['box1:', 'box2:', 'box2;'], 'groups')
    svg = plot(data, '-f', 'svg', '--stat', 'fio.write_iops')
    check(len(list(ET.fromstring(svg.stdout).iter(SVG + 'svg'))) == 3,
          'all groups in one drawing')


def test_svg():
    stat = 'x.<script>alert(1)</script>\u202e"&' + 'y' * 10000
    data = results(stat, [1, 2, 3], [4, 5, 6, None])
    p = plot(data, '-f', 'svg', '--stat', stat)
    check(p.returncode == 0, p.stderr)
    root = ET.fromstring(p.stdout)
    check(not list(root.iter(SVG + 'script')), 'no script')
    check('\u202e' not in p.stdout, 'no bidi override')
    titles = [t.text for t in root.iter(SVG + 'title')]
    for run in ('base aaaaaaaaaa, run 3: 3', 'tested bbbbbbbbbb, run 1: 4',
                'tested bbbbbbbbbb, run 4: no data (failed)'):
        check(run in titles, run)
    check('href' not in p.stdout and 'url(' not in p.stdout, 'self-contained')


def test_infinity():
    inf = float('inf')
    drawn = [plot(results('a.b', [1, 2, 3, 4], [5, x, 4, y]), '--plot-style',
                  'classic', '--stat', 'a.b') for x, y in
             ((inf, -inf), (None, None))]
    check(drawn[0].returncode == 0 and 'O' in drawn[0].stdout and
          drawn[0].stdout == drawn[1].stdout and not drawn[0].stderr,
          'infinite samples are not drawn')
    p = plot(results('a.b', [1, 2], [5, inf]), '--stat', 'a.b')
    check("'Infinity' is no number" in p.stderr, 'but bad elsewhere')


def test_refusals():
    data = results('a.b', [1], [2])
    for options, code, text in (
            (['--stat', 'no.such'], 64, "no result has 'no.such'"),
            (['-f', 'png'], 64, 'neither text nor svg'),
            (['--plot-style', 'x'], 64, 'neither trend nor classic'),
            (['-f', 'svg', '--plot-style', 'classic'], 64, 'only as text')):
        p = plot(data, *options)
        check(p.returncode == code and text in p.stderr and not p.stdout,
              '%s: %d %s' % (options, p.returncode, p.stderr))


for name, test in list(globals().items()):
    if name.startswith('test_'):
        test()
sys.exit(failed > 0)
