# The suites of ./test: what each is for, and how it is run. Sourced; run from the project's root.
# Steps are joined by && because `set -e` is off inside functions whose result is tested.

SUITES=(runner format licences lint rust postgres program extraction validation search build schemathesis fhir-clients browser operation answers deploy crash python-clients node-clients readme chaos bench)
declare -A ABOUT=(
  [runner]="this very command: its order, its counting, and that it builds nothing twice"
  [format]="the sources are formatted"
  [lint]="clippy finds nothing, in tests either, and the documentation of the crates is without a warning"
  [licences]="every dependency's licence and source is allowed by deny.toml"
  [rust]="the crates' own tests"
  [program]="the crates' tests that start the program as a process: its commands, its sandbox, several nodes"
  [validation]="HL7's examples of FHIR are valid, broken ones are not, and Medplum's validator says so too"
  [extraction]="the values of all search parameters in HL7's examples, compared with what npm's fhirpath finds"
  [search]="the table of searches once more, put to Medplum's memory repository as a second opinion"
  [postgres]="the service's tests of the contract once more, on PostgreSQL, but for those that no engine could change"
  [build]="the release build of the program and of what drives it, beside the suites before it"
  [python-clients]="the client libraries authlib and requests-oauthlib, unmodified; and a client that openapi-python-client makes of /openapi.json"
  [node-clients]="the client libraries openid-client, oauth4webapi and simple-oauth2, unmodified; and a client that openapi-typescript makes of /openapi.json"
  [fhir-clients]="the FHIR clients fhir-kit-client, fhirclient, @medplum/core (npm), fhirpy and fhirclient (PyPI), unmodified; and HL7's examples, POSTed one by one"
  [answers]="every FHIR answer that the suites rust and fhir-clients got, read by Medplum's validator and by fhir.resources"
  [schemathesis]="whatever is sent to what /openapi.json describes is answered as it says"
  [browser]="every page in Chromium: flows, accessibility, headers"
  [operation]="the process, its limits, its files: what an operator relies on"
  [deploy]="deploy/: nginx with its own file before two nodes, systemd's verdict, what the manifests say"
  [crash]="SIGKILL under load loses nothing acknowledged and revives nothing revoked"
  [chaos]="nodes and PostgreSQL, then the embedded store's process, killed at random under load, and every answer held to the contract"
  [readme]="the README's walk-through against a real sandbox"
  [bench]="the benchmark runs, quickly: on the embedded store, and one figure on PostgreSQL"
)

# Which suites drive the built program.
DRIVES_THE_PROGRAM="schemathesis fhir-clients browser operation deploy crash python-clients node-clients readme chaos bench"

# Which suites run beside each other: they leave cores idle, and nothing in them is about time. The compiler and the tests of the
# crates keep all cores busy by themselves; chaos and bench are about time.
WAITS="program extraction validation search schemathesis fhir-clients browser operation answers deploy crash python-clients node-clients readme"

# Which suites must have ended before one that may run beside them, because it reads what they keep.
declare -A AFTER=([answers]="fhir-clients")

# No suite may hang the whole run. SIGINT first, so that it still ends the services it started.
limited() { timeout --signal=INT --kill-after=30 "$1" "${@:2}"; }

unittests() { (cd "$1" && limited 600 "${2:-python3}" -B -m unittest -v); }

nodetests() { (cd "$1" && limited 1500 node --test --test-concurrency=2 --test-timeout=1200000 --test-reporter=spec ./*.test.mjs); }

suite_runner() { unittests tests/runner; }

suite_format() { cargo fmt --all --check; }

suite_lint() {
  cargo clippy --workspace --all-targets --locked -- -D warnings &&
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
}

suite_licences() {
  unittests tests/licences && python3 -B tests/licences/check.py
}

# Everything is built as one, so that every crate has the features of the whole workspace; what starts processes waits more than
# it computes, and is the suite program.
suite_rust() {
  require_postgresql && cargo test --workspace --locked --no-run &&
    RUST_TEST_THREADS=$TESTS_AT_ONCE with_stores_in_memory cargo test --workspace --locked --no-fail-fast --lib --bins $(test_targets | grep -vxE "$STARTS_PROCESSES" | sed 's/^/--test /')
}

suite_program() {
  require_postgresql &&
    cargo test --workspace --locked --no-fail-fast $(test_targets | grep -xE "$STARTS_PROCESSES" | sed 's/^/--test /')
}

STARTS_PROCESSES="program|nodes"

# How many tests of the crates run beside each other. Most wait for the disk, or for PostgreSQL, more than they compute: each makes a
# store of its own and syncs it a hundred times.
TESTS_AT_ONCE=6

# with_stores_in_memory COMMAND…: temporary files are in memory where it has four gigabytes left, which is more than all stores of a
# run take at a time; and PostgreSQL, whose thousand databases have half a million files, where it has sixteen. What is left on
# a disk after a kill is shown by the suites that drive the program.
with_stores_in_memory() {
  local code scratch clusters=${TMPDIR:-/tmp}
  if ! has_room 4 || ! scratch=$(mktemp -d "$MEMORY/recordgate-test-XXXXXXXX"); then
    "$@"
    return
  fi
  has_room 16 && clusters=$MEMORY
  RECORDGATE_TEST_CLUSTERS=$clusters TMPDIR=$scratch "$@"
  code=$?
  rm -rf "$scratch"
  return "$code"
}

# The file system in memory that Linux has.
MEMORY=/dev/shm

# has_room GIGABYTES: whether it has so much left, and the machine, too.
has_room() {
  local of_files of_memory
  of_files=$(df --output=avail -B 1K "$MEMORY" 2>/dev/null | tail -n 1) &&
    of_memory=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo) &&
    ((of_files >= $1 << 20 && of_memory >= $1 << 20))
}

# The name of every file of tests of every crate.
test_targets() {
  cargo metadata --locked --no-deps --format-version 1 | python3 -c '
import json, sys
packages = json.load(sys.stdin)["packages"]
print("\n".join(sorted({t["name"] for p in packages for t in p["targets"] if "test" in t["kind"]})))'
}

# Examples and tests of one crate are built with the features of the whole workspace, as the suite rust has built them: with
# their own, cargo would build half of all crates again.
suite_extraction() {
  npm_packages tests/extraction && cargo build --locked --workspace --example extract && nodetests tests/extraction
}

suite_validation() {
  npm_packages tests/validation && cargo build --locked --workspace --example validate && nodetests tests/validation
}

suite_search() { npm_packages tests/search && nodetests tests/search; }

suite_postgres() {
  require_postgresql &&
    RUST_TEST_THREADS=$TESTS_AT_ONCE RECORDGATE_TEST_ENGINE=postgres with_stores_in_memory cargo test --locked --no-fail-fast -p service --test contract -- $(same_on_every_engine)
}

# What a run on PostgreSQL leaves out; once.rs beside the list says why, and holds the list to the tests.
same_on_every_engine() { sed -n 's/^\([a-z_0-9]\+\) .*/--skip \1::/p' service/tests/contract/once.txt; }

# Built together they share the features of all: tests/runner/test_features.py holds them to those of the program alone, so that
# what the suites drive is what `cargo run --release` runs.
suite_build() { cargo build --release --locked -p service -p bench -p cluster; }

suite_python_clients() {
  python_packages tests/requirements.txt && unittests tests/clients/python "$PWD/$VENV/bin/python"
}

suite_node_clients() {
  npm_packages tests/clients && nodetests tests/clients/node
}

suite_fhir_clients() {
  npm_packages tests/fhir-clients && npm_packages tests/validation && nodetests tests/fhir-clients/node &&
    python_packages tests/requirements.txt && unittests tests/fhir-clients/python "$PWD/$VENV/bin/python"
}

# Reads what the suites before it kept in the directory.
suite_answers() {
  npm_packages tests/fhir-clients && nodetests tests/answers &&
    python_packages tests/requirements.txt && unittests tests/answers "$PWD/$VENV/bin/python"
}

suite_schemathesis() {
  python_packages tests/requirements.txt && unittests tests/openapi "$PWD/$VENV/bin/python"
}

suite_browser() {
  require_chromium && npm_packages tests/browser && npm_packages tests/fhir-clients && nodetests tests/browser
}

suite_operation() {
  python_packages tests/requirements.txt && unittests tests/operation "$PWD/$VENV/bin/python"
}

suite_deploy() {
  require_postgresql && require_nginx && provide systemd-analyze systemd &&
    python_packages tests/requirements.txt &&
    unittests tests/deploy "$PWD/$VENV/bin/python"
}

suite_crash() { unittests tests/crash; }

# Each run is another schedule; what it prints begins with the seed that repeats it.
suite_chaos() {
  require_postgresql && limited 300 target/release/bench --chaos --seconds 15 && limited 300 target/release/bench --soak --minutes 0.25
}

suite_readme() { unittests tests/readme; }

# Every figure of the embedded store, and of PostgreSQL one, with its bare programs: chaos has made the refreshes there.
suite_bench() {
  require_postgresql && limited 600 target/release/bench --quick &&
    limited 600 target/release/bench --quick --only pg_read_ratio --database postgres:
}
