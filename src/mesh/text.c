/* SPDX-License-Identifier: MIT */
#include "mesh/text.h"

#include "mesh/doubled.h"

#include <math.h>
#include <string.h>

demi_text demi_text_open(const void *bytes, uint64_t size)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8, which some programs write */
    const uint64_t length = sizeof mark - 1;
    const char *at = bytes;
    return (demi_text){size >= length && memcmp(at, mark, length) == 0 ? at + length : at,
                       at + size, 1};
}

static int text_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0';
}

/* Lines end with "\n", "\r" or both. */
static int text_line_end(char c)
{
    return c == '\n' || c == '\r';
}

int demi_text_word_in_line(demi_text *text, demi_word *word)
{
    while (text->at < text->end && text_blank(*text->at))
        ++text->at;
    word->at = text->at;
    while (text->at < text->end && !text_blank(*text->at) && !text_line_end(*text->at))
        ++text->at;
    word->length = (uint64_t)(text->at - word->at);
    return word->length > 0;
}

void demi_text_next_line(demi_text *text)
{
    while (text->at < text->end && !text_line_end(*text->at))
        ++text->at;
    if (text->at == text->end)
        return;
    text->at += *text->at == '\r' && text->end - text->at > 1 && text->at[1] == '\n' ? 2 : 1;
    ++text->line;
}

int demi_text_word(demi_text *text, demi_word *word)
{
    while (!demi_text_word_in_line(text, word)) {
        if (text->at == text->end)
            return 0;
        demi_text_next_line(text);
    }
    return 1;
}

int demi_word_is(demi_word word, const char *name)
{
    for (uint64_t k = 0; k < word.length; ++k) {
        const char c = word.at[k];
        if (name[k] == '\0' || (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != name[k])
            return 0;
    }
    return name[word.length] == '\0';
}

const char *demi_word_shown(demi_word word, char shown[DEMI_WORD_SHOWN])
{
    uint64_t k = 0;
    for (; k < word.length && k + 1 < DEMI_WORD_SHOWN; ++k)
        shown[k] = (char)(word.at[k] >= ' ' && word.at[k] <= '~' ? word.at[k] : '?');
    shown[k] = '\0';
    return shown;
}

/* ------------------------------------------------------------------ numbers */

enum {
    NUMBER_DIGITS = 18,     /* that are used: fewer than 2^60 */
    NUMBER_EXPONENT = 1000, /* beyond it everything is 0 or infinite */
    NUMBER_ONCE = 280       /* powers of ten up to this one and their squares are finite */
};

static demi_doubled number_power_of_ten(int exponent)
{
    demi_doubled power = {1.0, 0.0}, square = {10.0, 0.0};
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 != 0)
            power = demi_doubled_multiply(power, square);
        if (exponent > 1)
            square = demi_doubled_multiply(square, square);
    }
    return power;
}

/* Below 1e-280 or so the low part would be lost: nobody needs such a length. */
static double number_scaled(uint64_t digits, int exponent)
{
    const double high = (double)digits;
    const demi_doubled whole = {high, (double)((int64_t)digits - (int64_t)high)};
    if (digits == 0 || exponent < -NUMBER_ONCE - NUMBER_DIGITS)
        return 0.0;
    if (exponent > NUMBER_ONCE)
        return HUGE_VAL;
    if (exponent >= 0)
        return demi_doubled_multiply(whole, number_power_of_ten(exponent)).high;
    if (exponent < -NUMBER_ONCE)
        return demi_doubled_divide(whole, number_power_of_ten(NUMBER_ONCE)).high /
               number_power_of_ten(-exponent - NUMBER_ONCE).high;
    return demi_doubled_divide(whole, number_power_of_ten(-exponent)).high;
}

typedef struct number_reader {
    const char *at, *end;
} number_reader;

static int number_take(number_reader *from, const char *any)
{
    for (; from->at < from->end && *any != '\0'; ++any)
        if (*from->at == *any) {
            ++from->at;
            return 1;
        }
    return 0;
}

static int number_digit(const number_reader *from)
{
    return from->at < from->end && *from->at >= '0' && *from->at <= '9';
}

/* Digits on this side of the point or the other; how many there were. */
static uint64_t number_digits(number_reader *from, uint64_t *digits, int *used, int64_t *exponent,
                              int fraction)
{
    uint64_t count = 0;
    for (; number_digit(from); ++from->at, ++count) {
        const int kept = *used < NUMBER_DIGITS;
        if (kept)
            *digits = 10 * *digits + (uint64_t)(*from->at - '0');
        *used += kept && *digits > 0;
        *exponent += (fraction ? -1 : 0) + !kept;
    }
    return count;
}

static int number_exponent(number_reader *from, int64_t *exponent)
{
    const int negative = number_take(from, "-");
    if (!negative)
        (void)number_take(from, "+");
    if (!number_digit(from))
        return 0;
    int64_t value = 0;
    for (; number_digit(from); ++from->at)
        value = value < NUMBER_EXPONENT * NUMBER_EXPONENT ? 10 * value + (*from->at - '0') : value;
    *exponent += negative ? -value : value;
    return 1;
}

int demi_word_number(demi_word word, double *value)
{
    number_reader from = {word.at, word.at + word.length};
    uint64_t digits = 0;
    int64_t exponent = 0;
    int used = 0;
    const int negative = number_take(&from, "-");
    if (!negative)
        (void)number_take(&from, "+");
    uint64_t count = number_digits(&from, &digits, &used, &exponent, 0);
    if (number_take(&from, "."))
        count += number_digits(&from, &digits, &used, &exponent, 1);
    if (count == 0 || (number_take(&from, "eE") && !number_exponent(&from, &exponent)) ||
        from.at != from.end)
        return 0;
    if (exponent > NUMBER_EXPONENT || exponent < -NUMBER_EXPONENT)
        exponent = exponent > 0 ? NUMBER_EXPONENT : -NUMBER_EXPONENT;
    const double size = number_scaled(digits, (int)exponent);
    *value = negative ? -size : size;
    return 1;
}
