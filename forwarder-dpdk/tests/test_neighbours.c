// SPDX-License-Identifier: EPL-2.0
/* Neighbours: whom the forwarder asks, believes and forgets, and what becomes
 * of packets meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "talk.h"

static struct talk talk;

static void
forwarder_asks_whose_mac_address_it_needs(void **state)
{
    (void) state;
    talk_start(&talk);
    for (int i = 0; i < 2; i++) {
        for (uint32_t peer = 0; peer < N_PEERS; peer++) {
            assert_true(talk_has_arp(&talk, WAN, 0, 1, 0, OWN, PEER(peer)));
        }
        for (int number = 0; number < 2 * N_VNFS; number++) {
            uint16_t vlan = network_vlan(NAT, 0, 0) + number;
            uint32_t own = network_address(vlan, true);
            const struct wire *nd;

            assert_true(talk_has_arp(&talk, LAN, vlan, 1, 0, own,
                                     network_address(vlan, false)));
            vlan = network_vlan(FIREWALL, 0, 0) + number;
            nd = talk_nd(&talk, vlan, 135, network_address(vlan, false));
            assert_non_null(nd);
            assert_memory_equal(nd->data, "\x33\x33\xff", 3);
            assert_memory_equal(nd->data + 3, nd->data + 79, 3);
        }
        talk_tick(&talk, 999);
        assert_int_equal(talk.n_said, 0);
        talk_tick(&talk, 1);
    }
}

static void
nobody_is_asked_whose_mac_address_is_configured(void **state)
{
    struct network network = network_even();

    (void) state;
    network_start(&network, &talk.rings);
    talk_tick(&talk, 0);
    assert_int_equal(talk.n_said, 1 + 2 * N_KINDS * N_VNFS); /* Announced. */
}

static void
packets_wait_for_nobody_and_reach_who_has_answered(void **state)
{
    uint16_t fw = network_vlan(FIREWALL, 0, 0);
    struct fwd_counters *counters;
    struct wire ip = talk_packet(), wire;
    struct fate fate;

    (void) state;
    talk_only_first(&talk, talk_start(&talk));
    counters = rings_worker(&talk.rings)->counters;
    assert_int_equal(talk_pass_to_nat(&talk).drop, FWD_DROP_NO_NEIGHBOUR);
    talk_hear_nat(&talk, 2, NAT_0);
    fate = talk_pass_to_nat(&talk);
    assert_int_equal(network_place(fate.port, &fate.wire).vnf, 0);

    wire = network_from_vnf(NAT, 0, 1, &ip);
    assert_int_equal(rings_pass(&talk.rings, LAN, &wire).drop,
                     FWD_DROP_NO_NEIGHBOUR);
    talk_hear_nd(&talk, fw, 136, FIREWALL_0, network_address(fw, false),
                 network_address(fw, false));
    fate = rings_pass(&talk.rings, LAN, &wire);
    assert_int_equal(network_place(fate.port, &fate.wire).kind, FIREWALL);

    wire = network_from_vnf(FIREWALL, 0, 1, &ip);
    assert_int_equal(rings_pass(&talk.rings, LAN, &wire).drop,
                     FWD_DROP_NO_NEIGHBOUR);
    talk_hear_arp(&talk, WAN, 0, 2, network_peer_mac(2), PEER(2), OWN);
    fate = rings_pass(&talk.rings, LAN, &wire);
    assert_int_equal(network_place(fate.port, &fate.wire).peer, 2);

    assert_int_equal(counters->drops[FWD_DROP_NO_NEIGHBOUR], 3);
    assert_int_equal(counters->n_received + counters->n_made,
                     counters->n_sent + counters->n_heard + 3);
}

static void
neighbour_that_is_silent_is_asked_and_then_forgotten(void **state)
{
    uint16_t vlan = network_vlan(NAT, 0, 0);
    uint32_t own = network_address(vlan, true);
    uint32_t nat = network_address(vlan, false);

    (void) state;
    talk_only_first(&talk, talk_start(&talk));
    talk_hear_nat(&talk, 2, NAT_0);
    talk_tick(&talk, 29999);
    assert_false(talk_has_arp(&talk, LAN, vlan, 1, 0, own, nat));
    talk_tick(&talk, 1);
    assert_true(talk_has_arp(&talk, LAN, vlan, 1, 0, own, nat));
    assert_int_equal(talk_pass_to_nat(&talk).drop, FWD_DROP_NONE);
    talk_hear_nat(&talk, 2, NAT_0);
    talk_tick(&talk, 29999);
    assert_false(talk_has_arp(&talk, LAN, vlan, 1, 0, own, nat));
    talk_tick(&talk, 1);
    for (int i = 0; i < 5; i++) {
        assert_true(talk_has_arp(&talk, LAN, vlan, 1, 0, own, nat));
        assert_int_equal(talk_pass_to_nat(&talk).drop, FWD_DROP_NONE);
        talk_tick(&talk, 1000);
    }
    assert_int_equal(talk_pass_to_nat(&talk).drop, FWD_DROP_NO_NEIGHBOUR);
    assert_true(talk_has_arp(&talk, LAN, vlan, 1, 0, own, nat));
    talk_hear_nat(&talk, 2, NAT_0);
    assert_int_equal(talk_pass_to_nat(&talk).drop, FWD_DROP_NONE);
}

static void
neighbour_with_another_mac_address_is_believed(void **state)
{
    uint16_t vlan = network_vlan(NAT, 0, 0);
    uint32_t nat = network_address(vlan, false);

    (void) state;
    talk_only_first(&talk, talk_start(&talk));
    talk_hear_nat(&talk, 2, NAT_0);
    talk_hear_arp(&talk, LAN, vlan, 1, NAT_0 + 0x40, nat, nat);
    assert_int_equal(talk_pass_to_nat(&talk).wire.data[5], 0x40);
}

/* RFC 4861, Section 7.2.5: an advertisement without the override flag. */
static void
advertisement_that_does_not_override_changes_nothing_known(void **state)
{
    uint16_t vlan = network_vlan(FIREWALL, 0, 0);
    uint32_t firewall = network_address(vlan, false);
    struct wire ip = talk_packet(), wire, nd = {.size = 0};

    (void) state;
    talk_only_first(&talk, talk_start(&talk));
    talk_hear_nd(&talk, vlan, 136, FIREWALL_0, firewall, firewall);
    wire_nd(&nd, vlan, 136, FIREWALL_0 + 0x40, firewall, firewall);
    nd.data[62] = 0x40;
    wire_sum_icmpv6(&nd, 18);
    talk_hear(&talk, LAN, &nd);
    wire = network_from_vnf(NAT, 0, 1, &ip);
    assert_int_equal(rings_pass(&talk.rings, LAN, &wire).wire.data[5],
                     FIREWALL_0 & 0xff);
}

static void
other_rules_keep_who_is_known_and_forget_who_is_gone(void **state)
{
    struct network network = talk_only_first(&talk, talk_start(&talk));
    uint16_t vlan = network_vlan(NAT, 3, 0);

    (void) state;
    talk_hear_nat(&talk, 2, NAT_0);
    network.gone[NAT][3] = true;
    assert_int_equal(network_apply(&network, &talk.rings), 0);
    assert_int_equal(talk_pass_to_nat(&talk).drop, FWD_DROP_NONE);
    talk_tick(&talk, 1000);
    assert_true(talk_has_arp(&talk, WAN, 0, 1, 0, OWN, PEER(0)));
    assert_false(talk_has_arp(&talk, LAN, vlan, 1, 0,
                              network_address(vlan, true),
                              network_address(vlan, false)));
    talk_hear_nat(&talk, 2, NAT_0 + 0x40);
    assert_int_equal(talk_pass_to_nat(&talk).wire.data[5], 0x40);
}

static void
peers_beyond_the_subnet_are_reached_by_its_gateway(void **state)
{
    struct wire ip = talk_packet(), wire;
    struct network network = network_even();
    struct fate fate;

    (void) state;
    network.asks = true;
    network.prefix_length = 29;
    network_start(&network, &talk.rings);
    talk_tick(&talk, 0);
    assert_true(talk_has_arp(&talk, WAN, 0, 1, 0, OWN, GATEWAY));
    assert_false(talk_has_arp(&talk, WAN, 0, 1, 0, OWN, PEER(2)));
    talk_hear_arp(&talk, WAN, 0, 2, 0x020000000042, GATEWAY, OWN);
    wire = network_from_vnf(FIREWALL, 0, 1, &ip);
    fate = rings_pass(&talk.rings, LAN, &wire);
    assert_int_equal(fate.drop, FWD_DROP_NONE);
    assert_memory_equal(fate.wire.data, "\x02\0\0\0\0\x42", 6);
    assert_int_equal(wire_get32(&fate.wire, 30) & ~1u, PEER(2));
}

static void
who_is_known_is_known_to_an_heir(void **state)
{
    struct fwd_estate estate = {.papers = -1, .known = -1};
    uint16_t vlan = network_vlan(NAT, 0, 0);
    struct fwd_control *control;

    (void) state;
    talk_only_first(&talk, talk_start(&talk));
    talk_hear_nat(&talk, 2, NAT_0);
    control = talk.rings.control;
    assert_int_equal(fwd_estate_write(&estate, &control->numbers.hops,
                                      control->neighbours, ""), 0);
    talk_only_first(&talk, talk_start(&talk));
    control = talk.rings.control;
    assert_int_equal(talk_pass_to_nat(&talk).drop, FWD_DROP_NO_NEIGHBOUR);
    assert_int_equal(fwd_estate_introduce(&estate, control->neighbours), 0);
    assert_int_equal(talk_pass_to_nat(&talk).drop, FWD_DROP_NONE);
    talk_tick(&talk, 30000);
    assert_true(talk_has_arp(&talk, LAN, vlan, 1, 0,
                             network_address(vlan, true),
                             network_address(vlan, false)));
    assert_int_equal(talk_pass_to_nat(&talk).drop, FWD_DROP_NONE);
    fwd_estate_close(&estate);
}

static void
every_lcore_hears_and_speaks_for_the_forwarder(void **state)
{
    (void) state;
    talk.rings.n_workers = 3;
    talk_start(&talk);
    for (int i = 0; i < 60; i++) {
        talk_hear_arp(&talk, WAN, 0, 1, PEER_A, PEER(0), OWN);
        assert_int_equal(talk.n_said, 1);
        assert_true(talk_has_arp(&talk, WAN, 0, 2, PEER_A, OWN, PEER(0)));
    }
    for (uint16_t i = 0; i < 3; i++) {
        const struct fwd_counters *counters =
            talk.rings.control->crew->workers[i]->counters;

        assert_int_not_equal(counters->n_heard, 0);
        assert_int_not_equal(counters->n_made, 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forwarder_asks_whose_mac_address_it_needs),
        cmocka_unit_test(nobody_is_asked_whose_mac_address_is_configured),
        cmocka_unit_test(packets_wait_for_nobody_and_reach_who_has_answered),
        cmocka_unit_test(neighbour_that_is_silent_is_asked_and_then_forgotten),
        cmocka_unit_test(neighbour_with_another_mac_address_is_believed),
        cmocka_unit_test(
            advertisement_that_does_not_override_changes_nothing_known),
        cmocka_unit_test(other_rules_keep_who_is_known_and_forget_who_is_gone),
        cmocka_unit_test(peers_beyond_the_subnet_are_reached_by_its_gateway),
        cmocka_unit_test(who_is_known_is_known_to_an_heir),
        cmocka_unit_test(every_lcore_hears_and_speaks_for_the_forwarder),
    };

    if (rings_init(&talk.rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("neighbours", tests, NULL, NULL);
}
