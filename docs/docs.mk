# SPDX-License-Identifier: MIT
# The manual and its figures.

.PHONY: docs
docs: ## the manual as HTML in build/docs; a warning is an error
	@mkdir -p $(BUILD)/docs
	(cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $(BUILD)/docs"; \
	    echo "PROJECT_NUMBER = $(VERSION)") | doxygen -
	@echo "docs: $(BUILD)/docs/html/index.html"

FIGURES := $(BUILD)/tests/figures
$(eval $(call program,figures,$(wildcard tests/figures/*.c),\
    $(wildcard tests/physics/cases/*.h),$(CASES)))
FIGURES_COLLISION := $(BUILD)/tests/figures-collision
$(eval $(call program,figures-collision,tests/collision/figures.c,\
    $(wildcard tests/physics/cases/*.h),$(CASES)))

.PHONY: architecture
architecture: $(STATIC) ## draw the layers of the sources into docs/figures, as `make layers` sees them
	@perl tests/layers.pl $(BUILD) docs/figures/layers.svg
	@echo docs/figures/layers.svg

.PHONY: drawings figures gas-figure
drawings: ## draw the drawings of the manual into docs/figures (needs gnuplot)
	@command -v gnuplot >/dev/null || { echo "gnuplot is missing: apt-get install gnuplot-nox"; exit 1; }
	for drawing in docs/figures/*.gp; do \
	    gnuplot -e "target='docs/figures'" $$drawing || exit 1; done
figures: drawings $(DEMO) $(FIGURES) $(NORMAL_LAWS) $(FIGURES_COLLISION) ## draw the manual's figures into docs/figures (needs gnuplot)
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
