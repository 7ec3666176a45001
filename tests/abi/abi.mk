# SPDX-License-Identifier: MIT
# The binary interface against its baseline.

# Flags of its own, so that the description does not depend on the user's.
ABI_FILE := tests/abi/libdem-$(shell uname -m).abi
ABI_LIB := $(BUILD)/abi/lib/libdem.so
.PHONY: abi-library abi-exports abi-check abi-baseline abi-programs abi-store
abi-library:
	@$(MAKE) --no-print-directory CC=gcc CPPFLAGS= LDFLAGS= BUILD=$(BUILD)/abi \
	    LIBOUT=$(BUILD)/abi/lib CFLAGS="-O1 -g -ffile-prefix-map=$(CURDIR)=." all
abi-exports: abi-library
	sh tests/abi/exports.sh $(ABI_LIB)
abi-check: abi-exports ## compare the binary interface with its baseline, exports with headers
	sh tests/abi/compare.sh $(ABI_FILE) $(ABI_LIB)
abi-baseline: abi-library ## replace the baseline (needs a line under [abi] in CHANGELOG.md)
	abidw --no-comp-dir-path --short-locs --no-corpus-path --headers-dir include/dem \
	    --out-file $(ABI_FILE) $(ABI_LIB)

# Programs across versions. The library of a later release is today's with structs that have grown.
ABI_GROWN := $(BUILD)/abi/grown
abi-programs: abi-library ## run programs of 0.2 and of later releases, see docs/abi.md
	@sh tests/abi/grow.sh $(ABI_GROWN)/include
	@$(MAKE) --no-print-directory CC=gcc CPPFLAGS= LDFLAGS= BUILD=$(ABI_GROWN) \
	    LIBOUT=$(ABI_GROWN)/lib CFLAGS=-O1 ISAS=baseline \
	    INCLUDES="-I$(ABI_GROWN)/include -Isrc" all
	sh tests/abi/programs.sh $(BUILD)/abi/lib $(ABI_GROWN)/lib $(ABI_GROWN)

# Until 0.2.0 is released; afterwards what is stored stays as it is.
ABI_STORE := tests/abi/0.2
abi-store: abi-library ## store headers and program of 0.2, and where its structs end
	mkdir -p $(ABI_STORE)/include/dem
	rm -f $(ABI_STORE)/include/dem/*
	cp include/dem/*.h $(ABI_STORE)/include/dem
	sh src/base/first_sizes.sh $(ABI_STORE)/include/dem/*.h >$(BUILD)/first_sizes.h
	cmp -s $(BUILD)/first_sizes.h src/base/first_sizes.h || \
	    cp $(BUILD)/first_sizes.h src/base/first_sizes.h
	gcc -std=c11 -O2 -s -Wl,--build-id=none -I$(ABI_STORE)/include $(ABI_STORE)/program.c \
	    -L$(BUILD)/abi/lib -ldem -o $(ABI_STORE)/program-$(shell uname -m)
	LD_LIBRARY_PATH=$(BUILD)/abi/lib $(ABI_STORE)/program-$(shell uname -m) \
	    >$(ABI_STORE)/program.txt
