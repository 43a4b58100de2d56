// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "linnet/linnet.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {

// Opens a plan and creates a session.
class OpenedRawPlan {
 public:
  explicit OpenedRawPlan(const std::vector<std::byte>& bytes,
                         linnet_backend backend = LINNET_BACKEND_PORTABLE)
      : bytes_(bytes) {
    status = linnet_plan_open_memory(bytes_.data(), bytes_.size(), nullptr, &plan_, &error);
    if (status != LINNET_OK) return;
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = backend;
    options.max_bytes = size_t{64} << 20;
    status = linnet_session_create(plan_, &options, &session, &error);
  }
  ~OpenedRawPlan() {
    linnet_session_destroy(session);
    linnet_plan_close(plan_);
  }
  OpenedRawPlan(const OpenedRawPlan&) = delete;
  OpenedRawPlan& operator=(const OpenedRawPlan&) = delete;

  bool IsRefused(const char* reason) const {
    return status == LINNET_INVALID_PLAN &&
           std::string(error.text).find(reason) != std::string::npos;
  }
  float* input(int index) const {
    return static_cast<float*>(linnet_session_input_data(session, index));
  }
  const float* output(int index) const {
    return static_cast<const float*>(linnet_session_output_data(session, index));
  }

  linnet_status status = LINNET_OK;
  linnet_error error{};
  linnet_session* session = nullptr;

 private:
  PlacedBytes bytes_;
  linnet_plan* plan_ = nullptr;
};

}  // namespace linnet
