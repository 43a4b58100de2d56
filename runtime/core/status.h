// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace linnet {

// Why something failed. Append only: the C API's linnet_status has the same values.
enum class StatusCode : uint32_t {
  kOk = 0,
  kInvalidArgument = 1,  // the caller passed something impossible
  kInvalidPlan = 2,      // the plan is damaged or breaks a rule of the format
  kUnsupported = 3,      // this build or machine cannot do it
  kVersion = 4,          // the plan needs a newer version of this library
  kNoMemory = 5,         // a block given by the caller is too small, or there is no memory
  kIo = 6,               // a file could not be read
  kBadIndex = 7,         // Run: an index read from data is out of range
  kCancelled = 8,        // Run: the caller cancelled
  kDeviceLost = 9,       // Run: the GPU stopped working
  kInternal = 10,        // a bug in Linnet
  kTimeout = 11,         // Wait: the time is up, the work has not ended
};

inline constexpr int32_t kNoStep = -1;

// The result of everything in the runtime that can fail. 16 bytes, cheap to copy, never allocates:
// `what` is a string literal, `step` the index of the plan's step that failed, or kNoStep. All bits
// of success are zero, so that code that returns and tests it, which is everywhere, is short.
class [[nodiscard]] Status {
 public:
  constexpr Status() = default;  // ok
  constexpr Status(StatusCode code, const char* what, int32_t step = kNoStep)
      : what_(what), code_(code), step_number_(step + 1) {}

  constexpr bool ok() const { return code_ == StatusCode::kOk; }
  constexpr StatusCode code() const { return code_; }
  constexpr const char* what() const { return what_ == nullptr ? "" : what_; }
  constexpr int32_t step() const { return step_number_ - 1; }
  // The same error with this step, unless it has one already.
  constexpr Status At(int32_t step) const {
    return ok() || step_number_ != 0 ? *this : Status(code_, what_, step);
  }

 private:
  const char* what_ = nullptr;
  StatusCode code_ = StatusCode::kOk;
  int32_t step_number_ = 0;  // step + 1
};
static_assert(sizeof(void*) != 8 || sizeof(Status) == 16);

}  // namespace linnet

#define LINNET_RETURN_IF_ERROR(expr)                                               \
  do {                                                                             \
    if (auto linnet_status_ = (expr); !linnet_status_.ok()) return linnet_status_; \
  } while (false)
