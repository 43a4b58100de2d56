/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include "semihosting.h"
#include "startup.h"

static void WriteNumber(uint64_t number) {
  char digits[21];
  char* first = digits + sizeof(digits) - 1;
  *first = '\0';
  do *--first = (char)('0' + number % 10);
  while ((number /= 10) != 0);
  SemihostingWrite(first);
}

int Fail(const char* text) {
  SemihostingWrite("failed: ");
  SemihostingWrite(text);
  SemihostingWrite("\n");
  return 1;
}

static volatile uint32_t* const systick = (volatile uint32_t*)0xe000e010u;
static const uint32_t kMostTicks = 0xffffff;

void StartCounting(void) {
  systick[0] = 0;
  systick[1] = kMostTicks; /* counts down from here */
  systick[2] = 0;
  systick[0] = 5; /* by the processor's clock, without an interrupt */
}

void PrintTicks(const char* what) {
  const uint32_t left = systick[2];
  const int over = (systick[0] >> 16 & 1) != 0;
  SemihostingWrite("ticks ");
  SemihostingWrite(what);
  SemihostingWrite(" ");
  if (over)
    SemihostingWrite("too-many");
  else
    WriteNumber(kMostTicks - left);
  SemihostingWrite("\n");
}

void FillInputs(linnet_session* session) {
  uint32_t state = 1;
  const linnet_tensor_info* info;
  for (int32_t i = 0; (info = linnet_session_input_info(session, i)) != NULL; ++i) {
    unsigned char* data = (unsigned char*)linnet_session_input_data(session, i);
    if (info->dtype != LINNET_FLOAT32) {
      for (int64_t k = 0; k < info->bytes; ++k) data[k] = 0;
      continue;
    }
    float* floats = (float*)(void*)data;
    for (int64_t k = 0; k < info->bytes / 4; ++k) {
      state = state * 1664525u + 1013904223u;
      floats[k] = (float)(state >> 8) / 16777216.0f * (float)(1 + 50 * i);
    }
  }
}

static void PrintBytes(const char* name, int64_t bytes) {
  SemihostingWrite("memory ");
  SemihostingWrite(name);
  SemihostingWrite(" ");
  WriteNumber((uint64_t)bytes);
  SemihostingWrite("\n");
}

void PrintMemory(const linnet_plan* plan, const linnet_session* session, size_t temporary) {
  linnet_memory memory;
  memory.struct_size = sizeof(memory);
  linnet_session_memory(session, &memory);
  PrintBytes("opened", linnet_plan_bytes(plan));
  PrintBytes("session", memory.block);
  PrintBytes("arena", memory.arena);
  PrintBytes("workspace", memory.workspace);
  PrintBytes("prepared", memory.prepared);
  PrintBytes("temporary", (int64_t)temporary);
  PrintBytes("stack", StackBytes());
}

static void WriteHex(const unsigned char* bytes, int64_t count) {
  static const char kDigits[] = "0123456789abcdef";
  char text[3] = "";
  for (int64_t i = 0; i < count; ++i) {
    text[0] = kDigits[bytes[i] >> 4];
    text[1] = kDigits[bytes[i] & 15];
    SemihostingWrite(text);
  }
}

void PrintOutputs(const linnet_session* session) {
  const linnet_tensor_info* info;
  for (int32_t i = 0; (info = linnet_session_output_info(session, i)) != NULL; ++i) {
    SemihostingWrite("output ");
    SemihostingWrite(info->name);
    SemihostingWrite(" ");
    SemihostingWrite(linnet_dtype_name(info->dtype));
    SemihostingWrite(" ");
    WriteHex((const unsigned char*)linnet_session_output_data(session, i), info->bytes);
    SemihostingWrite("\n");
  }
}
