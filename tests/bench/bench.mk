# SPDX-License-Identifier: MIT
# Speed.

$(eval $(call program,bench,$(wildcard tests/bench/*.c) examples/demo/lammps_data.c,\
    $(wildcard tests/bench/*.h) examples/demo/demo.h))

BENCH_COLLISION := $(BUILD)/tests/bench-collision
$(eval $(call program,bench-collision,tests/collision/bench.c))
.PHONY: bench
bench: $(BUILD)/tests/bench $(BENCH_COLLISION) ## speed, next to LAMMPS and LIGGGHTS; BENCH_QUICK=1: 2 minutes
	@mkdir -p $(BUILD)/bench
	@sh tests/bench/bench.sh $< $(BUILD)/bench
	@$(BENCH_COLLISION)

.PHONY: bench-publish
bench-publish: ## puts the tables of the last `make bench` into README.md and docs/performance.md
	@sh tests/bench/publish.sh $(BUILD)/bench README.md docs/performance.md

.PHONY: bench-curves
bench-curves: $(BUILD)/tests/bench ## speed over the number of grains and over sizes, as pictures; goes on where it was ended
	@mkdir -p $(BUILD)/bench
	@[ -n "$$SCENES" ] || $< generate $(BUILD)/bench
	@sh tests/bench/curves.sh $< $(BUILD)/bench docs/figures
