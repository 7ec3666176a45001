/* SPDX-License-Identifier: MIT */
/* The laws of pairs of materials among packed bytes: who reads states must have the same ones. */
#ifndef DEMI_MODEL_TABLE_H
#define DEMI_MODEL_TABLE_H

#include "contact/models.h"
#include "io/stream.h"

/* A pair of materials in one number, and back. */
static inline uint64_t demi_materials_pair(int32_t a, int32_t b)
{
    return (uint32_t)a | (uint64_t)(uint32_t)b << 32;
}

typedef struct demi_model_table {
    demi_context *context;
    const demi_models *models;
    const char *of;   /* what the bytes hold, for messages */
    const char *call; /* that sets a model */
    uint64_t *pair;   /* room for all pairs that are named */
    uint64_t count;
} demi_model_table;

/* Names a pair of materials, if it is not named yet. */
void demi_model_table_add(demi_model_table *table, int32_t a, int32_t b);
/* Whether a pair is named. */
int demi_model_table_has(const demi_model_table *table, int32_t a, int32_t b);
/* Forgets all names: each table ends with this. */
void demi_model_table_clear(demi_model_table *table);
/* Writes the pairs and their laws. */
void demi_model_table_write(demi_writer *out, const demi_model_table *table);
/* Reads and checks `count` pairs, for which there is room, and names them. */
dem_status demi_model_table_read(demi_reader *in, demi_model_table *table, uint64_t count);
/* Words of a pair at least. */
enum { DEMI_MODEL_TABLE_LEAST = 3 };

#endif
