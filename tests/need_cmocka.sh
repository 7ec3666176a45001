#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes sure that pkg-config and cmocka are there. Installs them where it may, otherwise prints the
# command that does.
CC=${CC:-cc}
PKG_CONFIG=${PKG_CONFIG:-pkg-config}

have_all() {
    command -v "$PKG_CONFIG" >/dev/null 2>&1 || return 1
    "$PKG_CONFIG" --exists cmocka && return 0
    printf '%s\n' '#include <stdarg.h>' '#include <stddef.h>' '#include <stdint.h>' \
        '#include <setjmp.h>' '#include <cmocka.h>' | $CC -fsyntax-only -x c - 2>/dev/null
}

have_all && exit 0

if command -v apt-get >/dev/null 2>&1; then
    update='apt-get update -q'
    install='apt-get install -q -y libcmocka-dev pkg-config'
elif command -v dnf >/dev/null 2>&1; then
    update=true
    install='dnf install -y libcmocka-devel pkgconf-pkg-config'
elif command -v apk >/dev/null 2>&1; then
    update=true
    install='apk add cmocka-dev pkgconf'
elif command -v brew >/dev/null 2>&1; then
    update=true
    install='brew install cmocka pkg-config'
else
    echo 'The tests need cmocka (https://cmocka.org) and pkg-config; install both.' >&2
    exit 1
fi

root=
case $install in
brew*) ;;
*)
    if [ "$(id -u)" -ne 0 ]; then
        root='sudo -n'
        if ! sudo -n true 2>/dev/null; then
            echo "The tests need cmocka. Install it with: sudo $install" >&2
            exit 1
        fi
    fi
    ;;
esac

echo "cmocka is missing, installing it: $root $install"
{
    $root env DEBIAN_FRONTEND=noninteractive $install ||
        { $root $update && $root env DEBIAN_FRONTEND=noninteractive $install; }
} >&2
have_all && exit 0
echo "cmocka is still missing. Install it with: sudo $install" >&2
exit 1
