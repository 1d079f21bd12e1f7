// SPDX-License-Identifier: EPL-2.0
#include "identity.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zmq.h>

#define LIFE_BITS 20 /* Of an epoch: for topics that were forgotten. */
#define Z85                                                                   \
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"          \
    ".-:+=^!/*?&<>()[]{}@%$#"

/* Writes the reason and returns 'error'. */
static int __attribute__((format(printf, 3, 4)))
refuse(char reason[BUS_REASON_SIZE], int error, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, BUS_REASON_SIZE, format, arguments);
    va_end(arguments);
    return error;
}

bool
bus_is_key(const char *text)
{
    return strlen(text) == BUS_KEY_LENGTH
           && strspn(text, Z85) == BUS_KEY_LENGTH;
}

int
bus_keys_load(const char *path, struct bus_keys *keys,
              char reason[BUS_REASON_SIZE])
{
    FILE *file = fopen(path, "r");
    struct stat status;
    int n;

    if (!file || fstat(fileno(file), &status)) {
        int error = errno;

        if (file) {
            fclose(file);
        }
        return refuse(reason, error, "%s: %s", path, strerror(error));
    }
    if (status.st_mode & (S_IRWXG | S_IRWXO)) {
        fclose(file);
        return refuse(reason, EPERM,
                      "%s has mode %04o; a secret key needs 0600", path,
                      status.st_mode & 07777);
    }
    n = fscanf(file, "%40s %40s", keys->public_key, keys->secret_key);
    fclose(file);
    if (n != 2 || !bus_is_key(keys->public_key)
        || !bus_is_key(keys->secret_key)) {
        return refuse(reason, EINVAL,
                      "%s does not have a public and a secret key in Z85, a "
                      "line each", path);
    }
    return 0;
}

/* Writes 'text' to a new or emptied file and waits until it is on the disk.
 * Returns 0 or a positive errno. */
static int
write_file(const char *path, int flags, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
    ssize_t size = (ssize_t) strlen(text);
    int error;

    if (fd < 0) {
        return errno;
    }
    error = write(fd, text, (size_t) size) == size && !fsync(fd) ? 0 : errno;
    close(fd);
    return error;
}

int
bus_keys_make(const char *path, struct bus_keys *keys,
              char reason[BUS_REASON_SIZE])
{
    char text[2 * BUS_KEY_LENGTH + 3];
    int error = zmq_curve_keypair(keys->public_key, keys->secret_key)
                ? zmq_errno() : 0;

    snprintf(text, sizeof text, "%s\n%s\n", keys->public_key,
             keys->secret_key);
    if (!error) {
        error = write_file(path, O_EXCL, text);
    }
    return error ? refuse(reason, error, "%s: %s", path, strerror(error)) : 0;
}

uint64_t
bus_start_after(uint64_t last, uint64_t now_ms)
{
    return last + 1 > now_ms ? last + 1 : now_ms;
}

uint64_t
bus_start_epoch(uint64_t start)
{
    return start << LIFE_BITS;
}

/* Reads the number of the last start; 0 if there is no file. Returns 0 or a
 * positive errno. */
static int
read_start(const char *path, uint64_t *start)
{
    FILE *file = fopen(path, "r");
    int n;

    *start = 0;
    if (!file) {
        return errno == ENOENT ? 0 : errno;
    }
    n = fscanf(file, "%13" SCNu64, start);
    n = n == 1 && fgetc(file) == '\n' && fgetc(file) == EOF ? n : 0;
    fclose(file);
    return n == 1 && *start < INT64_MAX >> LIFE_BITS ? 0 : EINVAL;
}

/* Makes a rename in the folder of 'path' survive a crash. */
static void
sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t) (slash - path + 1))
                         : strdup(".");
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

int
bus_epoch_next(const char *path, uint64_t now_ms, uint64_t *epoch,
               char reason[BUS_REASON_SIZE])
{
    char fresh[4096], text[32];
    uint64_t start;
    int error = read_start(path, &start);

    if (error == EINVAL) {
        return refuse(reason, error,
                      "%s does not have the number of a start", path);
    }
    start = bus_start_after(start, now_ms);
    snprintf(text, sizeof text, "%" PRIu64 "\n", start);
    if (!error && snprintf(fresh, sizeof fresh, "%s.new", path)
                  >= (int) sizeof fresh) {
        error = ENAMETOOLONG;
    }
    if (!error) {
        error = write_file(fresh, O_TRUNC, text);
    }
    if (!error && rename(fresh, path)) {
        error = errno;
    }
    if (error) {
        return refuse(reason, error, "%s: %s", path, strerror(error));
    }
    sync_folder(path);
    *epoch = bus_start_epoch(start);
    return 0;
}
