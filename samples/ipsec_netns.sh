#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# ESP between two network namespaces: the generator encrypts, the peer decrypts.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=common.sh
source "$(dirname "$(realpath "$0")")/common.sh"

about() {
	cat <<- EOF_ABOUT
	Send ESP (flag IPSEC) from one network namespace to another over a veth pair, and show how many packets the peer
	has decrypted. Both namespaces, the pair and the states are made for the run and removed after it; nothing of
	the rest of the system is touched. -s is the size before encryption.

	Example: 10,000 packets of 200 byte in tunnel mode:
	  $pg_name --mode tunnel -s 200 -n 10k
	EOF_ABOUT
}

near=192.0.2.1 far=192.0.2.2 spi=0x1234
# of RFC 4106: key, then 4 bytes of salt
key=0x$(od -An -v -tx1 -N 20 /dev/urandom | tr -d ' \n')

in_peer() {
	ip netns exec "$peer" "$@"
}

# Everything of the sender is in a namespace that ends with this process. /sys shows the devices of where it was mounted.
own_namespace() {
	[[ -z ${PG_OWN_NETNS:-} ]] || return 0
	# shellcheck disable=SC2016 # expanded by the shell that unshare starts
	PG_OWN_NETNS=yes exec unshare --net --mount -- sh -c 'mount -t sysfs none /sys && exec "$0" "$@"' "$0" "$@"
}

make_device() {
	peer=pgx-peer-$$
	opt[device]=pgx0
	pg_need ip "namespaces and IPsec" iproute2
	ip netns add "$peer" || pg_die "cannot make a network namespace"
	pg_later ip netns del "$peer"
	ip link add name pgx0 type veth peer name pgx1 netns "$peer" || pg_die "cannot make a veth pair"
	ip addr add "$near/24" dev pgx0
	in_peer ip addr add "$far/24" dev pgx1
	# nothing but what is sent here shall arrive: no IPv6 of the kernel, no ARP for an answer to the sender
	echo 1 > /proc/sys/net/ipv6/conf/pgx0/disable_ipv6
	in_peer sh -c 'echo 1 > /proc/sys/net/ipv6/conf/pgx1/disable_ipv6'
	in_peer ip neigh add "$near" lladdr "$(< /sys/class/net/pgx0/address)" dev pgx1
	in_peer ip link set dev pgx1 up
	ip link set dev pgx0 up
	opt[dest-mac]=$(in_peer cat /sys/class/net/pgx1/address)
	opt[dst-min]=$far opt[dst-max]=$far
}

add_states() {
	local side

	for side in '' in_peer; do
		$side ip xfrm state add src "$near" dst "$far" proto esp spi "$spi" mode "${opt[mode]}" \
			aead 'rfc4106(gcm(aes))' "$key" 128 || pg_die "the kernel takes no ESP state; is esp4 missing?"
	done
	in_peer ip xfrm policy add src "$near" dst "$far" dir in tmpl src "$near" dst "$far" proto esp mode "${opt[mode]}"
}

prepare() {
	add_states
	pg_until 10 grep -q 1 /sys/class/net/pgx0/carrier || pg_die "the veth pair does not come up"
}

# In transport mode the generator finds the state by its addresses, otherwise it has to be told.
entry() {
	pg_dev "$1" "xmit_mode start_xmit"
	pg_dev "$1" "flag IPSEC"
	pg_dev "$1" "flows 1"
	[[ ${opt[mode]} == transport ]] || pg_dev "$1" "spi $((spi))"
}

# snmp PROTOCOL NAME: a counter of the peer
snmp() {
	in_peer cat /proc/net/snmp | awk -v p="$1:" -v name="$2" '
		$1 == p && !n { for (n = 2; n < NF && $n != name; n++) ; next }
		$1 == p { print $n }'
}

# Packets that the peer's state has decrypted.
decrypted() {
	in_peer ip -s xfrm state | awk '/lifetime current:/ { getline; sub(/.*, */, ""); n += $0 } END { print n + 0 }'
}

all_decrypted() {
	(($(decrypted) == pg_packets))
}

# Not every kernel counts them.
peer_faults() {
	local counts

	if ! counts=$(in_peer cat /proc/net/xfrm_stat 2> /dev/null); then
		echo "not counted by this kernel"
		return
	fi
	awk '$2 { printf "%s%s %s", sep, $1, $2; sep = ", " } END { if (!sep) print "none" }' <<< "$counts"
}

after_run() {
	local arrived faults

	pg_until 5 all_decrypted || pg_status=1
	arrived=$(in_peer cat /sys/class/net/pgx1/statistics/rx_packets)
	faults=$(peer_faults)
	echo
	printf '%-38s %12s\n' "sent" "$pg_packets" "arrived at the peer" "$arrived" "decrypted by the peer's state" "$(decrypted)" \
		"came out of it as UDP" $(($(snmp Udp InDatagrams) + $(snmp Udp NoPorts)))
	echo "errors of the peer's IPsec: $faults"
}

pg_options+=("- mode MODE choice:transport:tunnel transport or tunnel")
pg_device_optional
pg_without device "this sample makes a veth pair"
pg_without threads "this sample has one thread"
pg_without dest-ip "the peer has an address of its own"
pg_without dest-mac "the peer has a MAC address of its own"
pg_without ipv6 "the states are for IPv4"
pg_without random "the states are for one address"
pg_without append "the namespaces end with the run"
pg_without burst "each packet is encrypted for itself"
pg_without clone "each packet is encrypted for itself"
pg_default mode transport
pg_default size 100
pg_main "$@"
