/* SPDX-License-Identifier: Apache-2.0
 *
 * deprecated.h: former names of functions, for programs that still use them. The next minor version
 * removes them. linnet.h includes this header unless LINNET_NO_DEPRECATED is defined.
 */
#ifndef LINNET_DEPRECATED_H_
#define LINNET_DEPRECATED_H_

#include "linnet/linnet.h"

#if defined(__GNUC__)
#define LINNET_FORMER_NAME(now) static inline __attribute__((deprecated("it is called " #now)))
#else
#define LINNET_FORMER_NAME(now) static inline
#endif

LINNET_FORMER_NAME(linnet_cpu_kernels)
const char* linnet_xnnpack_package(void) {
  const char* text = linnet_cpu_kernels();
  return text[0] == 'X' ? text + sizeof("XNNPACK ") - 1 : text;
}
LINNET_FORMER_NAME(linnet_session_num_inputs)
int32_t linnet_num_inputs(const linnet_session* session) {
  return linnet_session_num_inputs(session);
}
LINNET_FORMER_NAME(linnet_session_num_outputs)
int32_t linnet_num_outputs(const linnet_session* session) {
  return linnet_session_num_outputs(session);
}
LINNET_FORMER_NAME(linnet_session_input_info)
const linnet_tensor_info* linnet_input_info(const linnet_session* session, int32_t index) {
  return linnet_session_input_info(session, index);
}
LINNET_FORMER_NAME(linnet_session_output_info)
const linnet_tensor_info* linnet_output_info(const linnet_session* session, int32_t index) {
  return linnet_session_output_info(session, index);
}
LINNET_FORMER_NAME(linnet_session_find_input)
int32_t linnet_find_input(const linnet_session* session, const char* name) {
  return linnet_session_find_input(session, name);
}
LINNET_FORMER_NAME(linnet_session_find_output)
int32_t linnet_find_output(const linnet_session* session, const char* name) {
  return linnet_session_find_output(session, name);
}
LINNET_FORMER_NAME(linnet_session_set_input_shape)
linnet_status linnet_set_input_shape(linnet_session* session, int32_t index, const int64_t* dims,
                                     int32_t rank) {
  return linnet_session_set_input_shape(session, index, dims, rank);
}
LINNET_FORMER_NAME(linnet_session_input_shape)
int32_t linnet_input_shape(const linnet_session* session, int32_t index,
                           int64_t dims[LINNET_MAX_RANK]) {
  return linnet_session_input_shape(session, index, dims);
}
LINNET_FORMER_NAME(linnet_session_output_shape)
int32_t linnet_output_shape(const linnet_session* session, int32_t index,
                            int64_t dims[LINNET_MAX_RANK]) {
  return linnet_session_output_shape(session, index, dims);
}
LINNET_FORMER_NAME(linnet_session_input_data)
void* linnet_input_data(linnet_session* session, int32_t index) {
  return linnet_session_input_data(session, index);
}
LINNET_FORMER_NAME(linnet_session_output_data)
const void* linnet_output_data(const linnet_session* session, int32_t index) {
  return linnet_session_output_data(session, index);
}
LINNET_FORMER_NAME(linnet_session_bind_input)
linnet_status linnet_bind_input(linnet_session* session, int32_t index, const void* data,
                                size_t bytes) {
  return linnet_session_bind_input(session, index, data, bytes);
}
LINNET_FORMER_NAME(linnet_session_bind_output)
linnet_status linnet_bind_output(linnet_session* session, int32_t index, void* data, size_t bytes) {
  return linnet_session_bind_output(session, index, data, bytes);
}
LINNET_FORMER_NAME(linnet_session_run)
linnet_status linnet_run(linnet_session* session) { return linnet_session_run(session); }
LINNET_FORMER_NAME(linnet_session_cancel)
void linnet_cancel(linnet_session* session) { linnet_session_cancel(session); }
LINNET_FORMER_NAME(linnet_session_last_error)
const linnet_error* linnet_last_error(const linnet_session* session) {
  return linnet_session_last_error(session);
}
LINNET_FORMER_NAME(linnet_session_num_steps)
int32_t linnet_num_steps(const linnet_session* session) {
  return linnet_session_num_steps(session);
}
LINNET_FORMER_NAME(linnet_session_get_step_info)
int linnet_get_step_info(const linnet_session* session, int32_t index, linnet_step_info* info) {
  return linnet_session_get_step_info(session, index, info);
}
LINNET_FORMER_NAME(linnet_session_enable_profile)
void linnet_enable_profile(linnet_session* session, int on) {
  linnet_session_enable_profile(session, on);
}
LINNET_FORMER_NAME(linnet_session_step_ns)
const int64_t* linnet_step_ns(const linnet_session* session) {
  return linnet_session_step_ns(session);
}

#endif /* LINNET_DEPRECATED_H_ */
