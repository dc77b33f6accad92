#!/usr/bin/env python3
"""perfpost report on the sample results: its forms agree with each other."""
import email
import email.policy
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from tally import ok, verdict

TOP = os.environ['top_srcdir']
SAMPLE = os.path.join(TOP, 'contrib', 'sample')
BASE, HEAD = '4c1d0e9a7b35f2886d40c1a9e5f7b3d2a60c8e11', \
    'b7e2f40d91c86a53fe0d7a2c4418b96e35d1a07c'
PATHS = sorted(glob.glob(f'{SAMPLE}/results/*/*/*/*/*/*/{BASE}')) + \
    sorted(glob.glob(f'{SAMPLE}/results/*/*/*/*/*/*/{HEAD}'))


def run(*args, paths=PATHS, facts=True):
    command = [os.environ['PERFPOST'], 'report', *args]
    if facts:
        command += ['--facts', f'{SAMPLE}/facts.yaml']
    return subprocess.run(command + list(paths), capture_output=True,
                          text=True, check=False)


def output(*args, **more):
    p = run(*args, **more)
    ok(f'exit of {args}', p.returncode == 0, p.returncode, p.stderr)
    return p.stdout


def refused(code, words, *args):
    p = run(*args)
    ok(f'{args} is refused', p.returncode == code and words in p.stderr,
       p.returncode, p.stderr)


def check_json(data):
    ok('headline', data['headline']['stat'] ==
       'will-it-scale.per_process_ops', data['headline']['stat'])
    ok('verdict', data['headline']['verdict'] == 'regression')
    ok('impact', [i['stat'] for i in data['impacts']] == ['fio.read_iops'])
    ok('subsystem', data['subsystem'] == 'mm/page_alloc')
    values = data['headline']['head']['values']
    mean = sum(values) / len(values)
    ok('the mean is that of the values',
       abs(mean - data['headline']['head']['mean']) < 1e-6 * mean)
    ok('the failed run is left out', data['headline']['head']['n'] == 6 and
       data['headline']['head']['left_out'] == 1)
    ok('same', 'microcode' in data['same'], data['same'])
    ok('no warnings', data['warnings'] == [], data['warnings'])
    try:
        import jsonschema
    except ImportError:
        print('note: no jsonschema here, the schema is not checked')
        return
    with open(f'{TOP}/doc/perfpost-report.schema.json',
              encoding='utf-8') as f:
        schema = json.load(f)
    for e in jsonschema.Draft202012Validator(schema).iter_errors(data):
        ok('schema', False, list(e.absolute_path), e.message[:200])


def check_forms(template):
    data = json.loads(output('-f', 'json', '-t', template))
    text = output('-f', 'text', '-t', template)
    mail = email.message_from_string(output('-t', template),
                                     policy=email.policy.default)
    shown = data['headline']['shown'] + ' regression'
    body = mail.get_body().get_content()
    ok('the mail is the text', body.split() == text.split())
    for where, what in ('subject', mail['subject']), ('text', text):
        ok(f'{where} says {shown}', shown in what, mail['subject'])
    row = [line for line in text.split('\n')
           if line.endswith('  will-it-scale.per_process_ops')][0].split()
    ok('the row agrees', row[:3] == [data['headline']['base']['text'],
                                     data['headline']['change']['text'],
                                     data['headline']['head']['text']], row)
    box = f"fio.read_iops {data['impacts'][0]['shown']} regression"
    ok('the box agrees', box in text, box)
    ok('tables of both tests', text.count('=' * 89) == 2 and
       text.count('*' * 99) == 1)
    ok('author', 'robin@example.org' in mail['to'], mail['to'])
    names = [a.get_filename() for a in mail.iter_attachments()]
    ok('attachments', names[:2] == ['job.yaml', 'reproduce'] and
       ('comparison.txt' in names) == bool(data['rows_left_out']), names)
    told = re.findall('^Attached: (.*)\\.$', body, re.M)
    ok('attachments are told', told and names == [
        f.split(' ')[0] for f in told[0].split(', ')], told)
    with tempfile.NamedTemporaryFile('w', suffix='.conf') as conf:
        conf.write('archive: {mail: "https://list.example.org/%s"}\n'
                   'operator: {address: bot@example.org}\n')
        conf.flush()
        text = output('-f', 'text', '-t', template, '--config', conf.name)
        ok('Closes', re.search('kindly add following tags\n(\\| )?Reported-by:'
                               '.*\n(\\| )?Closes: https://list.example.org/'
                               'report[.]', text), text[:3000])
    return data


def readme_sample():
    """The parts of the sample's report that the README shows."""
    text = [line.rstrip() for line in
            output('-f', 'text', '-t', 'modern').split('\n')]

    def at(words):
        return next(i for i, line in enumerate(text) if words in line)

    table = at('=' * 89) + 4
    plot = at('the axis does not start at 0') - 1
    end = next(i for i in range(plot, len(text)) if text[i].startswith('[x]'))
    chains = [line for line in text if 'calltrace' in line and
              '_raw_spin_lock' in line]
    parts = [text[:at('testcase:')], text[table:table + 19], chains,
             text[plot:end + 1]]
    return '\n\n[...]\n\n'.join('\n'.join(p).strip('\n') for p in parts)


def readme(write):
    """Is the README's sample what comes out?  With --readme: make it so."""
    name = f'{TOP}/README.md'
    with open(name, encoding='utf-8') as f:
        parts = f.read().split('```')
    sample = '\n' + readme_sample() + '\n'
    if write:
        with open(name, 'w', encoding='utf-8') as f:
            f.write('```'.join([parts[0], sample] + parts[2:]))
    else:
        ok("the README's sample (report.py --readme writes it)",
           parts[1] == sample)


def check_eras():
    """What the robot wrote in 2026, and of a mailed patch in 2021."""
    with tempfile.TemporaryDirectory() as tmp:
        heads = os.path.join(tmp, 'heads.yaml')
        with open(heads, 'w', encoding='utf-8') as f:
            f.write('heads: [{state: still regression, branch: linus/master,'
                    ' commit: 1f2e3d4c5b6a79880796a5b4c3d2e1f001122334}]\n')
        text = output('-f', 'text', '-t', 'modern', '--style', 'lkp', '--era',
                      '2026', '--facts', heads)
        start = f'''\n\n\nHello,

kernel test robot noticed a 11.4% regression of will-it-scale.per_process_ops on:


commit: {HEAD} ("mm/page_alloc: refill the per-CPU lists in smaller batches")
https://git.example.org/linux/linux.git mm-testing

[still regression on linus/master      1f2e3d4c5b6a79880796a5b4c3d2e1f001122334]

testcase: will-it-scale
config: x86_64-rhel-9.4
compiler: gcc-14
test machine: 96 threads 2 sockets'''
        ok('2026', text.startswith(start), text[:1000])
        patch = os.path.join(tmp, 'patch.yaml')
        with open(patch, 'w', encoding='utf-8') as f:
            f.write('patch: {subject: "[PATCH v2 1/3] mm/page_alloc: refill",'
                    ' url: "https://git.example.org/mailed/refill",'
                    ' base: "https://git.example.org/linux.git master",'
                    ' link: "https://lore.example.org/r/1@example.org"}\n')
        text = output('-f', 'text', '--style', 'lkp', '--era', '2021',
                      '--facts', patch)
        ok('patch', f'''due to commit:


commit: {HEAD} ("[PATCH v2 1/3] mm/page_alloc: refill")
url: https://git.example.org/mailed/refill
base: https://git.example.org/linux.git master
patch link: https://lore.example.org/r/1@example.org


in testcase: will-it-scale
''' in text, text[:1000])
        ok('wrong tree?', '[is this the wrong tree' in
           output('-f', 'text', '--facts', patch))
        check_today(os.path.join(tmp, 'today.yaml'))


def check_today(facts):
    """What readers missed is there today, and in no era of the robot's."""
    with open(facts, 'w', encoding='utf-8') as f:
        f.write('commits: {%s: {fixes: ["9fffc0ffee12 (\\"mm: x\\")"]}}\n'
                % HEAD)
    missed = ('\n    Fixes: 9fffc0ffee12 ("mm: x")\n', '\nmetric: ',
              '\nsetup:\n', '\nHow to read the table:\n', '  <- tested',
              '\nThe same on both sides: ')
    for template, era in ('classic', '2021'), ('modern', '2026'):
        new = output('-f', 'text', '-t', template, '--facts', facts)
        old = output('-f', 'text', '-t', template, '--style', 'lkp', '--era',
                     era, '--facts', facts)
        for words in missed:
            ok((template, words), words in new and words not in old)
        ok((template, 'sign'), 'noticed a -11.4% regression of ' in new)


def check_sentences():
    """What is not beyond doubt is not said to be so."""
    for values, words in (
            ((100, 101, 99, 100), 'no significant change (+0.0%) of x.score'),
            ((100.3, 101.2, 99.3, 100.4),
             'no significant change (+0.3%) of x.score '),
            ((90, 140, 80, 70), 'a possible -5.0% difference, not decided, of x.score ')):
        base = (100, 101, 99, 100)
        data = {'format': 'perfpost-results/1', 'metrics': {
            'x.score': {'better': 'higher', 'kpi': True}}, 'results': [
            {'axes': {'testcase': 'x', 'commit': c * 16},
             'matrix': {'x.score': v}} for c, v in (('a', base),
                                                    ('b', values))]}
        with tempfile.NamedTemporaryFile('w', suffix='.json') as f:
            json.dump(data, f)
            f.flush()
            for template in 'classic', 'modern':
                p = subprocess.run([os.environ['PERFPOST'], 'report', '-t',
                                    template, f.name], capture_output=True,
                                   text=True, check=False)
                ok(words, p.returncode == 0 and
                   words in p.stdout.replace('=\n', ''),
                   p.stderr + p.stdout[:1500])


def check_heads():
    """The state of newer kernels comes from the facts, else the results."""
    data = {'format': 'perfpost-results/1', 'metrics': {
        'x.score': {'better': 'higher', 'kpi': True}}, 'results': [
        {'axes': {'testcase': 'x', 'commit': c * 40}, 'matrix': {
            'x.score': [v, v + 1, v, v - 1]}} for c, v in (
                ('a', 100), ('b', 90), ('c', 91), ('d', 100))],
        'heads': [{'branch': 'linus/master', 'commit': 'c' * 12},
                  {'branch': 'linux-next/master', 'commit': 'd' * 12},
                  {'branch': 'unknown', 'commit': 'e' * 40},
                  {'state': 'test failed on', 'branch': 'x/y',
                   'commit': 'f' * 12}]}
    with tempfile.NamedTemporaryFile('w', suffix='.json') as f:
        json.dump(data, f)
        f.flush()
        p = run('-f', 'text', '--side', 'b' * 12, facts=False, paths=[f.name])
    ok('heads', f"""
[still regression on linus/master      {'c' * 40}]
[no regression on linux-next/master {'d' * 40}]
[test failed on x/y               {'f' * 12}]

""" in p.stdout and 'no state' in p.stderr, p.stdout[:900], p.stderr)


def check_regzbot():
    """Only a regression in a tree is for regzbot."""
    for values, more, commit, why in (
            ([90, 91, 90, 89], {}, 'b' * 40, None),
            ([110, 111, 110, 109], {}, 'b' * 40, 'is no regression beyond'),
            ([90, 104, 97, 101], {}, 'b' * 40, 'is no regression beyond'),
            ([90, 91, 90, 89], {'patch': {'subject': '[PATCH] x: y'}},
             'b' * 40, 'a mailed patch is in no tree'),
            ([90, 91, 90, 89], {}, 'v6.12', 'is no commit by its hash')):
        data = {'format': 'perfpost-results/1', 'metrics': {
            'x.score': {'better': 'higher', 'kpi': True}}, 'results': [
            {'axes': {'testcase': 'x', 'commit': c}, 'matrix': {'x.score': v}}
            for c, v in (('a' * 40, [100, 101, 100, 99]), (commit, values))],
            **more}
        with tempfile.NamedTemporaryFile('w', suffix='.json') as f:
            json.dump(data, f)
            f.flush()
            p = run('-f', 'text', '--regzbot', facts=False, paths=[f.name])
        ok('regzbot', ('\n#regzbot introduced: ' in p.stdout) == (not why) and
           (why or '') in p.stderr and bool(p.stderr) == bool(why), why,
           p.stdout[:900], p.stderr)


def check_setup():
    """Kernel options in each form of a job, and what one side alone knows."""
    needed = ['BLK_DEV_SD', {'KASAN': 'y'}, 'CONFIG_DEBUG_VM=y',
              'PROVE_RCU: y, v5.0', {'UBSAN': 'n'}, 'KCOV=n', 'LOCKDEPX']
    same = 'The same on both sides: '
    for base, head, lines in (
            ({}, {'need_kconfig': needed},
             ['options: KASAN, PROVE_RCU, DEBUG_VM\n',
              'differ: base none; tested KASAN, PROVE_RCU, DEBUG_VM\n']),
            ({'need_kconfig': {'KCSAN': 'y'}}, {'need_kconfig': ['KCSAN']},
             ['options: KCSAN\n']),
            ({}, {'kernel_cmdline': 'a slub_debug=FZ lockdepx'},
             ['with debug parameters: slub_debug\n',
              'the kernel command line may differ: base not known; tested a '
              'slub_debug=FZ lockdepx\n']),
            ({'ucode': '0x1'}, {},
             ['the microcode may differ: base 0x1; tested not known\n']),
            ({'ucode': '0x1', 'disk': '1SSD'}, {'ucode': '0x1',
                                                'disk': '1HDD'},
             [same + 'microcode.\n',
              'the disk differs: base 1SSD; tested 1HDD\n'])):
        data = {'format': 'perfpost-results/1', 'results': [
            {'axes': {'testcase': 'x', 'commit': c * 40}, 'job': job,
             'matrix': {'x.score': [v, v + 1, v, v - 1]}}
            for c, v, job in (('a', 100, base), ('b', 90, head))]}
        with tempfile.NamedTemporaryFile('w', suffix='.json') as f:
            json.dump(data, f)
            f.flush()
            p = run('-f', 'text', facts=False, paths=[f.name])
        for line in lines:
            ok('setup', line in p.stdout, line, p.stdout[:2000], p.stderr)
        ok('direction', '\nmetric: x.score; which way is better is not known\n'
           in p.stdout, p.stdout[:900])
        ok('setup', p.stdout.count('\nNote: ') + p.stdout.count(same) ==
           len(lines) and 'may differ: base 1' not in p.stdout,
           p.stdout[:2000])


def check_script():
    """The commands of LKP's script stand in the text, too."""
    with tempfile.TemporaryDirectory() as tmp:
        folders = []
        for path in PATHS[1], PATHS[-1]:
            copy = os.path.join(tmp, path[path.index('results'):])
            shutil.copytree(path, copy)
            folders.append(copy)
        with open(folders[1] + '/reproduce.sh', 'w', encoding='utf-8') as f:
            f.write('#!/bin/bash\n\n# a comment\n "mount" "-o" "size=1%" "/a b"'
                    '\nfor i in 1\ndo\n\techo "$i"\ndone\n')
        text = run('-f', 'text', facts=False, paths=folders).stdout
        ok('script', """
        mount -o size=1% "/a b"
        for i in 1
        do
            echo "$i"
        done

""" in text, text[:3000])
        with open(folders[1] + '/reproduce.sh', 'a', encoding='utf-8') as f:
            f.write('true\n' * 50)
        p = run(facts=False, paths=folders)
        ok('long script', p.stdout.count('echo "$i"') == 1 and
           p.stdout.index('filename=reproduce') < p.stdout.index('echo'))


def results(path, rows, **facts):
    """Rows of base and head."""
    with open(path, 'w', encoding='utf-8') as f:
        json.dump({'format': 'perfpost-results/1', **facts, 'results': [
            {'axes': {'testcase': 't', 'commit': c * 20},
             'matrix': {k: v[i] for k, v in rows.items() if v[i]}}
            for i, c in enumerate('ab')]}, f)
    return [path]


def check_own_reading():
    """No sound report may fail the reading back of its own mail."""
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, 'results.json')
        for name, base, head in (
                ('t.ops', [100, 110, 90, 105], [50, 60, 40, 55]),
                ('t.ops', [-1, 5, -7, 2.5], [4, -3, 6, -8]),
                ('t.\u00fcps', [100, 110, 90, 105], [50, 60, 40, 55]),
                ('perf-profile.t', [1, 2, 3, 4], [5, 9, 6, 7]),
                ('perf-profile.t', [.004, .006, .005], [.04, .05, .06]),
                ('perf-profile.t', [.011, .012], [.013, .012]),
                ('t.share%', [1, 1.01, 1.02], [1.03, 1.02, 1.04]),
                ('t.share%', [7, 7, 7], [-1e8, -1e8, -1e8]),
                ('t.share%', [7, 7, 7], [100006.97, 100006.97, 100006.97]),
                ('t.ops', [5e-324, 5e-324, 5e-324], [7, 7, 7])):
            paths = results(path, {name: (base, head)}, headline=name)
            for template in 'classic', 'modern':
                output('-t', template, paths=paths)
                mail = output('--ascii', '-t', template, paths=paths)
                subject = re.search(r'^Subject: (.*(\n[ \t].*)*)', mail,
                                    re.M).group(1)
                ok('ASCII subject', '=?' not in subject and
                   name.replace('\u00fc', 'u') in subject, subject)
        # The reference's table has its own changes, until 2017 no points.
        for name, base, head in (('t.share%', [1, 1.01, 1.02], [4, 5, 6]),
                                 ('t.share%', [7, 7, 7], [100006.97] * 3),
                                 ('t.share%', [.2, .2], [.22]),
                                 ('perf-profile.t', [5, 6, 7], None),
                                 ('t.ops', [5, 6, 7], None)):
            paths = results(path, {name: (base, head), 't.n': ([1] * 3,) * 2},
                            headline=name)
            output('--style', 'lkp', paths=paths)
            text = output('--style', 'lkp', '--era', '2016', '-f', 'text',
                          paths=paths)
            ok('no points in 2016', 'pp change' not in text, text[:200])
        # A headline without values on one side is none unless asked for.
        for rows in ({'t.a': ([1, 2], None), 't.b': ([3, 4], [5, 6])},
                     {'t.a': ([1, 2], [None]), 't.b': ([3, 4], [5, 6])}):
            paths = results(path, rows)
            text = output('-f', 'text', paths=paths)
            ok('what has values', 'of t.b on commit:' in text, text[:200])
            p = run('--headline', 't.a', paths=paths)
            ok('no values', p.returncode == 0 and
               'no t.a in any of ' in p.stdout, p.stderr)


def check_long_names():
    """Any name may have ten thousand characters: the subject shortens it."""
    long, wide = 'word ' * 2000, '\u65e5' * 5000
    steady, half = [100, 101, 99, 100], [50, 51, 49, 50]
    for name, more in (
            ('s' * 9990 + '.x', {}),
            (wide + '.x', {}),
            ('t.x', {'subsystem': long}),
            ('t.x', {'tree_name': long, 'branch': wide}),
            ('t.x', {'commits': {'b' * 20: {'subject': long}}}),
            ('t.x', {'patch': {'subject': '[PATCH v3 2/5] ' + long,
                               'version': 3, 'number': 2, 'total': 5}})):
        for base in steady, [0] * 4, [.1] * 4:
            with tempfile.TemporaryDirectory() as tmp:
                paths = results(tmp + '/r.json', {name: (base, half)},
                                headline=name, metrics={name: {
                                    'better': 'higher', 'kpi': True}}, **more)
                for template in 'classic', 'modern':
                    mail = output('-t', template, paths=paths)
                    mail = email.message_from_string(
                        mail, policy=email.policy.default)
                    s = ' '.join(mail['Subject'].split())
                    ok('long names', len(s) < 1300 and
                       ('bbbbbbbbbb: ' in s) and
                       s.endswith(('regression', 'improvement)')), s)


def check_inert():
    """Controls and overrides of the facts reach neither mail nor terminal."""
    evil = 'a\u202e\x1b[31m\nBcc: x@example.org'
    with tempfile.TemporaryDirectory() as tmp:
        paths = results(tmp + '/r.json', {'t.x': ([1] * 4, [2] * 4)},
                        test={'setup': {evil: evil}, 'machine': evil},
                        commits={'b' * 20: {'message_id': evil}})
        p = run('-f', 'text', paths=paths, facts=False)
    for text in p.stdout, p.stderr:
        ok('inert', text and not re.search('[\u202e\x1b]|^Bcc', text, re.M),
           text)


def main():
    readme('--readme' in sys.argv)
    check_json(check_forms('modern'))
    check_sentences()
    check_heads()
    check_setup()
    check_regzbot()
    check_script()
    check_own_reading()
    check_long_names()
    check_inert()
    check_forms('classic')
    # Fewer rows: the headline stays, and the whole table is attached.
    data = json.loads(output('-f', 'json', '--rows', '12'))
    shown = [r['stat'] for r in data['groups'][0]['rows'] if r['in_body']]
    ok('12 rows', len(shown) == 12 and
       'will-it-scale.per_process_ops' in shown, shown)
    mail = output('--rows', '12')
    ok('whole table', 'filename=comparison.txt' in mail)
    # ASCII needs no encoding.
    mail = output('--ascii', '-t', 'modern')
    ok('ASCII', mail.isascii() and '+- ' in output('--ascii', '-f', 'text'))
    # The operator's words, another headline, options of the set.
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as note:
        note.write('\nSeen in linux-next before.\n\n')
        note.flush()
        for template in 'classic', 'modern':
            ok('note', '\n\nSeen in linux-next before.\n\n' in
               output('-f', 'text', '-t', template, '--note', note.name))
    text = output('-f', 'text', '--headline', 'fio.read_iops', '-O',
                  'greeting=null', '-O', 'setup=true')
    ok('headline of the other test', 'of fio.read_iops due' in text and
       text.count('\tdisk: 1SSD\n') == 1 and 'Greeting' not in text and
       '\tmicrocode: 0xd0003f5\n' in text)
    ok('regzbot', f'\n#regzbot introduced: {HEAD}\n' in
       output('-f', 'text', '--regzbot'))
    check_eras()
    # Sides that ran on different microcode.
    with tempfile.TemporaryDirectory() as tmp:
        new = os.path.join(tmp, HEAD)
        subprocess.run(['cp', '-r', PATHS[3], new], check=True)
        job = os.path.join(new, '0', 'job.yaml')
        subprocess.run(['chmod', '-R', 'u+w', new], check=True)
        with open(job, encoding='utf-8') as f:
            text = f.read().replace('0xd0003f5', '0xd000404')
        with open(job, 'w', encoding='utf-8') as f:
            f.write(text + 'need_kconfig: [KASAN, CONFIG_PROVE_LOCKING=y]\n')
        text = output('-f', 'text', '-t', 'modern', paths=[PATHS[1], new])
        short = ' '.join(text.split())
        ok('warnings', '1. Not comparable: the microcode differs: base '
           '0xd0003f5; tested 0xd000404. ' in short and
           'options: KASAN, PROVE_LOCKING. ' in short and 'The debug options '
           'differ: base none; tested KASAN, PROVE_LOCKING. ' in short and
           'microcode: base 0xd0003f5; tested 0xd000404\n' in text,
           text[:3000])
        text = output('-f', 'text', '-t', 'modern', '-O', 'in_short=false',
                      paths=[PATHS[1], new])
        ok('warnings alone', 'WARNING: the microcode differs: base 0xd0003f5; '
           'tested 0xd000404\n' in text and 'Reported-by' not in text,
           text[:3000])
        # Sets of one's own; a misspelt name is an error with its place.
        own = os.path.join(tmp, 'own')
        os.mkdir(own)
        for name, line in ('subject', 'S'), ('body', 'x\n{{headline.stta}}'):
            with open(os.path.join(own, name + '.mustache'), 'w',
                      encoding='utf-8') as f:
                f.write(line)
        refused(65, f"{own}/body.mustache:2: no 'headline.stta'", '-t', own)
    refused(64, "no template set 'none'", '-t', 'none')
    refused(64, "no option 'none'", '-O', 'none=1')
    refused(64, "headline 'none': no result has it", '--headline', 'none')
    refused(64, 'is not eml, text, html or json', '-f', 'pdf')
    refused(64, "no results of 'cafe'", '--side', 'cafe')
    for slips in True, False:
        args = ['--label', 'foo=bar', '--stat', 'nosuch'] if slips else \
            ['--label', HEAD[:7] + '=new', '--stat',
             'will-it-scale.per_process_ops']
        p = run('-f', 'text', *args)
        ok('slips', p.returncode == 0 and slips ==
           ("--label: no side is named by 'foo=bar'" in p.stderr) ==
           ("--stat: no result has 'nosuch'" in p.stderr), p.stderr)
    return verdict()


os.environ.pop('LKP_SRC', None)
with tempfile.NamedTemporaryFile(suffix='.conf') as empty:
    os.environ['PERFPOST_CONFIG'] = empty.name
    result = main()
sys.exit(result)
