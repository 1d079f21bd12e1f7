// SPDX-License-Identifier: EPL-2.0
/* Files and settings of a node of the bus: what is taken, and what is refused
 * with which reason. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../bus/client.h"

#define NOW_MS 1700000000000ull
#define KEY "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"

static char folder[] = "/tmp/sluice-identity-XXXXXX";
static char path[sizeof folder + 16]; /* Of a file of the test's own. */
static char reason[BUS_REASON_SIZE];

static int
make_path(void **state)
{
    static int n;

    (void) state;
    return snprintf(path, sizeof path, "%s/%d", folder, n++) < 0;
}

static void
write_text(const char *text, mode_t mode)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    chmod(path, mode);
}

static void
expect_reason(const char *part)
{
    if (!strstr(reason, path) || !strstr(reason, part)) {
        fail_msg("'%s' does not name %s and '%s'", reason, path, part);
    }
}

static void
made_keys_are_loaded(void **state)
{
    struct bus_keys made, loaded;
    struct stat status;

    (void) state;
    assert_int_equal(bus_keys_make(path, &made, reason), 0);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    assert_int_equal(bus_keys_load(path, &loaded, reason), 0);
    assert_memory_equal(&made, &loaded, sizeof made);
    assert_int_equal(bus_keys_make(path, &made, reason), EEXIST);
    expect_reason("exists");
}

static void
keys_that_others_may_read_are_refused(void **state)
{
    struct bus_keys keys;

    (void) state;
    assert_int_equal(bus_keys_make(path, &keys, reason), 0);
    chmod(path, 0640);
    assert_int_equal(bus_keys_load(path, &keys, reason), EPERM);
    expect_reason("0640");
    chmod(path, 0400);
    assert_int_equal(bus_keys_load(path, &keys, reason), EPERM);
    expect_reason("0400");
}

static void
other_files_are_no_keys(void **state)
{
    static const char *const texts[] = {
        "", KEY "\n", KEY " " KEY "\n", KEY "\n" KEY "x\n",
        KEY "\n" KEY "\n" KEY "\n", KEY "\n" KEY "\n\n",
    };
    struct bus_keys keys;

    (void) state;
    assert_int_equal(bus_keys_load(path, &keys, reason), ENOENT);
    expect_reason("No such file");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_text(texts[i], 0600);
        if (bus_keys_load(path, &keys, reason) != EINVAL) {
            fail_msg("'%s' gave keys", texts[i]);
        }
        expect_reason("Z85");
    }
}

static void
epochs_grow_though_the_clock_is_set_back(void **state)
{
    uint64_t first, second, third;

    (void) state;
    assert_int_equal(bus_epoch_next(path, NOW_MS, &first, reason), 0);
    assert_int_equal(first, NOW_MS << 20);
    assert_int_equal(bus_epoch_next(path, NOW_MS - 1000, &second, reason), 0);
    assert_int_equal(second, (NOW_MS + 1) << 20);
    assert_int_equal(bus_epoch_next(path, NOW_MS + 1000, &third, reason), 0);
    assert_int_equal(third, (NOW_MS + 1000) << 20);
}

static void
epoch_follows_no_link(void **state)
{
    char link[sizeof path + 8], victim[sizeof path + 8], text[8] = "";
    uint64_t epoch;
    FILE *file;

    (void) state;
    snprintf(link, sizeof link, "%s.new", path);
    snprintf(victim, sizeof victim, "%s.old", path);
    file = fopen(victim, "w+");
    assert_non_null(file);
    fputs("mine", file);
    assert_int_equal(symlink(victim, link), 0);
    assert_int_equal(bus_epoch_next(path, NOW_MS, &epoch, reason), 0);
    rewind(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_string_equal(text, "mine");
    fclose(file);
}

static void
other_files_give_no_epoch(void **state)
{
    static const char *const texts[] = {
        "", "yesterday\n", "12\n13\n", "-1\n", "12345678901234\n",
    };
    uint64_t epoch;

    (void) state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_text(texts[i], 0600);
        if (bus_epoch_next(path, NOW_MS, &epoch, reason) != EINVAL) {
            fail_msg("'%s' gave an epoch", texts[i]);
        }
        expect_reason("the number of a start");
    }
    unlink(path);
    mkdir(path, 0700);
    strcat(path, "/none/epoch");
    assert_int_equal(bus_epoch_next(path, NOW_MS, &epoch, reason), ENOENT);
    expect_reason("No such file");
}

static void
wrong_settings_make_no_client(void **state)
{
    static const struct {
        const char *node;
        const char *address;
        const char *key;
        const char *reason;
    } settings[] = {
        {"A", "tcp://127.0.0.1:1", NULL, "not a node, site/name: A"},
        {"A/n", "127.0.0.1:1", NULL, "not tcp://host:port: 127.0.0.1:1"},
        {"A/n", "tcp://127.0.0.1:1", "short", "not a key in Z85: short"},
        {"A/n", "tcp://127.0.0.1:x", NULL, "Invalid argument"},
    };
    struct bus_remote remote = {0};
    struct bus_client *client;

    (void) state;
    assert_int_equal(bus_keys_make(path, &remote.keys, reason), 0);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        remote.address = settings[i].address;
        remote.key = settings[i].key ? settings[i].key
                                     : remote.keys.public_key;
        assert_int_equal(bus_client_create(settings[i].node, 1, &remote,
                                           &BUS_LIMITS_DEFAULT, &client,
                                           reason), EINVAL);
        if (!strstr(reason, settings[i].reason)) {
            fail_msg("'%s' instead of '%s'", reason, settings[i].reason);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(made_keys_are_loaded, make_path),
        cmocka_unit_test_setup(keys_that_others_may_read_are_refused,
                               make_path),
        cmocka_unit_test_setup(other_files_are_no_keys, make_path),
        cmocka_unit_test_setup(epochs_grow_though_the_clock_is_set_back,
                               make_path),
        cmocka_unit_test_setup(epoch_follows_no_link, make_path),
        cmocka_unit_test_setup(other_files_give_no_epoch, make_path),
        cmocka_unit_test_setup(wrong_settings_make_no_client, make_path),
    };
    char remove[sizeof folder + 16];
    int status;

    if (!mkdtemp(folder)) {
        return 1;
    }
    status = cmocka_run_group_tests_name("bus-identity", tests, NULL, NULL);
    snprintf(remove, sizeof remove, "rm -r '%s'", folder);
    return system(remove) || status;
}
