#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Second program of the guest: makes the host's root a system, runs the job, leaves its exit code and the kernel log.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
export PGX_OUT=/run/job/out

mkdir -p /dev/pts /dev/shm /run/netns
mount -t devpts devpts /dev/pts
mount -t tmpfs shm /dev/shm
mount -t debugfs debugfs /sys/kernel/debug 2> /dev/null
mount -t tracefs tracefs /sys/kernel/tracing 2> /dev/null
ln -sfn /proc/self/fd /dev/fd
ip link set lo up

# shellcheck disable=SC1091
source /run/job/job
sharing=(-t 9p -o "trans=virtio,version=9p2000.L,cache=none")
# shellcheck disable=SC2154 # from the kernel's command line
[[ $pgx_sharing != virtiofs ]] || sharing=(-t virtiofs)
if mkdir -p /run/out && mount "${sharing[@]}" out /run/out 2> /dev/null; then
	PGX_OUT=/run/out
fi
mkdir -p /lib/modules
mount --bind "$PGX_KERNEL_ROOT/lib/modules" /lib/modules

stty -F /dev/ttyS1 raw -echo
{
	"${PGX_COMMAND[@]}" < /dev/null 2>&1
	echo $? > /run/job/status.new
} | cat > /dev/ttyS1
dmesg > /run/job/dmesg
mv /run/job/status.new /run/job/status
echo o > /proc/sysrq-trigger
sleep 60
