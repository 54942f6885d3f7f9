# Functions for the scripts of .tools. Each script sources this file first, which changes to the repository's directory.
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

# first_of NAME...: prints the path of the first program that is installed.
first_of() {
  for program in "$@"; do
    if command -v "$program"; then return 0; fi
  done
  return 1
}

# logged NAME COMMAND...: runs the command with its output in a log; on failure, prints the end of the log.
logged() {
  log=$LOGS/$1.log
  shift
  if "$@" >"$log" 2>&1 </dev/null; then return 0; fi
  tail -n 20 "$log" >&2
  say "failed: $*"
  say "the whole log is ${log#"$ROOT"/}"
  return 1
}

# can_apt: whether Debian packages can be installed; asks for a password only on a terminal.
can_apt() {
  have apt-get || return 1
  if [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; then return 0; fi
  have sudo && [ -t 2 ] && sudo -v
}

# apt_get NAME ARGUMENT...: runs apt-get as root, after any other apt-get; NAME is the name of the log.
apt_get() {
  name=$1
  shift
  if [ "$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi
  logged "$name" $sudo env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=600 "$@"
}

# apt_install NAME PACKAGE...: installs packages; updates the package lists only if that fails at first.
apt_install() {
  name=$1
  shift
  apt_get "$name" install --no-install-recommends "$@" 2>/dev/null && return 0
  apt_get apt-update update && apt_get "$name" install --no-install-recommends "$@"
}

# one_at_a_time ARGUMENT...: runs the script again under a lock, so that a second run waits for the first.
one_at_a_time() {
  script=.tools/$(basename -- "$0")
  if [ "${LOCK_HELD:-}" = "$script" ] || ! have flock; then return 0; fi
  export LOCK_HELD="$script"
  lock=$LOCAL/$(basename -- "$0").lock
  flock -n -o "$lock" true || say "waiting for another $script to end"
  exec flock -o "$lock" sh "$script" "$@"
}

# locked_version CRATE: prints the crate's version in Cargo.lock.
locked_version() {
  awk -F'"' -v crate="$1" '$1 == "name = " { found = $2 == crate } found && $1 == "version = " { print $2; exit }' Cargo.lock
}
