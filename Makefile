# SPDX-License-Identifier: MIT
# libdem. `make help` lists the targets; CC, CFLAGS, CPPFLAGS and LDFLAGS are honoured.
#
# A second build beside the first has its own folder, for example
#     make check BUILD=build/asan CFLAGS="-O1 -g -fsanitize=address" LDFLAGS=-fsanitize=address

CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
PKG_CONFIG ?= pkg-config
BUILD ?= build
LIBOUT ?= $(if $(filter build,$(BUILD)),lib,$(BUILD)/lib)

# The version has one source: the header.
version_part = $(shell sed -n 's/^\#define DEM_VERSION_$(1) //p' include/dem/base.h)
MAJOR := $(call version_part,MAJOR)
VERSION := $(MAJOR).$(call version_part,MINOR).$(call version_part,PATCH)

# Contraction off: the same bits from every compiler and level. Not -fno-trapping-math: hosts trap.
WARNINGS = -Wall -Wextra -Wconversion $(if $(filter 1,$(WERROR)),-Werror)
BASE_FLAGS = -std=c11 $(WARNINGS) -ffp-contract=off -fno-math-errno
DEPENDENCIES = -MMD -MP
INCLUDES = -Iinclude -Isrc
LIB_FLAGS = $(BASE_FLAGS) -fPIC -fvisibility=hidden $(INCLUDES) \
    $(if $(filter avx2,$(ISAS)),,-DDEMI_ISA_BASELINE_ONLY)
compile = $(CC) $(CPPFLAGS) $(CFLAGS)
LIBS = -pthread -lm

SOURCES := $(sort $(wildcard src/*/*.c))
# Compiled once for each instruction set, see src/base/isa.h.
SIMD_SOURCES := $(sort $(wildcard src/*/simd/*.c))
SIMD_FLAGS = $(if $(filter -O2,$(CFLAGS)),-O3)
FLAGS_baseline =
FLAGS_avx2 = -mavx2
FLAGS_avx512 = -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512
ISAS := baseline $(if $(shell printf '__x86_64__' | $(CC) $(FLAGS_avx512) -E -P - 2>/dev/null | \
    grep -x 1),avx2 avx512)
OBJECTS := $(SOURCES:%.c=$(BUILD)/%.o) \
    $(foreach isa,$(ISAS),$(SIMD_SOURCES:%.c=$(BUILD)/%.$(isa).o))
HEADERS := $(sort $(wildcard include/dem/*.h include/dem/*.hpp include/dem/*.f90))
STATIC := $(LIBOUT)/libdem.a
SHARED := $(LIBOUT)/libdem.so
SONAME := libdem.so.$(MAJOR)

# group(folder): the programs of a test folder. Files in its support/ are linked into each.
group = $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/$(1)/*.c)))
support = $(wildcard tests/$(1)/support/*.c)
support_headers = $(wildcard tests/support/*.h tests/$(1)/*.h tests/$(1)/support/*.h)
UNIT := $(call group,unit)
API := $(call group,api)
PHYSICS := $(call group,physics)
INSTALLED := $(BUILD)/installed
# Asked at the time of use, because `make check` may have to install cmocka first.
cmocka = $$($(PKG_CONFIG) --cflags --libs cmocka 2>/dev/null || echo -lcmocka)
installed = $$(PKG_CONFIG_PATH=$(INSTALLED)/lib/pkgconfig $(PKG_CONFIG) --cflags --libs dem) \
    -Wl,-rpath,$(abspath $(INSTALLED))/lib

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
	    -Wl,--version-script=src/libdem.map -o $@ $(OBJECTS) $(LIBS)

$(SHARED): $(SHARED).$(VERSION)
	ln -sf $(notdir $<) $(LIBOUT)/$(SONAME)
	ln -sf $(SONAME) $@

-include $(OBJECTS:.o=.d)

# ------------------------------------------------------------------ demo

DEMO := $(BUILD)/examples/demo/demo
DEMO_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard examples/demo/*.c) \
    $(filter-out %/main.c,$(wildcard examples/percolation/*.c))))
$(BUILD)/examples/%.o: examples/%.c $(FLAGS_FILE)
	@mkdir -p $(@D)
	$(compile) $(BASE_FLAGS) $(DEPENDENCIES) -Iinclude -c -o $@ $<
$(DEMO): $(DEMO_OBJECTS) $(STATIC)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
-include $(DEMO_OBJECTS:.o=.d)

.PHONY: demo
demo: $(DEMO) ## build and run the demo; INPUT=file and ARGS="..." are passed on
	@mkdir -p $(BUILD)/demo
	$(DEMO) $(if $(INPUT),--input $(INPUT)) --output $(BUILD)/demo $(ARGS)

# The phase diagram of the groove, at level 0; up to an hour, continued where it was stopped.
PHASE := $(BUILD)/examples/phase_diagram/phase_diagram
PHASE_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard examples/phase_diagram/*.c)) \
    $(addprefix examples/demo/,groove.c groove_rigid.c output.c progress.c threads.c))
$(PHASE): $(PHASE_OBJECTS) $(STATIC)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
-include $(PHASE_OBJECTS:.o=.d)

.PHONY: phase-diagram
phase-diagram: $(PHASE) ## all 30,300 cases of the paper's phase diagram; can be stopped and goes on
	@mkdir -p docs/figures
	$(PHASE) $(BUILD)/phase_diagram $(ARGS)
	@command -v gnuplot >/dev/null || { echo "gnuplot is missing: apt-get install gnuplot-nox"; exit 1; }
	gnuplot -e "table='$(BUILD)/phase_diagram/phase_diagram.csv'" \
	    -e "picture='docs/figures/phase_diagram.png'" examples/phase_diagram/phase_diagram.gp
	@echo docs/figures/phase_diagram.png

# Fines in beds, at level 0; about half an hour, continued likewise. Objects are shared with the demo.
PERCOLATION := $(BUILD)/examples/percolation/percolation
PERCOLATION_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard examples/percolation/*.c)) \
    $(addprefix examples/demo/,output.c progress.c threads.c))
$(PERCOLATION): $(PERCOLATION_OBJECTS) $(STATIC)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
-include $(PERCOLATION_OBJECTS:.o=.d)

.PHONY: percolation
percolation: $(PERCOLATION) ## fines in beds 16 and 40 radii deep; can be stopped and goes on
	$(PERCOLATION) $(BUILD)/percolation $(or $(THREADS),2) docs/figures

# What the physics tests take from them.
FINES := $(BUILD)/examples/fines.a
FINES_OBJECTS := $(patsubst %,$(BUILD)/examples/%.o,phase_diagram/lanes percolation/bed \
    percolation/fall percolation/run)
$(FINES): $(FINES_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

# ------------------------------------------------------------------ tests

CMOCKA := $(BUILD)/cmocka.txt
$(CMOCKA): tests/need_cmocka.sh
	@mkdir -p $(@D)
	CC="$(CC)" PKG_CONFIG="$(PKG_CONFIG)" sh tests/need_cmocka.sh
	@echo found > $@

# The support of physics cases, compiled once for tests, papers and figures.
PHYSICS_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(call support,physics))
PHYSICS_SUPPORT := $(BUILD)/tests/physics/support.a
$(BUILD)/tests/physics/support/%.o: tests/physics/support/%.c $(FLAGS_FILE)
	@mkdir -p $(@D)
	$(compile) $(BASE_FLAGS) $(DEPENDENCIES) $(INCLUDES) -c -o $@ $<
$(PHYSICS_SUPPORT): $(PHYSICS_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^
-include $(PHYSICS_OBJECTS:.o=.d)

# static_tests(folder,archives): each file one cmocka program, linked with the static library.
define static_tests
$(BUILD)/tests/$(1)/%: tests/$(1)/%.c $(call support_headers,$(1)) \
    $(2) $(STATIC) $(FLAGS_FILE) | $(CMOCKA)
	@mkdir -p $$(@D)
	$$(compile) $$(BASE_FLAGS) $$(INCLUDES) -Itests/$(1) -o $$@ $$< $$(LDFLAGS) \
	    $(2) $$(STATIC) $$(cmocka) $$(LIBS)
endef
$(eval $(call static_tests,unit))
$(eval $(call static_tests,physics,$(PHYSICS_SUPPORT) $(FINES)))

# The tests of the interface see only what a user has: an installed copy, through pkg-config.
$(INSTALLED)/done: $(STATIC) $(SHARED) $(HEADERS) pkgconfig/dem.pc.in Makefile
	@rm -rf $(INSTALLED)
	@$(MAKE) --no-print-directory install DESTDIR= PREFIX=$(abspath $(INSTALLED)) \
	    LIBDIR=$(abspath $(INSTALLED))/lib INCLUDEDIR=$(abspath $(INSTALLED))/include
	@touch $@
$(BUILD)/tests/api/%: tests/api/%.c $(call support,api) $(call support_headers,api) \
    $(INSTALLED)/done $(FLAGS_FILE) | $(CMOCKA)
	@mkdir -p $(@D)
	$(compile) $(BASE_FLAGS) -Itests/api -o $@ $< $(call support,api) $(LDFLAGS) \
	    $(installed) $(cmocka) $(LIBS)

.PHONY: check check-unit check-api check-physics
check: $(UNIT) $(API) $(PHYSICS) ## all tests; JOBS=2: two at a time; WRAPPER="valgrind -q"
	@WRAPPER="$(WRAPPER)" sh tests/run.sh check $^
check-unit: $(UNIT)
	@WRAPPER="$(WRAPPER)" sh tests/run.sh $@ $^
check-api: $(API)
	@WRAPPER="$(WRAPPER)" sh tests/run.sh $@ $^
check-physics: $(PHYSICS)
	@WRAPPER="$(WRAPPER)" sh tests/run.sh $@ $^

# program(name,sources,headers,archives): all the sources as one program with the static library.
define program
$(BUILD)/tests/$(1): $(2) $(3) $(4) $(STATIC) $(FLAGS_FILE)
	@mkdir -p $$(@D)
	$$(compile) $$(BASE_FLAGS) $$(INCLUDES) -o $$@ $(2) $$(LDFLAGS) $(4) $$(STATIC) $$(LIBS)
endef
PAPERS := $(BUILD)/tests/papers
$(eval $(call program,papers,$(wildcard tests/papers/*.c),\
    $(call support_headers,physics),$(PHYSICS_SUPPORT) $(FINES)))
$(eval $(call program,bench,$(wildcard tests/bench/*.c) examples/demo/lammps_data.c,\
    $(wildcard tests/bench/*.h) examples/demo/demo.h))

FIGURES := $(BUILD)/tests/figures
$(eval $(call program,figures,$(wildcard tests/figures/*.c) $(patsubst %,\
    tests/physics/support/%.c,groove_exact groove_host ledger oblique path plates_exact plates_host \
    scene),\
    $(call support_headers,physics)))

.PHONY: papers
papers: $(PAPERS) ## reproduce the papers' figures as numbers; QUICK=1: at most 3 minutes
	@$(PAPERS) $(if $(filter 1,$(QUICK)),quick)

BENCH_COLLISION := $(BUILD)/tests/bench-collision
$(eval $(call program,bench-collision,tests/collision/bench.c))
.PHONY: bench
bench: $(BUILD)/tests/bench $(BENCH_COLLISION) ## speed, next to LAMMPS and LIGGGHTS; BENCH_QUICK=1: 2 minutes
	@mkdir -p $(BUILD)/bench
	@sh tests/bench/bench.sh $< $(BUILD)/bench
	@$(BENCH_COLLISION)

.PHONY: collision-fit
collision-fit: ## fit the polynomials of dem_collision_inverse anew
	@mkdir -p $(BUILD)/tests
	$(compile) $(BASE_FLAGS) -Isrc -o $(BUILD)/tests/collision-fit tests/collision/fit.c -lm
	$(BUILD)/tests/collision-fit > $(BUILD)/collision_fit.h
	mv $(BUILD)/collision_fit.h src/laws/collision_fit.h

# Force curves of the normal laws, at level 0.
NORMAL_LAWS := $(BUILD)/examples/normal_laws/normal_laws
$(NORMAL_LAWS): $(BUILD)/examples/normal_laws/normal_laws.o $(STATIC)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

FIGURES_COLLISION := $(BUILD)/tests/figures-collision
$(eval $(call program,figures-collision,tests/collision/figures.c $(patsubst %,\
    tests/physics/support/%.c,collision_broyden collision_oracle ledger scene sediment),\
    $(call support_headers,physics)))

.PHONY: figures gas-figure
figures: $(DEMO) $(FIGURES) $(NORMAL_LAWS) $(FIGURES_COLLISION) ## draw the manual's figures into docs/figures (needs gnuplot)
	@command -v gnuplot >/dev/null || { echo "gnuplot is missing: apt-get install gnuplot-nox"; exit 1; }
	@mkdir -p $(BUILD)/figures docs/figures
	$(DEMO) --groove-only --output $(BUILD)/figures
	gnuplot -e "table='$(BUILD)/figures/groove.csv'; picture='docs/figures/groove.svg'" \
	    examples/demo/groove.gp
	$(FIGURES) $(BUILD)/figures
	gnuplot -e "folder='$(BUILD)/figures'; target='docs/figures'" tests/figures/groove.gp
	gnuplot -e "folder='$(BUILD)/figures'; target='docs/figures'" tests/figures/plates.gp
	$(NORMAL_LAWS) $(BUILD)/figures
	gnuplot -e "folder='$(BUILD)/figures'; target='docs/figures'" \
	    examples/normal_laws/normal_laws.gp
	$(FIGURES_COLLISION) $(BUILD)/figures docs/figures
	gnuplot -e "folder='$(BUILD)/figures'; target='docs/figures'" tests/collision/collision.gp
	gnuplot -e "folder='$(BUILD)/figures'; target='docs/figures'" tests/figures/hertz.gp
	@echo docs/figures/*.svg
gas-figure: $(PAPERS) ## draw a gas's drift of energy and its cooling into docs/figures; minutes
	@mkdir -p $(BUILD)/figures docs/figures
	$(PAPERS) gas >$(BUILD)/figures/gas.csv
	gnuplot -e "table='$(BUILD)/figures/gas.csv'; picture='docs/figures/gas.svg'" \
	    tests/papers/gas.gp
	@echo docs/figures/gas.svg

# ------------------------------------------------------------------ ABI

# Flags of its own, so that the description does not depend on the user's.
ABI_FILE := tests/abi/libdem-$(shell uname -m).abi
ABI_LIB := $(BUILD)/abi/lib/libdem.so
.PHONY: abi-library abi-check abi-baseline
abi-library:
	@$(MAKE) --no-print-directory CC=gcc CPPFLAGS= LDFLAGS= BUILD=$(BUILD)/abi \
	    LIBOUT=$(BUILD)/abi/lib CFLAGS="-O1 -g -ffile-prefix-map=$(CURDIR)=." all
abi-check: abi-library ## compare the binary interface with its baseline, exports with headers
	sh tests/abi/exports.sh $(ABI_LIB)
	sh tests/abi/compare.sh $(ABI_FILE) $(ABI_LIB)
abi-baseline: abi-library ## replace the baseline (needs a line under [abi] in CHANGELOG.md)
	abidw --no-comp-dir-path --short-locs --no-corpus-path --headers-dir include/dem \
	    --out-file $(ABI_FILE) $(ABI_LIB)

# ------------------------------------------------------------------ distribution

.PHONY: docs
docs: ## the manual as HTML in build/docs; a warning is an error
	@mkdir -p $(BUILD)/docs
	(cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $(BUILD)/docs"; \
	    echo "PROJECT_NUMBER = $(VERSION)") | doxygen -
	@echo "docs: $(BUILD)/docs/html/index.html"

.PHONY: dist-single
dist-single: ## the library as one pair of files, dist/dem.c and dist/dem.h
	sh src/single.sh dist
	@ls -l dist/dem.c dist/dem.h

.PHONY: install uninstall
install: $(STATIC) $(SHARED) ## install below PREFIX (DESTDIR and LIBDIR are honoured)
	install -d "$(DESTDIR)$(INCLUDEDIR)/dem" "$(DESTDIR)$(LIBDIR)/pkgconfig"
	install -m 644 $(HEADERS) "$(DESTDIR)$(INCLUDEDIR)/dem"
	install -m 644 $(STATIC) "$(DESTDIR)$(LIBDIR)"
	install -m 755 $(SHARED).$(VERSION) "$(DESTDIR)$(LIBDIR)"
	ln -sf libdem.so.$(VERSION) "$(DESTDIR)$(LIBDIR)/$(SONAME)"
	ln -sf $(SONAME) "$(DESTDIR)$(LIBDIR)/libdem.so"
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' \
	    -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' -e 's|@VERSION@|$(VERSION)|' \
	    pkgconfig/dem.pc.in > "$(DESTDIR)$(LIBDIR)/pkgconfig/dem.pc"
uninstall: ## remove what install put there
	rm -rf "$(DESTDIR)$(INCLUDEDIR)/dem"
	rm -f "$(DESTDIR)$(LIBDIR)"/libdem.a "$(DESTDIR)$(LIBDIR)"/libdem.so \
	    "$(DESTDIR)$(LIBDIR)"/libdem.so.* "$(DESTDIR)$(LIBDIR)/pkgconfig/dem.pc"

# A target for each file, so that -j has them checked side by side.
TIDY := $(SOURCES:%=tidy/%)
.PHONY: tidy cppcheck $(TIDY)
$(TIDY): tidy/%:
	@clang-tidy --quiet $* -- -std=c11 $(INCLUDES)
cppcheck:
	@cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr \
	    --enable=warning,performance,portability $(INCLUDES) src
tidy: cppcheck $(TIDY) ## clang-tidy and cppcheck over the sources

.PHONY: clean
clean: ## remove all build products
	rm -rf $(BUILD) dist
	rm -f $(LIBOUT)/libdem.a $(LIBOUT)/libdem.so*

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/    make \1|\2/p' Makefile | \
	    awk -F'|' '{ printf "%-22s %s\n", $$1, $$2 }'
