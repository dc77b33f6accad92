#!/usr/bin/env python3
"""How fast is perfpost parse, against Python's email package and notmuch?

usage: parse.py PERFPOST DIR [COUNT]

Generates COUNT (20,000) list mails below DIR (kept for the next time).  Both
rivals do less: Python only decodes the text parts, notmuch indexes.  Prints
the best of some runs on one core each, what more jobs gain, and the peak of
memory for all and for a tenth of the mails.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = '''
import email, os, sys
for folder, _, names in os.walk(sys.argv[1]):
    for name in sorted(names):
        with open(os.path.join(folder, name), 'rb') as f:
            message = email.message_from_binary_file(f)
        for part in message.walk():
            if part.get_content_maintype() == 'text':
                part.get_payload(decode=True).decode(
                    part.get_content_charset('utf-8'), 'replace')
'''


def measure(command, times, env=None, before=None):
    """Best wall clock, CPU time of that run, peak memory in MB."""
    best = (float('inf'), 0, 0)
    for _ in range(times):
        if before:
            before()
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                 env=env)
        _, status, used = os.wait4(child.pid, 0)
        took = time.perf_counter() - start
        if status:
            sys.exit(f'{command[0]}: status {status}')
        best = min(best, (took, used.ru_utime + used.ru_stime,
                          used.ru_maxrss / 1024))
    return best


def mails(where, count):
    folder = os.path.abspath(os.path.join(where, f'list-mails-{count}'))
    if not os.path.isdir(folder):
        subprocess.check_call([sys.executable,
                               os.path.join(HERE, 'list-mails.py'),
                               folder, str(count)])
    return folder


def notmuch(folder):
    if not shutil.which('notmuch'):
        return None
    with tempfile.TemporaryDirectory() as home:
        config = os.path.join(home, 'config')
        database = os.path.join(home, 'database')
        with open(config, 'w') as f:
            f.write(f'[database]\npath={database}\nmail_root={folder}\n'
                    '[user]\nname=x\nprimary_email=x@example.org\n'
                    '[new]\ntags=\n')

        def forget():
            shutil.rmtree(database, ignore_errors=True)
            os.makedirs(database)
        return measure(['notmuch', 'new', '--quiet'], 1,
                       dict(os.environ, NOTMUCH_CONFIG=config), forget)


def main():
    perfpost, where = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 20000
    folder, small = mails(where, count), mails(where, count // 10)
    parse = [perfpost, 'parse']
    one = measure(parse + [folder], 3)
    python = measure([sys.executable, '-c', PYTHON, folder], 2)
    other = notmuch(folder)
    print(f'parse of {count} mails: {one[1]:.2f} s of one core, '
          f'{count / one[1]:.0f} mails a second')
    print(f"Python's email: {python[1]:.2f} s, {python[1] / one[1]:.1f} "
          'times as long')
    if other:
        print(f'notmuch new: {other[1]:.2f} s, {other[1] / one[1]:.1f} '
              'times as long')
    for jobs in sorted({2, os.cpu_count()}):
        many = measure(parse + ['--jobs', str(jobs), folder], 3)
        print(f'{jobs} jobs: {many[0]:.2f} s instead of {one[0]:.2f}')
    print(f'memory: {one[2]:.0f} MB, {measure(parse + [small], 1)[2]:.0f} '
          'MB for a tenth of the mails')


main()
