// SPDX-License-Identifier: EPL-2.0
#include "modes.h"

#include <string.h>

#include <rte_byteorder.h>
#include <rte_common.h>
#include <rte_ether.h>

#include "packets.h"

static uint16_t
plain_forward(uint8_t *data, uint32_t flow, uint32_t instance)
{
    (void) instance;
    return bench_write_plain(data, flow, false, BENCH_MAC_A, BENCH_MAC_VNF);
}

static uint16_t
plain_return(uint8_t *data, uint32_t flow, uint32_t instance)
{
    return bench_write_plain(data, flow, true,
                             (uint8_t) (BENCH_MAC_VNF + instance),
                             BENCH_MAC_A);
}

static uint16_t
edge_forward(uint8_t *data, uint32_t flow, uint32_t instance)
{
    return bench_write_plain(data, flow, false,
                             (uint8_t) (BENCH_MAC_VNF + instance),
                             BENCH_MAC_OURS);
}

static uint16_t
tunnelled_forward(uint8_t *data, uint32_t flow, uint32_t instance)
{
    (void) instance;
    return bench_write_tunnelled(data, flow, 1, false, false);
}

static uint16_t
edge_return(uint8_t *data, uint32_t flow, uint32_t instance)
{
    (void) instance;
    return bench_write_tunnelled(data, flow, 1, true, false);
}

static uint16_t
tunnelled_return(uint8_t *data, uint32_t flow, uint32_t instance)
{
    (void) instance;
    return bench_write_tunnelled(data, flow, 2, true, false);
}

static uint16_t
vnf_forward(uint8_t *data, uint32_t flow, uint32_t instance)
{
    return bench_write_from_vnf(data, flow, instance, false, false);
}

static uint16_t
vnf_return(uint8_t *data, uint32_t flow, uint32_t instance)
{
    return bench_write_from_vnf(data, flow, instance, true, false);
}

static const struct bench_mode modes[] = {
    {"plain", {{WAN, false, plain_forward}, {LAN, true, plain_return}},
     2, RTE_ETHER_HDR_LEN, false, false},
    {"edge", {{LAN, false, edge_forward}, {WAN, true, edge_return}},
     2, RTE_ETHER_HDR_LEN, false, true},
    {"chain",
     {{WAN, false, tunnelled_forward}, {LAN, false, vnf_forward},
      {WAN, true, tunnelled_return}, {LAN, true, vnf_return}},
     4, RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN + 8, true, false},
};

const struct bench_mode *
bench_find_mode(const char *name)
{
    for (size_t i = 0; i < RTE_DIM(modes); i++) {
        if (!strcmp(modes[i].name, name)) {
            return &modes[i];
        }
    }
    return NULL;
}

static uint32_t
get32(const uint8_t *at)
{
    uint32_t value;

    memcpy(&value, at, sizeof value);
    return rte_be_to_cpu_32(value);
}

struct bench_arrival
bench_read_arrival(const struct bench_mode *mode, const uint8_t *data)
{
    uint32_t vlan = (data[14] << 8 | data[15]) & 0xfff;
    bool is_return = mode->has_vlans ? vlan & 1 : mode->lan_is_return;
    const uint8_t *address = data + mode->lan_ip + (is_return ? 16 : 12);

    return (struct bench_arrival) {
        .flow = get32(address) - BENCH_FIRST_CLIENT,
        .instance = mode->has_vlans ? (vlan - BENCH_FIRST_VLAN) / 2
                                    : data[5] - (uint32_t) BENCH_MAC_VNF,
    };
}
