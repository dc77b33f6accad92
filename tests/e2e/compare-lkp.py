#!/usr/bin/env python3
"""Does compare --style lkp print what the reference prints, to the byte?

The reference's cases and the rule files of lkp-tests stand beside the source
(../shared); where they do not, this test is skipped.
"""
import os
import subprocess
import sys

shared = os.path.join(os.environ['top_srcdir'], '..', 'shared')
if not os.path.isdir(os.path.join(shared, 'accept')):
    print('no ../shared: skipped')
    sys.exit(77)
status = 0
for check in 'compare.py', 'goldens.py':
    status |= subprocess.call(
        [sys.executable, os.path.join(shared, 'accept', check), '--perfpost',
         os.environ['PERFPOST']])
sys.exit(status)
