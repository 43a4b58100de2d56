/* SPDX-License-Identifier: Apache-2.0
 *
 * See stdlib.h.
 */
#pragma once
#include <stddef.h>

void* memcpy(void* to, const void* from, size_t bytes);
size_t strlen(const char* text);
