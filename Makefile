# SPDX-License-Identifier: MIT
# libdem. `make help` lists the targets; CC, CFLAGS, CPPFLAGS and LDFLAGS are honoured.
#
# A second build beside the first has its own folder, for example
#     make check BUILD=build/asan CFLAGS="-O1 -g -fsanitize=address" LDFLAGS=-fsanitize=address

CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DOCDIR ?= $(PREFIX)/share/doc
PKG_CONFIG ?= pkg-config
BUILD ?= build
LIBOUT ?= $(if $(filter build,$(BUILD)),lib,$(BUILD)/lib)

# The version has one source: the header.
version_part = $(shell sed -n 's/^\#define DEM_VERSION_$(1) //p' include/dem/base.h)
MAJOR := $(call version_part,MAJOR)
VERSION := $(MAJOR).$(call version_part,MINOR).$(call version_part,PATCH)

# Contraction off: the same bits from every compiler and level. Not -fno-trapping-math: hosts trap.
WARNINGS = -Wall -Wextra -Wconversion $(if $(filter 1,$(WERROR)),-Werror)
BASE_FLAGS = -std=c11 $(WARNINGS) -ffp-contract=off -fno-math-errno \
    $(if $(filter avx2,$(ISAS)),,-DDEMI_ISA_BASELINE_ONLY)
DEPENDENCIES = -MMD -MP
INCLUDES = -Iinclude -Isrc
LIB_FLAGS = $(BASE_FLAGS) -fPIC -fvisibility=hidden $(INCLUDES)
compile = $(CC) $(CPPFLAGS) $(CFLAGS)
LIBS = -pthread -lm

SOURCES := $(sort $(wildcard src/*/*.c))
# Compiled once for each instruction set, see src/base/isa.h.
SIMD_SOURCES := $(sort $(wildcard src/*/simd/*.c))
SIMD_FLAGS = $(if $(filter -O2,$(CFLAGS)),-O3)
FLAGS_baseline =
FLAGS_avx2 = -mavx2
FLAGS_v2 = -msse4.2 -mpopcnt
FLAGS_avx512 = -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512
ISAS := baseline $(if $(shell printf '__x86_64__' | \
    $(CC) $(CFLAGS) $(FLAGS_avx512) -E -P - 2>/dev/null | grep -x 1),avx2 avx512 v2)
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) \
    $(foreach isa,$(ISAS),$(SIMD_SOURCES:%.c=$(BUILD)/%.$(isa).o))
HEADERS := $(sort $(wildcard include/dem/*.h include/dem/*.hpp include/dem/*.f90))
STATIC := $(LIBOUT)/libdem.a
SHARED := $(LIBOUT)/libdem.so
# The release that broke the binary interface last, see docs/abi.md.
SONAME := libdem.so.0.2

.PHONY: all
all: $(STATIC) $(SHARED) ## build lib/libdem.a and lib/libdem.so (the default)

# ------------------------------------------------------------------ library

# Objects depend on this file, which changes only when compiler or flags do.
FLAGS_FILE := $(BUILD)/flags.txt
FLAGS_TEXT = $(CC) $(CPPFLAGS) $(CFLAGS) $(LIB_FLAGS) $(LDFLAGS)
$(FLAGS_FILE): FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(FLAGS_TEXT)' | cmp -s - $@ || printf '%s\n' '$(FLAGS_TEXT)' > $@
FORCE:

$(BUILD)/src/%.o: src/%.c $(FLAGS_FILE)
	@mkdir -p $(@D)
	$(compile) $(LIB_FLAGS) $(DEPENDENCIES) -c -o $@ $<

# isa_objects(isa): the copies of the files in simd/ for one instruction set.
define isa_objects
$(BUILD)/src/%.$(1).o: src/%.c $(FLAGS_FILE)
	@mkdir -p $$(@D)
	$$(compile) $$(SIMD_FLAGS) $$(LIB_FLAGS) $$(FLAGS_$(1)) \
	    -DDEMI_ISA_SUFFIX=_$(1) $$(DEPENDENCIES) -c -o $$@ $$<
endef
$(foreach isa,$(ISAS),$(eval $(call isa_objects,$(isa))))

$(STATIC): $(OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $(OBJECTS)

$(SHARED).$(VERSION): $(OBJECTS) src/libdem.map
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs \
	    -Wl,-Bsymbolic-functions -Wl,--version-script=src/libdem.map -o $@ $(OBJECTS) $(LIBS)

$(SHARED): $(SHARED).$(VERSION)
	ln -sf $(notdir $<) $(LIBOUT)/$(SONAME)
	ln -sf $(SONAME) $@

-include $(OBJECTS:.o=.d)

# ------------------------------------------------------------------ tests

include $(wildcard examples/examples.mk)

# programs(folder): one for each file. Physics has one for each group of tests/physics/cases.def.
programs = $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/$(1)/*.c)))
UNIT := $(call programs,unit)
API := $(call programs,api)
PHYSICS := $(addprefix $(BUILD)/tests/physics/,$(sort \
    $(shell sed -n 's/^CASE.\([a-z_]*\),.*/\1/p' tests/physics/cases.def)))
INSTALLED := $(BUILD)/installed
installed_path = $(if $(filter /%,$(INSTALLED)),,$(CURDIR)/)$(INSTALLED)
# Asked at the time of use, because `make check` may have to install cmocka first.
cmocka = $$($(PKG_CONFIG) --cflags --libs cmocka 2>/dev/null || echo -lcmocka)
installed = $$(PKG_CONFIG_PATH=$(INSTALLED)/lib/pkgconfig $(PKG_CONFIG) --cflags --libs dem) \
    -Wl,-rpath,"$(installed_path)/lib"

# Tests compile in two thirds of the time so, and the library under test keeps its flags.
TEST_FLAGS = $(if $(filter -O2,$(CFLAGS)),-O1)

CMOCKA := $(BUILD)/cmocka.txt
$(CMOCKA): tests/need_cmocka.sh
	@mkdir -p $(@D)
	CC="$(CC)" PKG_CONFIG="$(PKG_CONFIG)" sh tests/need_cmocka.sh
	@echo found > $@

$(BUILD)/tests/unit/%: tests/unit/%.c $(wildcard tests/support/*.h tests/unit/*.h) $(STATIC) \
    $(FLAGS_FILE) | $(CMOCKA)
	@mkdir -p $(@D)
	$(compile) $(TEST_FLAGS) $(BASE_FLAGS) $(INCLUDES) -o $@ $< $(LDFLAGS) $(STATIC) $(cmocka) \
	    $(LIBS)

# The tests of the interface see only what a user has: an installed copy, through pkg-config.
$(INSTALLED)/done: $(STATIC) $(SHARED) $(HEADERS) $(wildcard pkgconfig/*) Makefile
	@rm -rf $(INSTALLED)
	@$(MAKE) --no-print-directory install-library DESTDIR= PREFIX="$(installed_path)" \
	    LIBDIR="$(installed_path)/lib" INCLUDEDIR="$(installed_path)/include"
	@touch $@
$(BUILD)/tests/api/%: tests/api/%.c $(wildcard tests/support/*.h tests/api/*.h) \
    $(INSTALLED)/done $(FLAGS_FILE) | $(CMOCKA)
	@mkdir -p $(@D)
	$(compile) $(TEST_FLAGS) $(BASE_FLAGS) -o $@ $< $(LDFLAGS) $(installed) $(cmocka) $(LIBS)

# The cases of physics, compiled once for tests, papers and figures.
CASES := $(BUILD)/tests/physics/cases.a
CASES_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/physics/cases/*.c))
$(BUILD)/tests/physics/cases/%.o: tests/physics/cases/%.c $(FLAGS_FILE)
	@mkdir -p $(@D)
	$(compile) $(BASE_FLAGS) $(DEPENDENCIES) $(INCLUDES) -c -o $@ $<
$(CASES): $(CASES_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^
-include $(CASES_OBJECTS:.o=.d)
$(PHYSICS): $(BUILD)/tests/physics/%: tests/physics/main.c $(CASES) $(FINES) $(STATIC) \
    $(FLAGS_FILE) | $(CMOCKA)
	$(compile) $(BASE_FLAGS) $(INCLUDES) -DGROUP='"$*"' -o $@ $< $(LDFLAGS) \
	    $(CASES) $(FINES) $(STATIC) $(cmocka) $(LIBS)

.PHONY: check check-unit check-api check-physics
check: $(UNIT) $(API) $(PHYSICS) ## all tests; JOBS=2: two at a time; WRAPPER="valgrind -q"
	@WRAPPER="$(WRAPPER)" sh tests/run.sh check $^
check-unit: $(UNIT)
	@WRAPPER="$(WRAPPER)" sh tests/run.sh $@ $^
check-api: $(API)
	@WRAPPER="$(WRAPPER)" sh tests/run.sh $@ $^
check-physics: $(PHYSICS)
	@WRAPPER="$(WRAPPER)" sh tests/run.sh $@ $^

.PHONY: check-build
check-build: $(UNIT) $(API) $(PHYSICS)

# program(name,sources,headers,archives): all the sources as one program with the static library.
define program
$(BUILD)/tests/$(1): $(2) $(3) $(4) $(STATIC) $(FLAGS_FILE)
	@mkdir -p $$(@D)
	$$(compile) $$(BASE_FLAGS) $$(INCLUDES) -o $$@ $(2) $$(LDFLAGS) $(4) $$(STATIC) $$(LIBS)
endef

# ------------------------------------------------------------------ distribution

.PHONY: dist-single
dist-single: ## the library as one pair of files, dist/dem.c and dist/dem.h
	sh src/single.sh dist
	@ls -l dist/dem.c dist/dem.h

.PHONY: install install-library install-pages uninstall
install: install-library install-pages ## install below PREFIX (DESTDIR, LIBDIR and DOCDIR are honoured)
install-library: $(STATIC) $(SHARED)
	install -d "$(DESTDIR)$(INCLUDEDIR)/dem" "$(DESTDIR)$(LIBDIR)/pkgconfig"
	install -m 644 $(HEADERS) "$(DESTDIR)$(INCLUDEDIR)/dem"
	install -m 644 $(STATIC) "$(DESTDIR)$(LIBDIR)"
	install -m 755 $(SHARED).$(VERSION) "$(DESTDIR)$(LIBDIR)"
	ln -sf libdem.so.$(VERSION) "$(DESTDIR)$(LIBDIR)/$(SONAME)"
	ln -sf $(SONAME) "$(DESTDIR)$(LIBDIR)/libdem.so"
	sh pkgconfig/fill.sh "$(PREFIX)" "$(LIBDIR)" "$(INCLUDEDIR)" $(VERSION) \
	    > "$(DESTDIR)$(LIBDIR)/pkgconfig/dem.pc"
	chmod 644 "$(DESTDIR)$(LIBDIR)/pkgconfig/dem.pc"
install-pages:
	install -d "$(DESTDIR)$(DOCDIR)/libdem/docs/figures"
	install -m 644 README.md CHANGELOG.md LICENSE "$(DESTDIR)$(DOCDIR)/libdem"
	sh src/pages.sh "$(DOCDIR)/libdem" "$(INCLUDEDIR)" README.md \
	    > "$(DESTDIR)$(DOCDIR)/libdem/README.md"
	install -m 644 docs/*.md "$(DESTDIR)$(DOCDIR)/libdem/docs"
	install -m 644 docs/figures/*.svg docs/figures/*.png "$(DESTDIR)$(DOCDIR)/libdem/docs/figures"
	for folder in examples/*/; do \
	    install -d "$(DESTDIR)$(DOCDIR)/libdem/$$folder" && \
	    for file in "$$folder"*.*; do \
	        [ ! -f "$$file" ] || \
	        install -m 644 "$$file" "$(DESTDIR)$(DOCDIR)/libdem/$$folder" || exit 1; \
	    done || exit 1; \
	done
	install -m 644 examples/README.md "$(DESTDIR)$(DOCDIR)/libdem/examples"
uninstall: ## remove what install put there
	rm -rf "$(DESTDIR)$(INCLUDEDIR)/dem"
	rm -rf "$(DESTDIR)$(DOCDIR)/libdem"
	rm -f "$(DESTDIR)$(LIBDIR)/libdem.a" "$(DESTDIR)$(LIBDIR)/pkgconfig/dem.pc"
	@# another version keeps its shared library and the links that lead to it
	@cd "$(DESTDIR)$(LIBDIR)" 2>/dev/null || exit 0; \
	for link in libdem.so $(SONAME); do \
	    case $$(readlink -f $$link) in */libdem.so.$(VERSION)) rm -f $$link ;; esac; \
	done; \
	rm -f libdem.so.$(VERSION)

# ------------------------------------------------------------------ more, and this list

FRAGMENTS := examples/examples.mk docs/docs.mk tests/tests.mk tests/abi/abi.mk \
    tests/bench/bench.mk tests/fuzz/fuzz.mk
include $(wildcard $(filter-out examples/%,$(FRAGMENTS)))

.PHONY: clean
clean: ## remove all build products
	rm -rf $(BUILD) dist
	rm -f $(LIBOUT)/libdem.a $(LIBOUT)/libdem.so*

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/    make \1|\2/p' Makefile $(FRAGMENTS) | \
	    awk -F'|' '{ printf "%-22s %s\n", $$1, $$2 }'
