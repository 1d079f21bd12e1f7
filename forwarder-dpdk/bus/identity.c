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

/* Reads a line that is a key and nothing else; the caller frees '*line'. */
static bool
read_key(FILE *file, char **line, size_t *room,
         char key[BUS_KEY_LENGTH + 1])
{
    ssize_t length = getline(line, room, file);

    if (length > 0 && (*line)[length - 1] == '\n') {
        (*line)[--length] = '\0';
    }
    if (length != BUS_KEY_LENGTH || !bus_is_key(*line)) {
        return false;
    }
    memcpy(key, *line, BUS_KEY_LENGTH + 1);
    return true;
}

int
bus_keys_load(const char *path, struct bus_keys *keys,
              char reason[BUS_REASON_SIZE])
{
    FILE *file = fopen(path, "re");
    char *lines[2] = {NULL, NULL};
    size_t room[2] = {0, 0};
    struct stat status;
    int error = 0;

    if (!file || fstat(fileno(file), &status)) {
        error = refuse(reason, errno, "%s: %s", path, strerror(errno));
    } else if ((status.st_mode & 07777) != 0600) {
        error = refuse(reason, EPERM,
                       "%s has mode %04o; a secret key needs 0600", path,
                       status.st_mode & 07777);
    } else if (!read_key(file, &lines[0], &room[0], keys->public_key)
               || !read_key(file, &lines[1], &room[1], keys->secret_key)
               || fgetc(file) != EOF) {
        error = refuse(reason, EINVAL,
                       "%s does not have a public and a secret key in Z85, "
                       "a line each", path);
    }
    for (int i = 0; i < 2; i++) {
        if (lines[i]) {
            explicit_bzero(lines[i], room[i]);
        }
        free(lines[i]);
    }
    if (file) {
        fclose(file);
    }
    return error;
}

/* Writes 'text' to a new file of mode 0600 and waits until it is on the disk.
 * Returns 0, or a positive errno and there is no file of ours. */
static int
write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    size_t size = strlen(text);
    ssize_t written;
    int error;

    if (fd < 0) {
        return errno;
    }
    written = write(fd, text, size);
    error = written < 0 ? errno : (size_t) written < size ? ENOSPC
            : fsync(fd) ? errno : 0;
    if (close(fd) && !error) {
        error = errno;
    }
    if (error) {
        unlink(path);
    }
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
        error = write_file(path, text);
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
    FILE *file = fopen(path, "re");
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

/* Makes a rename in the folder of 'path' survive a crash. Returns 0 or a
 * positive errno. */
static int
sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? g_strndup(path, (size_t) (slash - path + 1))
                         : g_strdup(".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = fd < 0 || fsync(fd) ? errno : 0;

    if (fd >= 0) {
        close(fd);
    }
    g_free(folder);
    return error;
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
        unlink(fresh);
        error = write_file(fresh, text);
    }
    if (!error && rename(fresh, path)) {
        error = errno;
        unlink(fresh);
    }
    if (!error) {
        error = sync_folder(path);
    }
    if (error) {
        return refuse(reason, error, "%s: %s", path, strerror(error));
    }
    *epoch = bus_start_epoch(start);
    return 0;
}
