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
# what the distribution is made of
SOURCES := $(shell find pom.xml models impl features karaf-dist -type f \
	-not -path '*/target/*' -not -path '*/src/test/*' -not -name '*.md' -not -name '.*')
SCRIPTS := tools/setup .ci/run $(wildcard docs/*.sh)
PYTHON_UNIT_TESTS := $(wildcard tests mininet/tests)
AREAS := fabric multipath

.PHONY: help
help: ## list the commands
	@sed -n 's/^\([a-z%-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{ printf "make %-16s %s\n", $$1, $$2 }'

.PHONY: demo
demo: dist switches ## boot the controller, move data over an emulated fat-tree, draw the plot, leave the controller up
	@$(ENV) tools/controller status 2> /dev/null || tools/controller start --clean
	@$(ENV) sluice-lab demo

.PHONY: test
test: fresh-results check check-net check-dpdk soak-sample ## run all tests
	@$(ENV) python tools/test-summary

.PHONY: check
check: setup lint ## tests that need no root, under five minutes
	@$(ENV) mvn -pl '!karaf-dist' verify
	@$(ENV) pytest -q -m 'not net' --junitxml=$(RESULTS)/python.xml $(PYTHON_UNIT_TESTS)

.PHONY: check-net
check-net: dist switches ## tests with namespaces, Mininet and controllers of their own; needs root
	@$(ENV) pytest -q -m net --junitxml=$(RESULTS)/net.xml $(PYTHON_UNIT_TESTS)

.PHONY: check-dpdk
check-dpdk: ## tests of the DPDK forwarder
	@echo "check-dpdk: there is no DPDK forwarder yet, and so no test of one"

.PHONY: dist
dist: setup $(KARAF) ## build the distribution, karaf-dist/target/*.tar.gz

.PHONY: bench
bench: $(AREAS:%=bench-%) ## measure every area; results go to bench/results/

bench-%: dist switches ## measure one area: fabric, multipath
	@$(ENV) sluice-lab bench $*

.PHONY: soak
soak: $(AREAS:%=soak-%) ## tests that take hours

soak-%: dist switches ## the long tests of one area
	@$(ENV) sluice-lab soak $*

.PHONY: clean
clean: ## remove what was built; set-up and running controllers stay
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

.PHONY: fresh-results
fresh-results:
	@rm -rf $(RESULTS)
	@find . -path '*/target/surefire-reports/*.xml' -delete

.PHONY: soak-sample
soak-sample: dist switches
	@$(ENV) pytest -q -m soak_sample --junitxml=$(RESULTS)/soak.xml $(PYTHON_UNIT_TESTS)

# Open vSwitch does not start by itself in every container.
.PHONY: switches
switches: setup
	@ovs-vsctl --timeout=5 show > /dev/null 2>&1 || service openvswitch-switch start

$(KARAF): $(SOURCES) | setup
	@$(ENV) mvn -q -DskipTests package
	@touch $@
