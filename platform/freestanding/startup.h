/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/* The most bytes of the stack that were in use at once since reset. */
uint32_t StackBytes(void);
