#!/bin/bash
# contrib/runners/lkp with a lab of ours: a kernel of three lines, a boot hook
# and a stand-in for lkp, which both are shell (tests/lkp).
set -u
for tool in git make python3; do
	command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
LAB=$(mktemp -d)
export LAB
trap 'rm -rf "$LAB"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
: "${top_srcdir:?}"
runner=$top_srcdir/contrib/runners/lkp/run
bad=0
fail() {
	echo "FAILED: $*"
	[ ! -e "$job/log" ] || tail -20 "$job/log"
	bad=1
}

in_linux() {
	git -C "$LAB/linux" -c user.name=Ann -c user.email=ann@dev.example.org \
		"$@"
}

commit() {	# SPEED: a kernel that says so when it runs
	echo "$1" >"$LAB/linux/speed"
	in_linux add .
	in_linux commit -q -m "speed $1"
	in_linux rev-parse HEAD
}

git init -q "$LAB/linux"
cat >"$LAB/linux/Makefile" <<'END'
vmlinux: speed .config
	grep -q . .config
	! grep broken speed
	cp speed vmlinux
olddefconfig:
	echo CONFIG_NEW=y >>.config
END
base=$(commit 1000)
slow=$(commit 500)

patch_to() {	# SPEED: as git-am takes it
	in_linux checkout -q "$slow"
	commit "$1" >/dev/null
	in_linux format-patch -1 --stdout
	in_linux checkout -q "$slow"
}

new_job() {	# PATCH, PARAMETERS
	job=$LAB/job.$((n += 1))
	mkdir -p "$job/patches" "$job/results"
	cp "$1" "$job/patches/patched.mbox"
	cat >"$job/job.json" <<END
{"format": "perfpost-job/1", "runs": 3, "report": "5c1e",
 "headline": "will-it-scale.per_process_ops",
 "axes": {"testcase": "will-it-scale", "kconfig": "def"},
 "parameters": $2,
 "sides": [
  {"name": "base", "commit": "$base", "as": "$base"},
  {"name": "reported", "commit": "$slow", "as": "$slow"},
  {"name": "patched", "commit": "$slow", "as": "$slow+3f0e11",
   "patch": {"file": "patches/patched.mbox", "id": "3f0e11"}}]}
END
	cat >"$job/job.yaml" <<END
testcase: will-it-scale
will-it-scale:
  mode: process
  test: page_fault1
nr_task: 100%
commit: $slow
result_root: /lkp/result/elsewhere/0
END
	rm -rf "$LAB/result" "$LAB/boots" "$LAB/asked"
}
n=0

run() {	# WANTED-STATUS [OPTION]...
	local want=$1
	shift
	"$runner" --boot "$top_srcdir/tests/lkp/boot" \
		--lkp "$top_srcdir/tests/lkp/lkp" --kconfigs "$LAB/kconfigs" \
		--make make "$@" "$LAB/linux" "$job" >"$job/log" 2>&1
	local code=$?
	[ $code = "$want" ] || fail "ended with $code, not $want"
	[ "$(in_linux worktree list | wc -l)" = 1 ] ||
		fail "worktrees are left: $(in_linux worktree list)"
	[ -z "$(in_linux for-each-ref refs/perfpost)" ] || fail "refs are left"
}

says() {
	grep -q "$1" "$job/results/error.txt" ||
		fail "no '$1' in: $(cat "$job/results/error.txt")"
}

mkdir "$LAB/kconfigs"
echo CONFIG_X=y >"$LAB/kconfigs/def"
patch_to 998 >"$LAB/mend"
patch_to broken >"$LAB/broken"
patch_to hang >"$LAB/hang"
patch_to panic >"$LAB/panic"
sed 's/^-500/-501/' "$LAB/mend" >"$LAB/stale"

# All well: LKP's own folders, the sides in turns, a boot for each run.
new_job "$LAB/mend" '{}'
run 0
[ "$(tr '\n' ' ' <"$LAB/boots")" = "base reported patched base reported \
patched base reported patched " ] || fail "boots: $(cat "$LAB/boots")"
"$PERFPOST" compare --all "$job/results/base" "$job/results/reported" \
	"$job/results/patched" >"$LAB/table" 2>&1 || fail "$(cat "$LAB/table")"
grep -Eq '1001 .* 501.* 999.*will-it-scale.per_process_ops' "$LAB/table" ||
	fail "$(cat "$LAB/table")"
grep -q "$slow+3f0e11" "$job/results/patched/2/job.yaml" || fail "commit"
grep -q result_root "$job/results/patched/2/job.yaml" && fail "result_root"

# Begun once more after it was killed: what it left is not in the way.
new_job "$LAB/mend" '{}'
in_linux worktree add -q --detach "$job/build/0" "$slow"
run 0

# One boot a side; a parameter from a mail is a word of YAML and no more.
# shellcheck disable=SC2016
new_job "$LAB/mend" '{"nr_task": "5\"\n$(touch hit)", "runtime": "300s"}'
run 0 --boot-once
[ "$(wc -l <"$LAB/boots")" = 3 ] || fail "boots: $(cat "$LAB/boots")"
[ "$(wc -l <"$LAB/asked")" = 9 ] || fail "runs: $(cat "$LAB/asked")"
# shellcheck disable=SC2016
grep -qxF 'nr_task: "5\"\n$(touch hit)"' "$job/results/base/0/job.yaml" ||
	fail "nr_task: $(cat "$job/results/base/0/job.yaml")"
grep -qx 'runtime: "300s"' "$job/results/base/0/job.yaml" || fail "runtime"

# The tip of a branch of another tree, not of ours of that name.
git clone -q "$LAB/linux" "$LAB/other"
echo 700 >"$LAB/other/speed"
git -C "$LAB/other" -c user.name=Ann -c user.email=ann@dev.example.org \
	commit -q -a -m "speed 700"
git -C "$LAB/other" push -q . HEAD:refs/heads/next
in_linux branch next
new_job "$LAB/mend" '{}'
cat >"$job/job.json" <<END
{"runs": 1, "axes": {"kconfig": "def"}, "sides": [
  {"name": "tip", "commit": "next", "as": "next", "tree": "$LAB/other"}]}
END
run 0
grep -q 700 "$job/results/tip/0/stats.json" || fail "another tree"
new_job "$LAB/mend" '{}'
cat >"$job/job.json" <<END
{"runs": 1, "sides": [{"name": "tip", "commit": "next:refs/heads/master",
  "as": "next", "tree": "$LAB/other"}]}
END
run 65
says 'is no commit'

# What goes wrong is said to whoever asked ...
new_job "$LAB/stale" '{}'
run 65
says 'git am failed'
new_job "$LAB/broken" '{}'
run 65
says 'the build of patched failed'
new_job "$LAB/hang" '{}'
run 65
says 'the kernel of patched does not come up'
new_job "$LAB/panic" '{}'
run 65
says 'lkp run on patched failed'
new_job "$LAB/mend" '{"will-it-scale": "x"}'
run 65
says 'more than one value'
new_job "$LAB/mend" '{"a b": "x"}'
run 65
says 'no parameter'
new_job "$LAB/mend" '{}'
rm "$job/job.yaml"
run 65
says 'without a job file'

# ... but not what the lab has to mend, and an end is a clean one.
touch "$LAB/busy"
new_job "$LAB/mend" '{}'
run 75
rm "$LAB/busy"
new_job "$LAB/mend" '{}'
run 1 --make 'sleep 100' &
until pid=$(pgrep -f "^[^ ]*python3 $runner.* $job\$"); do
	sleep 0.1
done
until grep -q 'sleep 100' "$job/log"; do
	sleep 0.1
done
kill "$pid"
wait $! || true

if command -v shellcheck >/dev/null; then
	shellcheck -x "$top_srcdir/tests/lkp/lkp" "$top_srcdir/tests/lkp/boot" \
		"$0" || fail shellcheck
fi
exit $bad
