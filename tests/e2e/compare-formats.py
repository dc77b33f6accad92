#!/usr/bin/env python3
"""perfpost compare of other benchmarks' files, as people have them: several
a side, packed, failed, cut off, with NaN, with means alone."""
import gzip
import json
import lzma
import os
import subprocess
import sys
import tempfile

PERFPOST = os.environ['PERFPOST']


def google(times, unit='ns', **more):
    return {'context': {}, 'benchmarks': [
        {'name': 'BM', 'run_name': 'BM', 'run_type': 'iteration',
         'repetitions': len(times), 'repetition_index': i, 'real_time': t,
         'cpu_time': t, 'time_unit': unit, **more}
        for i, t in enumerate(times)]}


def aggregates(unit='ns', repetitions=5, **kinds):
    return {'context': {}, 'benchmarks': [
        {'name': 'BM_' + kind, 'run_name': 'BM', 'run_type': 'aggregate',
         'aggregate_name': kind, 'repetitions': repetitions,
         'real_time': value, 'cpu_time': value, 'time_unit': unit}
        for kind, value in kinds.items()]}


def hyperfine(times, *more, **members):
    return {'results': [
        {'command': 'true', 'mean': sum(times) / len(times), 'stddev': 0.01,
         'user': 0.1, 'system': 0.1, 'times': times,
         'exit_codes': [0] * len(times), **members}] +
        [r for m in more for r in m['results']]}


def fio(iops, error=0, **read):
    return {'fio version': 'fio-3.33', 'jobs': [
        {'jobname': 'j', 'error': error, 'read': {
            'total_ios': 9, 'iops': iops, 'bw_bytes': iops * 4096, **read},
         'write': {'total_ios': 0, 'iops': 0}, 'ctx': 10}]}


def perf(cycles, extra=''):
    return ('# started on Mon\n\n{"counter-value" : "%s", "unit" : "", '
            '"event" : "cycles", "metric-value" : %s}\n%s' %
            (cycles, 'nan' if extra else '"1.0"', extra))


def pytest(data, commit=None, **stats):
    return {'machine_info': {}, 'commit_info': {'id': commit},
            'benchmarks': [{'fullname': 't.py::t', 'stats': {
                'mean': sum(data) / len(data), 'stddev': 0.01,
                'rounds': len(data), 'data': data, **stats}}]}


def without(value, *path):
    value = json.loads(json.dumps(value))
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return value


FILES = {
    'g1': google([100, 101, 102, 99]),
    'g2': google([.150, .151, .152, .149], 'us'),
    'g3': google([150, 151, 152, 149], error_occurred=True),
    'gnan': json.dumps(google([150, 151, 152], c=7)).replace('7', 'NaN', 1),
    'a1': aggregates(mean=100, median=100, stddev=1),
    'a2': aggregates('us', mean=.12, median=.12, stddev=.001),
    'a3': aggregates(mean=900),
    'acv': json.dumps(aggregates(mean=120, stddev=1, cv=-7)).replace(
        '-7', 'NaN'),
    'h1': hyperfine([1.0, 1.01, 1.02, .99]),
    'h2': hyperfine([1.5, 1.51, 1.52, 1.49], user=0.9),
    'hmean': without(hyperfine([1.5, 1.5]), 'results', 0, 'times'),
    'hfail': hyperfine([1.5, 1.5, 1.5, 1.5], exit_codes=[0, 1, None, 0]),
    'htext': {'results': [{'command': 'true',
                           'times': [1.0, 'x', 1.02]}]},
    'both': hyperfine([1.0, 1.01, 1.02, .99],
                      hyperfine([1.5, 1.51, 1.52], command='false')),
    'f1': fio(1000), 'f2': fio(1001), 'f3': fio(1002),
    'k1': fio(800), 'k2': fio(801), 'kerr': fio(800, 5),
    'klog': 'fio: a note\nof {two} lines\n' + json.dumps(fio(803)) +
    '\nfio: the end\n',
    'kbad': 'fio: a note\n{"fio version": "fio-3.33",\n"jobs": [}\n',
    'kmiss': without(fio(802), 'jobs', 0, 'read', 'iops'),
    'knan': json.dumps(fio(802)).replace('3284992', '-nan'),
    'p1': perf('1000'), 'p2': perf('1001'), 'p3': perf('1002'),
    'q1': perf('2000', '{"cut'), 'q2': perf('2001,5'), 'q3': perf(
        '<not counted>'),
    'm1': '{"GHz" : "3.1", "insn per cycle" : "1.20"}\n',
    'm2': '{"unit" : "GHz"}{"unit" : "insn per cycle"}\n'
    '{"metric-value" : "3.1"}{"metric-value" : "0.60"}\n',
    'y1': pytest([1, 1.01, 1.02], 'a' * 40),
    'y2': pytest([1.5, 1.51, 1.52], 'b' * 40),
    'y3': without(pytest([1.5, 1.51, 1.52]), 'benchmarks', 0, 'stats',
                  'data'),
    'gempty': {'context': {'num_cpus': 8}, 'benchmarks': []},
    'papp': perf('1000') + perf('1001') + perf('1002'),
    'qapp': perf('2000') + perf('<not counted>') + perf('2001'),
    'gparsec': google([1, 2, 3], 'parsec'), 'gnounit': google([1, 2, 3], ''),
    'cut': json.dumps(google([1, 2, 3]), indent=1)[:200],
    'list': [1, 2], 'text': 'hello\n', 'nothing': '', 'none': {'results': []},
}

NO_RERUNS = 'all rows: repetitions inside one process, no reruns\n'
NOTHING = 'nothing changed'

# arguments; what must stand in the output or error; what must not
CASES = [
    ('g1 g2', '100.50           +49.8%     150.50        BM.real_time_ns\n',
     None),
    ('g1 g2', NO_RERUNS, None),
    ('g1 g3', ':4          100%           4:4     BM.fail\n', '-100'),
    ('g1 gnan', '+50.2%     151.00        BM.cpu_time_ns\n', 'warning'),
    ('a1 a2', '100.00           +20.0%     120.00        BM.real_time_ns\n',
     None),
    ('a1 a2', NO_RERUNS, None),
    ('a1 a3', NOTHING, '%stddev'),
    ('a1 acv', '+20.0%     120.00        BM.cpu_time_ns\n', None),
    ('g1 a2', '100.50           +19.4%     120.00        BM.real_time_ns\n',
     None),
    ('h1 h2', '+49.8%       1.50        hyperfine.time\n', 'user'),
    ('h1 hmean', '+49.3%       1.50        hyperfine.time\n', None),
    ('h1 hfail', ':4           50%           2:4     hyperfine.fail\n', None),
    ('h1 htext', "htext.json: row 'hyperfine.time' left out", '%stddev'),
    ('both', '  false\n', None),
    ('both', '+50.2%       1.51        hyperfine.time\n', None),
    ('f1,f2,f3 k1,k2,kmiss',
     '-20.0%     800.50        fio.j.read.iops  [3 of 3, 2 of 3 runs]\n',
     NO_RERUNS),
    ('f1,f2,f3 k1,k2,kmiss', 'fio.j.read.bw_bytes\n', None),
    ('f1,f2,f3 k1,k2,knan', 'bw_bytes  [3 of 3, 2 of 3 runs]\n', None),
    ('f1,f2,f3 k1,klog,kerr', ':3           33%           1:3     fio.j.fail\n',
     '-100'),
    ('f1,f2,f3 k1,klog,kerr', 'fio.j.read.iops  [3 of 3, 2 of 3 runs]\n',
     None),
    ('f1,f2,f3 kerr,kerr,k1', "'{}/kerr.json' is given twice", None),
    ('f1 k1', 'less than 3 runs a side', '%stddev'),
    ('p1,p2,p3 q1,q2,q3', '1001           +99.9%       2001        '
     'perf-stat.cycles  [3 of 3, 2 of 3 runs]\n', None),
    ('p1,p2,p3 q1,q2,q3', 'q1.json:4: left out: no JSON', None),
    ('papp qapp', '1001           +99.9%       2000        '
     'perf-stat.cycles  [3 of 3, 2 of 3 runs]\n', NO_RERUNS),
    ('m1 m2 --all', '1.20           -50.0%       0.60        '
     'perf-stat.insn_per_cycle\n', 'warning'),
    ('y1 y2', '1.01           +49.5%       1.51        t.py::t.time_s\n',
     None),
    ('y1 y3', '1.01           +49.5%       1.51        t.py::t.time_s\n',
     None),
    ('h1 g1', "testcase is 'hyperfine' in {0}/h1.json, 'google-benchmark' in "
     '{0}/g1.json', None),
    ('h1 h1', 'are both results of', None),
    ('h1', 'only one result', None),
    ('f1 kbad', 'kbad.json:3: a value belongs here', None),
    ('g1 gparsec', "gparsec.json:1: benchmark 1: time_unit 'parsec' is none",
     'real_time'),
    ('g1 gnounit', "gnounit.json:1: benchmark 1: time_unit '' is none", None),
    ('g1 gempty', 'gempty.json:1: no benchmarks in it', 'warning'),
    ('g1 cut', 'cut.json:12: cut off', None),
    ('g1 list', 'list.json:1: no format that perfpost knows', None),
    ('g1 text', 'text.json:1: no format that perfpost knows', None),
    ('g1 nothing', 'nothing.json:1: no value in it', None),
]


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        for name, value in FILES.items():
            with open(f'{tmp}/{name}.json', 'w') as f:
                f.write(value if isinstance(value, str) else
                        json.dumps(value))
        cases = [([arg if arg.startswith('-') else
                   ','.join(f'{tmp}/{n}.json' for n in arg.split(','))
                   for arg in args.split()], *rest) for args, *rest in CASES]
        # A folder is a side, its files the runs, packed or not.
        os.makedirs(f'{tmp}/base')
        os.makedirs(f'{tmp}/head')
        for n in range(1, 4):
            with gzip.open(f'{tmp}/base/{n}.json.gz', 'wt') as f:
                json.dump(FILES[f'f{n}'], f)
            with lzma.open(f'{tmp}/head/{n}.json.xz', 'wt') as f:
                json.dump(fio(800 + n), f)
        cases.append(([f'{tmp}/base', f'{tmp}/head'],
                      '-19.9%     802.00        fio.j.read.iops\n', None))
        cases.append(([f'{tmp}/base', f'{tmp}/head'],
                      "head/1.json.xz' is cut off", None))
        for i, (args, there, absent) in enumerate(cases):
            if i == len(cases) - 1:
                with open(f'{tmp}/head/1.json.xz', 'r+b') as f:
                    f.truncate(60)
            p = subprocess.run([PERFPOST, 'compare', *args],
                               capture_output=True, text=True, timeout=60)
            said = p.stdout + p.stderr
            errors = [line for line in p.stderr.splitlines()
                      if not line.startswith('perfpost: warning: ')]
            wrong = (p.returncode, len(errors)) not in ((0, 0), (65, 1))
            if wrong or there.format(tmp) not in said or \
                    (absent and absent in said):
                failed += 1
                print('FAIL: compare', *args, p.returncode)
                print('wanted:', there, 'not:', absent)
                print(said)
    sys.exit(failed > 0)


main()
