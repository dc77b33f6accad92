#!/usr/bin/env python3
"""Write a Maildir of list mails as kernel lists carry them.

usage: list-mails.py FOLDER COUNT [SEED]

Threads of patches, answers that quote them, reports with tables, in the
encodings and structures that mailers choose.  The same seed gives the same
mails.
"""
import base64
import os
import quopri
import random
import sys
from email.header import Header
from email.utils import formatdate

PEOPLE = [('Ada Example', 'ada@dev.example.org'),
          ('Jörg Müller', 'joerg@example.com'),
          ('Lee, Ann', 'ann.lee@example.net'),
          ('Петр', 'petr@example.org'),
          ('kernel test robot', 'lkp@perf.example.org')]
LISTS = ['linux-mm', 'linux-kernel', 'netdev', 'oe-perf']
WORDS = ('the of a to and in is it for that on with this be as are not '
         'patch regression throughput lock cache line page fault node CPU '
         'commit test results run kernel memory allocation counter batch '
         'please could rerun measure series tree branch').split()


class Writer:
    def __init__(self, folder, seed):
        self.rnd = random.Random(seed)
        self.folder = folder
        self.threads = []
        for sub in ('cur', 'new', 'tmp'):
            os.makedirs(os.path.join(folder, sub), exist_ok=True)

    def sentence(self):
        n = self.rnd.randint(5, 25)
        s = ' '.join(self.rnd.choice(WORDS) for _ in range(n))
        return s.capitalize() + self.rnd.choice('.?.')

    def paragraph(self):
        text, line = '', ''
        for word in ' '.join(self.sentence() for _ in
                             range(self.rnd.randint(1, 5))).split():
            if len(line) + len(word) > 71:
                text += line.rstrip() + '\n'
                line = ''
            line += word + ' '
        return text + line.rstrip() + '\n'

    def diff(self):
        out = ''
        for _ in range(self.rnd.randint(1, 4)):
            name = 'mm/file%d.c' % self.rnd.randrange(500)
            out += (f'diff --git a/{name} b/{name}\n'
                    'index 1111111..2222222 100644\n'
                    f'--- a/{name}\n+++ b/{name}\n')
            for _ in range(self.rnd.randint(1, 5)):
                old, new = self.rnd.randint(0, 8), self.rnd.randint(1, 12)
                at = self.rnd.randrange(1, 3000)
                out += f'@@ -{at},{old + 6} +{at},{new + 6} @@ int f(void)\n'
                out += ''.join(' \tcontext(%d);\n' % i for i in range(3))
                out += ''.join('-\told_call(n, %d);\n' % i
                               for i in range(old))
                out += ''.join('+\tnew_call(n, %d);\n' % i
                               for i in range(new))
                out += ''.join(' \tcontext(%d);\n' % i for i in range(3))
        return out

    def table(self):
        rows = ''.join(
            '%10d ± %2d%%  %+9.1f%%  %10d        stat.number.%d\n' % (
                self.rnd.randrange(10 ** 8), self.rnd.randrange(30),
                self.rnd.uniform(-50, 50), self.rnd.randrange(10 ** 8), i)
            for i in range(self.rnd.randint(10, 120)))
        return ('1111111111111111 2222222222222222222222222222\n'
                '---------------- ----------------------------\n' + rows)

    def body(self, parent):
        kind = self.rnd.random()
        if parent is None and kind < 0.6:
            return (self.paragraph() + '\n' + self.paragraph() +
                    '\nSigned-off-by: Ada Example <ada@dev.example.org>\n'
                    '---\n mm/file.c | 2 +-\n 1 file changed\n\n' +
                    self.diff() + '-- \n2.44.0\n\n')
        if parent is None:
            return self.paragraph() + '\n' + self.table()
        quoted = parent['body'].split('\n')
        at = self.rnd.randrange(max(1, len(quoted) - 40))
        name, address = parent['from']
        out = (f'On Tue, Mar 3, 2026 at 10:15 AM {name} <{address}> wrote:\n'
               + ''.join(f'> {line}\n' if line[:1] != '>' else f'>{line}\n'
                         for line in quoted[at:at + 40]) + '\n')
        for _ in range(self.rnd.randint(1, 4)):
            out += self.paragraph() + '\n'
        if kind < 0.1:
            out += self.diff() + '\n'
        return out + '-- \nAnn\n'

    def encode(self, body):
        kind = self.rnd.random()
        raw = body.encode()
        if kind < 0.7:
            return 'text/plain; charset=utf-8', '8bit', raw
        if kind < 0.9:
            return ('text/plain; charset="utf-8"', 'quoted-printable',
                    quopri.encodestring(raw))
        return ('text/plain; charset=utf-8', 'base64',
                base64.encodebytes(raw))

    def part(self, body):
        ctype, cte, raw = self.encode(body)
        return (f'Content-Type: {ctype}\n'
                f'Content-Transfer-Encoding: {cte}\n\n').encode() + raw

    def content(self, body):
        kind = self.rnd.random()
        if kind < 0.85:
            return self.part(body)
        if kind < 0.93:
            other = ('Content-Type: text/x-patch; name="a.patch"\n'
                     'Content-Disposition: attachment; filename="a.patch"\n'
                     '\n' + self.diff()).encode()
            how = 'mixed'
        else:
            other = ('Content-Type: text/html; charset=utf-8\n\n<div>' +
                     body.replace('<', '&lt;') + '</div>').encode()
            how = 'alternative'
        return (f'Content-Type: multipart/{how}; boundary="=_b"\n\n--=_b\n'
                .encode() + self.part(body) + b'\n--=_b\n' + other +
                b'\n--=_b--\n')

    def write(self, number):
        parent = None
        if self.threads and self.rnd.random() < 0.75:
            parent = self.rnd.choice(self.threads[-200:])
        who = self.rnd.choice(PEOPLE)
        ident = f'{number}.{self.rnd.randrange(10 ** 9)}@example.org'
        mail = {'id': ident, 'from': who,
                'refs': parent['refs'] + [parent['id']] if parent else [],
                'subject': parent['subject'] if parent else
                '[PATCH] mm: ' + self.sentence()[:50]}
        mail['body'] = self.body(parent)
        self.threads.append(mail)
        name, address = who
        list_name = self.rnd.choice(LISTS)
        lists = f'{list_name}@lists.example.org'
        head = 'Return-Path: <owner@lists.example.org>\n'
        for hop in range(self.rnd.randint(2, 5)):
            head += (f'Received: from host{hop}.example.org '
                     f'(host{hop}.example.org [192.0.2.{hop}])\n\tby mx.'
                     f'example.org with ESMTPS id {number};\n\t'
                     'Tue, 03 Mar 2026 10:15:00 +0000\n')
        head += 'DKIM-Signature: v=1; a=rsa-sha256; d=example.org;\n\tb='
        head += '\n\t '.join('x' * 70 for _ in range(4)) + '\n'
        head += f'From: {Header(name, "utf-8").encode()} <{address}>\n'
        head += f'To: {lists}\n'
        head += 'Cc: ' + ',\n\t'.join(
            f'Person {i} <p{i}@example.org>'
            for i in range(self.rnd.randint(1, 12))) + '\n'
        subject = ('Re: ' if parent else '') + mail['subject']
        head += f'Subject: {subject}\nMessage-ID: <{ident}>\n'
        if mail['refs']:
            head += f'In-Reply-To: <{mail["refs"][-1]}>\n'
            head += 'References: ' + '\n\t'.join(
                f'<{r}>' for r in mail['refs'][-12:]) + '\n'
        head += f'Date: {formatdate(1772532900 + number * 60)}\n'
        head += (f'List-Id: <{list_name}.lists.example.org>\n'
                 'MIME-Version: 1.0\n')
        raw = head.encode() + self.content(mail['body'])
        path = os.path.join(self.folder, 'cur', f'{number:06d}.x:2,S')
        with open(path, 'wb') as f:
            f.write(raw)


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    writer = Writer(folder, int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    for number in range(count):
        writer.write(number)


main()
