// SPDX-License-Identifier: EPL-2.0
/* Records of entries: as they are written they are read, and nothing else is
 * read; and where they are kept. FWD_SEED repeats a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <rte_ip.h>
#include <rte_udp.h>

#include "replica_store.h"
#include "seed.h"

#define N_RECORDS 20
#define SOURCE 0x010200c0u      /* 192.0.2.1, network order. */
#define DESTINATION 0x020200c0u /* 192.0.2.2. */
#define SENDER 0x1234567890abcdefu
#define CAPACITY 64

static const struct fwd_timeouts timeouts = {7440, 240, 300, 60, 30};

/* A datagram, and what it was made of. */
struct datagram {
    uint8_t data[FWD_REPLICA_DATAGRAM_MAX];
    uint16_t size;
    struct fwd_replica record[N_RECORDS];
};

static uint64_t
some_word(void)
{
    return (uint64_t) random() << 33 ^ (uint64_t) random() << 11
           ^ (uint64_t) random();
}

static struct fwd_replica
some_replica(bool ipv6)
{
    struct fwd_replica replica = {
        .key = {
            .context = fwd_key_place((uint32_t) random() % (1 << 20),
                                     (uint32_t) random() % (1 << 20),
                                     (uint8_t) (1 + random() % 63))
                       | (uint64_t) (random() % 256)
                             << FWD_KEY_PROTOCOL_SHIFT,
            .address = {some_word()},
            .ports = (uint32_t) some_word(),
        },
        .next = some_word() | 2,
        .prev = some_word() | 2,
        .idle_s = (uint32_t) some_word(),
        .state = (uint8_t) (random() % 32),
        .is_gone = random() % 2,
    };

    if (ipv6) {
        replica.key.context |= FWD_KEY_IPV6;
        replica.key.address[1] = some_word();
        replica.key.address[2] = some_word();
        replica.key.address[3] = some_word();
    }
    return replica;
}

static struct datagram
some_datagram(void)
{
    uint16_t size = 0;
    struct datagram datagram;

    for (int i = 0; i < N_RECORDS; i++) {
        datagram.record[i] = some_replica(random() % 2);
        size += fwd_replica_write(&datagram.record[i],
                                  datagram.data + FWD_REPLICA_HEAD_SIZE
                                      + size);
    }
    datagram.size = FWD_REPLICA_HEAD_SIZE + size;
    fwd_replica_write_head(datagram.data, SOURCE, DESTINATION, SENDER,
                           N_RECORDS, size);
    return datagram;
}

static bool
is_sound(const struct datagram *datagram)
{
    struct fwd_replica_datagram read;

    return fwd_replica_read_datagram(datagram->data, datagram->size,
                                     &read);
}

static void
records_are_read_as_they_were_written(void **state)
{
    (void) state;
    for (int round = 0; round < 1000; round++) {
        struct datagram datagram = some_datagram();
        struct fwd_replica_datagram read;
        struct fwd_replica replica;

        assert_true(fwd_replica_read_datagram(datagram.data, datagram.size,
                                              &read));
        assert_int_equal(read.source, SOURCE);
        assert_int_equal(read.destination, DESTINATION);
        assert_true(read.sender == SENDER);
        for (int i = 0; i < N_RECORDS; i++) {
            assert_true(fwd_replica_next(&read, &replica));
            assert_memory_equal(&replica.key, &datagram.record[i].key,
                                sizeof replica.key);
            assert_true(replica.next == datagram.record[i].next);
            assert_true(replica.prev == datagram.record[i].prev);
            assert_int_equal(replica.idle_s, datagram.record[i].idle_s);
            assert_int_equal(replica.state, datagram.record[i].state);
            assert_int_equal(replica.is_gone, datagram.record[i].is_gone);
        }
        assert_false(fwd_replica_next(&read, &replica));
    }
}

static void
every_flipped_bit_is_found(void **state)
{
    struct datagram datagram = some_datagram();

    (void) state;
    for (int bit = 0; bit < datagram.size * 8; bit++) {
        bool is_outer = bit / 8 < 20; /* IPv4 has a checksum of its own. */

        datagram.data[bit / 8] ^= (uint8_t) (1 << bit % 8);
        assert_true(is_outer || !is_sound(&datagram));
        datagram.data[bit / 8] ^= (uint8_t) (1 << bit % 8);
    }
    assert_true(is_sound(&datagram));
}

static void
shortened_datagram_is_refused(void **state)
{
    struct datagram datagram = some_datagram();

    (void) state;
    while (datagram.size--) {
        assert_false(is_sound(&datagram));
    }
}

/* Whether a datagram with this value in a byte, and the checksum that belongs
 * to it, is sound. */
static bool
is_sound_with(uint16_t at, uint8_t value)
{
    struct datagram datagram = some_datagram();
    struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *) datagram.data;
    struct rte_udp_hdr *udp = (struct rte_udp_hdr *) (ip + 1);

    datagram.data[at] = value;
    udp->dgram_cksum = 0;
    udp->dgram_cksum = rte_ipv4_udptcp_cksum(ip, udp);
    return is_sound(&datagram);
}

static void
every_field_is_checked(void **state)
{
    const uint16_t record = FWD_REPLICA_HEAD_SIZE;

    (void) state;
    assert_true(is_sound_with(32, 1));              /* Version. */
    assert_false(is_sound_with(32, 2));
    assert_false(is_sound_with(28, 0));             /* Magic. */
    assert_false(is_sound_with(33, 1));             /* Zero. */
    assert_false(is_sound_with(35, N_RECORDS - 1)); /* Records. */
    assert_false(is_sound_with(35, N_RECORDS + 1));
    assert_true(is_sound_with(record, 1));
    assert_false(is_sound_with(record, 2));         /* Pinned or gone. */
    assert_false(is_sound_with(record + 1, 0x20));  /* State. */
    assert_false(is_sound_with(record + 2, 1));     /* Zero. */
    assert_false(is_sound_with(record + 8, 0));     /* Not used. */
    assert_false(is_sound_with(record + 8, 0xa1));  /* Of fragments. */
    assert_false(is_sound_with(record + 10, 0xff)); /* Of an origin. */
}

static struct fwd_table *
make_table(void)
{
    struct fwd_table *table;

    assert_int_equal(fwd_table_create(CAPACITY, some_word(), &timeouts,
                                      &table), 0);
    return table;
}

/* Checks what origin number 1 told of a key. */
static void
assert_kept(const struct fwd_table *table, const struct fwd_replica *replica,
            bool is_kept)
{
    struct fwd_replica found;

    assert_int_equal(fwd_replica_store_find(table, 1, &replica->key, 1000,
                                            &found) != NULL, is_kept);
    if (is_kept) {
        assert_true(found.next == replica->next);
        assert_true(found.prev == replica->prev);
        assert_int_equal(found.state, replica->state);
        assert_int_equal(found.idle_s, replica->idle_s);
    }
}

static struct fwd_replica
fresh_replica(bool ipv6)
{
    struct fwd_replica replica = some_replica(ipv6);

    replica.is_gone = false;
    replica.idle_s = 5;
    return replica;
}

static void
replica_is_kept_until_it_is_gone(void **state)
{
    struct fwd_table *table = make_table();
    struct fwd_replica replica = fresh_replica(true);

    (void) state;
    assert_true(fwd_replica_store_keep(table, SENDER, &replica, 1000));
    assert_kept(table, &replica, true);
    replica.next ^= 2;
    assert_true(fwd_replica_store_keep(table, SENDER, &replica, 1000));
    assert_kept(table, &replica, true);
    assert_int_equal(table->head->n_replicas, 2);
    assert_int_equal(table->head->used, 2);
    assert_null(fwd_table_find(table, &replica.key,
                               fwd_key_hash(&replica.key, table->seed)));
    replica.is_gone = true;
    assert_true(fwd_replica_store_keep(table, SENDER, &replica, 1000));
    assert_kept(table, &replica, false);
    assert_int_equal(table->head->n_replicas, 0);
    fwd_table_destroy(table);
}

static void
replica_ages_as_its_flow_does(void **state)
{
    struct fwd_table *table = make_table();
    struct fwd_replica replica = fresh_replica(false);
    struct fwd_flow flow = {.context = replica.key.context,
                            .state = replica.state};
    uint32_t left = fwd_flow_timeout_s(&flow, &timeouts) - replica.idle_s;

    (void) state;
    assert_true(fwd_replica_store_keep(table, SENDER, &replica, 1000));
    fwd_table_sweep(table, table->n_lines, 1000 + left, NULL, NULL);
    assert_int_equal(table->head->used, 1);
    fwd_table_sweep(table, table->n_lines, 1001 + left, NULL, NULL);
    assert_int_equal(table->head->used, 0);
    fwd_table_destroy(table);
}

static void
replicas_take_half_of_the_table(void **state)
{
    struct fwd_table *table = make_table();
    int n_kept = 0;

    (void) state;
    for (int i = 0; i < CAPACITY; i++) {
        struct fwd_replica replica = fresh_replica(false);

        n_kept += fwd_replica_store_keep(table, SENDER + i % 3 * 2, &replica,
                                         1000);
    }
    assert_int_equal(n_kept, CAPACITY / 2);
    fwd_table_destroy(table);
}

static void
origin_without_replicas_makes_room_for_another(void **state)
{
    struct fwd_table *table = make_table();
    struct fwd_replica replica = fresh_replica(false);

    (void) state;
    for (uint64_t i = 1; i <= FWD_MAX_ORIGINS; i++) {
        assert_true(fwd_replica_store_keep(table, i, &replica, 1000));
    }
    assert_false(fwd_replica_store_keep(table, 99, &replica, 1000));
    replica.is_gone = true;
    assert_true(fwd_replica_store_keep(table, 7, &replica, 1000));
    replica.is_gone = false;
    assert_true(fwd_replica_store_keep(table, 99, &replica, 1000));
    fwd_table_destroy(table);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_read_as_they_were_written),
        cmocka_unit_test(every_flipped_bit_is_found),
        cmocka_unit_test(shortened_datagram_is_refused),
        cmocka_unit_test(every_field_is_checked),
        cmocka_unit_test(replica_is_kept_until_it_is_gone),
        cmocka_unit_test(replica_ages_as_its_flow_does),
        cmocka_unit_test(replicas_take_half_of_the_table),
        cmocka_unit_test(origin_without_replicas_makes_room_for_another),
    };

    seed_random();
    return cmocka_run_group_tests_name("replica", tests, NULL, NULL);
}
