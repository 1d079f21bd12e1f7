// SPDX-License-Identifier: EPL-2.0
#include "estate.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is known of a neighbour; every octet may be any. */
struct record {
    struct in6_addr address;
    struct rte_ether_addr mac;
    uint16_t vlan; /* 0: no tag. */
    uint8_t port;  /* Index of the port. */
    uint8_t zero[3];
};
static_assert(sizeof(struct record) == 28, "no octet is left unset");

/* Writes the papers to 'file'. */
static void
write_papers(FILE *file, const struct fwd_names *hops, const char *document)
{
    for (uint32_t i = 1; i < hops->n; i++) {
        fwrite(hops->names[i], 1, strlen(hops->names[i]) + 1, file);
    }
    fputc('\0', file);
    fwrite(document, 1, strlen(document) + 1, file);
}

static void
write_record(void *file, uint8_t port, const struct fwd_arp_nd *known)
{
    const struct record record = {known->about, known->mac, known->vlan,
                                  port, {0}};

    fwrite(&record, sizeof record, 1, file);
}

/* Makes a memfd, stores it in '*fdp', and opens it to be written. */
static FILE *
create_file(const char *name, int *fdp)
{
    *fdp = memfd_create(name, MFD_CLOEXEC);
    return *fdp < 0 ? NULL : fdopen(dup(*fdp), "w");
}

int
fwd_estate_write(struct fwd_estate *estate, const struct fwd_names *hops,
                 struct fwd_neighbours *neighbours, const char *document)
{
    FILE *file = create_file("sluice-papers", &estate->papers);

    if (!file) {
        return errno;
    }
    write_papers(file, hops, document);
    if (fclose(file)) {
        return errno;
    }
    file = create_file("sluice-neighbours", &estate->known);
    if (!file) {
        return errno;
    }
    fwd_neighbours_tell(neighbours, write_record, file);
    return fclose(file) ? errno : 0;
}

/* Reads the whole of a file; null with errno set if that fails. */
static char *
read_whole(int fd, size_t *size)
{
    struct stat status;
    char *text;

    if (fstat(fd, &status)) {
        return NULL;
    }
    *size = (size_t) status.st_size;
    text = malloc(*size + 1);
    if (text && pread(fd, text, *size, 0) != (ssize_t) *size) {
        free(text);
        return NULL;
    }
    return text;
}

/* Takes the names; returns what follows them, or null if they are not in
 * order. */
static const char *
take_names(const char *at, const char *end, struct fwd_names *hops)
{
    while (at < end && *at) {
        uint32_t number = hops->n;

        if (fwd_names_number(hops, at) != number) {
            return NULL;
        }
        at += strlen(at) + 1;
    }
    return at + 1 < end ? at + 1 : NULL;
}

int
fwd_estate_read(const struct fwd_estate *estate, struct fwd_names *hops,
                char **documentp)
{
    const char *document;
    size_t size;
    char *text = read_whole(estate->papers, &size);
    int error = 0;

    if (!text) {
        return errno;
    }
    text[size] = '\0';
    document = take_names(text, text + size, hops);
    if (!document) {
        error = EPROTO;
    } else {
        *documentp = strdup(document);
        error = *documentp ? 0 : ENOMEM;
    }
    free(text);
    return error;
}

int
fwd_estate_introduce(const struct fwd_estate *estate,
                     struct fwd_neighbours *neighbours)
{
    size_t size;
    char *records = read_whole(estate->known, &size);

    if (!records) {
        return errno;
    }
    for (size_t i = 0; i < size / sizeof(struct record); i++) {
        struct fwd_arp_nd known = {0};
        struct record record;

        memcpy(&record, records + i * sizeof record, sizeof record);
        known.vlan = record.vlan;
        known.about = record.address;
        known.mac = record.mac;
        fwd_neighbours_learn(neighbours, record.port, &known);
    }
    free(records);
    return 0;
}

void
fwd_estate_close(struct fwd_estate *estate)
{
    if (estate->papers >= 0) {
        close(estate->papers);
    }
    if (estate->known >= 0) {
        close(estate->known);
    }
    for (uint16_t i = 0; i < estate->n_tables; i++) {
        if (estate->tables[i] >= 0) {
            close(estate->tables[i]);
        }
    }
}
