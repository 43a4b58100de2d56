/* SPDX-License-Identifier: Apache-2.0
 *
 * What platform/android/jni may use of any C library, for compilers that have none for Android.
 */
#pragma once
#include <stddef.h>

void* malloc(size_t bytes);
void* calloc(size_t count, size_t bytes);
void free(void* memory);
