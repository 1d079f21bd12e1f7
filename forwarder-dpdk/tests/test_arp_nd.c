// SPDX-License-Identifier: EPL-2.0
/* ARP and neighbour discovery: what the forwarder announces, answers and
 * takes for a message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "talk.h"

static struct talk talk;

static void
forwarder_announces_itself_twice(void **state)
{
    (void) state;
    talk_start(&talk);
    for (int i = 0; i < 2; i++) {
        assert_true(talk_has_arp(&talk, WAN, 0, 1, 0, OWN, OWN));
        for (int number = 0; number < 2 * N_VNFS; number++) {
            uint16_t vlan = network_vlan(NAT, 0, 0) + number;
            uint32_t own = network_address(vlan, true);
            const struct wire *nd;

            assert_true(talk_has_arp(&talk, LAN, vlan, 1, 0, own, own));
            vlan = network_vlan(FIREWALL, 0, 0) + number;
            nd = talk_nd(&talk, vlan, 136, network_address(vlan, true));
            assert_non_null(nd);
            assert_memory_equal(nd->data, "\x33\x33\0\0\0\x01", 6);
            assert_int_equal(wire_get32(nd, 62), 0xa0000000);
        }
        talk_tick(&talk, 2000);
    }
    assert_false(talk_has_arp(&talk, WAN, 0, 1, 0, OWN, OWN));
}

static void
who_asks_the_forwarder_is_answered_and_known(void **state)
{
    uint16_t vlan = network_vlan(NAT, 0, 0);
    uint32_t own = network_address(vlan, true);

    (void) state;
    talk_only_first(&talk, talk_start(&talk));
    talk_hear_nat(&talk, 1, NAT_0);
    assert_int_equal(talk.n_said, 1);
    assert_true(talk_has_arp(&talk, LAN, vlan, 2, NAT_0, own,
                             network_address(vlan, false)));
    assert_int_equal(talk_pass_to_nat(&talk).drop, FWD_DROP_NONE);

    talk_hear_arp(&talk, WAN, 0, 1, PEER_A, PEER(0), OWN);
    assert_int_equal(talk.n_said, 1);
    assert_true(talk_has_arp(&talk, WAN, 0, 2, PEER_A, OWN, PEER(0)));

    /* Who is about to take the address is told that it is taken. */
    talk_hear_arp(&talk, LAN, vlan, 1, NAT_0, 0, own);
    assert_true(talk_has_arp(&talk, LAN, vlan, 1, 0, own, own));
}

static void
neighbour_solicitations_are_answered(void **state)
{
    uint16_t vlan = network_vlan(FIREWALL, 0, 0);
    uint32_t own = network_address(vlan, true);
    const struct wire *nd;

    (void) state;
    talk_start(&talk);
    talk_hear_nd(&talk, vlan, 135, FIREWALL_0, network_address(vlan, false),
                 own);
    assert_int_equal(talk.n_said, 1);
    nd = talk_nd(&talk, vlan, 136, own);
    assert_non_null(nd);
    assert_memory_equal(nd->data, "\x02\0\0\0\x01\0", 6);
    assert_int_equal(wire_get32(nd, 62), 0xe0000000);
    assert_int_equal(wire_get32(nd, 54), network_address(vlan, false));

    talk_hear_nd(&talk, vlan, 135, FIREWALL_0, 0, own);
    nd = talk_nd(&talk, vlan, 136, own);
    assert_non_null(nd);
    assert_memory_equal(nd->data, "\x33\x33\0\0\0\x01", 6);
    assert_int_equal(wire_get32(nd, 62), 0xa0000000);
}

static void
questions_about_others_are_not_answered(void **state)
{
    uint16_t nat = network_vlan(NAT, 0, 0), fw = network_vlan(FIREWALL, 0, 0);

    (void) state;
    talk_start(&talk);
    talk_hear_arp(&talk, LAN, nat, 1, NAT_0, network_address(nat, false), OWN);
    assert_int_equal(talk.n_said, 0);
    talk_hear_arp(&talk, LAN, nat, 1, NAT_0, network_address(nat, false),
                  network_address(nat + 1, true));
    assert_int_equal(talk.n_said, 0);
    talk_hear_nat(&talk, 2, NAT_0);
    assert_int_equal(talk.n_said, 0);
    talk_hear_nd(&talk, fw, 135, FIREWALL_0, network_address(fw, false),
                 network_address(fw + 1, true));
    assert_int_equal(talk.n_said, 0);
}

/* What makes a message unsound. */
struct damage {
    const char *what;
    bool is_nd;
    uint16_t offset; /* Of the byte that is overwritten. */
    uint8_t value;
    uint16_t size;   /* That it is cut to; 0: whole. */
    bool sum;        /* The checksum is made right again. */
};

static struct wire
question_of_nat(void)
{
    uint16_t vlan = network_vlan(NAT, 0, 0);
    struct wire wire = {.size = 0};

    wire_arp(&wire, vlan, 1, NAT_0, network_address(vlan, false),
             network_address(vlan, true));
    return wire;
}

static struct wire
question_of_firewall(void)
{
    uint16_t vlan = network_vlan(FIREWALL, 0, 0);
    struct wire wire = {.size = 0};

    wire_nd(&wire, vlan, 135, FIREWALL_0, network_address(vlan, false),
            network_address(vlan, true));
    return wire;
}

static void
unsound_messages_are_not_believed(void **state)
{
    static const struct damage damages[] = {
        {"another kind of link", false, 19, 6, 0, false},
        {"another protocol", false, 20, 9, 0, false},
        {"longer MAC addresses", false, 22, 8, 0, false},
        {"longer addresses", false, 23, 16, 0, false},
        {"another operation", false, 25, 3, 0, false},
        {"cut", false, 25, 2, 45, false},
        {"passed a router", true, 25, 254, 0, false},
        {"another code", true, 59, 1, 0, true},
        {"wrong checksum", true, 60, 0x77, 0, false},
        {"about a group", true, 66, 0xff, 0, true},
        {"option of length 0", true, 83, 0, 0, true},
        {"option beyond the end", true, 83, 2, 0, true},
        {"short payload", true, 23, 16, 0, false},
        {"payload beyond the end", true, 23, 40, 0, false},
    };
    const struct fwd_neighbours *neighbours;

    (void) state;
    talk_start(&talk);
    neighbours = talk.rings.control->neighbours;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        const struct damage *damage = &damages[i];
        struct wire wire = damage->is_nd ? question_of_firewall()
                                         : question_of_nat();

        wire.data[damage->offset] = damage->value;
        if (damage->sum) {
            wire_sum_icmpv6(&wire, 18);
        }
        wire.size = damage->size ? damage->size : wire.size;
        talk_hear(&talk, LAN, &wire);
        if (talk.n_said || fwd_neighbours_n_unread(neighbours) != i + 1) {
            fail_msg("%s", damage->what);
        }
    }
}

static void
mac_addresses_of_groups_and_of_nobody_are_not_believed(void **state)
{
    (void) state;
    talk_only_first(&talk, talk_start(&talk));
    talk_hear_nat(&talk, 2, 0x010000000001);
    assert_int_equal(talk_pass_to_nat(&talk).drop, FWD_DROP_NO_NEIGHBOUR);
    talk_hear_nat(&talk, 2, NAT_0);
    talk_hear_nat(&talk, 2, 0);
    assert_int_equal(talk_pass_to_nat(&talk).drop, FWD_DROP_NONE);
}

static void
neighbour_discovery_stays_on_its_link(void **state)
{
    struct wire nd = {.size = 0}, ip, wire;

    (void) state;
    talk_start(&talk);
    wire_nd(&nd, 0, 135, FIREWALL_0, network_address(30, false),
            network_address(30, true));
    ip.size = (uint16_t) (nd.size - 14);
    memcpy(ip.data, nd.data + 14, ip.size);
    wire = network_from_peer(0, 1, 0, &ip);
    assert_int_equal(rings_pass(&talk.rings, WAN, &wire).drop,
                     FWD_DROP_LINK_LOCAL);
    wire = network_from_vnf(NAT, 0, 0, &ip);
    assert_int_equal(rings_pass(&talk.rings, LAN, &wire).drop,
                     FWD_DROP_LINK_LOCAL);
    assert_int_equal(rings_worker(&talk.rings)->counters->n_heard, 0);
}

/* A VNF that keeps labels has neighbour discovery without them. */
static void
messages_without_labels_are_heard_from_who_keeps_them(void **state)
{
    uint16_t vlan = network_vlan(NAT, 0, 0);

    (void) state;
    talk_start(&talk);
    talk_hear_nd(&talk, vlan, 135, NAT_0, network_address(vlan, false), 1);
    assert_int_equal(rings_worker(&talk.rings)->counters->n_heard, 1);
}

static void
flood_of_one_port_leaves_others_heard(void **state)
{
    uint16_t vlan = network_vlan(NAT, 0, 0);
    struct wire wire = {.size = 0};
    struct fwd_counters *counters;

    (void) state;
    talk_start(&talk);
    counters = rings_worker(&talk.rings)->counters;
    wire_arp(&wire, vlan, 2, NAT_0, 1, 2);
    while (!counters->drops[FWD_DROP_NEIGHBOUR]) {
        assert_in_range(counters->n_heard, 0, FWD_HEARD_SIZE);
        rings_pass(&talk.rings, LAN, &wire);
    }
    wire.size = 0;
    wire_arp(&wire, 0, 1, PEER_A, PEER(0), OWN);
    rings_pass(&talk.rings, WAN, &wire);
    talk_tick(&talk, 0);
    assert_true(talk_has_arp(&talk, WAN, 0, 2, PEER_A, OWN, PEER(0)));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forwarder_announces_itself_twice),
        cmocka_unit_test(who_asks_the_forwarder_is_answered_and_known),
        cmocka_unit_test(neighbour_solicitations_are_answered),
        cmocka_unit_test(questions_about_others_are_not_answered),
        cmocka_unit_test(unsound_messages_are_not_believed),
        cmocka_unit_test(
            mac_addresses_of_groups_and_of_nobody_are_not_believed),
        cmocka_unit_test(neighbour_discovery_stays_on_its_link),
        cmocka_unit_test(
            messages_without_labels_are_heard_from_who_keeps_them),
        cmocka_unit_test(flood_of_one_port_leaves_others_heard),
    };

    if (rings_init(&talk.rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("arp-nd", tests, NULL, NULL);
}
