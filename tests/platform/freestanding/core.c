/* SPDX-License-Identifier: Apache-2.0 */
/* The least that an image calls, to measure the runtime without ops: with
 * tests/models/embedded/no_ops.cc no plan has any. Says why the bytes below are no plan. */
#include <linnet/linnet.h>

#include "semihosting.h"
#include "static_memory.h"

static unsigned char opened[4096] __attribute__((aligned(64)));
static unsigned char weights_memory[4096] __attribute__((aligned(64)));
static unsigned char session_memory[4096] __attribute__((aligned(64)));
static unsigned char temporary[4096] __attribute__((aligned(64)));
static static_memory temporaries = {temporary, sizeof(temporary), 0, 0, 0};
static const linnet_allocator allocator = {sizeof(linnet_allocator), &temporaries, AllocateStatic,
                                           ReleaseStatic};

static const unsigned char no_plan[64] __attribute__((aligned(64))) = "no plan";

int main(void) {
  linnet_plan* plan = NULL;
  linnet_weights* weights = NULL;
  linnet_session* session = NULL;
  linnet_error error;
  linnet_open_options open = {0};
  linnet_session_options options = {0};
  open.struct_size = sizeof(open);
  open.flags = LINNET_OPEN_IN_PLACE;
  open.allocator = &allocator;
  open.block = opened;
  open.block_bytes = sizeof(opened);
  options.struct_size = sizeof(options);
  options.block = weights_memory;
  options.block_bytes = sizeof(weights_memory);
  if (linnet_plan_open_memory(no_plan, sizeof(no_plan), &open, &plan, &error) != LINNET_OK ||
      linnet_weights_prepare(plan, &options, &weights, &error) != LINNET_OK) {
    SemihostingWrite(error.text);
    SemihostingWrite("\n");
    return 2;
  }
  options.weights = weights;
  options.block = session_memory;
  options.block_bytes = sizeof(session_memory);
  if (linnet_session_create(plan, &options, &session, &error) != LINNET_OK) return 3;
  *(char*)linnet_session_input_data(session, 0) = 1;
  if (linnet_session_run(session) != LINNET_OK) return 4;
  return *(const char*)linnet_session_output_data(session, 0);
}
