// SPDX-License-Identifier: EPL-2.0
/* What the program, whose path is the first argument, prints and returns
 * without starting DPDK. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define PORTS_AND(underlay)                                                   \
    "\"name\": \"F\", \"ports\": {\"port\": ["                                \
    "{\"name\": \"wan\", \"device\": \"net_null0\"},"                         \
    "{\"name\": \"lan\", \"device\": \"net_null1\"}]},"                       \
    "\"underlay\": {\"port\": \"wan\", \"address\": \"192.0.2.1\","           \
    " \"prefix-length\": 24" underlay "}"
#define PORTS PORTS_AND("")
#define PEER(address)                                                         \
    "\"peers\": {\"peer\": [{\"name\": \"A\", \"address\": \"" address "\"}]}"
#define EDGE(addresses)                                                       \
    "\"instances\": {\"instance\": [{\"name\": \"a\", \"service\": \"edge\"," \
    " \"egress-side\": {\"port\": \"lan\", " addresses "}}]}"
#define SIDE(port, vlan)                                                      \
    "{\"port\": \"" port "\", \"vlan\": " vlan ","                            \
    " \"mac-address\": \"02:00:00:00:00:01\"}"
#define INSTANCE(name, port, vlan)                                            \
    "{\"name\": \"" name "\", \"service\": \"nat\","                          \
    " \"ingress-side\": " SIDE(port, vlan) "}"
#define CHAIN(stages)                                                         \
    "\"chains\": {\"chain\": [{\"chain-label\": 100, \"egress-label\": 203,"  \
    "\"stage\": [" stages "]}]}"
#define ELEMENT(number, service)                                              \
    "{\"number\": " number ", \"service\": \"" service "\"}"
#define STAGE(member)                                                         \
    CHAIN("{\"number\": 1, \"service\": \"firewall\", \"instance\": ["       \
          "{\"name\": \"" member "\", \"weight\": 1}]}")

static const char *program;

struct result {
    int status; /* -1: killed by a signal. */
    char text[4096];
};

/* Runs the program with 'arguments' and takes all that it prints. */
static struct result
run(const char *arguments)
{
    struct result result = {0};
    char command[2048];
    FILE *pipe;
    int status;

    snprintf(command, sizeof command, "exec '%s' %s 2>&1", program,
             arguments);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    result.text[fread(result.text, 1, sizeof result.text - 1, pipe)] = '\0';
    status = pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return result;
}

static struct result
check_file(const char *path)
{
    char arguments[1024];

    snprintf(arguments, sizeof arguments,
             "--check --models '" FWD_MODELS "' --config '%s'", path);
    return run(arguments);
}

/* Checks a document whose forwarder has 'content', with 'size' bytes of 'rest'
 * behind it. */
static struct result
check_before(const char *content, const char *rest, size_t size)
{
    char path[] = "/tmp/sluice-forwarder-XXXXXX";
    int fd = mkstemp(path);
    struct result result;

    assert_true(fd >= 0);
    dprintf(fd, "{\"sluice-forwarder:forwarder\": {%s}}", content);
    assert_int_equal(write(fd, rest, size), size);
    close(fd);
    result = check_file(path);
    unlink(path);
    return result;
}

static struct result
check(const char *content)
{
    return check_before(content, "", 0);
}

static void
right_document_passes_the_check(void **state)
{
    struct result result = check_file(FWD_EXAMPLE);

    (void) state;
    assert_string_equal(result.text, "");
    assert_int_equal(result.status, 0);
    assert_int_equal(check(PORTS).status, 0);
    assert_int_equal(check(PORTS "," CHAIN(ELEMENT("0", "edge") ","
                                           ELEMENT("1", "nat") ","
                                           ELEMENT("2", "edge"))).status, 0);
}

static void
wrong_document_fails_the_check_for_its_reason(void **state)
{
    static const struct {
        const char *content;
        const char *reason;
    } documents[] = {
        {"", "Mandatory node \"name\" instance does not exist"},
        {"\"name\": \"F\"", "Mandatory node \"port\" instance does not exist"},
        {"\"name\": \"F\", \"ports\": {\"port\": [{\"name\": \"wan\", "
         "\"device\": \"d\"}]}, \"underlay\": {\"port\": \"wan\"}",
         "Mandatory node \"address\" instance does not exist"},
        {"\"title\": 1", "title"},
        {PORTS ", \"peers\": {\"peer\": [{\"name\": \"A\", \"address\": "
         "\"192.0.2.1\", \"mac-address\": \"02:00:00:00:00:0a\"}]}",
         "peer A: not an address of a peer"},
        {PORTS ", \"instances\": {\"instance\": [" INSTANCE("a", "lan", "7")
         "," INSTANCE("b", "lan", "7") "]}", "VLAN 7: taken twice"},
        {PORTS ", \"instances\": {\"instance\": [" INSTANCE("a", "wan", "0")
         "]}", "VLAN 0: taken twice"},
        {PORTS "," PEER("203.0.113.1"), "A: outside the underlay's subnet"},
        {PORTS_AND(", \"gateway\": \"203.0.113.2\"") "," PEER("203.0.113.1"),
         "gateway 203.0.113.2: not another address of the underlay's"},
        {PORTS_AND(", \"gateway\": \"192.0.2.1\"") "," PEER("203.0.113.1"),
         "gateway 192.0.2.1: not another address of the underlay's"},
        {PORTS ", \"icmp-source\": {\"ipv4-address\": \"127.0.0.1\"}",
         "icmp-source/ipv4-address: not an address of a host"},
        {PORTS "," EDGE("\"address\": \"::1\""),
         "instance[name='a']/egress-side/address: not an address of a host"},
        {PORTS "," EDGE("\"address\": \"10.0.0.1\", "
                        "\"own-ipv4-address\": \"10.0.0.1\""),
         "address 10.0.0.1: is the forwarder's own"},
        {PORTS "," STAGE("a"), "stage 1: there is no instance a"},
        {PORTS ", \"instances\": {\"instance\": [" INSTANCE("a", "lan", "7")
         "]}," STAGE("a"), "stage 1: instance a is of another service"},
        {PORTS "," CHAIN(ELEMENT("2", "nat") "," ELEMENT("1", "nat")),
         "chain 100/203: stages 1 and 2 have the same service; give each"},
        {PORTS "," CHAIN(ELEMENT("0", "nat") "," ELEMENT("1", "nat") ","
                         ELEMENT("2", "exit")),
         "chain 100/203: stages 0 and 1 have the same service; give each"},
    };

    (void) state;
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        struct result result = check(documents[i].content);

        if (!strstr(result.text, documents[i].reason)) {
            fail_msg("'%s' instead of '%s'", result.text,
                     documents[i].reason);
        }
        assert_int_equal(result.status, 1);
    }
}

static void
what_follows_a_document_fails_the_check(void **state)
{
    static const struct {
        const char *rest;
        size_t size;
        const char *reason; /* Null: it is taken. */
    } cases[] = {
        {" \t\r\n// the end\n", 15, NULL},
        {" x", 2, "line 1: the document has ended, remove what follows: x"},
        {"\n\n}", 3, "line 3: the document has ended, remove what follows: }"},
        {"\n{}", 3, "line 2: the document has ended, remove what follows: {}"},
        {"\0", 1, "is zero: end the document before it"},
        {"\n\0{}", 4, "is zero: end the document before it"},
    };

    (void) state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct result result = check_before(PORTS, cases[i].rest,
                                            cases[i].size);

        assert_int_equal(result.status, cases[i].reason != NULL);
        if (cases[i].reason && !strstr(result.text, cases[i].reason)) {
            fail_msg("'%s' instead of '%s'", result.text, cases[i].reason);
        }
    }
}

/* Names the leaf, the value, and what to do. */
static void
refusal_of_a_value_says_what_to_do(void **state)
{
    static const struct {
        const char *content;
        const char *reasons[2];
    } documents[] = {
        {PORTS "," PEER("192.0.2.2\"}, {\"name\": \"A\", \"address\": \""
                        "192.0.2.3"),
         {"Duplicate instance of \"peer\". Remove all but one.",
          "peer[name='A']"}},
        {PORTS "," CHAIN(ELEMENT("1", "nat") "," ELEMENT("1", "fw")),
         {"Duplicate instance of \"stage\". Remove all but one.",
          "stage[number='1']"}},
        {PORTS ", \"name\": \"G\"",
         {"Duplicate instance of \"name\". Remove all but one."}},
        {PORTS "," PEER("255.255.255.255"),
         {"255.255.255.255: a multicast or broadcast address; give the "
          "address of one host.", "peer[name='A']/address"}},
        {PORTS ", \"icmp-source\": {\"ipv6-address\": \"ff02::1\"}",
         {"ff02::1: a multicast address; give the address of one host.",
          "icmp-source/ipv6-address"}},
        {PORTS "," EDGE("\"mac-address\": \"01:00:5e:00:00:01\""),
         {"01:00:5e:00:00:01: the address of a group; give the address of "
          "one interface.", "egress-side/mac-address"}},
        {PORTS "," EDGE("\"address\": \"ff02::2\""),
         {"ff02::2: a multicast or broadcast address; give the address of "
          "one host.", "instance[name='a']/egress-side/address"}},
        {PORTS "," EDGE("\"address\": \"224.0.0.1\""),
         {"224.0.0.1: a multicast or broadcast address; give the address of "
          "one host.", "instance[name='a']/egress-side/address"}},
    };

    (void) state;
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        struct result result = check(documents[i].content);

        assert_int_equal(result.status, 1);
        for (int j = 0; j < 2 && documents[i].reasons[j]; j++) {
            if (!strstr(result.text, documents[i].reasons[j])) {
                fail_msg("'%s' instead of '%s'", result.text,
                         documents[i].reasons[j]);
            }
        }
    }
}

static void
more_ports_than_there_is_room_for_fail_the_check(void **state)
{
    char content[4096] = "\"name\": \"F\", \"underlay\": {\"port\": \"p0\","
                         "\"address\": \"192.0.2.1\"},"
                         "\"ports\": {\"port\": [";
    char *at = strchr(content, 0);
    struct result result;

    (void) state;
    for (int i = 0; i < 33; i++) {
        at += sprintf(at, "%s{\"name\": \"p%d\", \"device\": \"d%d\"}",
                      i ? "," : "", i, i);
    }
    strcpy(at, "]}");
    result = check(content);
    assert_non_null(strstr(result.text, "more than 32 ports"));
    assert_int_equal(result.status, 1);
}

static void
help_names_no_folder_of_the_build(void **state)
{
    struct result result = run("--help");

    (void) state;
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.text, "/sluice/yang)"));
    assert_null(strstr(result.text, FWD_SOURCE));
}

static void
wrong_options_are_refused(void **state)
{
    static const struct {
        const char *arguments, *reason;
    } cases[] = {
        {"", "--config is required"},
        {"--config a --upgrade --take-over b", "leave --take-over out"},
        {"--config a b", "'b' is no option"},
        {"--config a --unknown", "unrecognized option"},
    };

    (void) state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct result result = run(cases[i].arguments);

        assert_int_equal(result.status, 1);
        assert_non_null(strstr(result.text, cases[i].reason));
    }
}

int
main(int argc, char *argv[])
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_document_passes_the_check),
        cmocka_unit_test(wrong_document_fails_the_check_for_its_reason),
        cmocka_unit_test(what_follows_a_document_fails_the_check),
        cmocka_unit_test(refusal_of_a_value_says_what_to_do),
        cmocka_unit_test(more_ports_than_there_is_room_for_fail_the_check),
        cmocka_unit_test(help_names_no_folder_of_the_build),
        cmocka_unit_test(wrong_options_are_refused),
    };

    if (argc != 2) {
        return 1;
    }
    program = argv[1];
    return cmocka_run_group_tests_name("program", tests, NULL, NULL);
}
