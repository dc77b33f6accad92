#!/bin/sh
# perfpost lint: what is said of mails that must not go out, and how it ends.
d=$top_srcdir/tests/lint
fail=0

# NAME, the exit code wanted, what the output must hold
try() {
	out=$("$PERFPOST" lint "$1" 2>&1)
	code=$?
	if [ $code != "$2" ]; then
		echo "$1: exit code $code, not $2"
		fail=1
	fi
	case $out in
	*"$3"*) ;;
	*)
		echo "$1: '$3' is missing in: $out"
		fail=1
		;;
	esac
}

try "$d/tag.eml" 65 "suggested tag neither indented nor behind '|'"
try "$d/header-block.eml" 65 "header-like lines at start of body"
try "$d/empty-table.eml" 65 "empty section: comparison table"
try "$d/good.eml" 0 ""
try "$d/none.eml" 71 "none.eml"
try "$d" 65 ""

# Nothing is said of a good mail; standard input works; so do several files.
[ -z "$("$PERFPOST" lint "$d/good.eml")" ] || { echo "good: noise"; fail=1; }
"$PERFPOST" lint - <"$d/good.eml" || { echo "stdin: $?"; fail=1; }
"$PERFPOST" lint "$d/good.eml" "$d/tag.eml" >/dev/null
[ $? = 65 ] || { echo "two files"; fail=1; }
"$PERFPOST" lint >/dev/null 2>&1
[ $? = 64 ] || { echo "no file: not a usage error"; fail=1; }

# Wrong calls say what is wrong with them.
while read -r reason; do
	read -r call
	# shellcheck disable=SC2086
	said=$("$PERFPOST" $call 2>&1 >/dev/null)
	code=$?
	case $said in
	*"$reason"*) [ $code = 64 ] || { echo "$call: $code"; fail=1; } ;;
	*) echo "$call: no '$reason' in: $said"; fail=1 ;;
	esac
done <<'END'
lint needs a mail
lint
send needs a mail, or --queued
send
answer needs the Message-ID
answer
--format: 'html' is neither text nor json
thread --format html x
--stage: 'sned' is no stage
bot --stage sned
--gap: '-1' is below 0
compare --gap -1 x y
END
exit $fail
