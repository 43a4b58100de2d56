// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "linnet/linnet.h"
#include "runtime/core/diagnostic.h"
#include "runtime/core/status.h"

namespace linnet::api {

// Writes `status`, and the sentence in `diagnostic` if there is one, to *error, which may be null.
// Returns the status code of the C API.
linnet_status Report(const Status& status, const Diagnostic& diagnostic, linnet_error* error);
linnet_status Report(const Status& status, linnet_error* error);

// Copies an options struct of a caller that may be older or newer. Members that it lacks keep their
// default; null gives all defaults.
template <typename Options>
Options Defaulted(const Options* options) {
  Options out{};
  if (options != nullptr) {
    const size_t bytes = options->struct_size < sizeof(out) ? options->struct_size : sizeof(out);
    __builtin_memcpy(&out, options, bytes);
  }
  out.struct_size = sizeof(out);
  return out;
}

// Copies `result` to the caller's struct, as many bytes as the caller's version of it has, padding
// included. INVALID_ARGUMENT when its struct_size is not set.
template <typename Result>
linnet_status Return(const Result& result, Result* out) {
  if (out == nullptr || out->struct_size < sizeof(out->struct_size)) return LINNET_INVALID_ARGUMENT;
  const size_t bytes = out->struct_size < sizeof(result) ? out->struct_size : sizeof(result);
  const size_t struct_size = out->struct_size;
  __builtin_memcpy(out, &result, bytes);
  out->struct_size = struct_size;
  return LINNET_OK;
}

}  // namespace linnet::api
