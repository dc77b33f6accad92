#!/usr/bin/env python3
"""perfpost report of other tools' files: what the mail says of the metric, of
repetitions in one process and of the box, and whether all of it is what the
schema of the report says."""
import json
import os
import subprocess
import sys
import tempfile

from tally import ok, verdict

try:
    import jsonschema
except ImportError:
    jsonschema = None
    print('note: no jsonschema here, the schema is not checked')

TOP = os.environ['top_srcdir']
FORMATS = f'{TOP}/tests/data/formats'
IN_PROCESS = ' (in one process)'


def schema():
    with open(f'{TOP}/doc/perfpost-report.schema.json',
              encoding='utf-8') as f:
        return jsonschema.Draft202012Validator(json.load(f))


def report(form, *paths):
    p = subprocess.run([os.environ['PERFPOST'], 'report', '-f', form, *paths],
                       capture_output=True, text=True, check=False)
    ok(f'exit of {paths}', p.returncode == 0 and not p.stderr, p.stderr)
    return p.stdout


def check(paths, *lines):
    text = report('text', *paths)
    for line in lines:
        ok(paths, '\n' + line in text, 'lacks', line, 'in', text)
    data = json.loads(report('json', *paths))
    if jsonschema:
        for e in schema().iter_errors(data):
            ok('schema', False, paths, list(e.absolute_path), e.message[:200])
    return data


class Place:
    def __init__(self, folder):
        self.folder = folder

    def put(self, name, text):
        path = f'{self.folder}/{name}'
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text if isinstance(text, str) else json.dumps(text))
        return path

    def twice(self, sample, change=None):
        """The sample, and a copy of another name, changed."""
        with open(f'{FORMATS}/{sample}', encoding='utf-8') as f:
            text = f.read()
        return [self.put('base.json', text),
                self.put('head.json', change(text) if change else text)]


def samples(place):
    check(place.twice('google-benchmark.json', lambda t: t.replace(
        '"host_name": "vm"', '"host_name": "other"')),
        'metric: BM_', 'Note: the box differs: base vm; tested other\n')
    data = check(place.twice('google-benchmark.json'),
                 'The same on both sides: box.\n', 'command: ./gb\n',
                 # A file's name is no commit.
                 'version: head\n', 'version: \n  base  <- base\n')
    ok('version', 'due to version:' in report('text', *place.twice(
        'google-benchmark.json', lambda t: t.replace('"real_time": ',
                                                     '"real_time": 1'))))
    ok('google', data['headline']['base']['runs_text'].endswith(IN_PROCESS),
       data['headline'])
    data = check([f'{FORMATS}/hyperfine.json'],
                 'metric: hyperfine.time: wall-clock time of the command, in s;'
                 ' lower is better\n', 'runs: base 0.01129 ',
                 'command: sleep20\n', 'command: \n  sleep10  <- base\n')
    ok('hyperfine', data['headline']['base']['runs_text'].endswith(IN_PROCESS))
    check(place.twice('pytest-benchmark.json'), 'metric: test_b.py::')
    data = check(place.twice('fio.json'), 'metric: fio.randread.read.iops: '
                 'I/O operations a second, in IOPS; higher is better\n',
                 'runs: base ')
    ok('cpu', 'usr_cpu%: CPU time that the job took, in %;' in report(
        'text', *place.twice('fio.json')))
    ok('fio', IN_PROCESS not in data['headline']['base']['runs_text'])
    check(place.twice('perf-stat-j.json'),
          'metric: perf-stat.task-clock: CPU time used, in msec; lower is ')
    check([f'{FORMATS}/kcidb-5.3.json'], 'metric: will-it-scale.')
    check([f'{FORMATS}/mmtests-extract.json'], 'metric: tbench4.')


def means_alone(place):
    """A mean tells of how many runs it is, and no values."""
    def aggregates(mean):
        return {'benchmarks': [
            {'name': f'A_{kind}', 'run_name': 'A', 'run_type': 'aggregate',
             'aggregate_name': kind, 'repetitions': 9, 'real_time': value,
             'cpu_time': value, 'time_unit': 'us'}
            for kind, value in (('mean', mean), ('stddev', 0.01))]}

    check([place.put('a.json', aggregates(1)),
           place.put('b.json', aggregates(2))],
          'metric: A.real_time_ns: time an iteration takes, in ns; lower is ',
          'FYI, we noticed a 100.0% regression of A.real_time_ns',
          'runs: base 9, of which only mean and deviation are known (in one '
          'process); tested 9, of')
    # Without a deviation nothing is beyond doubt.
    alone = [dict(aggregates(m), benchmarks=aggregates(m)['benchmarks'][:1])
             for m in (1, 2)]
    data = check([place.put('a.json', alone[0]), place.put('b.json',
                                                           alone[1])],
                 'FYI, we noticed a possible +100.0% difference, not decided, of A.real_time_ns')
    ok('verdict', data['headline']['verdict'] == 'inconclusive' and any(
        f['text'] == 'Not decided: 9 runs of each, of which the spread is not '
        'known.' for f in data['findings']), data['findings'])
    line = '{"counter-value" : "%d", "event" : "duration_time", "variance" : 1}'
    data = check([place.put('c.json', line % 10), place.put('d.json',
                                                            line % 20)],
                 'runs: base only a mean is known; tested only a mean is '
                 'known\n')
    ok('lone means', any(f['text'].startswith(
        'Not decided: of both sides only a mean is known,')
        for f in data['findings']), data['findings'])
    # Whole and not whole: both have their place on the scale.
    line = line.replace('%d', '%g')
    data = check([place.put('c.json', line % 1), place.put('d.json',
                                                           line % 1.08)])
    ok('scale', ' 1.08 |' in data['plots'][0]['text'], data['plots'])


def what_is_measured_goes_first(place):
    """A mean of unknown spread does not outweigh runs."""
    def both(mean, times):
        return {'benchmarks': [
            {'name': 'A_mean', 'run_name': 'A', 'run_type': 'aggregate',
             'aggregate_name': 'mean', 'repetitions': 9, 'real_time': mean,
             'time_unit': 'ns'}] + [
            {'name': 'B', 'run_name': 'B', 'run_type': 'iteration',
             'real_time': t, 'time_unit': 'ns'} for t in times]}

    data = check([place.put('a.json', both(1, [100, 110, 90, 105])),
                  place.put('b.json', both(1.02, [104, 95, 112, 108]))],
                 'FYI, we noticed a possible +3.5% difference, not decided, of B.real_time_ns')
    ok('headline', data['headline']['stat'] == 'B.real_time_ns',
       data['headline']['stat'])


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        samples(place)
        means_alone(place)
        what_is_measured_goes_first(place)
    sys.exit(verdict())


main()
