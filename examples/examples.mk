# SPDX-License-Identifier: MIT
# The programs of examples/ and what tests and figures take from them.

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

# Force curves of the normal laws, at level 0.
NORMAL_LAWS := $(BUILD)/examples/normal_laws/normal_laws
$(NORMAL_LAWS): $(BUILD)/examples/normal_laws/normal_laws.o $(STATIC)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# Scenes with walls and bodies; each prints figures, and fails where a judged one is off.
POURED := hopper mixer pour drum press
SCENE_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard examples/scenes/*.c)) \
    $(addprefix examples/demo/,output.c png.c progress.c vtp.c))
SCENE_PROGRAMS := $(foreach s,$(POURED),$(BUILD)/examples/$s/$s)
$(SCENE_PROGRAMS): %: %.o $(SCENE_OBJECTS) $(STATIC)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
$(BUILD)/examples/mixer/mixer: $(BUILD)/examples/mixer/screw.o
-include $(BUILD)/examples/mixer/screw.d $(SCENE_OBJECTS:.o=.d) $(SCENE_PROGRAMS:%=%.d)

# The small ones take one thread each, two at a time; the longest ones first.
.PHONY: scenes scene-pictures
scenes: $(SCENE_PROGRAMS) ## drum, hopper, mixer, press, heaps, small: figures, some judged (2 minutes)
	@printf '%s\n' $^ | xargs -P 2 -n 1 sh -c '"$$0"'
scene-pictures: $(SCENE_PROGRAMS) ## larger ones, with pictures, into build/scenes
	@for scene in $^; do $$scene --large --output $(BUILD)/scenes || exit 1; done
	@command -v gnuplot >/dev/null || { echo "gnuplot is missing: apt-get install gnuplot-nox"; exit 1; }
	gnuplot -e "folder='$(BUILD)/scenes'; picture='$(BUILD)/scenes/scenes.svg'" \
	    examples/scenes/scenes.gp 2>/dev/null

# The Brazil nut of a paper: half an hour to an hour, or five seconds; goes on where it was stopped.
NUT := $(BUILD)/examples/brazil_nut/brazil_nut
NUT_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard examples/brazil_nut/*.c)))
$(NUT): $(NUT_OBJECTS) $(SCENE_OBJECTS) $(STATIC)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
-include $(NUT_OBJECTS:.o=.d)

.PHONY: brazil-nut
ifdef SEEDS
# As many starting positions, shaken up and down; LAW=M1, VERTICES=810 and SECONDS=6 choose others.
brazil-nut: $(NUT)
	$(if $(filter 1,$(QUICK)),@rm -rf $(BUILD)/brazil_nut_quick)
	@sh examples/brazil_nut/seeds.sh $(NUT) $(BUILD)/brazil_nut$(if $(filter 1,$(QUICK)),_quick) \
	    $(SEEDS) $(or $(LAW),M4) $(or $(VERTICES),162) \
	    $(or $(SECONDS),$(if $(filter 1,$(QUICK)),1,12)) $(if $(filter 1,$(QUICK)),--quick) $(ARGS)
else
brazil-nut: $(NUT) ## ellipsoids of triangles in a box that rocks; QUICK=1: 5 s; ARGS="--vertical"; SEEDS=8
	$(if $(filter 1,$(QUICK)),@rm -rf $(BUILD)/brazil_nut_quick)
	$(NUT) --output $(BUILD)/brazil_nut$(if $(filter 1,$(QUICK)),_quick --quick) $(ARGS)
endif

# A host of its own blocks and messages, at level 1 and at level 2.
MPICC ?= mpicc
MPI_PROGRAMS := $(BUILD)/examples/mpi/level1 $(BUILD)/examples/mpi/level2
$(MPI_PROGRAMS): $(BUILD)/examples/mpi/%: $(wildcard examples/mpi/*.[ch]) $(STATIC)
	@mkdir -p $(@D)
	@command -v $(MPICC) >/dev/null || { echo "$(MPICC) is missing: apt-get install libopenmpi-dev openmpi-bin"; exit 1; }
	$(MPICC) $(CFLAGS) -std=c11 $(WARNINGS) -Iinclude -o $@ $(addprefix examples/mpi/,host.c scene.c \
	    clocks.c $(if $(filter level1,$*),grains.c floor.c,fluid.c) $*.c) $(LDFLAGS) $(STATIC) $(LIBS)
.PHONY: mpi
mpi: $(MPI_PROGRAMS) ## the MPI host on 1, 2, 4, 8 ranks and over a restart: the same bits (needs OpenMPI)
	@sh examples/mpi/run.sh $(BUILD)/mpi $(MPI_PROGRAMS)
.PHONY: mpi-bench
mpi-bench: $(MPI_PROGRAMS) ## the MPI host timed on 1 and 2 ranks (5 minutes)
	@sh examples/mpi/bench.sh $(MPI_PROGRAMS)
