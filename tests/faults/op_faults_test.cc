// SPDX-License-Identifier: Apache-2.0
// Lets every call of malloc fail once while a plan is opened, its weights prepared, a session
// created and run, for each conformance case of each op as its own plan, and for plans with a loop,
// varying extents and states, on each backend. The function whose malloc failed must return
// LINNET_NO_MEMORY, and nothing may leak. Replaces the C library's allocator (counted_malloc.h), so
// it is not built with sanitizers.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "linnet/linnet.h"
#include "runtime/ops/op_codec.h"
#include "tests/conformance/case_graph.h"
#include "tests/runtime/counted_malloc.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

// The number of failed calls in all tests, printed at the end.
int64_t failed_calls = 0;
int64_t plans = 0;

// A plan, and the bytes of its inputs in order; inputs without bytes are zeros.
struct Subject {
  std::string name;
  std::vector<std::byte> plan;
  std::vector<std::vector<uint8_t>> inputs;
};

void Feed(linnet_session* session, const Subject& subject) {
  for (int32_t i = 0; i < linnet_session_num_inputs(session); ++i) {
    void* data = linnet_session_input_data(session, i);
    std::memset(data, 0, static_cast<size_t>(linnet_session_input_info(session, i)->bytes));
    const size_t index = static_cast<size_t>(i);
    if (index < subject.inputs.size() && !subject.inputs[index].empty())
      std::memcpy(data, subject.inputs[index].data(), subject.inputs[index].size());
  }
}

// Opens, prepares, creates, runs and closes. Returns the first status that is not LINNET_OK.
linnet_status Life(const PlacedBytes& bytes, const Subject& subject, linnet_backend backend,
                   linnet_error* error) {
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.backend = backend;
  linnet_plan* plan = nullptr;
  linnet_weights* weights = nullptr;
  linnet_session* session = nullptr;
  linnet_status status = linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan, error);
  if (status == LINNET_OK) status = linnet_weights_prepare(plan, &options, &weights, error);
  options.weights = weights;
  if (status == LINNET_OK) status = linnet_session_create(plan, &options, &session, error);
  if (status == LINNET_OK) {
    Feed(session, subject);
    status = linnet_session_run(session);
  }
  linnet_session_destroy(session);
  linnet_weights_release(weights);
  linnet_plan_close(plan);
  return status;
}

void ExpectAllFailuresAnswered(const Subject& subject, linnet_backend backend) {
  const PlacedBytes bytes(subject.plan);
  linnet_error error{};
  // The first pass initialises what lives as long as the process (XNNPACK, cpuinfo).
  const linnet_status unharmed = Life(bytes, subject, backend, &error);
  ASSERT_TRUE(unharmed == LINNET_OK || unharmed == LINNET_BAD_INDEX) << error.text;
  int64_t calls;
  {
    const CountedScope scope(-1);
    Life(bytes, subject, backend, &error);
    calls = CountedScope::calls();
  }
  ASSERT_GT(calls, 2);
  for (int64_t call = 0; call < calls; ++call) {
    linnet_status status;
    int64_t left;
    {
      const CountedScope scope(call);
      status = Life(bytes, subject, backend, &error);
      left = CountedScope::live();
    }
    ASSERT_EQ(status, LINNET_NO_MEMORY) << "call " << call << " of " << calls << " fails";
    ASSERT_EQ(left, 0) << "call " << call << " of " << calls << " fails";
  }
  failed_calls += calls;
  ++plans;
}

void ExpectOnAllBackends(const Subject& subject) {
  SCOPED_TRACE(subject.name);
  for (const linnet_backend backend : {LINNET_BACKEND_PORTABLE, LINNET_BACKEND_CPU})
    ExpectAllFailuresAnswered(subject, backend);
}

class OpFaults : public testing::TestWithParam<conformance::OpFile> {};

TEST_P(OpFaults, EachFailingMallocIsAnswered) {
  std::string error;
  const auto cases = conformance::LoadCases(
      std::string(LINNET_GOLDEN_DIR "/") + GetParam().file + ".json", GetParam().kind, &error);
  ASSERT_EQ(error, "");
  int64_t tried = 0;
  for (const conformance::OpCase& test : cases) {
    if (test.error == StatusCode::kInvalidPlan) continue;
    Subject subject{test.name, conformance::CasePlan(test, &error), {}};
    ASSERT_FALSE(subject.plan.empty()) << test.name << ": " << error;
    for (const conformance::CaseTensor& tensor : test.inputs)
      if (!tensor.constant) subject.inputs.push_back(tensor.bytes);
    ExpectOnAllBackends(subject);
    if (HasFatalFailure()) return;
    ++tried;
  }
  EXPECT_GT(tried, 0);
}

INSTANTIATE_TEST_SUITE_P(, OpFaults, testing::ValuesIn(conformance::kOpFiles),
                         [](const auto& info) { return info.param.op; });

TEST(PlanFaults, EachFailingMallocIsAnswered) {
  const std::vector<uint8_t> limit = {0, 0, 0x80, 0x3f};  // 1.0f: the loop ends at once
  for (const Subject& subject :
       {Subject{"weights, states and a picture", SmallPlan(), {}}, Subject{"states", SumPlan(), {}},
        Subject{"extents that vary", VaryingPlan(), {}},
        Subject{"a loop", LoopPlan(), {std::vector<uint8_t>(12, 0x3f), limit}}})
    ExpectOnAllBackends(subject);
}

class Totals : public testing::Environment {
 public:
  void TearDown() override {
    std::printf("%lld calls of malloc failed in %lld lives of plans, all answered\n",
                static_cast<long long>(failed_calls), static_cast<long long>(plans));
  }
};

}  // namespace
}  // namespace linnet

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new linnet::Totals);
  return RUN_ALL_TESTS();
}
