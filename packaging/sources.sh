#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copy what the module is built from, and nothing else, to a folder that DKMS can use.
#
#   sources.sh FOLDER
set -euo pipefail
top=$(dirname "$(dirname "$(realpath "$0")")")
# shellcheck source=dkms.conf
source "$top/dkms.conf"

dest=${1:?folder}
mkdir -p "$dest"
dest=$(realpath "$dest")
cd "$top"
find Kbuild pktgen_ext.[ch] compat control engine measure traffic -type f \
	\( -name Kbuild -o -name '*.[ch]' \) -not -name '*.mod.c' -exec install -D -m 644 {} "$dest/{}" \;
# Programs that look into the file without being a shell want a plain word.
sed "s|^PACKAGE_VERSION=.*|PACKAGE_VERSION=\"$PACKAGE_VERSION\"|" dkms.conf > "$dest/dkms.conf"
chmod 644 "$dest/dkms.conf"
