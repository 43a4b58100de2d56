/* SPDX-License-Identifier: Apache-2.0 */
/* From reset to main, for Cortex-M processors with an FPU. The linker script has the addresses. */
#include "startup.h"

#include <stdint.h>

#include "semihosting.h"

int main(void);

extern uint32_t stack_top[], stack_bottom[], data_begin[], data_end[], bss_begin[], bss_end[];
extern const uint32_t data_load[];

/* The stack is filled with this word, so that StackBytes can tell how far it was used. */
#define UNUSED_WORD 0x5ac0ffeeu

static uint32_t* StackPointer(void) {
  uint32_t* pointer;
  __asm__ volatile("mov %0, sp" : "=r"(pointer));
  return pointer;
}

uint32_t StackBytes(void) {
  const uint32_t* lowest = stack_bottom;
  while (lowest < stack_top && *lowest == UNUSED_WORD) ++lowest;
  return (uint32_t)((const char*)stack_top - (const char*)lowest);
}

/* Nothing here constructs objects before main: neither this project's code nor what it links. */
__attribute__((noreturn, used)) void Reset(void) {
  volatile uint32_t* const coprocessors = (volatile uint32_t*)0xe000ed88u; /* CPACR */
  *coprocessors |= 0xfu << 20;                                             /* FPU, and vectors */
  __asm__ volatile("dsb\n\tisb" ::: "memory");
  const uint32_t* from = data_load;
  for (uint32_t* to = data_begin; to < data_end; ++to) *to = *from++;
  for (uint32_t* to = bss_begin; to < bss_end; ++to) *to = 0;
  for (uint32_t* to = StackPointer() - 16; to > stack_bottom; --to) to[-1] = UNUSED_WORD;
  SemihostingExit(main());
}

__attribute__((noreturn, used)) static void Fault(void) {
  SemihostingWrite("fault\n");
  SemihostingExit(70);
}

/* No interrupt is enabled, so there are only the processor's own exceptions. */
__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))stack_top,
    Reset,
    Fault,
    Fault,
    Fault,
    Fault,
    Fault,
    Fault,
    Fault,
    Fault,
    Fault,
    Fault,
    Fault,
    Fault,
    Fault,
    Fault,
};
