# What the scripts of .tools share; each sources it first, which makes the repository the working directory.
# shellcheck shell=sh disable=SC2034
cd "$(dirname -- "$0")/.." || exit 1
ROOT=$(pwd -P)
LOCAL=$ROOT/.tools/local
LOGS=$LOCAL/log
. .tools/versions
mkdir -p "$LOGS"

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# first_of NAME...: the path of the first that is installed.
first_of() {
  for program in "$@"; do
    if command -v "$program"; then return 0; fi
  done
  return 1
}

# logged NAME COMMAND...: runs the command with its output in a log, the end of which a failure shows.
logged() {
  log=$LOGS/$1.log
  shift
  if "$@" >"$log" 2>&1 </dev/null; then return 0; fi
  tail -n 20 "$log" >&2
  say "failed: $*"
  say "the whole log is ${log#"$ROOT"/}"
  return 1
}

# can_apt: whether Debian packages can be installed from here; a password is asked for only on a terminal.
can_apt() {
  have apt-get || return 1
  if [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; then return 0; fi
  have sudo && [ -t 2 ] && sudo -v
}

# apt_get NAME ARGUMENT...: apt-get as root, waiting where another one runs; NAME names the log.
apt_get() {
  name=$1
  shift
  if [ "$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi
  logged "$name" $sudo env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=600 "$@"
}

# apt_install NAME PACKAGE...: the package lists are fetched anew only if the packages cannot be had without.
apt_install() {
  name=$1
  shift
  apt_get "$name" install --no-install-recommends "$@" 2>/dev/null && return 0
  apt_get apt-update update && apt_get "$name" install --no-install-recommends "$@"
}

# one_at_a_time ARGUMENT...: starts the script again under a lock that only one process holds; a second one waits.
one_at_a_time() {
  script=.tools/$(basename -- "$0")
  if [ "${LOCK_HELD:-}" = "$script" ] || ! have flock; then return 0; fi
  export LOCK_HELD="$script"
  lock=$LOCAL/$(basename -- "$0").lock
  flock -n -o "$lock" true || say "waiting for another $script to end"
  exec flock -o "$lock" sh "$script" "$@"
}

# locked_version CRATE: the crate's version in Cargo.lock.
locked_version() {
  awk -F'"' -v crate="$1" '$1 == "name = " { found = $2 == crate } found && $1 == "version = " { print $2; exit }' Cargo.lock
}
