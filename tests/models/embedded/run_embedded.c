/* SPDX-License-Identifier: Apache-2.0 */
/* A program with a model in it, and with static memory for its session: reads the input from stdin
 * and writes the output to stdout. Usage: embedded [THREADS], of which it was linked for one. */
#include <stdio.h>
#include <string.h>

#include "liveness.h"

static liveness_session_block session_memory;
static liveness_weights_block weights_memory;
static liveness_input_0 image;

int main(int argc, char** argv) {
  linnet_plan* plan = NULL;
  linnet_weights* weights = NULL;
  linnet_session* session = NULL;
  linnet_error error;
  linnet_session_options options = {0};
  int result = 2;
  if (fread(image, LIVENESS_INPUT_0_BYTES, 1, stdin) != 1) return 1;
  options.struct_size = sizeof(options);
  options.threads = argc > 1 ? argv[1][0] - '0' : 1;
  options.block = weights_memory;
  options.block_bytes = sizeof(weights_memory);
  if (linnet_plan_open_memory(liveness_plan, LIVENESS_PLAN_BYTES, NULL, &plan, &error) ==
          LINNET_OK &&
      linnet_weights_prepare(plan, &options, &weights, &error) == LINNET_OK) {
    options.weights = weights;
    options.block = session_memory;
    options.block_bytes = sizeof(session_memory);
    result = 3;
    if (linnet_session_create(plan, &options, &session, &error) == LINNET_OK) {
      memcpy(linnet_session_input_data(session, 0), image, LIVENESS_INPUT_0_BYTES);
      if (linnet_session_run(session) == LINNET_OK &&
          fwrite(linnet_session_output_data(session, 0), LIVENESS_OUTPUT_0_BYTES, 1, stdout) == 1)
        result = 0;
    }
  }
  if (session == NULL) fprintf(stderr, "%s\n", error.text);
  linnet_session_destroy(session);
  linnet_weights_release(weights);
  linnet_plan_close(plan);
  return result;
}
