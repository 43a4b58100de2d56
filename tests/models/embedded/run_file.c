/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the plan named on the command line once, on zeros: the least that a program calls. */
#include <linnet/linnet.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  linnet_plan* plan = NULL;
  linnet_session* session = NULL;
  linnet_error error;
  if (argc != 2) return 1;
  if (linnet_plan_open_file(argv[1], NULL, &plan, &error) != LINNET_OK ||
      linnet_session_create(plan, NULL, &session, &error) != LINNET_OK) {
    fprintf(stderr, "%s\n", error.text);
    return 2;
  }
  memset(linnet_session_input_data(session, 0), 0,
         (size_t)linnet_session_input_info(session, 0)->bytes);
  if (linnet_session_run(session) != LINNET_OK) return 3;
  printf("%p\n", linnet_session_output_data(session, 0));
  linnet_session_destroy(session);
  linnet_plan_close(plan);
  return 0;
}
