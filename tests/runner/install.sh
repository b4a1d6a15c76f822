# What the suites need of the machine: installed where that is possible, asked for in words where it is not. Sourced.

VENV=target/test-venv

# Held by whoever installs something that another suite might install beside it.
INSTALLING=target/test-installing

# Ends the suite (or the run) with a sentence that says what to do.
lacking() {
  printf 'test: %s\n' "$1" >&2
  return 1
}

# provide COMMAND PACKAGE…: has the command, or gets it from Debian's packages.
provide() {
  local command=$1
  shift
  command -v "$command" >/dev/null && return 0
  if [[ $EUID -ne 0 ]] || ! command -v apt-get >/dev/null; then
    lacking "\"$command\" is missing. Install it (on Debian: sudo apt-get install $*) and run ./test again."
    return 1
  fi
  echo "test: installing $*"
  {
    flock 9 && apt-get update -qq &&
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 9>&-
  } 9>"$INSTALLING" || lacking "apt-get could not install $*; install \"$command\" by hand and run ./test again."
}

# at_least NAME VERSION WANTED: fails with an instruction where the version is older.
at_least() {
  [[ $(printf '%s\n' "$3" "$2" | sort -V | head -n1) == "$3" ]] || lacking "$1 $2 is too old; install $1 $3 or newer."
}

require_toolchain() {
  command -v cargo >/dev/null || { lacking "cargo is missing. Install Rust (rustup.rs) and run ./test again."; return 1; }
  cargo fmt --version >/dev/null 2>&1 || { lacking "rustfmt is missing. Run: rustup component add rustfmt"; return 1; }
  cargo clippy --version >/dev/null 2>&1 || { lacking "clippy is missing. Run: rustup component add clippy"; return 1; }
  provide cc build-essential || return 1
  provide curl curl || return 1
  provide python3 python3 python3-venv || return 1
  provide node nodejs npm || return 1
  provide npm npm || return 1
  at_least Python "$(python3 -c 'import platform; print(platform.python_version())')" 3.11 || return 1
  at_least Node "$(node --version | tr -d v)" 20 || return 1
}

# Debian keeps the server's tools in a folder for each version, off the PATH. Its certificates are made by openssl.
require_postgresql() {
  provide openssl openssl && { compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null || provide initdb postgresql; }
}

# Debian keeps it in a folder that is not on every account's PATH.
require_nginx() {
  [[ -x /usr/sbin/nginx ]] || provide nginx nginx-light
}

require_chromium() {
  [[ -n ${CHROMIUM:-} ]] && return 0
  command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || provide chromium chromium fonts-liberation
}

# npm_packages FOLDER: exactly what its lock file says.
# One suite at a time: two may want the same directory.
npm_packages() { (flock 9 && npm_packages_alone "$1") 9>"$INSTALLING"; }
npm_packages_alone() {
  cmp -s "$1/package-lock.json" "$1/node_modules/.locked" && return 0
  if ! (cd "$1" && npm ci --no-audit --no-fund --ignore-scripts); then
    lacking "npm could not install the packages of $1/package-lock.json"
    return 1
  fi
  cp "$1/package-lock.json" "$1/node_modules/.locked"
}

# python_packages REQUIREMENTS: exactly what it says, by hash, in an environment of its own.
python_packages() { (flock 9 && python_packages_alone "$1") 9>"$INSTALLING"; }
python_packages_alone() {
  cmp -s "$1" "$VENV/.locked" && return 0
  make_venv || return 1
  if ! "$VENV/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r "$1"; then
    lacking "pip could not install the packages of $1"
    return 1
  fi
  cp "$1" "$VENV/.locked"
}

# Debian keeps the module that makes environments in a package apart from python3.
make_venv() {
  rm -rf "$VENV"
  python3 -m venv "$VENV" >/dev/null 2>&1 && return 0
  [[ $EUID -eq 0 ]] && apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null
  python3 -m venv --clear "$VENV" || lacking "python3 cannot make a virtual environment. On Debian: sudo apt-get install python3-venv"
}
