// SPDX-License-Identifier: EPL-2.0
/* A process takes over from another one, both real. The program's path is the
 * first argument. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "handover.h"
#include "heirs.h"

static struct sockaddr_un
address_of(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    snprintf(address.sun_path, sizeof address.sun_path, "%s",
             child_path(name));
    return address;
}

static void
say(int fd, uint64_t version, enum fwd_word word, uint64_t value)
{
    struct fwd_message message = {version, word, value};

    assert_int_equal(send(fd, &message, sizeof message, 0), sizeof message);
}

static int
greet(uint64_t version)
{
    struct sockaddr_un address = address_of("socket");
    int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);

    assert_int_equal(connect(fd, (struct sockaddr *) &address,
                             sizeof address), 0);
    say(fd, version, FWD_WORD_HELLO, 0);
    return fd;
}

static void
hear(int fd, enum fwd_word word)
{
    struct fwd_message message;

    assert_int_equal(recv(fd, &message, sizeof message, 0), sizeof message);
    assert_int_equal(message.version, FWD_HANDOVER_VERSION);
    assert_int_equal(message.word, word);
}

/* Asks for the estate, and leaves it: whether there is one, whose document
 * has 'part'. */
static bool
has_document_with(const char *part)
{
    char reason[FWD_REASON_SIZE], *document;
    struct fwd_estate estate;
    struct fwd_names hops;
    bool is_there;
    int fd;

    if (fwd_handover_ask(child_path("socket"), &fd, &estate, reason)) {
        return false;
    }
    assert_int_equal(fwd_names_init(&hops, FWD_HOP_SELF - 1), 0);
    assert_int_equal(fwd_estate_read(&estate, &hops, &document), 0);
    assert_int_not_equal(fwd_names_find(&hops, "instance/nat-0"), 0);
    is_there = strstr(document, part) != NULL;
    free(document);
    fwd_names_destroy(&hops);
    fwd_estate_close(&estate);
    close(fd);
    return is_there;
}

static void
wait_for_document_with(const char *part)
{
    for (int ms = 0; !has_document_with(part); ms += 10) {
        assert_in_range(ms, 0, CHILD_LIMIT_MS);
        child_pause(10);
    }
}

/* Lets another process take over. */
static void
take_over(const char *config)
{
    pid_t heir = child_run(config, LCORES, child_path("socket"), "heir.log");

    assert_int_equal(child_status(heir_old), 0);
    heir_old = heir;
}

static void
flows_stay_and_rules_are_those_in_force(void **state)
{
    uint32_t nats[N_VNFS], peers[N_PEERS];

    (void) state;
    heir_write_config("old.json", NEW_NAT, NULL, NULL);
    kill(heir_old, SIGHUP);
    wait_for_document_with("\"name\":\"nat-1\",\"weight\":1");
    heir_write_config("heir.json", 3, NULL, NULL);
    heir_write_inputs((struct heir_input) {
        .n = N_FLOWS + N_NEW, .has_return = true,
    });
    take_over("heir.json");
    child_wait_for_output(LAN, N_FLOWS + N_NEW, nats, peers);
    assert_int_equal(nats[OLD_NAT], N_FLOWS);
    assert_int_equal(nats[NEW_NAT], N_NEW);
    child_wait_for_output(WAN, N_FLOWS, nats, peers);
    assert_int_equal(peers[0], N_FLOWS);
    assert_true(child_is_running(heir_old));
}

static void
replicas_of_peers_outlive_an_upgrade(void **state)
{
    uint32_t nats[N_VNFS], peers[N_PEERS];

    (void) state;
    heir_write_inputs((struct heir_input) {
        .first = FIRST_TOLD, .n = N_TOLD + N_NEW,
    });
    take_over("old.json");
    child_wait_for_output(LAN, N_TOLD + N_NEW, nats, peers);
    assert_int_equal(nats[TOLD_NAT], N_TOLD);
    assert_int_equal(nats[OLD_NAT], N_NEW);
}

/* net_null, which both processes have open, is never silent. */
static void
ports_that_never_fall_silent_are_taken_over(void **state)
{
    char device[512];

    (void) state;
    assert_int_equal(heir_stop_old(state), 0);
    heir_write_inputs((struct heir_input) {.n = 0});
    for (int i = 0; i < 2; i++) {
        child_device(LAN, device, sizeof device);
        heir_write_config("old.json", OLD_NAT, device, "net_null0");
        if (!i) {
            heir_old = child_run("old.json", LCORES, NULL, "old.log");
            wait_for_document_with("nat-0");
        } else {
            take_over("old.json");
        }
    }
    assert_true(child_is_running(heir_old));
}

static void
heir_has_an_heir(void **state)
{
    uint32_t nats[N_VNFS], peers[N_PEERS];

    (void) state;
    for (int i = 0; i < 2; i++) {
        take_over("old.json");
        child_wait_for_output(LAN, N_FLOWS, nats, peers);
        assert_int_equal(nats[OLD_NAT], N_FLOWS);
        wait_for_document_with("nat-0");
    }
}

/* What an heir differs in, and the reason why it does not start. */
static const struct {
    const char *from;
    const char *to;
    const char *lcores;
    const char *reason;
} differences[] = {
    {"\"capacity\": 4096", "\"capacity\": 4098", LCORES,
     "its flow table has capacity 4096, not 4098"},
    {"\"name\": \"F\",\n", "\"name\": \"G\",\n", LCORES,
     "it is forwarder F, this is G"},
    {"\"mtu\": 1500", "\"mtu\": 1400", LCORES,
     "ports changed, which needs a new start"},
    {NULL, NULL, "0@0,1@0", "2 lcores forward there, 1 here"},
};

static void
heir_that_does_not_fit_leaves_all_as_it_is(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++) {
        pid_t heir;

        heir_write_config("heir.json", NEW_NAT, differences[i].from,
                     differences[i].to);
        heir = child_run("heir.json", differences[i].lcores,
                         child_path("socket"), "heir.log");
        assert_int_equal(child_status(heir), 1);
        child_assert_said("heir.log", differences[i].reason);
        assert_true(child_is_running(heir_old));
    }
}

/* It has even closed its ports, whose devices have other MAC addresses when
 * they are opened again. */
static void
forwarder_goes_on_if_its_heir_dies_before_it_starts(void **state)
{
    uint32_t nats[N_VNFS], peers[N_PEERS];
    uint64_t source = child_source(LAN);
    int fd = greet(FWD_HANDOVER_VERSION);

    (void) state;
    hear(fd, FWD_WORD_ESTATE);
    heir_write_inputs((struct heir_input) {.n = N_FLOWS, .has_return = true});
    say(fd, FWD_HANDOVER_VERSION, FWD_WORD_STOP, 1);
    hear(fd, FWD_WORD_STOPPED);
    child_clear_output(LAN);
    close(fd);
    child_wait_for_output(LAN, N_FLOWS, nats, peers);
    assert_int_equal(nats[OLD_NAT], N_FLOWS);
    assert_int_not_equal(child_source(LAN), source);
    child_wait_for_output(WAN, N_FLOWS, nats, peers);
    assert_true(child_is_running(heir_old));
}

static void
forwarder_waits_for_the_start_of_its_heir_but_some_seconds(void **state)
{
    uint32_t nats[N_VNFS], peers[N_PEERS];
    int fd = greet(FWD_HANDOVER_VERSION);
    time_t begin = time(NULL);

    (void) state;
    hear(fd, FWD_WORD_ESTATE);
    say(fd, FWD_HANDOVER_VERSION, FWD_WORD_STOP, 1);
    hear(fd, FWD_WORD_STOPPED);
    child_clear_output(LAN);
    child_wait_for_output(LAN, N_FLOWS, nats, peers);
    assert_in_range(time(NULL) - begin, 0, 20);
    close(fd);
}

/* Both announcements of its address, 2 s apart, are there. */
static void
forwarder_goes_on_with_its_work_while_its_heir_gets_ready(void **state)
{
    int fd = greet(FWD_HANDOVER_VERSION);

    (void) state;
    hear(fd, FWD_WORD_ESTATE);
    for (int ms = 0; child_count_announcements(WAN) < 2; ms += 10) {
        assert_in_range(ms, 0, 20000);
        child_pause(10);
    }
    close(fd);
}

/* Its heir may take 30 s to get ready. */
static void
forwarder_ends_when_told_to_while_its_heir_gets_ready(void **state)
{
    int fd = greet(FWD_HANDOVER_VERSION);
    siginfo_t ended = {0};

    (void) state;
    hear(fd, FWD_WORD_ESTATE);
    kill(heir_old, SIGTERM);
    for (int ms = 0; !ended.si_pid; ms += 10) {
        assert_in_range(ms, 0, 20000);
        child_pause(10);
        assert_int_equal(waitid(P_PID, (id_t) heir_old, &ended,
                                WEXITED | WNOHANG | WNOWAIT), 0);
    }
    assert_int_equal(ended.si_code, CLD_EXITED);
    assert_int_equal(ended.si_status, 0);
    close(fd);
}

static void
other_versions_are_told_apart(void **state)
{
    struct sockaddr_un address = address_of("elsewhere");
    int fd = greet(FWD_HANDOVER_VERSION + 1), listener;
    pid_t heir;

    (void) state;
    hear(fd, FWD_WORD_REFUSAL);
    close(fd);
    assert_true(child_is_running(heir_old));

    listener = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    assert_int_equal(bind(listener, (struct sockaddr *) &address,
                          sizeof address), 0);
    assert_int_equal(listen(listener, 1), 0);
    heir = child_run("old.json", LCORES, child_path("elsewhere"), "heir.log");
    fd = accept(listener, NULL, NULL);
    say(fd, FWD_HANDOVER_VERSION + 1, FWD_WORD_ESTATE, 0);
    assert_int_equal(child_status(heir), 1);
    child_assert_said("heir.log",
                      "another version: end it, and start this one");
    close(fd);
    close(listener);
}

static void
socket_is_for_one_forwarder_and_its_user(void **state)
{
    struct stat status;
    pid_t other = child_run("old.json", LCORES, NULL, "other.log");

    (void) state;
    assert_int_equal(child_status(other), 1);
    child_assert_said("other.log", "Address already in use");
    assert_int_equal(stat(child_path("socket"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    other = child_run("old.json", LCORES, child_path("nobody"), "other.log");
    assert_int_equal(child_status(other), 1);
    child_assert_said("other.log", "nobody to take over from");
    assert_true(child_is_running(heir_old));
}

#define WITH_OLD(test)                                                        \
    cmocka_unit_test_setup_teardown(test, heir_start_old, heir_stop_old)

int
main(int argc, char *argv[])
{
    const struct CMUnitTest tests[] = {
        WITH_OLD(flows_stay_and_rules_are_those_in_force),
        WITH_OLD(replicas_of_peers_outlive_an_upgrade),
        WITH_OLD(ports_that_never_fall_silent_are_taken_over),
        WITH_OLD(heir_has_an_heir),
        WITH_OLD(heir_that_does_not_fit_leaves_all_as_it_is),
        WITH_OLD(forwarder_goes_on_if_its_heir_dies_before_it_starts),
        WITH_OLD(forwarder_waits_for_the_start_of_its_heir_but_some_seconds),
        WITH_OLD(forwarder_goes_on_with_its_work_while_its_heir_gets_ready),
        WITH_OLD(forwarder_ends_when_told_to_while_its_heir_gets_ready),
        WITH_OLD(other_versions_are_told_apart),
        WITH_OLD(socket_is_for_one_forwarder_and_its_user),
    };
    int failed;

    if (argc != 2 || child_begin(argv[1])) {
        return 1;
    }
    failed = cmocka_run_group_tests_name("upgrade", tests, NULL, NULL);
    child_end();
    return failed;
}
