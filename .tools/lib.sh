# Names and functions that the scripts of .tools share; sourced, with the repository as working directory.
# shellcheck shell=sh
cd "$(dirname -- "$0")/.." || exit 1
ROOT=$(pwd -P)
LOCAL=$ROOT/.tools/local
LOGS=$LOCAL/log
FALLBACK_RUST=$LOCAL/rust
. .tools/versions
mkdir -p "$LOGS"

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# logged NAME COMMAND...: runs the command with its output in a log, of which a failure shows the end.
logged() {
  log=$LOGS/$1.log
  shift
  if "$@" >"$log" 2>&1 </dev/null; then return 0; fi
  tail -n 20 "$log" >&2
  say "failed: $*"
  say "the whole log is ${log#"$ROOT"/}"
  return 1
}

# wasm_std_of_rustup: whether the current toolchain of rustup holds the wasm32 standard library.
wasm_std_of_rustup() {
  set -- "$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null)"/libstd-*.rlib
  [ -f "$1" ]
}

# can_apt: whether Debian packages can be installed from here without asking for a password.
can_apt() {
  have apt-get && { [ "$(id -u)" = 0 ] || { have sudo && sudo -n true 2>/dev/null; }; }
}

# apt_install WHAT PACKAGE...: installs Debian packages; WHAT names the log.
apt_install() {
  what=$1
  shift
  if [ "$(id -u)" = 0 ]; then root=; else root=sudo; fi
  if ! logged "apt-$what" $root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; then
    say "once more, after apt-get update"
    logged apt-update $root apt-get update || return 1
    logged "apt-$what" $root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
  fi
}
