# SPDX-License-Identifier: GPL-2.0
KDIR ?= /lib/modules/$(shell uname -r)/build
KERNELS ?= 6.1 6.12

.DEFAULT_GOAL := all

.PHONY: all
all: ## build pktgen_ext.ko for the running kernel, or for KDIR=
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

.PHONY: clean
clean: ## remove what was built
	$(MAKE) -C $(KDIR) M=$(CURDIR) clean

.PHONY: install
install: ## install the module for the running kernel, or for KDIR=
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules_install

.PHONY: check
check: ## run all tests: units, and the cases in virtual machines
	selftests/run.sh $(foreach k,$(KERNELS),-k $(k))

.PHONY: bench
bench: ## count instructions per packet, the in-tree pktgen beside ours, on each of KERNELS
	selftests/bench/instructions.sh $(foreach k,$(KERNELS),-k $(k))

.PHONY: lint
lint: ## W=1, sparse, checkpatch, -Werror, shellcheck: no output is a pass
	selftests/lint.sh $(KERNELS)

.PHONY: layers
layers: ## check that no include points up
	selftests/layers.sh

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z]*\):.* ## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 12
