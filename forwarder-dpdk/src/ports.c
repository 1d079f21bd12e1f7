// SPDX-License-Identifier: EPL-2.0
#include "ports.h"

#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rte_dev.h>
#include <rte_ethdev.h>

#define N_ON_THEIR_WAY 12287 /* Packets of a worker, besides its queues'. */
#define BURST 64           /* Packets. */
#define MAX_WAITING 65536  /* Packets in a queue; no device here has more. */
#define LINK_SIZE (RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN + RTE_ETHER_CRC_LEN)
#define ROOM_STEP 1024u    /* Bytes; NICs round buffers down to this. */

/* What NICs spread packets by; of tunnels the source port tells flows
 * apart. */
#define SPREAD_BY (RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP | RTE_ETH_RSS_UDP)

int
fwd_ports_read(const struct fwd_config *config,
               struct fwd_port ports[FWD_MAX_PORTS], uint8_t *n,
               char reason[FWD_REASON_SIZE])
{
    const struct lyd_node *list = fwd_config_at(config->root, "ports");
    const struct lyd_node *node = NULL;

    *n = 0;
    while ((node = fwd_config_next(list, "port", node))) {
        struct fwd_port *port = &ports[*n];

        if (*n == FWD_MAX_PORTS) {
            snprintf(reason, FWD_REASON_SIZE, "more than %u ports",
                     FWD_MAX_PORTS);
            return EINVAL;
        }
        snprintf(port->name, sizeof port->name, "%s",
                 fwd_config_text(node, "name"));
        snprintf(port->device, sizeof port->device, "%s",
                 fwd_config_text(node, "device"));
        port->mtu = (uint16_t) fwd_config_number(node, "mtu");
        ++*n;
    }
    return 0;
}

uint16_t
fwd_ports_buffer_size(const struct fwd_port *ports, uint8_t n)
{
    uint32_t room = RTE_MBUF_DEFAULT_DATAROOM;

    for (uint8_t i = 0; i < n; i++) {
        room = RTE_MAX(room, RTE_ALIGN_CEIL(ports[i].mtu + LINK_SIZE,
                                            ROOM_STEP));
    }
    return (uint16_t) (RTE_PKTMBUF_HEADROOM + room);
}

uint32_t
fwd_ports_n_buffers(const struct fwd_config *config)
{
    const struct lyd_node *list = fwd_config_at(config->root, "ports");
    const struct lyd_node *port = NULL;
    uint32_t n = N_ON_THEIR_WAY;

    while ((port = fwd_config_next(list, "port", port))) {
        n += 2 * FWD_N_DESCRIPTORS; /* A queue to receive, one to send. */
    }
    return n;
}

bool
fwd_ports_equal(const struct fwd_port *a, uint8_t n_a,
                const struct fwd_port *b, uint8_t n_b)
{
    for (uint8_t i = 0; i < n_a && n_a == n_b; i++) {
        if (strcmp(a[i].name, b[i].name) || strcmp(a[i].device, b[i].device)
            || a[i].mtu != b[i].mtu) {
            return false;
        }
    }
    return n_a == n_b;
}

/* Whether the kernel's interface behind a device lets 'mtu' bytes out. */
static bool
has_interface_mtu(uint16_t id, uint16_t mtu)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct rte_eth_dev_info info;
    struct ifreq request = {0};
    bool has = fd >= 0 && !rte_eth_dev_info_get(id, &info)
               && if_indextoname(info.if_index, request.ifr_name)
               && !ioctl(fd, SIOCGIFMTU, &request)
               && request.ifr_mtu >= mtu;

    if (fd >= 0) {
        close(fd);
    }
    return has;
}

/* Lets packets of 'mtu' bytes out. Some drivers, as net_af_packet, know of
 * 1500 only; then the interface behind them decides. Returns 0 or a negative
 * errno, EMSGSIZE if its MTU is too small. */
static int
set_mtu(uint16_t id, uint16_t mtu)
{
    int error = rte_eth_dev_set_mtu(id, mtu);

    if (error == -EINVAL) {
        return has_interface_mtu(id, mtu) ? 0 : -EMSGSIZE;
    }
    return error == -ENOTSUP ? 0 : error;
}

/* Gives a device a queue for each worker to send by, and as many as it has
 * to receive from, among which it spreads the packets. Stores the latter in
 * 'port'. Returns 0 or a negative errno, EUSERS if there are too few. */
static int
configure_queues(struct fwd_port *port, uint16_t n_workers)
{
    struct rte_eth_conf conf = {0};
    struct rte_eth_dev_info info;
    int error = rte_eth_dev_info_get(port->id, &info);

    if (error) {
        return error;
    }
    if (info.max_tx_queues < n_workers) {
        return -EUSERS;
    }
    port->n_queues = info.max_rx_queues < n_workers ? info.max_rx_queues
                                                    : n_workers;
    if (port->n_queues > 1 && info.flow_type_rss_offloads) {
        conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
        conf.rx_adv_conf.rss_conf.rss_hf = info.flow_type_rss_offloads
                                           & SPREAD_BY;
    }
    return rte_eth_dev_configure(port->id, port->n_queues, n_workers, &conf);
}

/* Starts a device. Returns 0 or a positive errno. */
static int
start_device(struct fwd_port *port, uint16_t n_workers,
             struct rte_mempool *pool)
{
    unsigned int socket = (unsigned int) rte_eth_dev_socket_id(port->id);
    int error = configure_queues(port, n_workers);

    for (uint16_t i = 0; i < port->n_queues && !error; i++) {
        error = rte_eth_rx_queue_setup(port->id, i, FWD_N_DESCRIPTORS, socket,
                                       NULL, pool);
    }
    for (uint16_t i = 0; i < n_workers && !error; i++) {
        error = rte_eth_tx_queue_setup(port->id, i, FWD_N_DESCRIPTORS, socket,
                                       NULL);
    }
    if (!error) {
        error = set_mtu(port->id, port->mtu);
    }
    if (!error) {
        error = rte_eth_dev_start(port->id);
    }
    if (!error) {
        error = rte_eth_promiscuous_enable(port->id);
        error = error == -ENOTSUP ? 0 : error;
    }
    return -error;
}

/* Finds a device, or plugs it in. Returns 0 or a positive errno. */
static int
find_device(const char *device, uint16_t *id)
{
    char name[64];
    int error;

    snprintf(name, sizeof name, "%.*s", (int) strcspn(device, ","), device);
    if (!rte_eth_dev_get_port_by_name(name, id)) {
        return 0;
    }
    error = rte_dev_probe(device);
    return -(error ? error : rte_eth_dev_get_port_by_name(name, id));
}

/* What is wrong with a device, as start_device() says. */
static const char *
fault(int error)
{
    switch (error) {
    case EMSGSIZE:
        return "its interface has a smaller MTU";
    case EUSERS:
        return "it has fewer queues than lcores forward; some devices have "
               "an argument for it, as qpairs of net_af_packet";
    default:
        return strerror(error);
    }
}

int
fwd_port_open(struct fwd_port *port, uint16_t n_workers,
              struct rte_mempool *pool, char reason[FWD_REASON_SIZE])
{
    int error = find_device(port->device, &port->id);

    if (!error) {
        error = start_device(port, n_workers, pool);
    }
    if (!error) {
        error = -rte_eth_macaddr_get(port->id, &port->mac);
    }
    if (error) {
        snprintf(reason, FWD_REASON_SIZE, "port %s, device %.100s: %s",
                 port->name, port->device, fault(error));
    }
    port->is_open = !error;
    return error;
}

void
fwd_port_close(struct fwd_port *port)
{
    struct rte_eth_dev_info info;
    bool is_known = !rte_eth_dev_info_get(port->id, &info);

    rte_eth_dev_stop(port->id);
    rte_eth_dev_close(port->id);
    if (is_known
        && rte_eth_find_next_of(0, info.device) == RTE_MAX_ETHPORTS) {
        rte_dev_remove(info.device);
    }
    port->is_open = false;
}

bool
fwd_port_is_sharable(const struct fwd_port *port)
{
    static const char *const drivers[] = {
        "net_af_packet", "eth_af_packet", "net_null",
    };

    for (size_t i = 0; i < RTE_DIM(drivers); i++) {
        if (!strncmp(port->device, drivers[i], strlen(drivers[i]))) {
            return true;
        }
    }
    return false;
}

struct fwd_losses
fwd_port_losses(const struct fwd_port *port)
{
    struct rte_eth_stats stats;

    if (!port->is_open || rte_eth_stats_get(port->id, &stats)) {
        return (struct fwd_losses) {0};
    }
    return (struct fwd_losses) {
        .missed = stats.imissed, .errors = stats.ierrors,
        .no_buffer = stats.rx_nombuf,
    };
}

void
fwd_port_discard(const struct fwd_port *port)
{
    struct rte_mbuf *packets[BURST];

    for (uint16_t queue = 0; queue < port->n_queues; queue++) {
        uint16_t n = BURST;

        for (uint32_t i = 0; i < MAX_WAITING && n == BURST; i += n) {
            n = rte_eth_rx_burst(port->id, queue, packets, BURST);
            rte_pktmbuf_free_bulk(packets, n);
        }
    }
}
