#!/usr/bin/env python3
"""The page of perfpost preview --html: what it holds, and, where Chromium and
its driver are there, how it behaves in a browser."""
import base64
import hashlib
import html.parser
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

PERFPOST = os.environ['PERFPOST']
failed = 0


def check(ok, what):
    global failed
    if not ok:
        failed += 1
        print('FAIL:', what)


EVIL = ['meminfo.<script>alert(1)</script>', 'meminfo."onmouseover="alert(1)',
        'meminfo.\u202egnp.exe', 'meminfo.</title></style></script>',
        'meminfo.{{title}}{{{title}}}', "meminfo.'><img src=x onerror=alert(1)>",
        'vmstat.' + 'x' * 10000]


def results(evil):
    matrix = [{'fio.write_iops': v, 'fio.lat<b>': w, 'last_state.booting': b,
               'last_state.is_incomplete_run': b,
               'meminfo.Active': [k * 1000 + i for i in range(5)],
               'perf-profile.calltrace.cycles-pp._raw_spin_lock.a.b':
               [k * 5 + i / 10 for i in range(5)]}
              for v, w, b, k in (
                  ([1000, 1001, 1002, 1003, 1004], [10, 11, 10, 11, 10],
                   [0, 0, 0, 0, 0], 2),
                  ([900, 901, 902, 0, 903], [5, 5, 6, 0, 5],
                   [0, 0, 0, 1, 0], 4))]
    for name in evil:
        matrix[0][name] = [5000, 5001, 5002, 5003, 5004]
        matrix[1][name] = [9000, 9001, 9002, 9003, 9004]
    return {'format': 'perfpost-results/1', 'headline': 'fio.write_iops',
            'tree': 'https://example.org/<i>linux.git', 'branch': '"><b>x',
            'commits': {'b' * 40: {'subject': 'mm: <script>x</script> & "y"'}},
            'metrics': {'fio.write_iops': {'better': 'higher', 'kpi': True,
                                           'unit': 'io/s<b>'}},
            'test': {'reproduce': ['echo "<b>"; true']},
            'plots': ['fio.write_iops', 'fio.lat<b>'],
            'results': [{'axes': {'testcase': 'fio', 'box': '<b>',
                                  'commit': c * 40}, 'matrix': m}
                        for c, m in zip('ab', matrix)]}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.ids, self.targets, self.attrs = [], [], [], []
        self.inside, self.text = [], {}

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.inside.append(tag)
        for name, value in attrs:
            self.attrs.append((tag, name, value))
            if name == 'id':
                self.ids.append(value)
            if name == 'href':
                self.targets.append(value)

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data):
        tag = self.inside[-1] if self.inside else ''
        self.text[tag] = self.text.get(tag, '') + data


def make(folder, data, *options):
    source = os.path.join(folder, 'r.json')
    page = os.path.join(folder, 'page.html')
    with open(source, 'w') as f:
        json.dump(data, f)
    p = subprocess.run([PERFPOST, 'preview', '--html', page, *options, source],
                       capture_output=True, text=True, timeout=60)
    check(p.returncode == 0, 'preview: ' + p.stderr)
    return page


def test_source(path):
    text = open(path).read()
    page = Page()
    page.feed(text)
    check(page.tags.count('script') == 1, 'one script')
    for tag in ('img', 'iframe', 'object', 'embed', 'link', 'base', 'b', 'i'):
        check(tag not in page.tags, '<%s>' % tag)
    for tag, name, value in page.attrs:
        check(not name.startswith('on'), '%s %s' % (tag, name))
        check(name not in ('src', 'srcset', 'xlink:href', 'action'), name)
    check(all(t.startswith('#') for t in page.targets), 'links stay here')
    check(set(t[1:] for t in page.targets) <= set(page.ids), 'links arrive')
    check(len(set(page.ids)) == len(page.ids), 'ids are unique')
    check('url(' not in text and '@import' not in text, 'no style from outside')
    check('\u202e' not in text, 'no bidi override')
    digest = hashlib.sha256(page.text['script'].encode()).digest()
    check("'sha256-%s'" % base64.b64encode(digest).decode() in text,
          'the policy names the script: run contrib/html-script-hash')
    for want in ('<dt>Subject</dt>', 'attachment', 'fio.write_iops fell by'):
        check(want in text.replace('\n', ' '), want)


def test_with_recipient(folder):
    path = make(folder, results([]), '--to', 'ann@example.org')
    text = open(path).read()
    check('<dt>To</dt><dd>ann@example.org</dd>' in text, 'recipient')
    check('Attachment: reproduce' in text, 'attachments')


def test_browser_option(folder):
    """--browser hands the page to $BROWSER and says where it is."""
    opener = os.path.join(folder, 'opener')
    seen = os.path.join(folder, 'seen')
    with open(opener, 'w') as f:
        f.write('#!/bin/sh\nprintf %%s "$1" > %s\n' % seen)
    os.chmod(opener, 0o755)
    source = os.path.join(folder, 'r.json')
    env = dict(os.environ, BROWSER=opener, TMPDIR=folder)
    p = subprocess.run([PERFPOST, 'preview', '--browser', source], env=env,
                       capture_output=True, text=True, timeout=60)
    path = p.stdout.strip()
    check(p.returncode == 0 and path.startswith(folder), p.stderr)
    check(open(seen).read() == path, 'the browser got the page')
    check(os.stat(path).st_mode & 0o77 == 0, 'only the owner reads it')
    for where in '/dev/full', folder + '/none/page.html':
        p = subprocess.run([PERFPOST, 'preview', '--html', where, source],
                           capture_output=True, text=True, timeout=60)
        check(p.returncode == 74 and where in p.stderr, p.stderr)
    env['BROWSER'] = '/nonexistent/browser'
    p = subprocess.run([PERFPOST, 'preview', '--browser', source], env=env,
                       capture_output=True, text=True, timeout=60)
    check(p.returncode and '/nonexistent/browser' in p.stderr, p.stderr)


class Browser:
    """The few calls of WebDriver that we need."""

    def __init__(self, folder, *switches):
        self.process = subprocess.Popen(
            ['chromedriver', '--port=0'], stdout=subprocess.PIPE, text=True,
            start_new_session=True)
        port = None
        while port is None:
            line = self.process.stdout.readline()
            if not line:
                raise OSError('chromedriver has ended')
            found = re.search(r'on port (\d+)\.', line)
            port = found and found.group(1)
        self.base = 'http://127.0.0.1:%s/session' % port
        self.session = ''
        args = ['--headless', '--no-sandbox', '--disable-gpu',
                '--disable-quic', '--no-first-run',
                '--disable-background-networking',
                '--disable-component-update', '--disable-sync',
                '--user-data-dir=' + tempfile.mkdtemp(dir=folder), *switches]
        made = self.call('POST', '', {'capabilities': {'alwaysMatch': {
            'goog:loggingPrefs': {'browser': 'ALL'},
            'goog:chromeOptions': {'args': args}}}})
        self.session = '/' + made['sessionId']

    def call(self, method, path, data=None):
        request = urllib.request.Request(
            self.base + self.session + path, method=method,
            data=None if data is None else json.dumps(data).encode(),
            headers={'Content-Type': 'application/json'})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)['value']

    def open(self, path):
        self.call('POST', '/url', {'url': 'file://' + path})

    def run(self, script):
        return self.call('POST', '/execute/sync',
                         {'script': script, 'args': []})

    def keys(self, text):
        self.call('POST', '/actions', {'actions': [{
            'type': 'key', 'id': 'k', 'actions': [
                {'type': t, 'value': c} for c in text
                for t in ('keyDown', 'keyUp')]}]})

    def log(self):
        return [entry['message'] for entry in
                self.call('POST', '/se/log', {'type': 'browser'})]

    def size(self, width, height):
        self.call('POST', '/window/rect', {'width': width, 'height': height})

    def close(self):
        try:
            if self.session:
                self.call('DELETE', '')
        finally:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait()


SHOWN = ("return Array.from(document.querySelectorAll('table.rows tbody tr'))"
         ".filter(e => e.checkVisibility()).length")


def test_behaviour(b, path):
    b.open(path)
    rows = b.run(SHOWN)
    check(rows >= 10, 'all rows at first: %s' % rows)
    b.run("document.getElementById('filter').focus()")
    b.keys('ACTIVE mem')
    check(b.run(SHOWN) == 1, 'filter by two words')
    check(b.run("return document.getElementById('count').textContent") ==
          '1 of %d rows' % rows, 'count')
    b.run("location.hash = document.querySelector('#finding-1 a').hash")
    time.sleep(.3)
    check(b.run(SHOWN) == rows, 'a link to a hidden row shows it')
    check(b.run("return document.querySelector('tr:target th').textContent") ==
          'fio.write_iops', 'the row of the finding')
    b.run("document.getElementById('toggle').click()")
    check(b.run(SHOWN) == 0, 'close all')
    b.run("document.getElementById('toggle').click();"
          "document.getElementById('only-judged').click()")
    check(0 < b.run(SHOWN) < rows, 'only better or worse')
    check(b.run("return document.querySelector('circle.mark title')"
                ".textContent").startswith('base aaaaaaaaaa, run 1: 1000'),
          'a run says its value')


def test_keyboard(b, path):
    b.open(path)
    seen = set()
    for _ in range(40):
        b.keys('\ue004')
        seen.add(b.run("return document.activeElement.id || "
                       "document.activeElement.className || "
                       "document.activeElement.tagName"))
    check({'body', 'filter', 'SUMMARY', 'toggle'} <= seen,
          'reached by Tab: %s' % seen)


def test_sizes(b, path):
    # A window is at least 500 wide in headless Chromium: a frame is not.
    for width in (360, 800, 1400):
        b.call('POST', '/goog/cdp/execute', {
            'cmd': 'Emulation.setDeviceMetricsOverride', 'params': {
                'width': width, 'height': 800, 'deviceScaleFactor': 1,
                'mobile': False}})
        b.open(path)
        got = b.run('return document.documentElement.scrollWidth')
        check(got <= width, '%d wide: %d needed' % (width, got))
        wide = b.run("return Array.from(document.querySelectorAll('.monitor "
                     ".scroll')).filter(e => e.scrollWidth > e.clientWidth)"
                     ".length")
        check(not wide, '%d wide: %s tables do not fit' % (width, wide))


CONTRAST = """
function luminance(c) {
  var v = c.match(/[\\d.]+/g).slice(0, 3).map(function (x) {
    x /= 255; return x <= .03928 ? x / 12.92 : Math.pow((x + .055) / 1.055, 2.4);
  });
  return .2126 * v[0] + .7152 * v[1] + .0722 * v[2];
}
function paper(e) {
  for (; e; e = e.parentElement) {
    var c = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)$/.test(c) && c !== 'transparent') return c;
  }
  return getComputedStyle(document.body).backgroundColor;
}
return Array.from(document.querySelectorAll('h1 span, p, dt, dd, a, small, td, ' +
    'th, .plot text')).filter(function (e) {
  var s = getComputedStyle(e);
  var a = luminance(e.namespaceURI.indexOf('svg') > 0 ? s.fill : s.color);
  var b = luminance(paper(e));
  return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 4.5;
}).map(function (e) { return e.tagName + '.' + e.className; });
"""


def test_colours(b, path):
    for scheme in ('light', 'dark'):
        b.call('POST', '/goog/cdp/execute', {
            'cmd': 'Emulation.setEmulatedMedia', 'params': {
                'features': [{'name': 'prefers-color-scheme',
                              'value': scheme}]}})
        b.open(path)
        low = b.run(CONTRAST)
        check(not low, '%s: contrast below 4.5: %s' % (scheme, low[:5]))


def test_without_script(b, path):
    b.call('POST', '/goog/cdp/execute', {
        'cmd': 'Emulation.setScriptExecutionDisabled', 'params': {
            'value': True}})
    b.open(path)
    check(b.run(SHOWN) >= 10, 'all rows without script')
    check(not b.run("return document.getElementById('tools').checkVisibility()"),
          'no dead buttons')
    b.call('POST', '/goog/cdp/execute', {
        'cmd': 'Emulation.setScriptExecutionDisabled', 'params': {
            'value': False}})


def in_browser(folder, path):
    b = Browser(folder)
    try:
        for test in (test_behaviour, test_keyboard, test_sizes, test_colours,
                     test_without_script):
            test(b, path)
        errors = [m for m in b.log() if 'favicon' not in m]
        check(not errors, 'console: %s' % errors[:3])
        check(b.run('return document.title').startswith('bbbbbbbbbb: '),
              'title')
    finally:
        b.close()


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    test_with_recipient(folder)
    test_browser_option(folder)
    path = make(folder, results(EVIL))
    test_source(path)
    if shutil.which('chromedriver') and shutil.which('chromium'):
        in_browser(folder, path)
    elif not failed:
        print('SKIP: no chromium with its driver; only the source was read')
        sys.exit(77)
sys.exit(failed > 0)
