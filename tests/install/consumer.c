/* SPDX-License-Identifier: Apache-2.0 */
#include <linnet/linnet.h>
#include <stdio.h>

/* Opens the plan named on the command line, runs it once on zeros and prints the first output's type. */
int main(int argc, char** argv) {
  linnet_plan* plan = NULL;
  linnet_session* session = NULL;
  linnet_error error;
  if (argc != 2) return 1;
  if (linnet_plan_open_file(argv[1], NULL, &plan, &error) != LINNET_OK ||
      linnet_session_create(plan, NULL, &session, &error) != LINNET_OK) {
    fprintf(stderr, "%s\n", error.text);
    linnet_plan_close(plan);
    return 2;
  }
  if (linnet_session_run(session) != LINNET_OK) return 3;
  printf("linnet %s: %s %s, %lld bytes\n", linnet_version(), linnet_session_output_info(session, 0)->name,
         linnet_dtype_name(linnet_session_output_info(session, 0)->dtype),
         (long long)linnet_session_output_info(session, 0)->bytes);
  linnet_session_destroy(session);
  linnet_plan_close(plan);
  return 0;
}
