/* SPDX-License-Identifier: Apache-2.0 */
/* Output through the debugger or the emulator that the processor runs under (Arm's semihosting). */
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a text that ends with a zero. */
void SemihostingWrite(const char* text);
/* Ends the program with the given code. */
__attribute__((noreturn)) void SemihostingExit(int code);

#ifdef __cplusplus
}
#endif
