// SPDX-License-Identifier: EPL-2.0
/* The bytes of a fuzzer's input, as a program that a harness runs: what is
 * beyond the end is 0, so any input is a program, and any prefix of it.
 *
 * Each harness is a file with the two functions of libFuzzer that are declared
 * here; libFuzzer's main() runs it, or that of replay.c. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called once, at the beginning; returns 0. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Runs an input; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the run unless what must hold does. */
static inline void
require(bool is_so, const char *what)
{
    if (!is_so) {
        fprintf(stderr, "broken: %s\n", what);
        abort();
    }
}

struct input {
    const uint8_t *at;
    size_t left;
};

static inline uint8_t
input_byte(struct input *input)
{
    if (!input->left) {
        return 0;
    }
    input->left--;
    return *input->at++;
}

static inline uint16_t
input_word(struct input *input)
{
    uint16_t high = input_byte(input);

    return (uint16_t) (high << 8 | input_byte(input));
}

/* A number below 'n', which is 1 to 256. */
static inline uint8_t
input_below(struct input *input, unsigned int n)
{
    return (uint8_t) (input_byte(input) % n);
}

/* Copies up to 'size' bytes; returns how many. */
static inline size_t
input_bytes(struct input *input, void *to, size_t size)
{
    size_t n = size < input->left ? size : input->left;

    memcpy(to, input->at, n);
    input->at += n;
    input->left -= n;
    return n;
}

/* Changes up to three of 'size' bytes, or none if there are none. */
static inline void
input_damage(struct input *input, uint8_t *data, size_t size)
{
    for (uint8_t n = input_below(input, 4); n-- && size;) {
        uint16_t at = input_word(input);

        data[at % size] = input_byte(input);
    }
}

#endif
