// SPDX-License-Identifier: EPL-2.0
/* Runs the inputs of folders through a harness, without libFuzzer:
 *
 *     fuzz-packet FOLDER ... */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>

#include "input.h"

/* Runs a file; its name is the last thing said if that fails. */
static bool
run_file(const char *path)
{
    char *data;
    size_t size;

    if (!g_file_get_contents(path, &data, &size, NULL)) {
        fprintf(stderr, "%s: can't be read\n", path);
        return false;
    }
    fprintf(stderr, "%s\n", path);
    /* At the very end of its own allocation, without GLib's final zero. */
    data = realloc(data, size ? size : 1);
    LLVMFuzzerTestOneInput((const uint8_t *) data, size);
    free(data);
    return true;
}

/* Returns the number of inputs, or -1. */
static int
run_folder(const char *folder)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort), n_run = 0;

    for (int i = 0; i < n; i++) {
        char *path = g_build_filename(folder, entries[i]->d_name, NULL);

        if (entries[i]->d_name[0] != '.' && n_run >= 0) {
            n_run = run_file(path) ? n_run + 1 : -1;
        }
        g_free(path);
        free(entries[i]);
    }
    if (n >= 0) {
        free(entries);
    }
    return n_run;
}

int
main(int argc, char *argv[])
{
    int n_run = 0;

    if (LLVMFuzzerInitialize(&argc, &argv)) {
        return EXIT_FAILURE;
    }
    for (int i = 1; i < argc; i++) {
        int n = run_folder(argv[i]);

        if (n < 0) {
            return EXIT_FAILURE;
        }
        n_run += n;
    }
    printf("%d inputs\n", n_run);
    return n_run ? EXIT_SUCCESS : EXIT_FAILURE;
}
