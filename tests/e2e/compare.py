#!/usr/bin/env python3
"""perfpost compare from the outside: folders, options, formats, errors."""
import json
import os
import subprocess
import sys
import tempfile

from tally import ok, verdict

PERFPOST = os.environ['PERFPOST']


def run(*args, **env):
    p = subprocess.run([PERFPOST, 'compare', *args], capture_output=True,
                       text=True, timeout=60,
                       env={**os.environ, 'LKP_SRC': '', **env})
    return p.returncode, p.stdout, p.stderr


def result(axes, rows, runs=3):
    return {'axes': axes, 'matrix': {
        'stats_source': [str(i) for i in range(runs)], **rows}}


def results_file(folder, *results, **facts):
    path = os.path.join(folder, 'results.json')
    with open(path, 'w') as f:
        json.dump({'format': 'perfpost-results/1', 'results': results,
                   **facts}, f)
    return path


def lkp_folder(folder, commit, rows):
    path = os.path.join(folder, 'unixbench', '1-shell8', 'box', 'rootfs',
                        'kconfig', 'gcc-12', commit)
    os.makedirs(path)
    with open(os.path.join(path, 'matrix.json'), 'w') as f:
        json.dump({'stats_source': ['0', '1', '2'], **rows}, f)
    return path


def check_folders(tmp):
    base = lkp_folder(tmp, 'a' * 40, {'unixbench.score': [100, 101, 102],
                                      'slabinfo.x.num_objs': [10, 10, 10]})
    head = lkp_folder(tmp, 'b' * 40, {'unixbench.score': [90, 91, 92],
                                      'slabinfo.x.num_objs': [900, 900, 900]})
    rc, out, err = run(base, head)
    ok('two folders', rc == 0 and out.endswith(
        '    101.00            -9.9%      91.00        unixbench.score\n\n'),
        out, err)
    rc, out, err = run('--more', base, head)
    ok('--more shows noise', 'slabinfo.x.num_objs\n' in out, out)
    rc, out, err = run('--label', 'aaaaaaaa=v6.1', base, head)
    ok('--label', '\n  v6.1\n  ' + 'b' * 40 in out and
       '            v6.1 ' in out, out)
    rc, out, err = run('--facts', '/no/such/facts', base, head)
    ok('no facts', rc not in (0, 1) and '/no/such/facts' in err, rc, err)
    rc, out, err = run(base)
    ok('one side', rc == 65 and 'only one result' in err, rc, err)
    rc, out, err = run('--style', 'lkp', base)
    ok('one side, as the reference', rc == 0 and not out and
       'nothing to compare' in err, rc, out, err)
    rc, out, err = run(base, '/no/such/folder')
    ok('no such folder', rc != 0 and '/no/such/folder' in err, rc, err)
    rc, out, err = run(base, head, LKP_SRC='/no/such/lkp')
    ok('no such rules', rc != 0 and '/no/such/lkp' in err, rc, err)


def check_expressions(tmp):
    path = results_file(tmp, result({'commit': 'one'}, {'m.a': [1, 1, 1]}),
                        result({'commit': 'two'}, {'m.a': [2, 2, 2]}))
    for command in ('compare', 'plot', 'report'):
        for text in ('[', 'm[', '*', 'a{2,1}', '(?:a', '\\'):
            done = subprocess.run([PERFPOST, command, '--include', text, path],
                                  capture_output=True, text=True)
            ok(f'{command} --include {text}', done.returncode == 64 and
               f"--include: '{text}' is no regular expression: " in
               done.stderr and not done.stdout, done)
    for text in ('(?:m|n)', '\\.\\D*', ''):
        rc, out, err = run('--include', text, path)
        ok(f'--include {text}', rc == 0 and 'm.a' in out, err)


def check_slips(tmp):
    """What is asked for by name and is not there, is said."""
    base = lkp_folder(tmp, 'b' * 40, {'x.y': [1, 2, 3]})
    head = lkp_folder(tmp, 'c' * 40, {'x.y': [11, 12, 13]})
    rc, out, err = run('--label', 'foo=bar', '--stat', 'nosuch', base, head)
    ok('slips', rc == 0 and "no side is named by 'foo=bar'" in err and
       "no result has 'nosuch'" in err, rc, out, err)
    rc, out, err = run('--label', 'bbbbbbb=old', '--stat', 'x.y', base, head)
    ok('no slips', rc == 0 and '--' not in err, rc, out, err)
    os.mkdir(f'{tmp}/empty')
    rc, out, err = run(f'{tmp}/empty', head)
    ok('empty folder', rc == 65 and 'matrix.json' in err and
       'stats.json' in err, rc, err)


def check_groups(tmp):
    axes = [{'box': b, 'commit': c} for c in ('one', 'two') for b in 'xy']
    path = results_file(
        tmp, result(axes[0], {'m.a': [10, 10, 10]}),
        result(axes[1], {'m.a': [10, 10, 10], 'm.b': [1, 1, 1]}),
        result(axes[2], {'m.a': [20, 20, 20]}),
        result(axes[3], {'m.a': [90, 90, 90], 'm.b': [1, 1, 1]}))
    rc, out, err = run('--by-stat', path)
    ok('--by-stat', out == 'm.a:\n'
       '     10.00          +100.0%      20.00        x\n'
       '     10.00          +800.0%      90.00        y\n', out)
    rc, out, err = run('--compact', '--sort-groups', path)
    ok('--compact --sort-groups', out == 'box=y\n'
       '     10.00          +800.0%      90.00        m.a\n\nbox=x\n'
       '     10.00          +100.0%      20.00        m.a\n\n', out)
    rc, out, err = run('--axis', 'box', '--include', r'm\.b', path)
    ok('--axis --include', '\nbox: \n  x\n  y\n' in out and
       'm.b\n' in out, out)
    rc, out, err = run('--axis', 'box,commit', path)
    ok('two axes', '\nbox/commit: \n  x/one\n  y/one\n  x/two\n' in out, out)
    rc, out, err = run('--kpi-strict', '--show-empty', path)
    ok('--show-empty', rc == 0 and out.count('=' * 89) == 2 and
       'm.a' not in out, out)
    rc, out, err = run('--kpi-strict', path)
    ok('nothing changed', rc == 0 and out == '' and
       'nothing changed' in err, out, err)
    rc, out, err = run('--stat', 'm.b', '--stat', 'no.such', path)
    ok('--stat', out.count('  m.b\n') == 2 and
       'no data (0 of 3 runs)  no.such' in out, out)


def check_counted(tmp):
    """What a summary counts as failing is a failure, whatever its name."""
    path = results_file(tmp, *[{'axes': {'commit': c}, 'summary': {
        'app.crashed': {'fails': n, 'runs': 4}}}
        for c, n in (('one', 0), ('two', 4))])
    rc, out, err = run(path)
    ok('counted failures', rc == 0 and not err and
       '           :4          100%           4:4     app.crashed\n' in out,
       out, err)


def check_second(tmp):
    rows = {'m.a': [1, 2, 3]}
    path = results_file(tmp, *[result({'commit': c}, rows)
                               for c in ('one', 'one', 'two')])
    rc, out, err = run('--all', path)
    ok('a second result', rc == 0 and out.count('  one\n') == 1 and
       "a second result of 'one' with the same axes is left out" in err,
       out, err)
    rc, out, err = run('--style', 'lkp', '--all', path)
    ok('of the reference', rc == 0 and not err, err)


def check_json(tmp):
    path = results_file(
        tmp, result({'commit': 'one'}, {'m.a': [10, 11, 9], 'm.f': [1.5] * 3}),
        result({'commit': 'two'}, {'m.a': [20, 21, 19], 'm.f': [2.5] * 3}),
        metrics={'m.a': {'better': 'lower', 'unit': 's'}})
    rc, out, err = run('-f', 'json', path)
    rows = {r['stat']: r for r in json.loads(out)['groups'][0]['rows']}
    head = rows['m.a']['sides'][1]
    ok('integers stay integers', head['values'] == [20, 21, 19] and
       all(type(v) is int for v in head['values']) and
       type(head['min']) is int and
       type(rows['m.f']['sides'][0]['min']) is float, out)
    ok('the change', head['change']['verdict'] == 'regression' and
       head['change']['percent'] == 100 and
       head['change']['interval'][0] > 0 and
       rows['m.a']['unit'] == 's', out)


def check_usage():
    for args in (['--nonsense'], [], ['--style', 'x', 'y'],
                 ['--era', '2016', 'x'], ['--style', 'lkp', '--era', 'x', 'y'],
                 ['--gap', 'nan', 'x'], ['--axis', ',', 'x'],
                 ['--label', 'x', 'y'], ['-f', 'xml', 'x']):
        rc, out, err = run(*args)
        ok('usage: %s' % args, rc == 64 and out == '' and err, rc, err)
    rc, out, err = run('--help')
    ok('--help', rc == 0 and '--perf-profile-threshold' in out, out)


for part in (check_folders, check_expressions, check_slips, check_groups,
             check_counted, check_second, check_json):
    with tempfile.TemporaryDirectory() as tmp:
        part(tmp)
check_usage()
sys.exit(verdict())
