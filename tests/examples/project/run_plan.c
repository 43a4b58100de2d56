/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the plan named on the command line, runs it in the background on zeros and prints what goes
 * in and comes out. */
#include <linnet/linnet.h>
#include <stdio.h>
#include <string.h>

static void print(const char* kind, const linnet_tensor_info* info) {
  int32_t i;
  printf("%s %s: %s [", kind, info->name, linnet_dtype_name(info->dtype));
  for (i = 0; i < info->rank; ++i) printf("%s%lld", i > 0 ? "," : "", (long long)info->dims[i]);
  printf("]\n");
}

static int run(linnet_session* session) {
  int32_t i;
  for (i = 0; i < linnet_session_num_inputs(session); ++i) {
    const linnet_tensor_info* info = linnet_session_input_info(session, i);
    print("input", info);
    memset(linnet_session_input_data(session, i), 0, (size_t)info->bytes);
  }
  /* A program with nothing else to do meanwhile would call linnet_session_run instead. */
  if (linnet_session_submit(session) != LINNET_OK ||
      linnet_session_wait(session, -1) != LINNET_OK) {
    fprintf(stderr, "%s\n", linnet_session_last_error(session)->text);
    return 3;
  }
  for (i = 0; i < linnet_session_num_outputs(session); ++i)
    print("output", linnet_session_output_info(session, i));
  return 0;
}

int main(int argc, char** argv) {
  linnet_plan* plan = NULL;
  linnet_session* session = NULL;
  linnet_error error;
  int result = 2;
  if (argc != 2) {
    fprintf(stderr, "usage: %s PLAN\n", argv[0]);
    return 1;
  }
  if (linnet_plan_open_file(argv[1], NULL, &plan, &error) != LINNET_OK ||
      linnet_session_create(plan, NULL, &session, &error) != LINNET_OK)
    fprintf(stderr, "%s\n", error.text);
  else
    result = run(session);
  linnet_session_destroy(session);
  linnet_plan_close(plan);
  return result;
}
