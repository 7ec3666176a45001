# SPDX-License-Identifier: MIT
# Fuzzers, by clang's libFuzzer: the library and each of them with all checks on.
FUZZ := $(BUILD)/fuzz
FUZZ_SECONDS ?= 3600
FUZZ_CHECKS = address,undefined,float-cast-overflow
FUZZ_FLAGS = -O1 -g -fno-sanitize-recover=all -fsanitize=$(FUZZ_CHECKS)
FUZZERS := $(patsubst tests/fuzz/%.c,$(FUZZ)/%,$(sort $(wildcard tests/fuzz/*.c)))
.PHONY: fuzz fuzz-library
fuzz-library:
	@$(MAKE) --no-print-directory CC=clang CPPFLAGS=-DDEMI_NOT_INLINED LDFLAGS= ISAS=baseline \
	    BUILD=$(FUZZ)/library LIBOUT=$(FUZZ)/lib CFLAGS="$(FUZZ_FLAGS),fuzzer-no-link" \
	    $(FUZZ)/lib/libdem.a
$(FUZZERS): $(FUZZ)/%: tests/fuzz/%.c tests/fuzz/bytes.h fuzz-library
	clang $(FUZZ_FLAGS),fuzzer $(BASE_FLAGS) $(INCLUDES) -o $@ $< $(FUZZ)/lib/libdem.a $(LIBS)
fuzz: $(FUZZERS) ## feed made-up input to snapshots, parcels, readers, worlds, level 1, restarts; FUZZ_SECONDS=3600 each, or few
	@sh tests/fuzz/run.sh $(FUZZ) $(FUZZ_SECONDS)
