#!/bin/sh
# SPDX-License-Identifier: MIT
# mutate_state.sh: as mutate.sh, for threads, snapshots and views: breaks a copy of the library in
# one place at a time and runs the tests that must notice. Ends with 1 if one does not, or if a
# mutation finds nothing to change. Takes a minute or two.
# mutate_state.sh WORD: only those with the word in their names. Honours CC.
set -u
here=$(cd "$(dirname "$0")/.." && pwd) || exit 1
copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy"' EXIT
for part in Makefile include src tests examples pkgconfig; do
    cp -R "$here/$part" "$copy" || exit 1
done
cd "$copy" || exit 1
mkdir lib

# try(program): builds and runs it; prints the names of the tests that fail.
try() {
    if ! make -s CFLAGS=-O1 "build/tests/$1" >log 2>&1; then
        echo DOES-NOT-COMPILE
        return
    fi
    timeout 60 "build/tests/$1" >log 2>&1 && return
    sed -n 's/^\[  FAILED  \] \([a-z_]*[a-z]\)$/\1/p' log | sort -u | grep . || echo "$1"
}

for program in unit/pool api/pool api/flight api/snapshot api/snapshot_damage api/snapshot_file \
    api/world api/undo api/arguments api/world_as_host physics/energy; do
    noticed=$(try $program)
    if [ -n "$noticed" ]; then
        echo "$program fails before any mutation:" $noticed
        exit 1
    fi
done

survived=0 count=0
only=${1:-}
# mutate(name, file, program, sed script): one mutation, undone afterwards.
mutate() {
    case $1 in *"$only"*) ;; *) return ;; esac
    count=$((count + 1))
    cp "$2" original
    sed "$4" original >"$2"
    if cmp -s original "$2"; then
        noticed=NOTHING-CHANGED
    else
        noticed=$(try "$3" | tr '\n' ',')
    fi
    case $noticed in
    '' | DOES-NOT-COMPILE* | NOTHING-CHANGED) survived=$((survived + 1)) ;;
    esac
    echo "mutation=$1 file=$2 caught_by=${noticed:-NOTHING}"
    cp original "$2"
}

mutate tasks-left-over src/base/pool.c unit/pool 's/(thread < more ? thread : more)/0/'
mutate signals-to-the-pool src/base/pool.c api/pool 's/(SIG_BLOCK, &blocked,/(SIG_BLOCK, NULL,/'
mutate threads-beside-an-executor src/world/create.c api/pool 's/c\.executor\.run == NULL && //'
mutate age-of-the-list-lost src/io/put.c api/snapshot 's/ w->list_age,/ 0.0,/'
mutate lateness-of-velocities-lost src/io/put.c api/snapshot 's/&w->velocity_lag, 1/\&w->skin, 1/'
mutate skin-lost src/io/put.c api/snapshot 's/{w->skin, /{0.0, /'
mutate side-lost src/io/put.c api/snapshot 's/(uint64_t)w->front << 3/0u/'
mutate drift-lost src/io/put.c api/snapshot 's/(out, chunk->drift, 3)/(out, chunk->low, 3)/'
mutate built-positions-lost src/io/put.c api/snapshot 's/&w->built, row/\&w->position[side], row/'
mutate torques-lost src/io/put.c api/snapshot 's/\[row\]\.torque, 3/[row].force, 3/'
mutate states-of-the-first-pair src/io/put.c api/snapshot \
    's/state += run->state_stride/state += 0/'
mutate free-handles-lost src/io/put.c api/snapshot \
    's/(uint32_t)w->handles, w->handle_free/(uint32_t)w->handles, UINT32_MAX/'
mutate laws-of-any-version src/contact/models.c api/snapshot 's/law\.version != part->version/0/'
mutate pool-not-counted src/base/pool.c api/snapshot \
    's/pool != NULL ? sizeof \*pool : 0/0 * (pool != NULL)/'
mutate bytes-in-the-other-order src/io/words.c api/snapshot_damage \
    's/(unsigned char)(word >> (8 \* k))/(unsigned char)(word >> (56 - 8 * k))/'
mutate weaker-checksum src/io/words.h api/snapshot_damage \
    's/return hash ^ (hash >> 32)/return hash/'
mutate checksum-not-looked-at src/io/snapshot.c api/snapshot_damage \
    's/demi_words_checksum(buffer, size . 8 - 1) != demi_take(&last)/0/'
mutate file-written-in-place src/io/file.c api/snapshot_file \
    's/O_CREAT | O_EXCL/O_CREAT | O_TRUNC/; s/"%s\.%lu-%u\.part", path, .*/"%s", path);/'
mutate part-left-behind src/io/file.c api/snapshot_file '/unlink(name);/d'
mutate writing-that-fails-unnoticed src/io/file.c api/snapshot_file \
    's/writer\.status != DEM_OK || //'
mutate strays-lost src/io/put.c api/snapshot \
    's/demi_put_doubles(out, &chunk->strayed, 1)/demi_put(out, 0)/'
mutate strays-forgotten src/world/simd/integrate.c api/undo \
    's/chunk->strayed = report->strayed;/chunk->strayed = 0.0;/'
flight=src/world/flight.c
mutate flight-without-acceleration "$flight" api/flight \
    's/ + 0\.5 \* m \* (m + 1\.0) \* gain//'
mutate flight-without-its-last-steps "$flight" api/flight 's/kept + m \* way/kept + 0.5 * m * way/'
mutate flight-past-walls-that-move "$flight" api/flight \
    's/point\[next\]\[c\] += walls\[k\]\.velocity\[c\] \* travel/point[next][c] += 0.0 * travel/'
mutate flight-without-asking-at-its-end "$flight" api/flight 's/!demi_bounds_exceeded(.*;/1;/'
mutate flight-beside-pairs "$flight" api/flight 's/w->list\.pairs > 0 || //'
mutate flight-without-bound-on-numbers "$flight" api/flight 's/1e-3 \* DEMI_FORCE_MOST/INFINITY/'
fly=src/world/simd/flight.c
mutate flight-without-work "$fly" api/flight 's/\*work += moved\[m\]/*work += 0.0 * moved[m]/'
mutate flight-of-even-steps "$fly" api/flight 's/ \^ 1 \^ (int)(call->steps & 1)/ ^ 1/'
mutate flight-forgets-what-it-strayed "$fly" api/flight 's/chunk->strayed = report->strayed;/;/'
read=src/world/read.c
mutate touch-of-a-force-evaluates "$read" api/world \
    's/if (field == DEM_FIELD_VELOCITY || .* == DEM_FIELD_ANGULAR_VELOCITY)$/if (1)/'
mutate touch-of-a-velocity-evaluates-nothing "$read" api/world \
    's/if (field == DEM_FIELD_VELOCITY || field == \(.*\))$/if (field == \1)/'
mutate touch-of-a-spin-evaluates-nothing "$read" api/world \
    's/if (field == DEM_FIELD_VELOCITY || field == .*)$/if (field == DEM_FIELD_VELOCITY)/'
mutate touch-of-anything-evaluates-nothing "$read" api/world 's/world->forces_stale = 1;/;/'
mutate touch-after-a-view-of-motion-evaluates-nothing "$read" api/world \
    's/if (world->motion_viewed)/if (0)/'
mutate touch-is-not-checked "$read" api/undo 's/world->touched = 1;/;/'
mutate touch-of-a-read-only-field "$read" api/arguments 's/if (read_only\[field\] != NULL)/if (0)/'
mutate touch-of-a-read-only-field-marks "$read" api/world \
    's/known = field_known(&world->context, field);/&\n    world->forces_stale |= field == 3;/'
mutate touch-of-no-field "$read" api/arguments 's/field < DEM_FIELD_POSITION || //'
chunk=src/world/simd/chunk.c
mutate halo-shifted-the-other-way "$chunk" api/world_as_host \
    's/\*demi_v4_at(x\[row\]) + \*demi_v4_at(shift/*demi_v4_at(x[row]) - *demi_v4_at(shift/'
mutate halo-of-the-other-end "$chunk" api/world_as_host \
    's/\(t->i = ends == DEMI_ENDS_HALO_\)I/\1J/'
mutate halo-as-it-will-be "$chunk" api/world_as_host 's/&motion_now\[row\]/\&motion[row]/'
mutate halo-forces-turned src/world/simd/integrate.c api/world_as_host \
    's/\*(demi_v4 \*)to->force += /*(demi_v4 *)to->force -= /'
mutate halo-torques-forgotten src/world/simd/integrate.c api/world_as_host \
    '/\*(demi_v4 \*)to->torque += /d'
mutate states-of-a-whole-group-read-twice "$chunk" api/world_as_host \
    's/state += DEMI_GROUP \* stride/state += 0 * stride/'
mutate contacts-that-ended-live-on "$chunk" api/world_as_host \
    's/live_next\[t->index\[k + m\] & ~CHUNK_WAS\] = 0/live_next[0] |= 0/'
mutate new-contacts-taken-for-old-ones "$chunk" physics/adhesion \
    's/alive_before\[k\] = .*/alive_before[k] = 1.0;/'
mutate pairs-after-a-batch-lost "$chunk" api/world \
    's/half < 2; ++half/half < 1; ++half/'
mutate torque-on-i-given-to-j src/contact/simd/lanes.c api/world_as_host \
    's/b->torque_j\[c\]\[k\] = torque_j/b->torque_j[c][k] = torque_i/'
mutate laws-that-add-torques-ignored src/contact/models.c physics/rolling \
    's/model->promises & law->promises/model->promises | law->promises/'
mutate needs-of-the-last-part-alone src/contact/models.c api/law_promises \
    's/model->needs |= needs/model->needs = needs/'
mutate needs-not-asked-for src/contact/models.c api/law_promises \
    's/law->needs != NULL ? .* : DEMI_NEEDS_ALL/DEMI_NEEDS_ALL/'
for term in factor coefficient rate; do
    mutate "dashpots-of-a-$term-forgotten" src/laws/linear.c physics/parts \
        "s/c->tangential_$term != 0\\.0/0/"
    mutate "dashpots-of-friction-with-a-$term-forgotten" src/laws/friction.c physics/parts \
        "s/c->$term != 0\\.0/0/"
done
mutate dashpots-of-mindlin-forgotten src/laws/mindlin.c physics/hertz \
    's/c->damping_ratio != 0\.0/0/'
mutate dashpots-of-mindlin-with-a-factor-forgotten src/laws/mindlin.c physics/mindlin \
    's/c->damping_factor != 0\.0/0/'
mutate spins-of-dashpots-forgotten "$chunk" api/world_as_host \
    's/gather_spheres)(t, padded, 1, 1)/gather_spheres)(t, padded, 1, 0)/'
list=src/world/transfer.c
mutate contacts-of-the-other-owner-lost "$list" api/world_as_host \
    's/\(uint32_t there =\) .*/\1 0;/'
mutate contacts-marked-once "$list" api/world_as_host 's/\.others |= /.others = /'
mutate states-from-the-first-place "$list" api/world_as_host \
    's/(uint64_t)old->place/0 * (uint64_t)old->place/'
mutate cells-of-many-rows-cut src/world/pairs.c physics/energy \
    's/if (rows > 4)$/if (rows > 4000)/;s/n += rows;/n += rows < 4 ? rows : 4;/'
mutate partners-that-were-met-are-met-again src/world/pairs.c api/world_as_host \
    's/begin = met < t->own ? met : t->own/begin = 0 * met/'
mutate kinds-not-gathered src/world/runs.c api/world_as_host 's/!= kind)$/!= kind \&\& 0)/'
echo "$count mutations, $survived not caught"
[ "$survived" -eq 0 ]
