/* SPDX-License-Identifier: Apache-2.0 */
/* A linnet_allocator that takes memory from one block of the caller, as a stack: a piece that is
 * freed can be used again if it was the last one, all others when no piece is left. `linnet embed`
 * measures by the same rule (converter/cli/session_sizes.cc), so a block of NAME_TEMPORARY_BYTES is
 * enough to open the plan NAME and to create its session in blocks of their own. */
#pragma once
#include <linnet/linnet.h>

typedef struct static_memory {
  unsigned char* block; /* at a multiple of 64 */
  size_t bytes;
  size_t used;
  size_t most;   /* that was ever used */
  size_t pieces; /* that are in use */
} static_memory;

static inline void* AllocateStatic(void* context, size_t bytes, size_t alignment) {
  static_memory* memory = (static_memory*)context;
  const size_t whole = (bytes + 63) / 64 * 64;
  if (alignment > 64 || whole < bytes || whole > memory->bytes - memory->used) return NULL;
  unsigned char* piece = memory->block + memory->used;
  memory->used += whole;
  ++memory->pieces;
  if (memory->used > memory->most) memory->most = memory->used;
  return piece;
}

static inline void ReleaseStatic(void* context, void* piece, size_t bytes) {
  static_memory* memory = (static_memory*)context;
  const size_t whole = (bytes + 63) / 64 * 64;
  const size_t begin = (size_t)((unsigned char*)piece - memory->block);
  if (begin + whole == memory->used) memory->used = begin;
  if (--memory->pieces == 0) memory->used = 0;
}
