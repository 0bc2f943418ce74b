# Every target sets itself up on a fresh machine: it makes the virtual environments it needs and installs into them.
#
#   make demo      train, evaluate, export and serve an Estimator; installs no tools for tests
#   make test      the test suite
#   make dist      an sdist and wheels in build/dist, checked, and tried in fresh environments (PYTHONS="python3.12 python3.13")
#   make site      the pages of docs/ as a site, in build/site
#   make pythons   a smoke test on each Python that is here, and with the lowest versions of all dependencies (ROWS="3.13 oldest")
#   make lite      whole models, 500 random graphs: TensorFlow Lite against sessions, sizes beside TensorFlow's; StableHLO, ONNX
#   make verdicts  verdicts of `evergraph audit` against runs of programs, from copies in a folder (PROGRAMS_IN=folder)
#   make libraries test suites of libraries that stand on TensorFlow 1, from copies in a folder (LIBRARIES=folder)
#   make faults    tasks of clusters that are killed, stopped and cut off, and damaged messages
#   make interop   TensorFlow reads what evergraph wrote and the other way round
#   make browser   TensorBoard shows what evergraph logged, in a browser
#   make bench     evergraph and TensorFlow side by side
#   make bench-cluster  steps of several processes, beside TensorFlow's: parameter servers, collectives
#   make bench-serve  requests a second, latencies and processor time of `evergraph serve` (ROWS="MLP rest")
#   make bench-gpu  training steps of large networks on a GPU, beside PyTorch where it is installed
#   make sizes-gpu  programs whose sizes change from step to step on an accelerator, beside the same machine's CPU
#   make sizes     programs whose sizes change from step to step, beside TensorFlow: 100 and 1,000 steps, compilations, memory
#   make sweep     276 ops and fragments, forward and gradient, beside TensorFlow, the slowest first (ROWS="conv2d pool")
#   make first     first steps of large training programs, cold and warm, beside TensorFlow (ROWS="YOLO MAML")
#   make growth    how the time to build, plan and compile a graph grows with its nodes, to 100,000 of them
#   make fuzz      damaged and made-up files, many of them (FUZZ=10000 of each kind), and fresh random programs
#   make sanitize  tests of the C code with modules that check addresses and undefined behaviour
#   make aarch64   builds the C code for 64-bit ARM processors, with Debian's gcc-aarch64-linux-gnu and libc6-dev-arm64-cross
#   make graphs    5,000 random programs on every tier, against TensorFlow's recorded results
#   make programs  random pipelines, training, control flow, files...: recorded and fresh programs (PROGRAMS=500 of each kind)
#   make interrupts  Ctrl-C at many moments of training, saving, compiling and drawing (INTERRUPTS=200 of each kind)
#   make kills     SIGTERM, Ctrl-C and kill -9 at many moments of training, by Estimators and Keras, then training again (KILLS=30)
#   make canned    all canned models, 50 steps each, against TensorFlow's recorded losses, metrics and predictions
#   make soak      an hour of training, functions, sessions and datasets that come and go: memory by the minute (MINUTES=60)
#   make serve-soak  ten minutes of serving while versions come and go: memory by the minute
#   make malformed  100,000 damaged requests to `evergraph serve`: its answers and its memory
#   make edges     every op case at infinities, NaN, limits, zeros, on empty tensors, against TensorFlow's answers
#   make constants every op case with one input fed and the others constants, compiled, against TensorFlow's answers
#   make inside    every op inside branches and loops: gradients, and those of gradients
#   make second    first and second derivatives of every op case by each input, against TensorFlow's
#   make feeds     every op case with feeds that are unaligned, strided, repeated, in the other byte order
#   make eager     every op case with eager execution, against TensorFlow's answers
#   make autograph 2,000 random functions converted by AutoGraph, against Python (FUNCTIONS=2000)
#   make check     lint, types, import rules, op names, hidden state, public names, stubs, the table of rooms

ROWS ?=
PYTHON ?= python3
# TensorFlow 2.15, the last with Estimators, has no build for Pythons newer than 3.11.
TF_PYTHON ?= $(shell command -v python3.11 || command -v python3.10 || command -v $(PYTHON))
JOBS ?= 2
FUZZ ?= 10000
PROGRAMS ?= 500
FUNCTIONS ?= 2000
INTERRUPTS ?= 200
KILLS ?= 30
MINUTES ?= 60

BIN := .venv/bin
INSTALLED := .venv/.installed
READY := .venv/.ready
BUILD := build/tools
BUILT := $(BUILD)/.ready
JUDGE := .venv-tf/.ready

export TF_CPP_MIN_LOG_LEVEL ?= 2
export EVERGRAPH_JUDGE ?= $(CURDIR)/.venv-tf/bin/python

.PHONY: demo dist site test pythons lite verdicts libraries faults interop browser bench bench-gpu bench-cluster \
        bench-serve serve-soak malformed sweep sizes sizes-gpu first growth fuzz sanitize aarch64 graphs programs \
        interrupts kills canned soak edges constants inside second feeds eager \
        autograph check names sections

demo: $(INSTALLED)
	$(BIN)/evergraph run examples/iris.py

# PYTHONS="python3.12 python3.13" names those into which the wheel is installed and tried; by default all that are here.
dist: $(BUILT)
	$(BUILD)/bin/python -m release.dist $(PYTHONS)

site: $(BUILT) $(INSTALLED)
	$(BIN)/python -m website.build $(BUILD)/bin/mkdocs build/site

test: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) -q tests --ignore=tests/interop --ignore=tests/browser

# ROWS="3.13 oldest" names some of them.
pythons: $(READY)
	$(BIN)/python -m tests.pythons $(ROWS)

# ROWS="MobileNet LSTM" names some of the whole models.
lite: $(READY) $(JUDGE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[onnx]' onnxruntime safetensors
	$(BIN)/python -m pytest -q tests/lite tests/convert
	$(BIN)/python -m tests.lite.models $(ROWS)
	$(BIN)/python -m tests.lite.random_models --seeds 0 500

# DIGITS=folder has the files of MNIST.
verdicts: $(READY)
	$(BIN)/python -m tests.verdicts $(PROGRAMS_IN) $(if $(DIGITS),--digits $(DIGITS))

libraries: $(READY)
	$(BIN)/python -m tests.libraries.run $(LIBRARIES) $(ROWS)

faults: $(READY)
	$(BIN)/python -m tests.cluster.faults

interop: $(READY) $(JUDGE)
	$(BIN)/python -m pytest -q tests/interop

# SCREENSHOTS=folder keeps the pictures.
browser: $(READY)
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python -m pytest -q tests/browser

sweep: $(READY) $(JUDGE)
	$(BIN)/python -m benchmarks.sweep $(ROWS)

bench: $(READY) $(JUDGE)
	$(BIN)/python -m benchmarks

# BERT=folder names a checkout of google-research/bert.
bench-gpu: $(READY)
	$(BIN)/python -m benchmarks.gpu

bench-cluster: $(READY) $(JUDGE)
	$(BIN)/python -m benchmarks.cluster $(ROWS)

bench-serve: $(READY)
	$(BIN)/python -m benchmarks.serve $(ROWS)

serve-soak: $(READY)
	$(BIN)/python -m tests.serving.soak

malformed: $(READY)
	$(BIN)/python -m tests.serving.malformed

sizes-gpu: $(READY)
	$(BIN)/python -m benchmarks.gpu_sizes $(ROWS)

sizes: $(READY) $(JUDGE)
	$(BIN)/python -m benchmarks.sizes
	$(BIN)/python -m benchmarks.sizes --memory

first: $(READY) $(JUDGE)
	$(BIN)/python -m benchmarks.first_steps $(ROWS)

growth: $(READY)
	$(BIN)/python -m benchmarks.growth

fuzz: $(READY)
	EVERGRAPH_FUZZ=$(FUZZ) $(BIN)/python -m pytest -n $(JOBS) -q -rP --show-capture=stdout tests/damage tests/native
	$(BIN)/python -m tests.random_graphs --jobs $(JOBS) --recorded 0 0 --fresh $(PROGRAMS)

# LD_PRELOAD, because Python itself is not built with the sanitizers; it leaks what it keeps until it ends. C code prints
# what they find, which pytest would keep to itself with another --capture.
CHECKED ?= tests/native tests/kernel tests/rnn tests/strings tests/image tests/datasets tests/save tests/test_ops.py
sanitize: $(READY)
	EVERGRAPH_SANITIZE=1 EVERGRAPH_STRICT_C=1 $(BIN)/python hatch_build.py build/sanitized
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0,allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
	EVERGRAPH_NATIVE=build/sanitized $(BIN)/python -m pytest -q -p no:xdist --capture=sys $(CHECKED)

# Against the headers of this machine's Python and NumPy, which are the same for both.
aarch64: $(READY)
	EVERGRAPH_STRICT_C=1 $(BIN)/python hatch_build.py build/aarch64 aarch64-linux-gnu-gcc

graphs: $(READY)
	$(BIN)/python -m tests.random_graphs --jobs $(JOBS) --fresh 0

programs: $(READY)
	$(BIN)/python -m tests.random_programs --jobs $(JOBS) --fresh $(PROGRAMS)
	$(BIN)/python -m tests.random_programs.alone --seeds 0 $(PROGRAMS)

interrupts: $(READY)
	EVERGRAPH_INTERRUPTS=$(INTERRUPTS) $(BIN)/python -m pytest -q tests/run/test_interrupts.py tests/datasets/test_interrupts.py

kills: $(READY)
	EVERGRAPH_KILLS=$(KILLS) $(BIN)/python -m pytest -q tests/estimator/test_kills.py tests/keras/test_kills.py

canned: $(READY)
	EVERGRAPH_CANNED=all $(BIN)/python -m pytest -n $(JOBS) -q tests/estimator/test_canned.py

soak: $(READY)
	$(BIN)/python -m tests.datasets.soak
	$(BIN)/python -m tests.run.soak --minutes $(MINUTES)

constants: $(READY)
	EVERGRAPH_CONSTANTS=all $(BIN)/python -m pytest -n $(JOBS) -q tests/test_constants.py

inside: $(READY)
	EVERGRAPH_INSIDE=all $(BIN)/python -m pytest -n $(JOBS) -q tests/control/test_ops_inside.py

second: $(READY)
	EVERGRAPH_SECOND=all $(BIN)/python -m pytest -n $(JOBS) -q tests/test_second.py

feeds: $(READY)
	EVERGRAPH_FEEDS=all $(BIN)/python -m pytest -n $(JOBS) -q tests/test_feeds.py

edges: $(READY)
	EVERGRAPH_EDGES=all $(BIN)/python -m pytest -n $(JOBS) -q tests/test_edges.py

eager: $(READY)
	EAGER_CASES_EVERY=1 $(BIN)/python -m pytest -n $(JOBS) -q tests/eager

autograph: $(READY)
	AUTOGRAPH_FUNCTIONS=$(FUNCTIONS) $(BIN)/python -m pytest -q tests/autograph/test_random.py

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m evergraph.api.generate --check
	$(BIN)/python -m evergraph.tools.rooms --check
	$(BIN)/python -m evergraph.tools.contrib --check
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/python -m pytest -q tests/test_imports.py tests/test_op_names.py tests/graph/test_hidden_state.py

# Writes evergraph/api/names.py and evergraph-stubs/ anew after a public name or a signature has changed.
names: $(READY)
	$(BIN)/python -m evergraph.api.generate

# Writes the generated sections of docs/ anew: the tables of rooms and of contrib, the worked example, the ops of TensorFlow Lite.
sections: $(READY)
	$(BIN)/python -m evergraph.tools.rooms
	$(BIN)/python -m evergraph.tools.contrib
	$(BIN)/python -m tests.harness.walkthrough
	$(BIN)/python -m tests.lite.page

# What programs need, without the tools that tests need.
$(INSTALLED): pyproject.toml hatch_build.py $(wildcard evergraph/native/*.[ch])
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(READY): pyproject.toml hatch_build.py $(wildcard evergraph/native/*.[ch])
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $(INSTALLED) $@

# Tools that build releases and the site, in an environment of their own.
$(BUILT): release/requirements.txt
	test -x $(BUILD)/bin/python || $(PYTHON) -m venv $(BUILD)
	$(BUILD)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	touch $@

$(JUDGE):
	test -x .venv-tf/bin/python || $(TF_PYTHON) -m venv .venv-tf
	.venv-tf/bin/python -m pip install --quiet --disable-pip-version-check tensorflow-cpu==2.15.1 tensorflow-estimator==2.15.0 \
		tensorflow-serving-api==2.15.1
	touch $@
