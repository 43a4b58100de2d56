// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "runtime/plan/plan_view.h"
#include "runtime/session/session.h"
#include "runtime/verify/verify.h"
#include "tests/runtime/api/small_plan.h"

namespace linnet {

// A plan from its bytes to a session, on backends of the test's own.
class OpenedPlan {
 public:
  explicit OpenedPlan(const std::vector<std::byte>& bytes) : bytes_(bytes) {
    for (Region* region : {&plan_region_, &weights_region_, &session_region_})
      region->Limit(int64_t{1} << 22);  // a damaged plan may want anything
  }

  // Everything up to the first run.
  Status Open(std::span<const Backend* const> backends) {
    FileHeader header;
    std::memcpy(&header, bytes_.data(), sizeof(header));
    const std::span file(bytes_.data(), bytes_.size());
    LINNET_RETURN_IF_ERROR(CheckHeader(header, static_cast<int64_t>(file.size()), &diagnostic));
    LINNET_RETURN_IF_ERROR(ParsePlan(header,
                                     file.subspan(header.structure_offset, header.structure_bytes),
                                     plan_region_, &view_, &diagnostic));
    LINNET_RETURN_IF_ERROR(
        VerifyProgram(view_, file, program(), plan_region_, &verified_, &diagnostic));
    LINNET_RETURN_IF_ERROR(weights_.Prepare(verified_, view_,
                                            {bytes_.data(), static_cast<int64_t>(file.size())},
                                            backends, {}, &diagnostic));
    return session.Create({}, &diagnostic);
  }

  const PlanView& view() const { return view_; }
  const PlanProgram& program() const { return view_.programs[0]; }
  const VerifiedProgram& verified() const { return verified_; }
  float* input(int index) { return static_cast<float*>(session.input_data(index)); }
  std::vector<float> output(int index) const {
    const auto* data = static_cast<const float*>(session.output_data(index));
    return {data, data + session.output_type(index).shape.num_elements()};
  }

  Diagnostic diagnostic;

 private:
  const PlacedBytes bytes_;
  Region plan_region_, weights_region_, session_region_;
  PlanView view_;
  VerifiedProgram verified_;
  PreparedWeights weights_{&weights_region_};

 public:
  Session session{&session_region_, &weights_};
};

}  // namespace linnet
