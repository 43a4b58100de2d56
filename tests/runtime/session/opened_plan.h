// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "runtime/session/interpreter.h"
#include "runtime/verify/verify_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {

// Opens a plan and creates a session of one of its programs, on the test's own backends.
class OpenedPlan {
 public:
  explicit OpenedPlan(const std::vector<std::byte>& bytes, size_t program = 0)
      : bytes_(bytes), program_(program) {
    LimitRegions({&plan_region_, &weights_region_, &session_region_});
  }
  // The session's memory is a block.
  OpenedPlan(const std::vector<std::byte>& bytes, std::span<std::byte> block)
      : bytes_(bytes), session_region_(block.data(), std::ssize(block)) {
    LimitRegions({&plan_region_, &weights_region_});
  }

  // Does everything up to the first run.
  Status Open(std::span<const Backend* const> backends, const Threads& threads = {},
              const KernelProfile* kernels = nullptr) {
    LINNET_RETURN_IF_ERROR(
        VerifyPlan({bytes_.data(), bytes_.size()}, plan_region_, &plan_, &diagnostic));
    LINNET_RETURN_IF_ERROR(weights_.Prepare(verified(), view(),
                                            {bytes_.data(), static_cast<int64_t>(bytes_.size())},
                                            backends, &diagnostic, kernels));
    return session.Create(threads, &diagnostic);
  }

  const PlanView& view() const { return plan_.view; }
  const PlanProgram& program() const { return view().programs[program_]; }
  const VerifiedProgram& verified() const { return plan_.programs[program_]; }
  int64_t prepared_bytes() const { return weights_.bytes(); }
  float* input(int index) { return static_cast<float*>(session.input_data(index)); }
  std::vector<float> output(int index) const {
    const auto* data = static_cast<const float*>(session.output_data(index));
    return {data, data + session.output_type(index).shape.num_elements()};
  }

  Diagnostic diagnostic;

 private:
  // A damaged plan may ask for any amount.
  static void LimitRegions(std::initializer_list<Region*> regions) {
    for (Region* region : regions) region->Limit(int64_t{1} << 24);
  }

  const PlacedBytes bytes_;
  const size_t program_ = 0;
  Region plan_region_, weights_region_, session_region_;
  VerifiedPlan plan_;
  PreparedWeights weights_{&weights_region_};

 public:
  Interpreter session{&session_region_, &weights_};
};

}  // namespace linnet
