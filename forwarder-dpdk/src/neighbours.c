// SPDX-License-Identifier: EPL-2.0
#include "neighbours.h"

#include <pthread.h>

#include <glib.h>

#include "key.h"

#define ASK_MS 1000      /* Between questions. RFC 1122, 2.3.2.1. */
#define SILENT_MS 30000  /* Until one is asked again. RFC 4861, 10. */
#define MOST_ASKED 5     /* Until its MAC address is forgotten. */
#define ANNOUNCEMENTS 2  /* RFC 5227, Section 1.1. */
#define ANNOUNCE_MS 2000 /* Between them; likewise. */

/* An address on a port and VLAN; hashed and compared whole. */
struct place {
    struct in6_addr address;
    uint16_t vlan;
    uint16_t port;
};

/* What begins either of those below. */
struct entry {
    struct place place;
    uint32_t round; /* Number of the last rules that it is in. */
};

struct neighbour {
    struct entry entry;
    struct rte_ether_addr mac; /* Zero: unknown. */
    const struct fwd_interface *interface; /* In the rules. */
    GArray *ways;     /* uint32_t: numbers of those that lead to it. */
    uint64_t ask_ms;  /* When it is to be asked. */
    uint32_t n_asked; /* Since it was heard. */
};

/* An address of the forwarder. */
struct own {
    struct entry entry;
    uint32_t n_left;      /* Announcements. */
    uint64_t announce_ms; /* When the next one is due. */
};

struct fwd_neighbours {
    struct fwd_exchange *exchange;
    struct fwd_rules *rules; /* Whose ways are kept up to date. */
    uint32_t round;          /* Number of those rules. */
    uint64_t now_ms;
    uint64_t n_unread;

    pthread_mutex_t lock;    /* Held while what follows changes. */
    GHashTable *all;         /* struct neighbour by its place. */
    GHashTable *own;         /* struct own by its place. */
};

static guint
hash_place(gconstpointer pointer)
{
    const struct place *place = pointer;
    uint64_t words[2];

    memcpy(words, &place->address, sizeof words);
    return (guint) fwd_mix(words[0] ^ 0x9e3779b97f4a7c15ULL,
                           words[1] ^ (uint64_t) place->vlan << 16
                               ^ place->port);
}

static gboolean
is_same_place(gconstpointer a, gconstpointer b)
{
    return !memcmp(a, b, sizeof(struct place));
}

static void
destroy_neighbour(gpointer pointer)
{
    g_array_unref(((struct neighbour *) pointer)->ways);
    g_free(pointer);
}

struct fwd_neighbours *
fwd_neighbours_create(struct fwd_exchange *exchange)
{
    struct fwd_neighbours *neighbours = g_new0(struct fwd_neighbours, 1);

    neighbours->exchange = exchange;
    pthread_mutex_init(&neighbours->lock, NULL);
    neighbours->all = g_hash_table_new_full(hash_place, is_same_place, NULL,
                                            destroy_neighbour);
    neighbours->own = g_hash_table_new_full(hash_place, is_same_place, NULL,
                                            g_free);
    return neighbours;
}

void
fwd_neighbours_destroy(struct fwd_neighbours *neighbours)
{
    if (neighbours) {
        g_hash_table_destroy(neighbours->all);
        g_hash_table_destroy(neighbours->own);
        pthread_mutex_destroy(&neighbours->lock);
        g_free(neighbours);
    }
}

/* The address that a port has without being given one. */
static struct in6_addr
link_local(const struct fwd_neighbours *neighbours, uint8_t port)
{
    return fwd_address_of_mac(neighbours->exchange->ports[port]
                                  .mac.addr_bytes);
}

/* Makes an address the forwarder's own, as it may be already. */
static void
add_own(struct fwd_neighbours *neighbours,
        const struct fwd_interface *interface,
        const struct in6_addr *address, uint32_t n_announcements)
{
    const struct place place = {*address, interface->vlan, interface->port};
    struct own *own = g_hash_table_lookup(neighbours->own, &place);

    if (fwd_address_is_none(address)) {
        return;
    }
    if (!own) {
        own = g_new0(struct own, 1);
        own->entry.place = place;
        own->n_left = n_announcements;
        g_hash_table_insert(neighbours->own, &own->entry.place, own);
    }
    own->entry.round = neighbours->round;
}

static bool
is_known(const struct neighbour *neighbour)
{
    return !rte_is_zero_ether_addr(&neighbour->mac);
}

/* The way to a neighbour, as far as it is known. */
static struct fwd_way
way_of(const struct fwd_neighbours *neighbours,
       const struct neighbour *neighbour)
{
    uint16_t port = neighbour->entry.place.port;

    return (struct fwd_way) {
        .mac = neighbour->mac,
        .mtu = is_known(neighbour) ? neighbours->exchange->ports[port].mtu : 0,
    };
}

/* Makes a target's address a neighbour, as it may be already. */
static void
add_neighbour(struct fwd_neighbours *neighbours,
              const struct fwd_target *target)
{
    const struct fwd_interface *interface =
        &neighbours->rules->interfaces[target->interface];
    const struct place place = {target->address, interface->vlan,
                                interface->port};
    struct neighbour *neighbour = g_hash_table_lookup(neighbours->all,
                                                      &place);

    if (!neighbour) {
        neighbour = g_new0(struct neighbour, 1);
        neighbour->entry.place = place;
        neighbour->ways = g_array_new(FALSE, FALSE, sizeof target->way);
        g_hash_table_insert(neighbours->all, &neighbour->entry.place,
                            neighbour);
    }
    if (neighbour->entry.round != neighbours->round) {
        neighbour->entry.round = neighbours->round;
        g_array_set_size(neighbour->ways, 0);
    }
    neighbour->interface = interface;
    g_array_append_val(neighbour->ways, target->way);
    fwd_rules_set_way(neighbours->rules, target->way,
                      way_of(neighbours, neighbour));
}

static gboolean
is_old(gpointer place, gpointer entry, gpointer neighbours)
{
    (void) place;
    return ((struct entry *) entry)->round
           != ((struct fwd_neighbours *) neighbours)->round;
}

void
fwd_neighbours_follow(struct fwd_neighbours *neighbours,
                      struct fwd_rules *rules)
{
    pthread_mutex_lock(&neighbours->lock);
    neighbours->rules = rules;
    neighbours->round++;
    for (uint32_t i = 0; i < rules->n_interfaces; i++) {
        const struct fwd_interface *interface = &rules->interfaces[i];
        struct in6_addr local = link_local(neighbours, interface->port);

        add_own(neighbours, interface, &interface->ipv4, ANNOUNCEMENTS);
        add_own(neighbours, interface, &interface->ipv6, ANNOUNCEMENTS);
        add_own(neighbours, interface, &local, 0);
    }
    for (uint32_t i = 0; i < rules->n_targets; i++) {
        add_neighbour(neighbours, &rules->targets[i]);
    }
    g_hash_table_foreach_remove(neighbours->all, is_old, neighbours);
    g_hash_table_foreach_remove(neighbours->own, is_old, neighbours);
    pthread_mutex_unlock(&neighbours->lock);
}

static void
announce(gpointer place, gpointer value, gpointer aux)
{
    struct fwd_neighbours *neighbours = aux;
    struct own *own = value;
    struct fwd_arp_nd message = {
        .vlan = own->entry.place.vlan, .about = own->entry.place.address,
    };

    (void) place;
    if (own->n_left && neighbours->now_ms >= own->announce_ms
        && fwd_exchange_say(neighbours->exchange,
                            (uint8_t) own->entry.place.port, &message,
                            NULL)) {
        own->n_left--;
        own->announce_ms = neighbours->now_ms + ANNOUNCE_MS;
    }
}

static bool
ask(struct fwd_neighbours *neighbours, const struct neighbour *neighbour)
{
    const struct fwd_interface *interface = neighbour->interface;
    struct fwd_arp_nd question = {
        .is_question = true,
        .vlan = interface->vlan,
        .about = neighbour->entry.place.address,
        .peer = interface->ipv4,
    };

    if (!fwd_address_is_ipv4(&question.about)) {
        question.peer = fwd_address_is_none(&interface->ipv6)
                            ? link_local(neighbours, interface->port)
                            : interface->ipv6;
    }
    return fwd_exchange_say(neighbours->exchange, interface->port, &question,
                            NULL);
}

static void
set_mac(struct fwd_neighbours *neighbours, struct neighbour *neighbour,
        const struct rte_ether_addr *mac)
{
    neighbour->mac = *mac;
    for (guint i = 0; i < neighbour->ways->len; i++) {
        fwd_rules_set_way(neighbours->rules,
                          g_array_index(neighbour->ways, uint32_t, i),
                          way_of(neighbours, neighbour));
    }
}

/* Asks a neighbour that is due, and forgets one that does not answer. */
static void
look_after(gpointer place, gpointer value, gpointer aux)
{
    static const struct rte_ether_addr unknown;
    struct fwd_neighbours *neighbours = aux;
    struct neighbour *neighbour = value;

    (void) place;
    if (neighbours->now_ms < neighbour->ask_ms) {
        return;
    }
    if (neighbour->n_asked == MOST_ASKED) {
        set_mac(neighbours, neighbour, &unknown);
    }
    if (ask(neighbours, neighbour)) {
        neighbour->n_asked++;
        neighbour->ask_ms = neighbours->now_ms + ASK_MS;
    }
}

/* Takes what a message says of its sender. */
static void
learn(struct fwd_neighbours *neighbours, uint8_t port,
      const struct fwd_arp_nd *message)
{
    const struct place place = {
        message->is_question ? message->peer : message->about,
        message->vlan, port,
    };
    struct neighbour *neighbour = g_hash_table_lookup(neighbours->all,
                                                      &place);

    if (!neighbour || !rte_is_valid_assigned_ether_addr(&message->mac)) {
        return;
    }
    if (!rte_is_same_ether_addr(&neighbour->mac, &message->mac)) {
        if (!message->overrides && is_known(neighbour)) {
            return;
        }
        set_mac(neighbours, neighbour, &message->mac);
    }
    neighbour->n_asked = 0;
    neighbour->ask_ms = neighbours->now_ms + SILENT_MS;
}

/* Answers a question, if it is about an address of the forwarder. */
static void
answer(struct fwd_neighbours *neighbours, uint8_t port,
       const struct fwd_arp_nd *question)
{
    const struct place place = {question->about, question->vlan, port};
    struct fwd_arp_nd message = {
        .vlan = question->vlan,
        .about = question->about,
        .peer = question->peer,
    };

    if (question->is_question
        && g_hash_table_contains(neighbours->own, &place)) {
        fwd_exchange_say(neighbours->exchange, port, &message,
                         &question->mac);
    }
}

static void
hear(struct fwd_neighbours *neighbours, uint8_t port,
     const struct rte_mbuf *packet)
{
    struct fwd_arp_nd message;

    if (fwd_arp_nd_read(rte_pktmbuf_mtod(packet, const uint8_t *),
                        rte_pktmbuf_data_len(packet), &message)) {
        learn(neighbours, port, &message);
        answer(neighbours, port, &message);
    } else {
        __atomic_fetch_add(&neighbours->n_unread, 1, __ATOMIC_RELAXED);
    }
}

void
fwd_neighbours_tick(struct fwd_neighbours *neighbours, uint64_t now_ms)
{
    pthread_mutex_lock(&neighbours->lock);
    neighbours->now_ms = now_ms;
    g_hash_table_foreach(neighbours->own, announce, neighbours);
    g_hash_table_foreach(neighbours->all, look_after, neighbours);
    for (uint8_t port = 0; port < neighbours->exchange->n_ports; port++) {
        struct rte_mbuf *packet;

        for (int i = 0; i < FWD_HEARD_SIZE
             && (packet = fwd_exchange_hear(neighbours->exchange, port));
             i++) {
            hear(neighbours, port, packet);
            rte_pktmbuf_free(packet);
        }
    }
    pthread_mutex_unlock(&neighbours->lock);
}

void
fwd_neighbours_tell(struct fwd_neighbours *neighbours,
                    fwd_neighbour_told *tell, void *aux)
{
    GHashTableIter each;
    void *pointer;

    pthread_mutex_lock(&neighbours->lock);
    g_hash_table_iter_init(&each, neighbours->all);
    while (g_hash_table_iter_next(&each, NULL, &pointer)) {
        const struct neighbour *neighbour = pointer;
        const struct fwd_arp_nd known = {
            .vlan = neighbour->entry.place.vlan,
            .about = neighbour->entry.place.address, .mac = neighbour->mac,
        };

        tell(aux, (uint8_t) neighbour->entry.place.port, &known);
    }
    pthread_mutex_unlock(&neighbours->lock);
}

void
fwd_neighbours_learn(struct fwd_neighbours *neighbours, uint8_t port,
                     const struct fwd_arp_nd *message)
{
    pthread_mutex_lock(&neighbours->lock);
    learn(neighbours, port, message);
    pthread_mutex_unlock(&neighbours->lock);
}

uint64_t
fwd_neighbours_n_unread(const struct fwd_neighbours *neighbours)
{
    return __atomic_load_n(&neighbours->n_unread, __ATOMIC_RELAXED);
}
