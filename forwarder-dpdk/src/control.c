// SPDX-License-Identifier: EPL-2.0
#include "control.h"

#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rte_dev.h>
#include <rte_ethdev.h>

#define N_DESCRIPTORS 1024 /* Of each queue. */
#define POOL_CACHE 256     /* Packet buffers that an lcore keeps. */
#define LINK_SIZE (RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN + RTE_ETHER_CRC_LEN)
#define ROOM_STEP 1024u    /* Bytes; NICs round buffers down to this. */

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

/* Starts a device with one queue each way. Returns 0 or a positive errno. */
static int
start_device(uint16_t id, uint16_t mtu, struct rte_mempool *pool)
{
    struct rte_eth_conf conf = {0};
    int error = rte_eth_dev_configure(id, 1, 1, &conf);

    if (!error) {
        error = rte_eth_rx_queue_setup(id, 0, N_DESCRIPTORS,
                                       (unsigned) rte_eth_dev_socket_id(id),
                                       NULL, pool);
    }
    if (!error) {
        error = rte_eth_tx_queue_setup(id, 0, N_DESCRIPTORS,
                                       (unsigned) rte_eth_dev_socket_id(id),
                                       NULL);
    }
    if (!error) {
        error = set_mtu(id, mtu);
    }
    if (!error) {
        error = rte_eth_dev_start(id);
    }
    if (!error) {
        error = rte_eth_promiscuous_enable(id);
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

/* Reads what the document says of its ports, which stay closed. Stores
 * their number in '*n'. */
static int
read_ports(const struct fwd_config *config,
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
        port->mtu = (uint16_t) fwd_config_number(node, "mtu");
        ++*n;
    }
    return 0;
}

/* Opens the next port, which was read. */
static int
open_port(struct fwd_control *control, const char *device,
          char reason[FWD_REASON_SIZE])
{
    struct fwd_port *port = &control->ports[control->n_ports];
    int error;

    snprintf(control->devices[control->n_ports],
             sizeof control->devices[0], "%s", device);
    error = find_device(device, &port->id);
    if (!error) {
        error = start_device(port->id, port->mtu, control->pool);
    }
    if (!error) {
        error = -rte_eth_macaddr_get(port->id, &port->mac);
    }
    if (error) {
        snprintf(reason, FWD_REASON_SIZE, "port %s, device %s: %s",
                 port->name, device,
                 error == EMSGSIZE ? "its interface has a smaller MTU"
                                   : strerror(error));
        return error;
    }
    control->n_ports++;
    return 0;
}

static int
open_ports(struct fwd_control *control, const struct fwd_config *config,
           char reason[FWD_REASON_SIZE])
{
    const struct lyd_node *list = fwd_config_at(config->root, "ports");
    const struct lyd_node *node = NULL;
    int error = 0;

    while (!error && (node = fwd_config_next(list, "port", node))) {
        error = open_port(control, fwd_config_text(node, "device"), reason);
    }
    return error;
}

/* Bytes of a packet buffer that takes the largest frame of any port. */
static uint16_t
buffer_size(const struct fwd_port *ports, uint8_t n_ports)
{
    uint32_t room = RTE_MBUF_DEFAULT_DATAROOM;

    for (uint8_t i = 0; i < n_ports; i++) {
        room = RTE_MAX(room, RTE_ALIGN_CEIL(ports[i].mtu + LINK_SIZE,
                                            ROOM_STEP));
    }
    return (uint16_t) (RTE_PKTMBUF_HEADROOM + room);
}

int
fwd_control_check(const struct fwd_config *config,
                  char reason[FWD_REASON_SIZE])
{
    struct fwd_port ports[FWD_MAX_PORTS] = {0};
    struct fwd_numbers numbers;
    struct fwd_rules *rules;
    uint8_t n_ports;
    int error;

    if (fwd_numbers_init(&numbers)) {
        snprintf(reason, FWD_REASON_SIZE, "out of memory");
        return ENOMEM;
    }
    error = read_ports(config, ports, &n_ports, reason);
    if (!error) {
        error = fwd_rules_create(config, ports, n_ports, &numbers, &rules,
                                 reason);
    }
    if (!error) {
        fwd_rules_destroy(rules);
    }
    fwd_numbers_destroy(&numbers);
    return error;
}

static int
make_worker(struct fwd_control *control, const struct fwd_config *config,
            uint64_t now_ms)
{
    const struct lyd_node *node = fwd_config_at(config->root, "flow-table");
    const struct fwd_timeouts timeouts = {
        .tcp_established_s = fwd_config_number(node, "tcp-established"),
        .tcp_transitory_s = fwd_config_number(node, "tcp-transitory"),
        .udp_s = fwd_config_number(node, "udp"),
        .other_s = fwd_config_number(node, "other"),
        .fragment_s = fwd_config_number(node, "fragment"),
    };
    struct fwd_table *table;
    int error = fwd_table_create(fwd_config_number(node, "capacity"),
                                 &timeouts, &table);

    if (!error) {
        error = fwd_worker_create(table,
                                  fwd_config_number(node, "sweep-interval"),
                                  now_ms, &control->worker);
    }
    return error;
}

int
fwd_control_create(const struct fwd_config *config, uint32_t n_buffers,
                   uint64_t now_ms, struct fwd_control **controlp,
                   char reason[FWD_REASON_SIZE])
{
    struct fwd_control *control = calloc(1, sizeof *control);
    struct fwd_rules *rules;
    uint8_t n_ports;
    int error;

    snprintf(reason, FWD_REASON_SIZE, "out of memory");
    if (!control || fwd_numbers_init(&control->numbers)) {
        free(control);
        return ENOMEM;
    }
    pthread_mutex_init(&control->numbers_lock, NULL);
    error = read_ports(config, control->ports, &n_ports, reason);
    if (!error) {
        control->pool = rte_pktmbuf_pool_create(
            "sluice-packets", n_buffers, POOL_CACHE, 0,
            buffer_size(control->ports, n_ports), SOCKET_ID_ANY);
        error = control->pool ? 0 : ENOMEM;
    }
    if (!error) {
        error = make_worker(control, config, now_ms);
    }
    if (!error) {
        error = open_ports(control, config, reason);
    }
    if (!error) {
        error = fwd_rules_create(config, control->ports, control->n_ports,
                                 &control->numbers, &rules, reason);
    }
    if (error) {
        fwd_control_destroy(control);
        return error;
    }
    fwd_worker_publish(control->worker, rules);
    *controlp = control;
    return 0;
}

void
fwd_control_destroy(struct fwd_control *control)
{
    for (uint8_t i = 0; i < control->n_ports; i++) {
        rte_eth_dev_stop(control->ports[i].id);
        rte_eth_dev_close(control->ports[i].id);
    }
    fwd_worker_destroy(control->worker);
    rte_mempool_free(control->pool);
    fwd_numbers_destroy(&control->numbers);
    pthread_mutex_destroy(&control->numbers_lock);
    free(control);
}

/* Whether the document has the ports that are open, in their order. */
static bool
has_open_ports(const struct fwd_control *control,
               const struct fwd_config *config)
{
    const struct lyd_node *ports = fwd_config_at(config->root, "ports");
    const struct lyd_node *port = NULL;
    uint8_t n = 0;

    while ((port = fwd_config_next(ports, "port", port))) {
        if (n == control->n_ports
            || strcmp(control->ports[n].name, fwd_config_text(port, "name"))
            || strcmp(control->devices[n], fwd_config_text(port, "device"))
            || control->ports[n].mtu != fwd_config_number(port, "mtu")) {
            return false;
        }
        n++;
    }
    return n == control->n_ports;
}

int
fwd_control_apply(struct fwd_control *control,
                  const struct fwd_config *config,
                  char reason[FWD_REASON_SIZE])
{
    struct fwd_rules *rules;
    int error;

    if (!has_open_ports(control, config)) {
        snprintf(reason, FWD_REASON_SIZE,
                 "ports changed, which needs a new start");
        return EINVAL;
    }
    pthread_mutex_lock(&control->numbers_lock);
    error = fwd_rules_create(config, control->ports, control->n_ports,
                             &control->numbers, &rules, reason);
    pthread_mutex_unlock(&control->numbers_lock);
    if (!error) {
        fwd_worker_publish(control->worker, rules);
    }
    return error;
}
