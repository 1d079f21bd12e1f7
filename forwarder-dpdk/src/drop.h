// SPDX-License-Identifier: EPL-2.0
/* Why packets are dropped: one list for the code, the counters and their
 * texts. */
#ifndef FWD_DROP_H
#define FWD_DROP_H

#define FWD_DROPS(X)                                                          \
    X(NONE, "none", "not dropped")                                            \
    X(SHORT, "short", "the frame ends inside a header")                       \
    X(NOT_IP, "not_ip", "neither IPv4 nor IPv6 nor labels where expected")    \
    X(BAD_HEADER, "bad_header", "a header contradicts itself")                \
    X(NOT_TUNNEL, "not_tunnel", "on the underlay, but no VXLAN to us")        \
    X(UNKNOWN_VNI, "unknown_vni", "the VNI names no stage")                   \
    X(UNKNOWN_PEER, "unknown_peer", "a tunnel from no peer of ours")          \
    X(UNKNOWN_SIDE, "unknown_side", "no instance at this port and VLAN")      \
    X(BAD_LABELS, "bad_labels", "not exactly two labels")                     \
    X(TTL_EXPIRED, "ttl_expired", "passed too many forwarders")               \
    X(UNKNOWN_CHAIN, "unknown_chain", "no rules for these labels")            \
    X(UNKNOWN_STAGE, "unknown_stage", "the chain has no such stage here")     \
    X(NO_HOP, "no_hop", "no hop with a weight above 0")                       \
    X(TABLE_FULL, "table_full", "a new connection of a stateful chain")       \
    X(NO_FIRST_FRAGMENT, "no_first_fragment", "its first fragment is unknown")\
    X(ERROR_WITHOUT_FLOW, "error_without_flow", "an ICMP error of no flow")   \
    X(LINK_LOCAL, "link_local", "neighbour discovery beyond its link")        \
    X(NEIGHBOUR, "neighbour", "more ARP or neighbour discovery than is heard")\
    X(REPLICA, "replica", "what a peer tells of its entries is damaged")      \
    X(NO_NEIGHBOUR, "no_neighbour", "its hop's MAC address is not known yet") \
    X(TOO_BIG, "too_big", "larger than the MTU of the port out")              \
    X(TOO_BIG_NO_DF, "too_big_no_df", "too big, and may be fragmented")       \
    X(TOO_BIG_SILENT, "too_big_silent", "too big, and no error is allowed")   \
    X(TOO_BIG_NO_SOURCE, "too_big_no_source", "too big; no address to tell")  \
    X(TOO_BIG_LIMITED, "too_big_limited", "too big; enough errors were sent") \
    X(NO_ROOM, "no_room", "no headroom in the packet buffer")                 \
    X(PORT_FULL, "port_full", "the port out took no more packets")            \
    X(LCORE_FULL, "lcore_full", "its flow's lcore took no more packets")

enum fwd_drop {
#define FWD_DROP_ENUM(symbol, name, text) FWD_DROP_##symbol,
    FWD_DROPS(FWD_DROP_ENUM)
#undef FWD_DROP_ENUM
    FWD_N_DROPS
};

/* Name of a reason, as in telemetry. */
const char *fwd_drop_name(enum fwd_drop reason);

/* What the reason means, in a few words. */
const char *fwd_drop_text(enum fwd_drop reason);

#endif
