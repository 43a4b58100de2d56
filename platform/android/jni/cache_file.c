/* SPDX-License-Identifier: Apache-2.0
 *
 * cache_file.c: the file in which a session keeps what it learned about the GPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/android/jni/natives.h"

void* ReadCache(const char* path, size_t* bytes) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return NULL;
  void* data = NULL;
  long size = -1;
  if (fseek(file, 0, SEEK_END) == 0) size = ftell(file);
  if (size > 0 && fseek(file, 0, SEEK_SET) == 0) data = malloc((size_t)size);
  if (data != NULL && fread(data, 1, (size_t)size, file) != (size_t)size) {
    free(data);
    data = NULL;
  }
  fclose(file);
  *bytes = data == NULL ? 0 : (size_t)size;
  return data;
}

/* Written under another name first, so that the file is never incomplete. Without room on the disk
 * there is no file, and the next process tests the GPU again. */
void StoreCache(void* context, const void* data, size_t bytes) {
  const char* path = context;
  const size_t length = strlen(path);
  char* temporary = malloc(length + sizeof ".new");
  if (temporary == NULL) return;
  memcpy(temporary, path, length);
  memcpy(temporary + length, ".new", sizeof ".new");
  FILE* file = fopen(temporary, "wb");
  if (file != NULL) {
    const int written = fwrite(data, 1, bytes, file) == bytes;
    if (fclose(file) != 0 || !written || rename(temporary, path) != 0) remove(temporary);
  }
  free(temporary);
}
