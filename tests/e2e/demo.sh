#!/bin/sh
# contrib/demo/run: a report, an answer with a patch, the bot's result; and
# what the state says of it afterwards.
set -eu
for tool in git make cc python3; do
	command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() {
	echo "$*" >&2
	exit 1
}

last() {
	"$top_srcdir/contrib/demo/run" --perfpost "$PERFPOST" "$@" \
		>"$tmp/out" 2>"$tmp/err" || { cat "$tmp/out" "$tmp/err"; exit 1; }
	tail -n 1 "$tmp/out"
}

# The example is a configuration.
"$PERFPOST" replay --config "$top_srcdir/contrib/perfpost.conf.example" \
	"$top_srcdir/tests/corpus/mail/30.eml" |
	grep -q '"decision": "none"' || fail "contrib/perfpost.conf.example"

[ "$(last --keep "$tmp/good")" = "demo: verdict recovered" ] ||
	{ cat "$tmp/out"; fail "the patch that mends it"; }
grep -q '<- patched' "$tmp/out" || fail "no mark in the table"
grep -q '^| Tested-by: demo robot' "$tmp/out" || fail "no suggested tag"

[ "$(last --useless-patch --keep "$tmp/useless")" = \
	"demo: verdict no change" ] ||
	{ cat "$tmp/out"; fail "the patch that does nothing"; }
grep -q 'Tested-by' "$tmp/out" && fail "a tag for nothing"
grep -q '^The patch makes no difference: ' "$tmp/out" || fail "no comparison"

# The state: looked into, and steered.
conf=$tmp/good/perfpost.conf
look() {
	"$PERFPOST" "$@" --config "$conf"
}
id=$(sed -n 's/^Message-ID: //p' "$tmp/good/answer.eml")
look why "$id" | grep -q '^decision *queue' || fail "why"
look why --json "$id" | grep -q '"state": "answered"' || fail "why --json"
look reports | grep -q 'buffer.ns_per_append' || fail "reports"
look reports show 1 | grep -q '"state": "open"' || fail "reports show"
look reports set invalid 1
look reports | grep -q ' invalid ' || fail "reports set"
look queue --all | grep -q ' done ' || fail "queue"
look queue show 1 | grep -q '"state": "done"' || fail "queue show"
look queue cancel 1 2>/dev/null && fail "cancelled what was done"
[ "$(look outbox --all | grep -c ' sent ')" = 3 ] || fail "outbox"
look outbox show 3 | grep -q '^Auto-Submitted: auto-replied' ||
	fail "outbox show"
look outbox approve 3 2>/dev/null && fail "approved what was sent"

# The operator's own answer, once however often it is given.
echo 'Here is another comparison.' >"$tmp/note"
for i in 1 2; do
	look answer --note "$tmp/note" "$id" \
		"$tmp/good/first/results/results.json" >"$tmp/said" ||
		fail "answer"
done
look outbox show 4 >"$tmp/mail"
"$PERFPOST" parse "$tmp/mail" >"$tmp/read"
grep -q 'Here is another comparison' "$tmp/read" || fail "answer: the note"
grep -qF '  buffer.ns_per_append\n' "$tmp/read" || fail "answer: the table"
grep -q "^In-Reply-To: $id" "$tmp/mail" || fail "answer: the thread"
look outbox cancel 4

# A question is answered from the results that the report was made of.
cat >"$tmp/good/arrived/new/question" <<END
From: Ann Example <ann@dev.example.org>
To: demo robot <perfbot@ci.example.org>
Subject: Re: x
Date: Mon, 30 Nov 2026 14:27:14 +0000
Message-ID: <question@dev.example.org>
In-Reply-To: $(sed -n 's/^Message-ID: //p' "$tmp/good/report.eml")

Is it reproducible across reboots?
END
look bot --once
look outbox show 5 | tr -d '\r' >"$tmp/mail"
grep -q '10 runs, mean' "$tmp/mail" || fail "the values of the runs"
grep -q 'the 99.5% interval of the change' "$tmp/mail" || fail "the interval"

# The same from another machine: in the thread of the first, only what is new.
sed 's/"tbox_group": "[^"]*"/"tbox_group": "box2"/' \
	"$tmp/good/first/results/results.json" >"$tmp/again.json"
look send "$tmp/again.json" >"$tmp/said" || fail "send again"
look outbox show 6 >"$tmp/mail"
grep -q "^In-Reply-To: $(sed -n 's/^Message-ID: //p' "$tmp/good/report.eml")" \
	"$tmp/mail" || fail "send again: the thread"
"$PERFPOST" parse "$tmp/mail" | grep -q \
	'Also on box2: ' || fail "send again: what is new"
look reports show 2 | grep -q '"parent": 1' || fail "send again: the parent"

# The same, finished, in both forms.
sent=$(look outbox --all | wc -l)
for box in box3 box4 box3; do
	sed "s/box2/$box/" "$tmp/again.json" >"$tmp/other.json"
	form=eml
	[ $box = box3 ] || form=json
	"$PERFPOST" report -f $form --config "$conf" --git "$tmp/good/repo" \
		"$tmp/other.json" >"$tmp/other"
	look send "$tmp/other" >"$tmp/said" || fail "send $form again"
done
grep -q 'was sent before' "$tmp/said" || fail "send again: twice"
[ "$(look outbox --all | wc -l)" = $((sent + 2)) ] || fail "send again: how many"
for n in 7 8; do
	look outbox show $n >"$tmp/mail"
	grep -q '^Also on box[34]: [0-9.]*% regression (' "$tmp/mail" ||
		fail "send again: finished"
	grep -q '^In-Reply-To: <report\.' "$tmp/mail" || fail "send again: its thread"
done

# On the same machine, in the same tree, with the same outcome: nothing is new.
sed '/"matrix"/,/\]/s/\[/[4.6,/' "$tmp/good/first/results/results.json" >"$tmp/same.json"
look send "$tmp/same.json" >"$tmp/said" || fail "send the same"
grep -q 'nothing new, and not sent' "$tmp/said" || fail "send the same: what is said"

# Whose commit it is nobody knows: there is nobody to send it to.
sed "s/$(git -C "$tmp/good/repo" rev-parse HEAD)/$(printf '%040d' 1 | tr 0 a)/" \
	"$tmp/good/first/results/results.json" >"$tmp/nobody.json"
look send "$tmp/nobody.json" 2>"$tmp/said" && fail "sent to nobody"
grep -q "name nobody but the sender" "$tmp/said" || fail "sent to nobody: what is said"

# The bot has nothing left to do, and does nothing twice.
look bot --once
[ "$(ls "$tmp/good/sent/new" | wc -l)" = 7 ] || fail "a mail too many"
exit 0
