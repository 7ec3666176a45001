# SPDX-License-Identifier: MIT
# What is more than `make check`: figures of papers, bits, coverage, mutations, linters.

PAPERS := $(BUILD)/tests/papers
$(eval $(call program,papers,$(wildcard tests/papers/*.c),\
    $(wildcard tests/physics/cases/*.h),$(CASES) $(FINES)))
.PHONY: papers
papers: $(PAPERS) ## reproduce the papers' figures as numbers; QUICK=1: at most 3 minutes
	@$(PAPERS) $(if $(filter 1,$(QUICK)),quick)

# The tests of surfaces print a line for each figure.
SHAPES := $(addprefix $(BUILD)/tests/api/,mesh_contacts mesh_walls mesh_edges mesh_shapes \
    mesh_deforms wall_search wall_motion wall_springs wall_servo)
.PHONY: shapes
shapes: $(SHAPES) ## figures of spheres on surfaces, each against its reference
	@for test in $^; do DEM_TEST_WHOLE=1 $$test | grep '^paper=shapes' || exit 1; done

# Tests of coupling print such lines, too; what is longer is a case of physics.
COUPLED := $(addprefix $(BUILD)/tests/api/,drag impulses film film_slip mark deposition)
.PHONY: coupling
coupling: $(COUPLED) $(PAPERS) ## figures of coupling to a fluid, each against its reference; QUICK=1
	@for test in $(COUPLED); do DEM_TEST_WHOLE=1 $$test | grep '^paper=coupling' || exit 1; done
	@$(PAPERS) coupling $(if $(filter 1,$(QUICK)),quick)

GOLDEN := $(BUILD)/tests/golden
$(eval $(call program,golden,$(wildcard tests/golden/*.c) tests/bench/tools.c tests/bench/models.c,\
    $(wildcard tests/golden/*.h tests/bench/*.h)))
.PHONY: golden golden-accept golden-compare
golden: $(GOLDEN) ## the bits of all scenes against those that are kept, tests/golden/golden.txt
	@cd $(BUILD) && tests/golden | tee golden.txt
	@diff tests/golden/golden.txt $(BUILD)/golden.txt && echo "golden: the bits are those kept"
golden-accept: $(GOLDEN) ## keep the present bits (needs a line under [numerics] in CHANGELOG.md)
	cd $(BUILD) && tests/golden >golden.txt
	cp $(BUILD)/golden.txt tests/golden/golden.txt
golden-compare: $(GOLDEN) ## OTHER=program: forces of first steps against those of another build
	@sh tests/golden/compare.sh $(GOLDEN) $(OTHER)

# Each branch of the source is counted once, whatever the instruction sets and copies that have it.
.PHONY: coverage
COVERAGE := build/coverage
coverage: ## lines and branches that tests/unit and tests/api reach, with floors (needs gcovr)
	@command -v gcovr >/dev/null || { echo "gcovr is missing: apt-get install gcovr"; exit 1; }
	@rm -rf $(COVERAGE)
	@DEM_TEST_SLOW=1 $(MAKE) --no-print-directory check-unit check-api CC=gcc \
	    BUILD=$(COVERAGE) CPPFLAGS=-DDEMI_NOT_INLINED \
	    CFLAGS="-O1 --coverage -fprofile-update=atomic" LDFLAGS=--coverage
	@gcovr -r . --object-directory $(COVERAGE) -f src/ -f include/dem -j $(or $(JOBS),1) \
	    --json $(COVERAGE)/all.json $(COVERAGE)
	@gcovr -r . -a $(COVERAGE)/all.json -b -o $(COVERAGE)/branches.txt
	gcovr -r . -a $(COVERAGE)/all.json -s -o $(COVERAGE)/lines.txt \
	    --fail-under-line 98.3 --fail-under-branch 93
	@echo "what is missing: $(COVERAGE)/lines.txt $(COVERAGE)/branches.txt"

.PHONY: mutants mutants-find
mutants: ## put faults in on purpose, which the tests must find; NAME=part of their names
	@perl tests/mutants/mutants.pl $(NAME)
mutants-find: ## has each of these faults its place in the code? Takes a second
	@perl tests/mutants/mutants.pl --find

.PHONY: generate generate-check extending
generate: ## write the generated blocks of headers, sources and pages anew, see src/generate.sh
	@sh src/generate.sh
generate-check: ## are they up to date?
	@sh src/generate.sh check
extending: ## carry out the recipes of docs/extending.md on a copy of the tree; RECIPES="law shape"
	@sh tests/extending/run.sh $(BUILD)/extending $(RECIPES)

# A target for each file, so that -j has them checked side by side.
TIDY := $(SOURCES:%=tidy/%) $(SIMD_SOURCES:%=tidy/%)
TIDY_ISA := $(lastword $(filter baseline avx2,$(ISAS)))
TIDY_FLAGS = $(if $(findstring /simd/,$*),$(FLAGS_$(TIDY_ISA)) -DDEMI_ISA_SUFFIX=_$(TIDY_ISA))
.PHONY: tidy cppcheck $(TIDY)
$(TIDY): tidy/%:
	@clang-tidy --quiet $* -- -std=c11 $(INCLUDES) $(TIDY_FLAGS)
# As gcc sees the code on Linux and x86-64 with AVX2: each further choice of macros would double the
# time. It takes the halves of a vector for places behind a variable.
CPPCHECK_SEES = -D__GNUC__=12 -D__linux__ -D__x86_64__ -D__AVX__ -D__AVX2__ \
    $(addprefix -U,__AVX512VL__ __SSE2__ __SSSE3__ __clang__ __cplusplus __FAST_MATH__ \
        DEMI_NOT_INLINED DEMI_ISA_BASELINE_ONLY DEM_SINGLE_FILE_STATIC)
cppcheck:
	@cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -j 2 $(CPPCHECK_SEES) \
	    --suppress=objectIndex:src/base/vector.h \
	    --enable=warning,performance,portability $(INCLUDES) src
.PHONY: layers
layers: $(STATIC) ## no layer uses a later one, no files use each other in a circle
	@perl tests/layers.pl $(BUILD)

.PHONY: format format-check
# Headers that are stored stay as they are.
FORMATTED = $(shell find include src tests examples -path '*/abi/*/include' -prune -o \
    -name '*.[ch]' -print -o -name '*.[ch]pp' -print)
.PHONY: format format-check
format: ## lay out the sources with clang-format
	@clang-format -i $(FORMATTED)
format-check:
	@clang-format --dry-run -Werror $(FORMATTED)
tidy: cppcheck $(TIDY) ## clang-tidy and cppcheck over the sources

.PHONY: collision-fit
collision-fit: ## fit the polynomials of dem_collision_inverse anew
	@mkdir -p $(BUILD)/tests
	$(compile) $(BASE_FLAGS) -Isrc -o $(BUILD)/tests/collision-fit tests/collision/fit.c -lm
	$(BUILD)/tests/collision-fit > $(BUILD)/collision_fit.h
	mv $(BUILD)/collision_fit.h src/laws/collision_fit.h
