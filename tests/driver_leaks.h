// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ends a program whose GPU is never closed, with `result`, or with 1 if AddressSanitizer finds
// leaks. With AddressSanitizer or the validation layer neither destructors nor atexit() functions
// run, because drivers still have threads then, and the layer aborts. A leak counts if it is found
// twice: a thread of a driver that just starts or ends may hold pointers where the first look
// misses them.
[[noreturn]] void EndBesideDrivers(int result);
