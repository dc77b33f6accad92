#!/bin/sh
# make install DESTDIR=...: what stands there works before it is moved in place.
set -u
t=$(mktemp -d) || exit 99
trap 'rm -rf "$t"' EXIT
bad=0
fail() {
	echo "FAILED: $*"
	bad=1
}

make -s -C "$top_builddir" install DESTDIR="$t" >"$t/log" 2>&1 || {
	cat "$t/log"
	exit 1
}
perfpost=$(find "$t" -path '*/bin/perfpost')
[ -x "$perfpost" ] || fail "no program"
results=$top_srcdir/contrib/sample/results/will-it-scale
set -- "$results"/*/*/*/*/*/4c1d0e9a7b* "$results"/*/*/*/*/*/b7e2f40d91*
unset PERFPOST_DATADIR
# The metric table, the templates, the other program.
"$perfpost" compare "$@" | grep -q per_process_ops || fail "compare"
"$perfpost" report -t modern "$@" | grep -q '^Subject: ' || fail "report"
"$perfpost" send --help | grep -q '^usage: ' || fail "send"
for page in man1/perfpost.1 man5/perfpost-results.5 man5/perfpost.conf.5 \
	    man7/perfpost-templates.7; do
	[ -n "$(find "$t" -path "*/$page*")" ] || fail "no $page"
done
for file in doc/perfpost/guide.md doc/perfpost/examples/perfpost.conf.example \
	    doc/perfpost/examples/recipes/procmailrc perfpost/lkp/run \
	    bash-completion/completions/perfpost.bash \
	    zsh/site-functions/_perfpost \
	    systemd/system/perfpost-.service.d/hardening.conf; do
	[ -n "$(find "$t" -path "*/$file")" ] || fail "no $file"
done
for unit in receive decide run send; do
	file=$(find "$t" -name "perfpost-$unit.service")
	grep -q "^ExecStart=${perfpost#"$t"} bot --stage $unit " "$file" ||
		fail "$unit: another program"
done
make -s -C "$top_builddir" uninstall DESTDIR="$t" >"$t/log" 2>&1 ||
	fail "uninstall"
left=$(find "$t" -type f ! -path "$t/log")
[ -z "$left" ] || fail "left behind: $left"
exit $bad
