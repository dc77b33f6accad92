# Completion for bash: commands and options are asked of perfpost itself.
# Put it where bash-completion looks, as "perfpost".

_perfpost_words() {
	"$1" "${@:2}" --help 2>/dev/null
}

# What a command can be told to do: the small words of its usage.
_perfpost_verbs() {
	_perfpost_words "$@" |
		grep -E '^(usage:|  *perfpost) ' |
		sed 's/.*perfpost [a-z-]*//; s/--[a-z-]*//g' |
		grep -ow '[a-z][a-z]*'
}

_perfpost() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	local program=${COMP_WORDS[0]} choices

	COMPREPLY=()
	if ((COMP_CWORD == 1)); then
		choices=$(_perfpost_words "$program" |
			sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
		mapfile -t COMPREPLY < <(compgen -W "$choices --help --version" \
			-- "$cur")
		return
	fi
	case $prev in
	-f | --format)
		# "  -f, --format eml|text|json" names the forms.
		choices=$(_perfpost_words "$program" "${COMP_WORDS[1]}" |
			sed -n 's/.*--format \([a-z|]*\).*/\1/p' | tr '|' ' ')
		mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$cur")
		return
		;;
	esac
	if [[ $cur == -* ]]; then
		choices=$(_perfpost_words "$program" "${COMP_WORDS[1]}" |
			grep -o -- '--[a-z][a-z-]*' | sort -u)
		mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$cur")
		return
	fi
	compopt -o filenames 2>/dev/null
	choices=$(_perfpost_verbs "$program" "${COMP_WORDS[1]}")
	mapfile -t COMPREPLY < <(compgen -W "$choices" -f -- "$cur")
}

complete -F _perfpost perfpost
