// SPDX-License-Identifier: Apache-2.0
//
// session_options.hpp: how linnet.hpp creates sessions. Include linnet.hpp, which includes this.
#ifndef LINNET_SESSION_OPTIONS_HPP_
#define LINNET_SESSION_OPTIONS_HPP_

#include <cstddef>
#include <cstdint>

#include "linnet/span.hpp"
#include "linnet/types.h"

namespace linnet {
inline namespace v0 {

class Weights;

// How to create a session; see linnet_session_options.
struct SessionOptions {
  const char* signature = nullptr;
  linnet_backend backend = LINNET_BACKEND_AUTO;
  int threads = 1;
  pthreadpool* pool = nullptr;
  const Weights* weights = nullptr;  // null: shared with the plan's other sessions
  Span<std::byte> block = {};        // empty: the plan's allocator
  size_t max_bytes = 0;              // 0: no limit
  void (*log)(void* context, linnet_log_level level, const char* text) = nullptr;
  void* log_context = nullptr;
  const char* device = nullptr;  // null: as `backend` says
  Span<const std::byte> cache = {};
  void (*store_cache)(void* context, const void* data, size_t bytes) = nullptr;
  void* store_context = nullptr;
  uint32_t flags = 0;                  // LINNET_SESSION_...
  Span<const std::byte> kernels = {};  // a profile of `linnet-run --measure-kernels`

  inline linnet_session_options ToC() const;  // in linnet.hpp
};

}  // namespace v0
}  // namespace linnet

#endif  // LINNET_SESSION_OPTIONS_HPP_
