#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Boot a Debian kernel in QEMU with this machine's own root, and run a command in it.
#
#   vm.sh -k SERIES [OPTION ...] -- COMMAND [ARGUMENT ...]
#
#   -k SERIES   kernel, see kernels.sh list
#   -t SECONDS  time limit, default 300; times PGX_SLOW, which is 4 for the kernels that look for faults
#   -c CPUS     default 2
#   -m MB       memory, default 2048, twice that for kernels that look for faults
#   -a TEXT     more of the kernel's command line
#   -l FILE     where the kernel log goes
#   -o DIR      folder that the guest may write to, there $PGX_OUT
#   -n MODEL    add a network card, such as e1000, that leads nowhere; the guest finds what it sent in /run/job/card.pcap
#   -i          count instructions: guest time advances by 1 ns each, one CPU
#
# The root is read-only below a tmpfs, so nothing that the guest writes comes back but what it puts into $PGX_OUT.
# Output of the command is printed as it comes. Exit code: the command's; 124 when time is over, 125 when the guest
# died, 120 when it died of a fault of the emulator, all with the end of the kernel log.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=selftests/vm/deps.sh
source "$here/deps.sh"

usage() {
	sed -n '3,20s/^# \{0,1\}//p' "$0"
	exit 2
}

series='' limit=300 cpus=2 memory='' append='' klog='' out='' icount='' card=''
while getopts k:t:c:m:a:l:o:n:ih opt; do
	case $opt in
	k) series=$OPTARG ;;
	t) limit=$OPTARG ;;
	c) cpus=$OPTARG ;;
	m) memory=$OPTARG ;;
	a) append=$OPTARG ;;
	l) klog=$OPTARG ;;
	o) out=$(realpath "$OPTARG") ;;
	n) card=$OPTARG ;;
	i) icount=1 ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[[ -n $series && $# -gt 0 ]] || usage

machine=pc
if "$here/kernels.sh" is_built "$series"; then
	: "${memory:=4096}" "${PGX_SLOW:=4}"
	export PGX_SLOW
	# the other machine's table of interrupts is a program, which such a kernel gives up on after half a minute
	machine=q35
	# jumps that no branch predictor may see are long ways for an emulator
	append+=' mitigations=off'
fi
limit=$((limit * ${PGX_SLOW:-1})) memory=${memory:-2048}

pgx_need qemu-system-x86 busybox-static cpio kmod xz-utils iproute2
root=$("$here/kernels.sh" path "$series")
release=$(basename "$root")
work=$(mktemp -d "${TMPDIR:-/tmp}/pgx-vm.XXXXXX")
mkdir "$work/out"
trap 'rm -rf "$work"' EXIT

module_chain() {
	modprobe -d "$root" -S "$release" --show-depends "$1"
}

# Kernels for the cloud have no 9p.
choose_sharing() {
	sharing=9p
	module_chain 9p > /dev/null 2>&1 || sharing=virtiofs
}

# What stands between the kernel and its root, in the order in which it must be loaded.
early_modules() {
	local module wanted=(virtio_pci overlay virtiofs)

	[[ $sharing == virtiofs ]] || wanted=(virtio_pci 9pnet_virtio 9p overlay)
	for module in "${wanted[@]}"; do
		module_chain "$module" | awk '$1 == "insmod" { print $2 }'
	done | awk '!seen[$0]++'
}

copy_module() {
	case $1 in
	*.xz) xz -dc "$1" > "$2" ;;
	*.zst) zstd -qdc "$1" > "$2" ;;
	*) cp "$1" "$2" ;;
	esac
}

make_initramfs() {
	local dir=$work/initramfs n=10 module

	mkdir -p "$dir"/{bin,dev,modules,proc,lower,upper,root}
	cp "$(command -v busybox)" "$dir/bin/busybox"
	cp "$here/initramfs-init" "$dir/init"
	while read -r module; do
		copy_module "$module" "$dir/modules/$((n++)).ko"
	done < <(early_modules)
	(cd "$dir" && find . | cpio -o -H newc --quiet) > "$work/initramfs.cpio"
}

# What the guest has to know, as a script that it sources.
write_job() {
	{
		printf 'cd %q\n' "$PWD"
		printf 'export PGX_KERNEL_ROOT=%q PGX_SERIES=%q\n' "$root" "$series"
		export -p | grep -E '^declare -x PGX_[A-Z]+=' || true
		printf 'PGX_COMMAND=('
		printf '%q ' "$@"
		printf ')\n'
	} > "$work/job"
	cp "$here/guest-run.sh" "$work/run"
}

# Each folder has a daemon of its own, which ends when QEMU does. That of the root sees all but $work read-only, since it
# has no option for that.
share_virtiofs() {
	local socket=$work/$2.socket cache=none prepare=true

	if [[ $2 == root ]]; then
		cache=always
		# shellcheck disable=SC2016
		prepare='mount --bind "$0" "$0" && mount -t tmpfs run /run && mount -o remount,bind,ro /'
	fi
	pgx_root unshare -m sh -c "$prepare"' && exec "$@"' "$work" /usr/lib/qemu/virtiofsd --socket-path="$socket" \
		--socket-group="$(id -gn)" -o "source=$1" -o sandbox=chroot -o "cache=$cache" \
		> "$work/$2.virtiofsd" 2>&1 < /dev/null &
	until [[ -S $socket ]]; do
		kill -0 $! 2> /dev/null || { cat "$work/$2.virtiofsd" >&2; exit 1; }
		sleep 0.1
	done
	qemu+=(-chardev "socket,id=share-$2,path=$socket" -device "vhost-user-fs-pci,chardev=share-$2,tag=$2")
}

# share FOLDER TAG [OPTION]
share() {
	if [[ $sharing == virtiofs ]]; then
		share_virtiofs "$1" "$2"
	else
		qemu+=(-virtfs "local,path=$1,mount_tag=$2,security_model=none,multidevs=remap${3:+,$3}")
	fi
}

share_folders() {
	# a daemon reads and writes the guest's memory
	[[ $sharing != virtiofs ]] ||
		qemu+=(-object "memory-backend-memfd,id=memory,size=${memory}M,share=on" -machine memory-backend=memory)
	share / root readonly=on
	share "$work" job
	[[ -z $out ]] || share "$out" out
}

qemu_arguments() {
	# shellcheck disable=SC2054 # commas are QEMU's
	qemu=(qemu-system-x86_64 -machine "$machine" -nodefaults -display none -no-reboot -cpu max,la57=off -m "$memory"
		-kernel "$root/boot/vmlinuz-$release" -initrd "$work/initramfs.cpio"
		-chardev "file,id=console,path=$work/console" -serial chardev:console
		-chardev stdio,id=output,signal=off -serial chardev:output
		-append "console=ttyS0 panic=-1 oops=panic loglevel=5 tsc=reliable pgx_sharing=$sharing $append")
	if [[ -n $icount ]]; then
		qemu+=(-accel tcg -smp 1 -icount "shift=0,sleep=off")
	else
		qemu+=(-accel "tcg,thread=multi" -smp "$cpus")
	fi
	# The card's boot ROM comes with another package and is of no use.
	[[ -z $card ]] || qemu+=(-netdev "user,id=card,restrict=on" -device "$card,netdev=card,romfile="
		-object "filter-dump,id=dump,netdev=card,file=$work/card.pcap")
}

keep_log() {
	[[ -z $klog ]] && return
	if [[ -s $work/dmesg ]]; then
		cp "$work/dmesg" "$klog"
	else
		cp "$work/console" "$klog"
	fi
}

died() {
	echo "# vm.sh: $1; the kernel log ends with:" >&2
	tail -n 80 "$work/console" >&2
	exit "$2"
}

choose_sharing
make_initramfs
write_job "$@"
qemu_arguments
share_folders
status=0
timeout --foreground -k 5 "$limit" "${qemu[@]}" < /dev/null || status=$?
keep_log
((status != 124 && status != 137)) || died "no end within $limit s" 124
if [[ ! -s $work/status ]]; then
	! "$here/emulator-fault.sh" "$work/console" || died "the guest died of a fault of the emulator" 120
	died "the guest died" 125
fi
exit "$(< "$work/status")"
