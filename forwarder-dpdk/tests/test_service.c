// SPDX-License-Identifier: EPL-2.0
/* The program as a service, without a manager: what it would be told, and
 * that an upgrade is a command. The program's path is the first argument, that
 * of the service's unit the second one. */
#include <arpa/inet.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../bus/identity.h"
#include "heirs.h"

#define CONFIG "/etc/sluice/sluice-forwarder.json"
#define DPDK_OPTIONS                                                          \
    "--no-huge -m 160 --no-pci --no-shconf --no-telemetry --lcores " LCORES

#define TOLD_WITHIN_MS 10000

static char *program; /* A path from the root on. */
static const char *unit;
static int manager; /* A socket that is told. */

/* Hears the next words; empty if there are none within 'limit_ms'. */
static void
hear(char words[64], int limit_ms)
{
    struct pollfd waited = {.fd = manager, .events = POLLIN};
    ssize_t size = 0;

    if (poll(&waited, 1, limit_ms) > 0) {
        size = recv(manager, words, 63, 0);
    }
    assert_true(size >= 0);
    words[size] = '\0';
}

static void
assert_nothing_is_told(void)
{
    char words[64];

    hear(words, 0);
    assert_string_equal(words, "");
}

static int
start_service(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char words[64];

    snprintf(address.sun_path, sizeof address.sun_path, "%s",
             child_path("manager"));
    manager = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(manager, (struct sockaddr *) &address,
                          sizeof address), 0);
    setenv("NOTIFY_SOCKET", address.sun_path, 1);
    heir_start_old(state);
    hear(words, TOLD_WITHIN_MS);
    assert_string_equal(words, "READY=1");
    return 0;
}

static int
stop_service(void **state)
{
    close(manager);
    return heir_stop_old(state);
}

/* Checks that a command has replaced the process that forwards, and that the
 * manager knows. */
static void
assert_is_replaced(void)
{
    uint32_t nats[N_VNFS], peers[N_PEERS];
    char words[64], *end;
    long pid;

    assert_int_equal(child_status(heir_old), 0);
    hear(words, TOLD_WITHIN_MS);
    assert_memory_equal(words, "MAINPID=", 8);
    pid = strtol(words + 8, &end, 10);
    assert_true(pid > 0 && pid != heir_old && !*end);
    heir_old = (pid_t) pid;
    assert_true(child_is_running(heir_old));
    child_wait_for_output(LAN, N_FLOWS, nats, peers);
    assert_int_equal(nats[OLD_NAT], N_FLOWS);
    assert_nothing_is_told();
}

static void
upgrade_is_a_command_that_ends_when_the_new_process_forwards(void **state)
{
    (void) state;
    for (int i = 0; i < 2; i++) {
        pid_t command = child_upgrade("old.json", LCORES, "heir.log");

        assert_int_equal(child_status(command), 0);
        assert_is_replaced();
    }
}

/* A socket of the machine itself that waits for connections; its port as text
 * in 'port'. */
static int
occupy(char port[8])
{
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(bind(fd, (struct sockaddr *) &at, size), 0);
    assert_int_equal(listen(fd, 1), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *) &at, &size), 0);
    snprintf(port, 8, "%u", ntohs(at.sin_port));
    return fd;
}

/* Waits until somebody listens at 'port'. */
static void
wait_for_listener(const char *port)
{
    const struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        .sin_port = htons((uint16_t) atoi(port)),
    };
    bool is_there = false;

    for (int ms = 0; !is_there; ms += 10) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);

        assert_in_range(ms, 0, CHILD_LIMIT_MS);
        is_there = !connect(fd, (const struct sockaddr *) &at, sizeof at);
        close(fd);
        child_pause(10);
    }
}

/* Writes a configuration with metrics at 'port'. */
static void
write_metrics(const char *port)
{
    char metrics[64];

    snprintf(metrics, sizeof metrics,
             "\"metrics\": {\"port\": %s}, \"ports\"", port);
    heir_write_config("heir.json", OLD_NAT, "\"ports\"", metrics);
}

/* Upgrades while the port of its metrics is another's, which is told. */
static void
upgrade_without_metrics(const char *port)
{
    write_metrics(port);
    assert_int_equal(child_status(child_upgrade("heir.json", LCORES,
                                                "heir.log")), 1);
    child_assert_said("heir.log", "Address already in use");
    assert_is_replaced();
}

static void
what_an_upgrade_lacks_is_told_and_tried_again(void **state)
{
    char port[8];
    int fd = occupy(port);

    (void) state;
    upgrade_without_metrics(port);
    close(fd);
    wait_for_listener(port);
}

static void
what_an_upgrade_lacks_is_made_when_the_file_is_read_again(void **state)
{
    char port[8], other[8];
    int fd = occupy(port);

    (void) state;
    upgrade_without_metrics(port);
    close(occupy(other));
    write_metrics(other);
    kill(heir_old, SIGHUP);
    wait_for_listener(other);
    close(fd);
}

/* The bus of a configuration, whose files have these names. */
static void
write_bus(char text[1024], const char *keys, const char *epoch)
{
    snprintf(text, 1024,
             "\"bus\": {\"site\": \"A\", \"switchboard\": \"board\","
             " \"proxy\": {\"address\": \"127.0.0.1\", \"public-key\":"
             " \"rq:rM>}U?@Lns47E1%%kR.o@n%%FcmmsL/@{H8]yf7\"},"
             " \"keys-file\": \"%s\", \"epoch-file\": \"%s\"}, \"ports\"",
             child_path(keys), child_path(epoch));
}

static void
upgrade_that_can_not_join_the_bus_leaves_all_as_it_is(void **state)
{
    static const char *const epochs[] = {"nowhere/epoch", "epoch"};
    char reason[BUS_REASON_SIZE], bus[1024];
    struct bus_keys keys;

    (void) state;
    assert_int_equal(bus_keys_make(child_path("keys"), &keys, reason), 0);
    for (int i = 0; i < 2; i++) {
        write_bus(bus, i ? "no-keys" : "keys", epochs[i]);
        heir_write_config("heir.json", OLD_NAT, "\"ports\"", bus);
        assert_int_equal(child_status(child_upgrade("heir.json", LCORES,
                                                    "heir.log")), 1);
        child_assert_said("heir.log", i ? "no-keys: No such file"
                                        : "nowhere/epoch: No such file");
        assert_true(child_is_running(heir_old));
        assert_nothing_is_told();
    }
}

static void
upgrade_that_fails_is_a_command_that_fails(void **state)
{
    char socket_leaf[300];
    const struct {
        const char *from;
        const char *to;
        const char *reason;
    } documents[] = {
        {"\"capacity\": 4096", "\"capacity\": 4098",
         "its flow table has capacity 4096, not 4098"},
        {socket_leaf, "",
         "there is no take-over-socket in the configuration"},
        {"/socket\"", "/nobody\"", "nobody to take over from"},
    };

    (void) state;
    snprintf(socket_leaf, sizeof socket_leaf, "\"take-over-socket\": \"%s\", ",
             child_path("socket"));
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        pid_t command;

        heir_write_config("heir.json", OLD_NAT, documents[i].from,
                          documents[i].to);
        command = child_upgrade("heir.json", LCORES, "heir.log");
        assert_int_equal(child_status(command), 1);
        child_assert_said("heir.log", documents[i].reason);
        assert_true(child_is_running(heir_old));
        assert_nothing_is_told();
    }
}

/* Reads the shell command among what the unit does to reload, with 'bindir'
 * and the configuration of the test. */
static void
read_reload(const char *bindir, char command[CHILD_TEXT_SIZE])
{
    static const char key[] = "ExecReload=/bin/sh -c '";
    char line[1024] = "", config[512];
    FILE *file = fopen(unit, "r");

    assert_non_null(file);
    while (strncmp(line, key, sizeof key - 1)) {
        assert_non_null(fgets(line, sizeof line, file));
    }
    fclose(file);
    strcpy(command, line + sizeof key - 1);
    child_replace(command, "'\n", "");
    snprintf(config, sizeof config, "%s --models %s", child_path("old.json"),
             FWD_MODELS);
    child_replace(command, CONFIG, config);
    while (strstr(command, "@bindir@")) {
        child_replace(command, "@bindir@", bindir);
    }
    while (strstr(command, "$$")) {
        child_replace(command, "$$", "$");
    }
}

/* Does what the manager does to reload; returns the command's status. */
static int
reload(const char *bindir)
{
    char command[CHILD_TEXT_SIZE], main_pid[16];
    pid_t pid;

    read_reload(bindir, command);
    snprintf(main_pid, sizeof main_pid, "%d", (int) heir_old);
    setenv("MAINPID", main_pid, 1);
    setenv("DPDK_OPTIONS", DPDK_OPTIONS, 1);
    pid = fork();
    assert_true(pid >= 0);
    if (!pid) {
        if (!freopen(child_path("reload.log"), "w", stderr)
            || dup2(2, 1) < 0) {
            _exit(127);
        }
        execl("/bin/sh", "sh", "-c", command, NULL);
        _exit(127);
    }
    return child_status(pid);
}

static void
reload_upgrades_if_the_program_was_replaced(void **state)
{
    char bindir[256], path[300], copy[700];

    (void) state;
    snprintf(bindir, sizeof bindir, "%s", child_path("."));
    snprintf(path, sizeof path, "%s/sluice-forwarder", bindir);
    assert_int_equal(symlink(program, path), 0);
    assert_int_equal(reload(bindir), 0);
    assert_true(child_is_running(heir_old));
    assert_nothing_is_told();

    snprintf(copy, sizeof copy, "rm '%s' && cp '%s' '%s'", path, program,
             path);
    assert_int_equal(system(copy), 0);
    assert_int_equal(reload(bindir), 0);
    assert_is_replaced();
    assert_int_equal(reload(bindir), 0);
    assert_true(child_is_running(heir_old));
    assert_nothing_is_told();
}

#define WITH_SERVICE(test)                                                    \
    cmocka_unit_test_setup_teardown(test, start_service, stop_service)

int
main(int argc, char *argv[])
{
    const struct CMUnitTest tests[] = {
        WITH_SERVICE(
            upgrade_is_a_command_that_ends_when_the_new_process_forwards),
        WITH_SERVICE(upgrade_that_fails_is_a_command_that_fails),
        WITH_SERVICE(upgrade_that_can_not_join_the_bus_leaves_all_as_it_is),
        WITH_SERVICE(what_an_upgrade_lacks_is_told_and_tried_again),
        WITH_SERVICE(
            what_an_upgrade_lacks_is_made_when_the_file_is_read_again),
        WITH_SERVICE(reload_upgrades_if_the_program_was_replaced),
    };
    int failed;

    /* What goes on in the background becomes a child of this process. */
    if (argc != 3 || prctl(PR_SET_CHILD_SUBREAPER, 1)
        || child_begin(argv[1])) {
        return 1;
    }
    program = realpath(argv[1], NULL);
    unit = argv[2];
    failed = cmocka_run_group_tests_name("service", tests, NULL, NULL);
    child_end();
    free(program);
    return failed;
}
