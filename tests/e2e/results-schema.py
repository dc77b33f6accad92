#!/usr/bin/env python3
"""Do the schema of perfpost-results/1, its man page and the program agree?"""
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print('SKIP: no python3-jsonschema here')
    sys.exit(77)

TOP = os.environ['top_srcdir']
PERFPOST = os.environ['PERFPOST']
with open(f'{TOP}/doc/perfpost-results.schema.json', encoding='utf-8') as f:
    SCHEMA = json.load(f)
jsonschema.Draft202012Validator.check_schema(SCHEMA)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
FAILED = []


def example():
    """The literal example of the man page."""
    with open(f'{TOP}/doc/perfpost-results.5', encoding='utf-8') as f:
        page = f.read()
    return json.loads(re.search(r'^\.Bd -literal\n(\{\n.*?\n\})\n\.Ed', page,
                                re.M | re.S).group(1))


def program_takes(data):
    with tempfile.NamedTemporaryFile('w', suffix='.json') as f:
        json.dump(data, f)
        f.flush()
        p = subprocess.run([PERFPOST, 'compare', '--all', f.name],
                           capture_output=True, text=True, check=False)
    if p.returncode not in (0, 65):
        FAILED.append(f'status {p.returncode}: {p.stderr}')
    return p.returncode == 0 and not p.stderr


def agree(what, data, good):
    """Both take it, or both do not: an error or a warning."""
    schema = VALIDATOR.is_valid(data)
    program = program_takes(data)
    print(f'{what}: schema {schema}, program {program}')
    if schema != good or program != good:
        FAILED.append(what)


def change(path, value):
    """The example with one member set, or taken out (None)."""
    data = example()
    at = data
    for key in path[:-1]:
        at = at[key]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return data


R0 = ('results', 0)
agree('the example', example(), True)
for name, path, value, good in (
        ('no format', ('format',), None, False),
        ('another format', ('format',), 'perfpost-results/2', False),
        ('no results', ('results',), None, False),
        ('results no list', ('results',), {}, False),
        ('no axes', R0 + ('axes',), None, False),
        ('no commit', R0 + ('axes', 'commit'), None, False),
        ('empty commit', R0 + ('axes', 'commit'), '', False),
        ('axis a list', R0 + ('axes', 'testcase'), ['sort'], False),
        ('no matrix', R0 + ('matrix',), None, True),
        ('no summary', R0 + ('summary',), None, True),
        ('matrix a list', R0 + ('matrix',), [], False),
        ('text for a number', R0 + ('matrix', 'sort.throughput'),
         ['812', 813], False),
        ('nothing but nulls', R0 + ('matrix', 'sort.throughput'),
         [None, None], True),
        ('an empty row', R0 + ('matrix', 'sort.x'), [], True),
        ('a single number', R0 + ('matrix', 'sort.x'), 5, True),
        ('a list in a row', R0 + ('matrix', 'sort.x'), [[1]], False),
        ('stats_source', R0 + ('matrix', 'stats_source'),
         ['a', 'b', 'c', 'd'], True),
        ('stats_source no list', R0 + ('matrix', 'stats_source'), 4, False),
        ('no mean', R0 + ('summary', 'vmstat.system.cs', 'mean'), None,
         False),
        ('negative stddev', R0 + ('summary', 'vmstat.system.cs', 'stddev'),
         -1, False),
        ('fails without runs', R0 + ('summary', 'dmesg.WARNING', 'runs'),
         None, False),
        ('a sample', R0 + ('summary', 'vmstat.system.cs', 'sample'), True,
         True),
        ('job', R0 + ('job',), {'testbox': 'box1', 'ucode': '0x1'}, True),
        ('job a list', R0 + ('job',), [], False),
        ('in process', R0 + ('in_process',), True, True),
        ('in process as text', R0 + ('in_process',), 'yes', False),
        ('headline', ('headline',), 5, False),
        ('branch', ('branch',), 6.12, False),
        ('commits', ('commits',), [], False),
        ('a commit', ('commits', '5a4b3c2d1e0f'), 'lib/sort', False),
        ('subject', ('commits', '5a4b3c2d1e0f', 'subject'), 5, False),
        ('author', ('commits', '5a4b3c2d1e0f', 'author'),
         {'name': 'Ann', 'address': 'ann@example.org'}, True),
        ('author a list', ('commits', '5a4b3c2d1e0f', 'author'), [], False),
        ('fixes', ('commits', '5a4b3c2d1e0f', 'fixes'), 'abc', True),
        ('parents', ('commits', '5a4b3c2d1e0f', 'parents'), [7], False),
        ('patch', ('patch',), {'subject': '[PATCH] x', 'number': 1}, True),
        ('patch as text', ('patch',), '[PATCH] x', False),
        ('fixed time', ('test', 'fixed_time'), 'yes', False),
        ('reproduce', ('test', 'reproduce'), 'make', True),
        ('reproduce as a map', ('test', 'reproduce'), {}, False),
        ('parameter', ('test', 'parameters', 'runtime'), ['60s'], False),
        ('kpi', ('metrics', 'sort.throughput', 'kpi'), 1, False),
        ('heads', ('heads',), [{'state': 5}], False),
        ('plots', ('plots',), 'sort.throughput', False),
        ('unknown', ('more',), {'of': 'somebody else'}, True),
        ('better', ('metrics', 'sort.throughput', 'better'), 'more', False),
        ('metric', ('metrics', 'sort.throughput'), 5, False),
        ('trend', ('trend',), [{'stat': 'sort.throughput', 'points': [
            {'label': 'v1', 'values': [1, None]}]}], True),
        ('trend of text', ('trend',), [{'stat': 'sort.throughput', 'points': [
            {'label': 'v1', 'values': ['1']}]}], False)):
    agree(name, change(path, value), good)
numbers = example()
for r in numbers['results']:
    r['axes'].update(n=5, ratio=0.5, debug=False)
agree('axes of numbers', numbers, True)
agree('neither matrix nor summary', {
    'format': 'perfpost-results/1',
    'results': [{'axes': {'commit': 'a'}}]}, False)

for text in FAILED:
    print('FAILED:', text)
sys.exit(1 if FAILED else 0)
