#!/usr/bin/env bash
# Installs what is missing, and only that: quiet, a line per step, at once when nothing is missing.
#   tools/setup.sh build   what `make` needs: libraries, and the newest LLVM from 19 down to 15 that this release offers
#   tools/setup.sh test    and what `make test` needs: cmocka, Neovim, Python packages in build/venv
#   tools/setup.sh extra   and what `make test-extra` needs: clang with libFuzzer
# For Debian 12, Ubuntu 24.04 and newer; elsewhere it says what to install.
set -u
cd "$(dirname "$0")/.." || exit 2
what=${1:-build}
case $what in build|test|extra) ;; *) echo "usage: tools/setup.sh build|test|extra" >&2; exit 2 ;; esac
say() { echo "setup: $*"; }
die() { echo "setup: $*" >&2; exit 1; }

packages="gcc libc6-dev pkgconf libtree-sitter-dev libcjson-dev libedit-dev libisl-dev libutf8proc-dev libxxhash-dev libzip-dev"
[ "$what" = build ] || packages="$packages libcmocka-dev python3 python3-venv neovim binutils"
[ "$what" != extra ] || packages="$packages valgrind"

has_package() { case " $installed " in *" $1 "*) return 0 ;; esac; return 1; }

# A usable LLVM is one with its config program and its C headers.
have_llvm() {
  local v
  for v in 19 18 17 16 15; do
    [ -x "$(command -v llvm-config-$v)" ] && [ -f "$(llvm-config-$v --includedir)/llvm-c/Core.h" ] && return 0
  done
  v=$(llvm-config --version 2>/dev/null) && [ "${v%%.*}" -ge 15 ] && [ "${v%%.*}" -le 19 ] && [ -f "$(llvm-config --includedir)/llvm-c/Core.h" ]
}

sudo=""
[ "$(id -u)" -eq 0 ] || sudo="sudo"
updated=""
apt_update() {
  [ -z "$updated" ] || return 0
  updated=yes
  say "reading the package lists"
  $sudo apt-get update -qq >/dev/null 2>&1 || say "apt-get update failed; going on with the lists that are there"
}
apt_install() {
  say "installing $*"
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/tmp/rlx-setup.$$.log 2>&1 || {
    tail -20 /tmp/rlx-setup.$$.log >&2; rm -f /tmp/rlx-setup.$$.log; die "apt-get install failed"; }
  rm -f /tmp/rlx-setup.$$.log
}

if command -v dpkg-query >/dev/null 2>&1; then
  installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package} ' 2>/dev/null | sed 's/ii  */ /g')
  missing=""
  for p in $packages; do
    case $p in
    gcc) command -v "${CC:-cc}" >/dev/null 2>&1 && continue ;;
    pkgconf) command -v pkg-config >/dev/null 2>&1 && continue ;;
    neovim) command -v nvim >/dev/null 2>&1 && continue ;;
    python3) command -v python3 >/dev/null 2>&1 && continue ;;
    python3-venv) python3 -c 'import ensurepip' 2>/dev/null && continue ;;
    esac
    has_package "$p" || missing="$missing $p"
  done
  need_llvm=""; have_llvm || need_llvm=yes
  need_clang=""
  if [ "$what" = extra ] && ! compgen -G '/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-x86_64.a' >/dev/null &&
     ! compgen -G '/usr/lib/llvm-*/lib/clang/*/lib/*/libclang_rt.fuzzer.a' >/dev/null; then need_clang=yes; fi
  if [ -n "$missing$need_llvm$need_clang" ]; then
    command -v apt-get >/dev/null 2>&1 || die "please install:$missing ${need_llvm:+llvm (15 to 19)}"
    [ -z "$sudo" ] || command -v sudo >/dev/null 2>&1 || die "not root and no sudo; please install:$missing ${need_llvm:+llvm-dev (15 to 19)}"
    apt_update
    llvm=""
    for v in 19 18 17 16 15; do
      if [ -n "$(apt-cache madison "llvm-$v-dev" 2>/dev/null)" ]; then llvm=$v; break; fi
    done
    if [ -n "$need_llvm" ]; then
      if [ -n "$llvm" ]; then missing="$missing llvm-$llvm-dev"
      else say "this release offers no LLVM 15 to 19: rlx will check, but not evaluate"; fi
    fi
    if [ -n "$need_clang" ] && [ -n "$llvm" ]; then
      missing="$missing clang-$llvm"
      [ -z "$(apt-cache madison "libclang-rt-$llvm-dev" 2>/dev/null)" ] || missing="$missing libclang-rt-$llvm-dev"
    fi
    # shellcheck disable=SC2086
    [ -z "$missing" ] || apt_install $missing
  fi
else
  pkg-config --exists tree-sitter libcjson libedit libutf8proc libxxhash libzip 2>/dev/null ||
    die "no dpkg here; please install a C compiler and the development files of tree-sitter, cJSON, libedit, isl, utf8proc, xxHash, libzip, LLVM 15 to 19 (tests: cmocka, python3, neovim)"
fi

# Python packages of the tests, in an environment of their own; made anew when the list changes.
if [ "$what" != build ] && [ -f tests/requirements.txt ]; then
  if ! cmp -s tests/requirements.txt build/venv/requirements.txt || ! build/venv/bin/python -c '' 2>/dev/null; then
    say "making build/venv with the tests' Python packages"
    mkdir -p build && rm -rf build/venv
    python3 -m venv build/venv || die "python3 -m venv failed"
    pip="build/venv/bin/python -m pip"
    # Certificates that this machine's administrator added are trusted for this download, too, whether or not
    # update-ca-certificates has run since: in a bundle of our own, so that nothing of the system changes.
    if [ -z "${PIP_CERT:-}" ] && compgen -G '/usr/local/share/ca-certificates/*.crt' >/dev/null; then
      bundle=$($pip config get global.cert 2>/dev/null) || bundle=/etc/ssl/certs/ca-certificates.crt
      cat "$bundle" /usr/local/share/ca-certificates/*.crt >build/certificates.pem && export PIP_CERT=$PWD/build/certificates.pem
    fi
    # Without them the suites in Python are skipped, and the summary says so.
    $pip install -q --disable-pip-version-check -r tests/requirements.txt || { say "pip install failed: tests in Python will be skipped"; exit 0; }
    cp tests/requirements.txt build/venv/requirements.txt
  fi
fi
exit 0
