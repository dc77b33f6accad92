#!/bin/bash
# What contrib/ offers to systemd and to shells, tried as they use it.
set -u
bad=0
contrib=$top_srcdir/contrib
fail() {
	echo "FAILED: $*"
	bad=1
}

completes() {	# WORDS... : what the last word may become
	COMP_WORDS=(perfpost "$@")
	COMP_CWORD=$#
	_perfpost
	echo "${COMPREPLY[*]}"
}

# shellcheck source=/dev/null
. "$contrib/completion/perfpost.bash"
PATH=$(dirname "$PERFPOST"):$PATH
case " $(completes com) " in *" compare "*) ;; *) fail "command" ;; esac
case " $(completes compare --sty) " in
*" --style "*) ;; *) fail "option: $(completes compare --sty)" ;; esac
case " $(completes report -f '') " in
*" eml "*) ;; *) fail "form: $(completes report -f '')" ;; esac
# Whatever --help names: commands, what they can be told to do, their options.
commands=$("$PERFPOST" --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 19 ] || fail "commands: $commands"
for command in $commands; do
	case " $(completes "") " in *" $command "*) ;;
	*) fail "command $command" ;; esac
	options=$("$PERFPOST" "$command" --help |
		grep -Eo '(^|[^a-z-])--[a-z][a-z-]*' | grep -o -- '--.*')
	offered=" $(completes "$command" --) "
	for option in $options; do
		case $offered in *" $option "*) ;;
		*) fail "$command $option" ;; esac
	done
done
while read -r command verbs; do
	offered=" $(cd / && completes "$command" "") "
	for verb in $verbs; do
		case $offered in *" $verb "*) ;;
		*) fail "$command $verb: $offered" ;; esac
	done
done <<'END'
queue list show cancel retry approve reject
outbox list show approve reject cancel retry
reports list show set
store backup check restore
END
for command in status receive; do
	case " $(completes "$command" --c) " in *" --config "*) ;;
	*) fail "$command --config" ;; esac
done
if command -v zsh >/dev/null; then
	zsh -n "$contrib/completion/_perfpost" || fail "zsh syntax"
fi

# Four units, each below 2.0 of 10 as systemd counts exposure.
if command -v systemd-analyze >/dev/null; then
	root=$(mktemp -d)
	trap 'rm -rf "$root"' EXIT
	mkdir -p "$root/etc/systemd/system" "$root/usr/bin" "$root/bin"
	cp -r "$contrib/systemd/." "$root/etc/systemd/system/"
	cp "$(type -P true)" "$root/usr/bin/perfpost"
	cp "$(type -P kill)" "$root/bin/kill"
	for stage in receive decide run send; do
		systemd-analyze security --offline=true --root="$root" \
			--threshold=20 "perfpost-$stage.service" \
			>"$root/out" 2>&1 ||
			fail "$stage: $(tail -1 "$root/out")"
		grep -q 'Overall exposure' "$root/out" ||
			fail "$stage: $(tail -1 "$root/out")"
	done
else
	echo "no systemd-analyze: units not judged"
fi

# bootstrap says what to do where the source folder is configured.
t=$(mktemp -d) || exit 99
cp "$top_srcdir/bootstrap" "$t" && touch "$t/config.status"
for what in demo check; do
	said=$("$t/bootstrap" $what 2>&1)
	[ $? = 65 ] || fail "bootstrap $what: no exit code 65"
	case $said in
	*"make distclean"*) ;;
	*) fail "bootstrap $what: $said" ;;
	esac
done
rm -rf "$t"

# The set that perfpost-templates(7) shows makes a mail that may go.
t=$(mktemp -d) || exit 99
awk '/^\$ echo .*headline/ { sub(/^\$ echo ./, ""); sub(/. *\\e$/, ""); print }' \
	"$top_srcdir/doc/perfpost-templates.7" >"$t/subject.mustache"
awk '/^\$ cat > .*body/ { on = 1; next } /^\$ perfpost/ { on = 0 } on' \
	"$top_srcdir/doc/perfpost-templates.7" >"$t/body.mustache"
[ -s "$t/body.mustache" ] || fail "no example in perfpost-templates(7)"
set -- "$top_srcdir"/contrib/sample/results/will-it-scale/*/*/*/*/*/4c1d0e9a7b* \
	"$top_srcdir"/contrib/sample/results/will-it-scale/*/*/*/*/*/b7e2f40d91*
"$PERFPOST" report --to dev@example.org -t "$t" "$@" >"$t/mail" || fail "the example set"
"$PERFPOST" lint "$t/mail" || fail "the example set: not fit"
rm -rf "$t"
exit $bad
