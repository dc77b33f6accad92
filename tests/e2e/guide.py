#!/usr/bin/env python3
"""doc/guide.md, word for word: its commands, as one reader types them."""
import os
import re
import subprocess
import sys
import tempfile

source = os.path.abspath(os.environ["top_srcdir"])
with open(f"{source}/doc/guide.md", encoding="utf-8") as f:
    blocks = re.findall(r"^```sh\n(.*?)^```$", f.read(), re.M | re.S)
with tempfile.TemporaryDirectory() as here:
    os.symlink(f"{source}/contrib", f"{here}/contrib")
    env = dict(os.environ, HOME=here, PATH=os.path.dirname(os.path.abspath(
        os.environ["PERFPOST"])) + ":" + os.environ["PATH"])
    env.pop("PERFPOST_CONFIG", None)
    done = subprocess.run(["sh", "-eux"], input="".join(blocks), cwd=here,
                          env=env, capture_output=True, text=True,
                          check=False)
    made = [n for n in ("report.html", "report.eml", "sent/new",
                        "pages/index.html", "backup.db", "other.db")
            if not os.path.exists(f"{here}/{n}")]
    sent = subprocess.run("grep -h ^X-Perfpost: sent/new/*", shell=True,
                          cwd=here, capture_output=True, text=True,
                          check=False).stdout.split()[1::2]
if os.environ.get("SHOW"):
    print(done.stdout)
if sorted(sent) != ["ack", "result"]:
    made.append(f"answers: {sent}")
if len(blocks) < 8 or done.returncode or made or "Sanitizer" in done.stderr:
    print(f"{len(blocks)} blocks, exit status {done.returncode}, "
          f"not made: {made}\n{done.stderr[-3000:]}")
    sys.exit(1)
