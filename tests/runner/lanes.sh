# How suites run: in the background, each into its log; followed as it prints, or two beside each other and shown when they
# have ended. Sourced.

# How many of the suites that wait run beside each other.
LANES=2

declare -A RUNNING=() CODE=() # the process of a suite that runs; how one that was taken note of has ended
lanes=() # the suites that run beside each other now
passed=0 failed=0 table="" unwell=()

begin() {
  : >"$LOGS/$1.log"
  echo 0 >"$LOGS/$1.seconds"
  set -m # a process group of its own, which hears nothing that is meant for this one
  (SECONDS=0; "suite_${1//-/_}" </dev/null >"$LOGS/$1.log" 2>&1; code=$?; echo "$SECONDS" >"$LOGS/$1.seconds"; exit "$code") &
  RUNNING[$1]=$!
  set +m
}

# Shows what a suite prints, from its beginning to its end.
follow() {
  head_line "$1"
  tail -n +1 -f -s 0.2 --pid="${RUNNING[$1]}" "$LOGS/$1.log"
  wait "${RUNNING[$1]}"
  note "$1" $?
}

# Begins a suite in a lane, as soon as one is free and those have ended that it reads from.
begin_beside() {
  local before
  for before in ${AFTER[$1]:-}; do
    while [[ " ${lanes[*]-} " == *" $before "* ]]; do show_next; done
  done
  while ((${#lanes[@]} >= LANES)); do show_next; done
  printf '\n--> %s begins%s\n' "$1" "${lanes[*]:+, beside ${lanes[*]}}"
  begin "$1"
  lanes+=("$1")
}

# Looks once whether any of those in the lanes has ended, shows what it printed, and waits a moment if none has.
show_next() {
  local suite left=()
  for suite in "${lanes[@]}"; do
    if kill -s 0 "${RUNNING[$suite]}" 2>/dev/null; then left+=("$suite"); continue; fi
    head_line "$suite"
    cat "$LOGS/$suite.log"
    wait "${RUNNING[$suite]}"
    note "$suite" $?
  done
  ((${#left[@]} < ${#lanes[@]})) || sleep 0.2
  lanes=(${left[@]+"${left[@]}"})
}

drain() { while ((${#lanes[@]})); do show_next; done; }

head_line() { printf '\n==> %s: %s\n' "$1" "${ABOUT[$1]}"; }

# Takes note of how a suite has ended: note SUITE CODE.
note() {
  local good bad took
  unset "RUNNING[$1]"
  CODE[$1]=$2
  took=$(<"$LOGS/$1.seconds")
  read -r good bad < <(python3 tests/runner/counts.py "$2" "$LOGS/$1.log")
  passed=$((passed + good)) failed=$((failed + bad))
  table+=$(printf '%-14s %7d %7d %5d s' "$1" "$good" "$bad" "$took")$'\n'
  printf '<== %s: %d passed, %d failed, in %d s\n' "$1" "$good" "$bad" "$took"
  ((bad == 0)) || unwell+=("$1")
}

# Ends what still runs, with all that it started: by SIGINT, so that tests end the services that they started.
end_all() {
  local process
  for process in ${RUNNING[@]+"${RUNNING[@]}"}; do
    interrupt_children "$process"
    kill "$process" 2>/dev/null
  done
}

interrupt_children() {
  local child
  for child in $(pgrep -P "$1"); do
    interrupt_children "$child"
    kill -s INT "$child" 2>/dev/null
  done
}
