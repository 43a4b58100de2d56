/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the plan that was linked into the image once, in static memory and on the noise of noise.h,
 * and prints what it computes and what it takes. MODEL is the plan's symbol, MODEL_HEADER the
 * header that linnet_add_model wrote for it. */
#include <linnet/linnet.h>
#include MODEL_HEADER

#include "report.h"
#include "static_memory.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define OF_MODEL(name) JOIN(MODEL, name)

static OF_MODEL(_opened_block) opened_memory;
static OF_MODEL(_weights_block) weights_memory;
static OF_MODEL(_session_block) session_memory;
static OF_MODEL(_temporary_block) temporary_memory;

static static_memory temporaries = {temporary_memory, sizeof(temporary_memory), 0, 0, 0};
static const linnet_allocator allocator = {sizeof(linnet_allocator), &temporaries, AllocateStatic,
                                           ReleaseStatic};

static linnet_status Create(linnet_plan** plan, linnet_weights** weights, linnet_session** session,
                            linnet_error* error) {
  linnet_open_options open = {0};
  open.struct_size = sizeof(open);
  open.flags = LINNET_OPEN_IN_PLACE; /* the plan is in flash, where nothing changes */
  open.allocator = &allocator;
  open.block = opened_memory;
  open.block_bytes = sizeof(opened_memory);
  linnet_status status =
      linnet_plan_open_memory(OF_MODEL(_plan), sizeof(OF_MODEL(_plan)), &open, plan, error);
  if (status != LINNET_OK) return status;
  linnet_session_options options = {0};
  options.struct_size = sizeof(options);
  options.block = weights_memory;
  options.block_bytes = sizeof(weights_memory);
  status = linnet_weights_prepare(*plan, &options, weights, error);
  if (status != LINNET_OK) return status;
  options.weights = *weights;
  options.block = session_memory;
  options.block_bytes = sizeof(session_memory);
  return linnet_session_create(*plan, &options, session, error);
}

int main(void) {
  linnet_plan* plan = NULL;
  linnet_weights* weights = NULL;
  linnet_session* session = NULL;
  linnet_error error;
  StartCounting();
  if (Create(&plan, &weights, &session, &error) != LINNET_OK) return Fail(error.text);
  PrintTicks("creation");
  FillInputs(session);
  StartCounting();
  if (linnet_session_run(session) != LINNET_OK)
    return Fail(linnet_session_last_error(session)->text);
  PrintTicks("run");
  PrintMemory(plan, session, temporaries.most);
  PrintOutputs(session);
  linnet_session_destroy(session);
  linnet_weights_release(weights);
  linnet_plan_close(plan);
  return 0;
}
