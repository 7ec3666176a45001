/* SPDX-License-Identifier: MIT */
/* Words and numbers of a text in memory, the same in every locale. */
#ifndef DEMI_TEXT_H
#define DEMI_TEXT_H

#include <stdint.h>

typedef struct demi_text {
    const char *at, *end;
    uint64_t line; /* of `at`, from 1 */
} demi_text;

typedef struct demi_word {
    const char *at;
    uint64_t length;
} demi_word;

demi_text demi_text_open(const void *bytes, uint64_t size);

/* The next word, which spaces end; 0 at the end of the text. */
int demi_text_word(demi_text *text, demi_word *word);
/* The same within the line; 0 at its end. */
int demi_text_word_in_line(demi_text *text, demi_word *word);
/* Goes behind the end of the line. */
void demi_text_next_line(demi_text *text);

/* Whether a word is the given one, which is in small letters, in letters of any case. */
int demi_word_is(demi_word word, const char *name);

/* Whether a word is a decimal number, and its value: infinite where that is too large. */
int demi_word_number(demi_word word, double *value);

/* For messages: up to 40 characters, none of which ends the line. */
enum { DEMI_WORD_SHOWN = 41 };
const char *demi_word_shown(demi_word word, char shown[DEMI_WORD_SHOWN]);

#endif
