/* SPDX-License-Identifier: Apache-2.0 */
/* What an image prints, in lines of words that tests/platform/freestanding reads. */
#pragma once
#include <linnet/linnet.h>
#include <stdint.h>

/* Prints why the image fails, and returns its exit code. */
int Fail(const char* text);

/* Counts ticks of the processor's clock, at most 2^24 - 1, with its SysTick timer. */
void StartCounting(void);
/* "ticks creation 5123": since StartCounting. */
void PrintTicks(const char* what);

/* Fills every input with the same noise on every machine: floats of input i are in [0, 1 + 50 i),
 * so that a loop whose limit is an input takes its turns; zeros for all other types. */
void FillInputs(linnet_session* session);

/* "memory NAME BYTES": what linnet_session_memory says, the opened plan, temporary memory and the
 * stack. */
void PrintMemory(const linnet_plan* plan, const linnet_session* session, size_t temporary);

/* "output INDEX NAME TYPE HEX...": the bytes of every output. */
void PrintOutputs(const linnet_session* session);
