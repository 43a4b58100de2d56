/* SPDX-License-Identifier: Apache-2.0
 *
 * See stdlib.h.
 */
#pragma once
#include <stddef.h>

typedef struct File FILE;
enum { SEEK_SET = 0, SEEK_END = 2 };

FILE* fopen(const char* path, const char* mode);
int fclose(FILE* file);
int fseek(FILE* file, long offset, int from);
long ftell(FILE* file);
size_t fread(void* to, size_t bytes, size_t count, FILE* file);
size_t fwrite(const void* from, size_t bytes, size_t count, FILE* file);
int remove(const char* path);
int rename(const char* from, const char* to);
