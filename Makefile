# SPDX-License-Identifier: GPL-2.0
KDIR ?= /lib/modules/$(shell uname -r)/build
KERNELS ?= 6.1 6.12
ALL_KERNELS ?= 6.1 6.12 6.12-rt 6.12-cloud 7.3 7.3-rt

# Where `install` puts things. Either of DESTDIR and INSTALL_MOD_PATH moves all of it, each wins for its own part.
prefix ?= /usr/local
mandir ?= $(prefix)/share/man
module_root = $(abspath $(or $(INSTALL_MOD_PATH),$(DESTDIR)))
man_root = $(abspath $(or $(DESTDIR),$(INSTALL_MOD_PATH)))

# The header names the release as the kernel itself does; what `make kernelrelease` says may lack parts of it. Without
# headers there may still be something to uninstall.
utsrelease = $(KDIR)/include/generated/utsrelease.h
release = $(if $(wildcard $(utsrelease)),$(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' $(utsrelease)),$(shell uname -r))
modules = lib/modules/$(release)
module = $(module_root)/$(modules)/updates/pktgen_ext.ko
man_page = $(man_root)$(mandir)/man4/pktgen_ext.4

# A distribution keeps the key of its kernels: where it is not at hand, kbuild can not sign and would only complain.
sign_key = $(shell sed -n 's/^CONFIG_MODULE_SIG_KEY="*\([^"]*\).*/\1/p' $(KDIR)/include/config/auto.conf)
no_signing = $(if $(filter pkcs11:%,$(sign_key))$(wildcard $(sign_key) $(KDIR)/$(sign_key)),,CONFIG_MODULE_SIG_ALL=)

# The index of modules is renewed where there is one: not in a folder that a package is made from.
depmod = [ ! -e $(module_root)/$(modules)/modules.dep ] || depmod $(addprefix -b ,$(module_root)) $(release)

# $(call prune,ROOT,FOLDER): remove a folder that became empty, below a ROOT also those above it.
prune = [ ! -d $(1)/$(2) ] || (cd $(1)/ && rmdir $(if $(1),-p) --ignore-fail-on-non-empty $(2))

.DEFAULT_GOAL := all

.PHONY: all
all: ## build pktgen_ext.ko for the running kernel, or for KDIR=
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

.PHONY: clean
clean: ## remove what was built
	$(MAKE) -C $(KDIR) M=$(CURDIR) clean

.PHONY: install
install: all ## install module and manual page; DESTDIR= or INSTALL_MOD_PATH=, prefix=, KDIR=
	$(MAKE) -C $(KDIR) M=$(CURDIR) INSTALL_MOD_PATH=$(module_root) INSTALL_MOD_DIR=updates $(no_signing) \
		modules_install
	install -D -m 644 Documentation/pktgen_ext.4 $(man_page)
	$(depmod)

.PHONY: uninstall
uninstall: ## remove what install put there; with the same variables
	rm -f $(module) $(module).xz $(module).gz $(module).zst $(man_page)
	$(call prune,$(module_root),$(modules)/updates)
	$(call prune,$(man_root),$(patsubst /%,%,$(mandir))/man4)
	$(depmod)

.PHONY: dkms
dkms: ## hand the sources to DKMS: build and install now, and for each kernel to come
	packaging/dkms.sh add $(release)

.PHONY: dkms-remove
dkms-remove: ## take them back from DKMS
	packaging/dkms.sh remove

.PHONY: deb
deb: ## build the Debian package pktgen-ext-dkms in build/
	packaging/deb.sh build

.PHONY: check
check: ## run all tests: units, and the cases in virtual machines
	selftests/run.sh $(foreach k,$(KERNELS),-k $(k))

.PHONY: check-all
check-all: ## the same with the slow cases, on each of ALL_KERNELS: 6.1, 6.12 and 7.3, RT and the cloud's too
	selftests/run.sh --all -t 3600 $(foreach k,$(ALL_KERNELS),-k $(k))

.PHONY: check-debug
check-debug: ## every case, the slow ones too, on a kernel with KASAN, lockdep, kmemleak..., which it builds once
	selftests/debug/selftest.sh
	selftests/run.sh --all -t 3600 -k debug net

.PHONY: check-race
check-race: ## everybody at once for a quarter of an hour on that kernel; PGX_SEED= gives the seed
	selftests/run.sh -t 3600 -k debug net/race_long net/unload

.PHONY: coverage
coverage: ## lines and branches of the module that the cases reach, on that kernel
	selftests/coverage.sh

.PHONY: check-install
check-install: ## test install, DKMS and the package in a bare Debian root, on each of KERNELS
	selftests/install/run.sh

.PHONY: bench
bench: ## count instructions per packet, the in-tree pktgen beside ours, on each of KERNELS
	selftests/bench/instructions.sh $(foreach k,$(KERNELS),-k $(k))

.PHONY: lint
lint: ## W=1 and sparse for ALL_KERNELS, checkpatch --strict, coccinelle, -fanalyzer, shellcheck, pyflakes
	selftests/lint.sh $(ALL_KERNELS)

SECONDS ?= 600
.PHONY: fuzz
fuzz: ## libFuzzer on the userland build, SECONDS=600 for each of its targets
	selftests/fuzz.sh $(SECONDS)

.PHONY: docs-check
docs-check: ## check Documentation/ against the table of parameters and the sources
	selftests/docs.sh

.PHONY: layers
layers: ## check that no include points up
	selftests/layers.sh

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.* ## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16
