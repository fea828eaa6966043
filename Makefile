# SPDX-License-Identifier: GPL-2.0
KDIR ?= /lib/modules/$(shell uname -r)/build

.DEFAULT_GOAL := all

.PHONY: all
all: ## build pktgen_ext.ko for the running kernel, or for KDIR=
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

.PHONY: clean
clean: ## remove what was built
	$(MAKE) -C $(KDIR) M=$(CURDIR) clean
