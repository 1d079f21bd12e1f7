# SPDX-License-Identifier: EPL-2.0
# Everything a contributor types. Each command first makes the machine ready (tools/setup; at once if it is).

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

ENV := . .tools/env;
RESULTS := .tools/results
KARAF := karaf-dist/target/assembly/bin/karaf
FORWARDER := forwarder-dpdk/target
FUZZERS := forwarder-dpdk/target/fuzz
# what the distribution is made of
SOURCES := $(shell find pom.xml models impl engines features karaf-dist -type f \
	-not -path '*/target/*' -not -path '*/src/test/*' -not -name '*.md' -not -name '.*')
# Without a distribution, nothing can be running from it: what is checked and what is distributed is built in one go.
BESIDE_DISTRIBUTION = $(if $(wildcard $(KARAF)),-pl '!karaf-dist')
SCRIPTS := tools/setup tools/plan tools/bus-proxy bench/forwarder bench/planner .ci/run $(wildcard docs/*.sh)
SUITES := tests $(wildcard mininet)
BANDWIDTH_EXPERIMENTS := METER-TCP METER-TCP-RTT METER-UDP B3-meter
STREAM_EXPERIMENTS := B1-tt B1-ti B1-interval B1-seeds B4
FABRIC_EXPERIMENTS := VALIDATE TOPOLOGY PORTDOWN INSTALL100 MOVE FORGE EVENTS MALFORMED-5XX
MULTIPATH_EXPERIMENTS := M1 M2 M3 M3-optimum M4 SPLIT FRAGMENTS REFUSED REGENERATION

# Runs the Python tests of the suites $(1) that have the mark $(2); each suite in its folder, where its settings are.
define run-pytest
$(ENV) for suite in $(1); do \
	(cd $$suite && pytest -q -m '$(2)' --junitxml=$(CURDIR)/$(RESULTS)/$(3)-$$suite.xml); done
endef

# Measures and records the experiments $(1) with the controller of this folder.
define run-experiments
$(ENV) tools/controller status 2> /dev/null || tools/controller start; \
export SLUICE_PASSWORD=$$(tools/controller password); \
for experiment in $(1); do sluice-lab run $$experiment; done
endef

# A controller must not lose its files while it runs.
define refuse-under-controller
! tools/controller status > /dev/null 2>&1 || \
	{ echo "the controller runs from what was built: end it with tools/controller stop" >&2; exit 1; }
endef

.PHONY: help
help: ## list the commands
	@sed -n 's/^\([a-z%-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{ printf "make %-16s %s\n", $$1, $$2 }'

.PHONY: demo
demo: dist switches ## boot the controller, move data over an emulated fat-tree, draw the plot, leave the controller up
	@$(ENV) tools/controller status 2> /dev/null || tools/controller start
	@$(ENV) SLUICE_PASSWORD=$$(tools/controller password) sluice-lab demo

.PHONY: demo-bandwidth
demo-bandwidth: dist switches ## a stream application on a real Apache Storm, under TCP and under Sluice; table and plot
	@$(ENV) tools/controller status 2> /dev/null || tools/controller start
	@$(ENV) SLUICE_PASSWORD=$$(tools/controller password) sluice-lab demo-bandwidth

.PHONY: test
test: fresh-results check check-net check-dpdk soak-sample ## run all tests
	@$(ENV) python tools/test-summary

.PHONY: check
check: setup lint ## tests that need no root
	@$(ENV) mvn -T 1C $(BESIDE_DISTRIBUTION) verify
	@$(if $(BESIDE_DISTRIBUTION),,touch $(KARAF))
	@$(MAKE) --jobs 2 --output-sync=target $(SUITES:%=check-%)

.PHONY: $(SUITES:%=check-%)
$(SUITES:%=check-%): check-%:
	@$(call run-pytest,$*,not net and not soak,unit)

.PHONY: check-net
check-net: dist switches forwarder ## tests with namespaces, Mininet and controllers of their own; needs root
	@$(call run-pytest,$(SUITES),net,net)

.PHONY: check-dpdk
check-dpdk: forwarder ## tests of the DPDK forwarder; no root, no NIC, no huge pages
	@mkdir -p $(RESULTS)
	@meson test -C $(FORWARDER) --no-rebuild --print-errorlogs; result=$$?; \
	cp $(FORWARDER)/meson-logs/testlog.junit.xml $(RESULTS)/dpdk.xml; exit $$result

.PHONY: dist
dist: setup $(KARAF) ## build the distribution, karaf-dist/target/*.tar.gz

.PHONY: bench
bench: bench-bandwidth bench-bus bench-fabric bench-forwarder bench-multipath bench-peers bench-planner ## measure every area but streams (bench-streams), which take hours; results go to bench/results/

.PHONY: bench-bandwidth
bench-bandwidth: dist switches benchmarks ## measure one area, but streams
	@$(call run-experiments,$(BANDWIDTH_EXPERIMENTS))
	@$(ENV) python3 -m sluice_lab.sandbox python3 -m sluice_lab.experiments.meter_ids
	@$(ENV) for rows in time progress; do "$$SLUICE_JAVA_HOME/bin/java" \
		-cp 'bench/java/target/classes:bench/java/target/lib/*' \
		io.sluice.bench.bandwidth.BandwidthBenchmark $$rows; done | while read -r row; do \
		python bench/record.py --command 'make bench-bandwidth' <<< "$$row"; done

.PHONY: bench-streams
bench-streams: dist switches ## measure applications on a real Apache Storm: hours, cell by cell
	@$(call run-experiments,$(STREAM_EXPERIMENTS))
	@$(ENV) for experiment in $(STREAM_EXPERIMENTS); do sluice-lab plot $$experiment; done

.PHONY: bench-bus
bench-bus: switches benchmarks ## measure one area
	@$(ENV) folder=$$(mktemp -d); for experiment in dissemination "proxy_kills $$folder" "many_sites $$folder"; do \
		python3 -m sluice_lab.sandbox python3 -m sluice_lab.experiments.$$experiment; done; rm -r "$$folder"

.PHONY: bench-fabric
bench-fabric: dist switches benchmarks ## measure one area; bench/fresh-clone measures the demo and the tests
	@$(call run-experiments,$(FABRIC_EXPERIMENTS))
	@$(ENV) "$$SLUICE_JAVA_HOME/bin/java" -XX:+UseSerialGC -cp 'bench/java/target/classes:bench/java/target/lib/*' \
		io.sluice.bench.fabric.EventsSimulation 100000 | python bench/record.py --command 'make bench-fabric'

.PHONY: bench-forwarder
bench-forwarder: forwarder ## measure one area; needs root for 6 GiB of huge pages
	@$(ENV) bench/forwarder
	@$(ENV) python3 -m sluice_lab.sandbox python3 -m sluice_lab.experiments.hot_upgrade

.PHONY: bench-multipath
bench-multipath: dist switches benchmarks ## measure one area
	@$(call run-experiments,$(MULTIPATH_EXPERIMENTS))
	@$(ENV) for experiment in M1 M2 M3 M4 REGENERATION; do sluice-lab plot $$experiment; done
	@$(ENV) "$$SLUICE_JAVA_HOME/bin/java" -cp bench/java/target/classes:impl/graph/target/classes \
		io.sluice.bench.multipath.DisjointPathsBenchmark | python bench/record.py --command 'make bench-multipath'

.PHONY: bench-peers
bench-peers: forwarder switches-dpdk ## the forwarder beside Open vSwitch on DPDK, which is installed for it; needs root for 4 GiB of huge pages
	@$(ENV) python3 -m sluice_lab.sandbox python3 -m sluice_lab.experiments.forwarding

.PHONY: bench-planner
bench-planner: setup ## measure chain routing without a controller; some rows: FIGURES="S8-gap S9-capacity"; other graphs: GRAPHS="FILE ..."
	@$(ENV) bench/planner $(FIGURES)

.PHONY: soak
soak: soak-bus soak-fabric soak-forwarder soak-streams ## tests that take hours

.PHONY: soak-bus
soak-bus: switches benchmarks ## the long tests of one area
	@$(ENV) cd tests && pytest -q -m soak --soak=full soak/test_bus_kills.py

.PHONY: soak-fabric
soak-fabric: dist switches ## the long tests of one area
	@$(ENV) cd tests && pytest -q -m soak --soak=full soak/test_fabric.py

.PHONY: soak-forwarder
soak-forwarder: fuzzers ## the long tests of one area; clang is installed for it
	@$(ENV) bench/forwarder S1-fuzz

.PHONY: soak-streams
soak-streams: dist switches ## the long tests of one area
	@$(ENV) cd tests && pytest -q -m soak --soak=full soak/test_streams.py

.PHONY: clean
clean: ## remove what was built, unless the controller runs from it; the set-up stays
	@$(refuse-under-controller)
	@find . -path ./.tools -prune -o -type d -name target -prune -exec rm -rf {} +
	@rm -rf $(RESULTS)

.PHONY: setup
setup:
	@tools/setup

.PHONY: lint
lint: setup
	@$(ENV) ruff check .
	@$(ENV) ruff format --check .
	@shellcheck $(SCRIPTS)
	@! git grep -nE '.{121}' -- '*.java' | grep -v 'org\.opendaylight\.yang\.gen\.' || { echo "over 120 columns" >&2; exit 1; }

.PHONY: benchmarks
benchmarks: setup
	@$(ENV) mvn -q -DskipTests -pl bench/java -am package

.PHONY: forwarder
forwarder: setup
	@[[ -e $(FORWARDER)/build.ninja ]] || meson setup $(FORWARDER) forwarder-dpdk > /dev/null
	@ninja --quiet -C $(FORWARDER)

.PHONY: fuzzers
fuzzers: setup
	@tools/setup clang-14 libclang-rt-14-dev
	@[[ -e $(FUZZERS)/build.ninja ]] || CC=clang-14 meson setup $(FUZZERS) forwarder-dpdk \
		-Dfuzz=true -Dbuildtype=debugoptimized -Db_lto=false -Dwerror=false > /dev/null
	@ninja --quiet -C $(FUZZERS) fuzz-document fuzz-frame fuzz-handover fuzz-packet

.PHONY: fresh-results
fresh-results:
	@rm -rf $(RESULTS)
	@find . -path '*/target/surefire-reports/*.xml' -delete

.PHONY: soak-sample
soak-sample: dist switches benchmarks
	@$(ENV) cd tests && pytest -q -m soak --soak=sample --junitxml=$(CURDIR)/$(RESULTS)/soak.xml

# Open vSwitch does not start by itself in every container.
.PHONY: switches
switches: setup
	@ovs-vsctl --timeout=5 show > /dev/null 2>&1 || service openvswitch-switch start

# Another daemon of Open vSwitch beside the usual one, which stays in use.
.PHONY: switches-dpdk
switches-dpdk:
	@tools/setup openvswitch-switch-dpdk

# Tests and SpotBugs have their turn in make check.
$(KARAF): $(SOURCES) | setup
	@$(refuse-under-controller)
	@$(ENV) mvn -q -T 1C -DskipTests -Dodlparent.spotbugs.skip=true package
	@touch $@
