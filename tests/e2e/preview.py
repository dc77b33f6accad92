#!/usr/bin/env python3
"""perfpost preview: the text of the report, marked; on a terminal with colour
and through a pager."""
import glob
import os
import pty
import re
import subprocess
import sys
import tempfile

from tally import ok, verdict

SAMPLE = os.path.join(os.environ['top_srcdir'], 'contrib', 'sample')
PATHS = sorted(glob.glob(f'{SAMPLE}/results/*/*/*/*/*/*/4c1d*')) + \
    sorted(glob.glob(f'{SAMPLE}/results/*/*/*/*/*/*/b7e2*'))
COMMON = ['--facts', f'{SAMPLE}/facts.yaml', '-t', 'modern', *PATHS]


def run(command, *args, **env):
    p = subprocess.run([os.environ['PERFPOST'], command, *args, *COMMON],
                       capture_output=True, text=True, check=False,
                       env={**os.environ, **env})
    ok(f'exit of {command} {args}', p.returncode == 0, p.stderr)
    return p.stdout


def on_terminal(*args, **env):
    """What a terminal of no known size shows."""
    shown = []

    def read(fd):
        data = os.read(fd, 65536)
        shown.append(data)
        return data

    os.environ.update(env)
    with open(os.devnull, 'w', encoding='utf-8') as null:
        keep = os.dup(1)
        os.dup2(null.fileno(), 1)
        status = pty.spawn([os.environ['PERFPOST'], 'preview', *args, *COMMON],
                           read, lambda fd: b'')
        os.dup2(keep, 1)
        os.close(keep)
    ok('exit on a terminal', status == 0, status)
    return b''.join(shown).decode('utf-8', 'replace').replace('\r', '')


def main():
    text = run('report', '-f', 'text')
    plain = run('preview')
    subject, body = plain.split('\n\n', 1)
    ok('subject', subject.startswith('Subject: ') and '11.4%' in subject)
    ok('the same text', re.sub(r'  \((worse|better)\)\n', '\n', body) == text)
    row = next(line for line in plain.split('\n')
               if ' will-it-scale.per_process_ops  (' in line)
    ok('the row says so', row.endswith('  (worse)'), row)
    ok('nothing but text', '\033' not in plain)

    colored = run('preview', '--color', 'always')
    ok('colour', f'\033[31m{row}\033[0m' in colored)
    ok('same under the colour',
       re.sub('\033\\[[0-9]*m', '', colored) == plain)

    narrow = run('preview', '--width', '80')
    rows = [line for line in narrow.split('\n')
            if re.match(r' *[\d.e+]+( ± *\d+%| {6}) {2,}[-+][\d.]+(%|pp)', line)]
    ok('rows fit', len(rows) > 40 and max(map(len, rows)) <= 80,
       [line for line in rows if len(line) > 80])
    ok('names are cut in the middle', any('...' in line for line in rows))

    # The pager gets it all, with colour, and may leave early.
    os.environ.pop('NO_COLOR', None)
    shown = on_terminal(PAGER='sed -n 1p', TERM='xterm')
    ok('pager', shown == f'\033[1m{subject}\033[0m\n', repr(shown[:200]))
    shown = on_terminal(PAGER='sed -n 1p', NO_COLOR='1')
    ok('NO_COLOR', shown == f'{subject}\n', repr(shown[:200]))
    shown = on_terminal('--color', 'never', PAGER='no-such-pager')
    ok('no such pager', shown.startswith(subject) and len(shown) > 5000)
    return verdict()


with tempfile.NamedTemporaryFile(suffix='.conf') as empty:
    os.environ['PERFPOST_CONFIG'] = empty.name
    result = main()
sys.exit(result)
