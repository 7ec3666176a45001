#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh FOLDER [RECIPE...]: carries out the recipes of docs/extending.md on a copy of the tree in
# FOLDER, one after the other, and tests what comes of each.
#
# A recipe is two files here:
#     NAME.sh      `sh tests/extending/NAME.sh TREE` writes into TREE what a person would write or
#                  edit, and nothing else: no generated block, no file that another command writes.
#                  It runs in the tree that has the recipe, so that files of a recipe may lie in
#                  tests/extending/NAME/. It must work on a tree that has the other recipes, too.
#     NAME.flip    two lines: a file of TREE and a sed expression that puts a fault into it (a sign,
#                  a factor). The tests of the recipe must fail then.
#
# For each recipe: what NAME.sh changed is counted; `make generate` follows, and what it changed is
# listed apart; the library is built without warnings; the test programs that the recipe wrote or
# edited (tests/FOLDER/*.c) pass; they fail with the fault and pass again without it. At the end the
# whole tree keeps the bits of the golden scenes.
#
# Prints `recipe=NAME files=N` and the names of the files; exit status 1 if something went wrong.
set -eu
cd "$(dirname "$0")/../.."
root=$(pwd)
folder=${1:?folder}
shift
[ $# -gt 0 ] || set -- $(cd tests/extending && ls ./*.sh | sed 's|^\./||; s|\.sh$||' | grep -vx run)
[ $# -gt 0 ] || { echo "extending: there is no recipe"; exit 0; }
make=${MAKE:-make}
flags="WERROR=1 CFLAGS=-O1"
log=$folder/log.txt

fail() {
    echo "extending: $*" >&2
    tail -n 30 "$log" | sed 's/^/    /' >&2
    exit 1
}

rm -rf "$folder/tree" "$folder/before"
mkdir -p "$folder/tree"
folder=$(cd "$folder" && pwd)
tree=$folder/tree log=$folder/log.txt
if git rev-parse >/dev/null 2>&1; then
    git ls-files -z -co --exclude-standard
else
    find . -name build -prune -o -name lib -prune -o -type f -print0
fi | xargs -0 tar -cf - | tar -xf - -C "$tree"

# changed: files of the tree that differ from the copy before.
changed() {
    diff -rq -x build -x lib "$folder/before" "$tree" | sed -n \
        -e "s|^Files .* and $tree/\(.*\) differ\$|\1|p" \
        -e "s|^Only in $tree: \(.*\)|\1|p" -e "s|^Only in $tree/\(.*\): \(.*\)|\1/\2|p" |
        while read -r path; do
            if [ -d "$tree/$path" ]; then
                (cd "$tree" && find "$path" -type f)
            else
                echo "$path"
            fi
        done | sort
}
keep() {
    rm -rf "$folder/before"
    mkdir "$folder/before"
    (cd "$tree" && tar --exclude=./build --exclude=./lib -cf - .) | tar -xf - -C "$folder/before"
}
build() { # build TARGET...: in the tree, quietly
    (cd "$tree" && env -u MAKEFLAGS -u MAKELEVEL "$make" -j2 $flags "$@") >>"$log" 2>&1
}
passes() { # the programs of the recipe
    for program in $programs; do
        (cd "$tree" && "build/$program") >>"$log" 2>&1 || return 1
    done
}

: >"$log"
begin=$(date +%s)
for name in "$@"; do
    keep
    sh "tests/extending/$name.sh" "$tree" >>"$log" 2>&1 || fail "$name.sh failed"
    written=$(changed)
    programs=$(echo "$written" | sed -n 's|^\(tests/[a-z]*/[a-z0-9_]*\)\.c$|\1|p')
    [ -n "$programs" ] || fail "$name.sh wrote no test"
    keep
    build generate || fail "$name: make generate failed"
    generated=$(changed)
    build $(for program in $programs; do echo "build/$program"; done) ||
        fail "$name: the tree does not build"
    passes || fail "$name: the test fails"

    { read -r flipped; read -r expression; } <"tests/extending/$name.flip"
    cp "$tree/$flipped" "$folder/kept"
    sed "$expression" "$folder/kept" >"$tree/$flipped"
    cmp -s "$folder/kept" "$tree/$flipped" && fail "$name.flip changes nothing in $flipped"
    build $(for program in $programs; do echo "build/$program"; done) ||
        fail "$name: the tree with the fault does not build"
    passes && fail "$name: the test does not see the fault of $name.flip"
    cp "$folder/kept" "$tree/$flipped"

    hand=$(echo "$written" | grep -vx CHANGELOG.md)
    echo "recipe=$name files=$(echo "$hand" | wc -l)"
    echo "  by hand:" $hand
    echo "  apart:" $(echo "$written" | grep -x CHANGELOG.md || :) $generated
    echo "  a fault in $flipped is seen"
done
build $(for program in $programs; do echo "build/$program"; done) golden ||
    fail "the bits of the golden scenes have changed"
echo "extending: golden scenes as before, $(($(date +%s) - begin)) s"
