// SPDX-License-Identifier: Apache-2.0
// The self-test of the GPU, which is the test device.
#include <algorithm>
#include <cmath>

#include "runtime/core/noise.h"
#include "runtime/session/self_test.h"
#include "tests/runtime/api/gpu_trust_session.h"

namespace linnet {
namespace {

using testing::HasSubstr;

TEST_F(GpuTrust, OneTestForAllSessionsOfAPlan) {
  OpenVariants(kMixed);
  linnet_session* session = Create(LINNET_BACKEND_AUTO);
  EXPECT_EQ(InfoOf(session).self_test, LINNET_SELF_TEST_PASSED);
  EXPECT_EQ(FakeGpu().counts().runs, kTestRuns);
  EXPECT_THAT(log_, HasSubstr("the GPU passed the self-test"));
  EXPECT_EQ(InfoOf(Create(LINNET_BACKEND_VULKAN)).self_test, LINNET_SELF_TEST_PASSED);
  EXPECT_EQ(FakeGpu().counts().runs, kTestRuns);
  EXPECT_EQ(InfoOf(Create(LINNET_BACKEND_CPU)).self_test, LINNET_SELF_TEST_NONE);
  ExpectRuns(session);
}

TEST_F(GpuTrust, WithoutATest) {
  OpenVariants(kMixed);
  linnet_session_options options = Options(LINNET_BACKEND_AUTO);
  options.flags = LINNET_SESSION_NO_SELF_TEST;
  linnet_session* session = Create(options);
  EXPECT_EQ(InfoOf(session).backend, LINNET_BACKEND_VULKAN);
  EXPECT_EQ(InfoOf(session).self_test, LINNET_SELF_TEST_NONE);
  EXPECT_EQ(FakeGpu().counts().runs, 0);
  EXPECT_EQ(InfoOf(Create(LINNET_BACKEND_AUTO)).self_test, LINNET_SELF_TEST_PASSED) << "others do";
  options.flags = 2;
  linnet_session* none = nullptr;
  EXPECT_EQ(linnet_session_create(plan_, &options, &none, nullptr), LINNET_INVALID_ARGUMENT);
}

// Of each output and each of its elements: an error as large as the largest element, either way, or
// NaN; and one that rounding could make, but not in one replay only.
TEST_F(GpuTrust, AWrongElement) {
  OpenVariants("x = arg f32[5] a = Unary(x) {kind: Exp} b = Unary(a) {kind: Neg} out = ret(b)");
  for (int element = 0; element < 5; ++element) {
    for (const char* error : {"more", "less", "nan", "changing"}) {
      Restart();
      int runs = 0;
      Spoil([&](float* values, int64_t count) {
        float largest = 0;
        for (int i = 0; i < count; ++i) largest = std::max(largest, std::fabs(values[i]));
        ++runs;
        if (error == std::string("more")) values[element] += largest;
        if (error == std::string("less")) values[element] -= largest;
        if (error == std::string("nan")) values[element] = NAN;
        if (error == std::string("changing") && runs == 4)
          values[element] = std::nextafter(values[element], 10.0f);
      });
      linnet_session* session = Create(LINNET_BACKEND_AUTO);
      EXPECT_THAT(WhyNot(session), HasSubstr("the GPU failed the self-test")) << error << element;
      EXPECT_EQ(InfoOf(session).self_test, LINNET_SELF_TEST_FAILED);
      EXPECT_EQ(InfoOf(session).device_lost, 0);
      EXPECT_THAT(log_, HasSubstr("warning: the CPU runs the plan: the GPU failed the self-test"));
      // And later sessions of the process know it.
      const int before = FakeGpu().counts().runs;
      EXPECT_EQ(WhyNot(Create(LINNET_BACKEND_VULKAN)), WhyNot(session));
      EXPECT_EQ(FakeGpu().counts().runs, before);
    }
  }
}

TEST_F(GpuTrust, TheReasonNamesTheElement) {
  OpenVariants("x = arg f32[5] a = Unary(x) {kind: Exp} out = ret(a)");
  Spoil([](float* values, int64_t) { values[3] = 0; });
  EXPECT_THAT(WhyNot(Create(LINNET_BACKEND_AUTO)),
              HasSubstr("element 3 of 'out0' is 0, on the CPU it is "));
}

// Numbers of the first noise are below 1, those of the second, which small differences lead to, are
// pixels.
TEST_F(GpuTrust, NoiseThatANetIsNotMadeFor) {
  OpenVariants("x = arg f32[5] a = Unary(x) {kind: Neg} out = ret(a)");
  const auto why_not = [&](float error, float below) {
    Restart();
    Spoil([=](float* values, int64_t count) {
      float largest = 0;
      for (int i = 0; i < count; ++i) largest = std::max(largest, std::fabs(values[i]));
      if (largest < below) values[2] += error * largest;
    });
    return std::string(WhyNot(Create(LINNET_BACKEND_AUTO)));
  };
  EXPECT_EQ(why_not(3e-3f, 2), "");
  EXPECT_EQ(FakeGpu().counts().runs, 2 + kReplays);
  EXPECT_THAT(why_not(3e-3f, 1000), HasSubstr("element 2 of 'out0'"));
  EXPECT_THAT(why_not(8e-3f, 2), HasSubstr("element 2 of 'out0'"));
}

// What rounding decides may differ as far as that explains it, but not be NaN.
TEST_F(GpuTrust, UnstableOutputs) {
  OpenVariants(R"(x = arg f32[3] a = Unary(x) {kind: Exp} b = Binary(a, const f32[] 1e5) {kind: Mul}
                  c = Binary(b, const f32[] 1) {kind: FloorMod} out = ret(c))");
  Spoil([](float* values, int64_t) { values[1] = values[1] < 0.5f ? 0.9f : 0.1f; });
  EXPECT_EQ(WhyNot(Create(LINNET_BACKEND_AUTO)), "");
  Restart();
  Spoil([](float* values, int64_t) { values[1] = NAN; });
  EXPECT_THAT(WhyNot(Create(LINNET_BACKEND_AUTO)), HasSubstr("element 1 of 'out0' is not finite"));
  FakeGpu().set_on_output(nullptr, nullptr);
}

// Here rounding could decide only if values were nearly whole numbers.
TEST_F(GpuTrust, StableOutputsThatMightNotBe) {
  OpenVariants(R"(x = arg f32[3] a = Unary(x) {kind: Exp} b = Unary(a) {kind: Floor}
                  c = Unary(b) {kind: Neg} out = ret(c))");
  Spoil([](float* values, int64_t) { values[1] -= 1; });
  EXPECT_THAT(WhyNot(Create(LINNET_BACKEND_AUTO)),
              HasSubstr("1 elements of 'out0' differ from the CPU's, and rounding explains 0"));
}

// A GPU that has a faster way to compute, and what is planted in that only.
TEST_F(GpuTrust, WhereOnlyThePreciseWayIsRight) {
  OpenVariants(kMixed);
  FakeGpu().set_prefers_speed(true);
  Spoil([](float* values, int64_t) {
    if (!FakeGpu().is_precise()) values[0] = 100;
  });
  linnet_session* session = Create(LINNET_BACKEND_AUTO);
  EXPECT_EQ(WhyNot(session), "");
  EXPECT_EQ(InfoOf(session).self_test, LINNET_SELF_TEST_PASSED);
  EXPECT_EQ(FakeGpu().counts().precise, kSegments);
  EXPECT_THAT(log_, HasSubstr("warning: the GPU computes in a slower and more exact way, because "
                              "the faster one failed: the GPU failed the self-test: element 0"));
  ExpectRuns(session);
  // Later sessions do not try again.
  const int before = FakeGpu().counts().runs;
  log_.clear();
  EXPECT_EQ(WhyNot(Create(LINNET_BACKEND_VULKAN)), "");
  EXPECT_EQ(FakeGpu().counts().precise, 2 * kSegments);
  EXPECT_EQ(FakeGpu().counts().runs, before);
  EXPECT_EQ(log_.find("warning"), std::string::npos) << log_;
}

TEST_F(GpuTrust, WhereNoWayIsRight) {
  OpenVariants(kMixed);
  FakeGpu().set_prefers_speed(true);
  Spoil([](float* values, int64_t) { values[0] = FakeGpu().is_precise() ? 50 : 100; });
  linnet_session* session = Create(LINNET_BACKEND_AUTO);
  EXPECT_THAT(WhyNot(session), HasSubstr("the GPU failed the self-test: element 0"));
  EXPECT_EQ(InfoOf(session).self_test, LINNET_SELF_TEST_FAILED);
  EXPECT_EQ(FakeGpu().counts().precise, kSegments);
  ExpectRuns(session);
}

TEST_F(GpuTrust, TheGpuIsLostInItsFasterWay) {
  OpenVariants(kMixed);
  FakeGpu().set_prefers_speed(true);
  FakeGpu().set_on_run([](void*) { FakeGpu().Lose(); }, nullptr);
  EXPECT_THAT(WhyNot(Create(LINNET_BACKEND_AUTO)), HasSubstr("lost in the self-test"));
  EXPECT_EQ(FakeGpu().counts().precise, 0) << "nothing more is tried";
}

TEST_F(GpuTrust, TheGpuIsLostInTheTest) {
  OpenVariants(kMixed);
  for (int run = 1; run <= kTestRuns; ++run) {
    Restart();
    std::pair<int, int> count{0, run};
    FakeGpu().set_on_run(
        [](void* raw) {
          auto* counted = static_cast<std::pair<int, int>*>(raw);
          if (++counted->first == counted->second) FakeGpu().Lose();
        },
        &count);
    linnet_session* session = Create(Storing());
    EXPECT_THAT(WhyNot(session), HasSubstr("lost in the self-test"));
    EXPECT_EQ(InfoOf(session).device_lost, 0);
    FakeGpu().set_on_run(nullptr, nullptr);
    ExpectRuns(session);
    const Blob cache = blobs_.back();
    Restart();
    EXPECT_THAT(WhyNot(Create(Storing(cache))), HasSubstr("stopped working in an earlier process"));
  }
}

// The session works as without it, and the driver sees nothing of it.
// The mark comes before the driver compiles anything.
// Whatever fails at the start, no mark stays, and the next process tries again.
TEST_F(GpuTrust, PreparedWeightsAreTestedToo) {
  OpenVariants(kMixed);
  linnet_session_options options = Storing();
  linnet_weights* weights = nullptr;
  ASSERT_EQ(linnet_weights_prepare(plan_, &options, &weights, nullptr), LINNET_OK);
  options.weights = weights;
  Spoil([](float* values, int64_t) { values[0] = 100; });
  linnet_session* session = Create(options);
  EXPECT_THAT(WhyNot(session), HasSubstr("failed the self-test"));
  ExpectRuns(session);
  for (linnet_session* each : sessions_) linnet_session_destroy(each);
  sessions_.clear();
  linnet_weights_release(weights);
}

TEST_F(GpuTrust, SessionsBeginAsNew) {
  Open(RunningSumPlan());
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  EXPECT_EQ(InfoOf(session).self_test, LINNET_SELF_TEST_PASSED);
  EXPECT_THAT(Output(session), testing::ElementsAre(0, 0));
  EXPECT_EQ(Input(session)[0], 0);
  Fill(session, {0, 0});
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  EXPECT_THAT(Output(session), testing::ElementsAre(1, 1)) << "the variable began with 0";
}

// A variable that nothing else shows.
TEST_F(GpuTrust, VariablesAreCompared) {
  Open(RunningSumPlan());
  int output = 0;
  Spoil([&](float* values, int64_t) {
    // Two outputs of the device have this value: what is returned, and the variable's.
    if (++output % 2 == 0) values[1] = 50;
  });
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  EXPECT_THAT(WhyNot(session), HasSubstr("failed the self-test"));
}

// Indices of one place and divisors: no integers are both.
TEST_F(GpuTrust, WhatCannotBeTestedRunsOnTheCpu) {
  OpenVariants(R"(x = arg f32[4] i = arg i32[1] d = arg i32[1] table = const f32[1] 3
                  a = Gather(table, i) b = Binary(i, d) {kind: FloorDiv} c = Unary(x) {kind: Exp}
                  out = ret(c) two = ret(a) three = ret(b))");
  const Blob cache = FirstProcess(LINNET_BACKEND_CPU);
  EXPECT_THAT(WhyNot(sessions_[0]), HasSubstr("the GPU cannot be tested"));
  Restart();
  EXPECT_THAT(WhyNot(Create(Storing(cache))), HasSubstr("could not test the GPU"));
}

// The GPU's copy of an index is wrong, or its range.
TEST_F(GpuTrust, AnIndexThatOnlyTheGpuFindsBad) {
  OpenVariants(kMixed);
  FakeGpu().set_run_status({StatusCode::kBadIndex, "an index is out of range"});
  linnet_session* session = Create(LINNET_BACKEND_AUTO);
  EXPECT_THAT(WhyNot(session), HasSubstr("the GPU failed the self-test: an index is out of range"));
  EXPECT_EQ(InfoOf(session).device_lost, 0);
  ExpectRuns(session);
}

// Where the CPU finds one bad too, on inputs that differ by rounding, nothing is known against the
// GPU; but it has computed nothing that could be compared.
TEST_F(GpuTrust, AnIndexThatRoundingMakesBad) {
  std::vector<float> noise(64);
  FillNoise({DType::kFloat32, {64}}, {1.0f / 64, 1, 0, 2}, 0, 0, noise.data());
  const float largest = *std::max_element(noise.begin(), noise.end());
  const auto rows = static_cast<int64_t>(std::exp(largest) * 1e4f) + 2;
  const auto net = [](int64_t count) {
    return R"(x = arg f32[64] a = Unary(x) {kind: Exp} b = Binary(a, const f32[] 1e4) {kind: Mul}
              i = Cast(b) {dtype: 3} c = Gather(const f32[)" +
           std::to_string(count) + "] seed=1, i) out = ret(c)";
  };
  for (const bool fits : {false, true}) {
    if (!sessions_.empty()) linnet_session_destroy(sessions_.back());
    sessions_.clear();
    linnet_plan_close(plan_);
    FakeGpu().Repair();
    OpenVariants(net(fits ? 2 * rows : rows));
    FakeGpu().set_run_status({StatusCode::kBadIndex, "an index is out of range"});
    linnet_session* session = Create(LINNET_BACKEND_AUTO);
    EXPECT_THAT(WhyNot(session),
                HasSubstr(fits ? "the GPU failed the self-test: an index is out of range"
                               : "rounding decides whether indices are in range"));
  }
}

TEST_F(GpuTrust, ALoopWithoutEnd) {
  OpenVariants(R"(x = arg f32[4] n = arg i32[]
    loop = While(n) [
      n = arg i32[]
      more = Compare(n, const i32[] 9) {kind: Less}
      goes_on = ret(more)
    ] [
      n = arg i32[]
      same = ret(n)
    ]
    c = Unary(x) {kind: Exp} out = ret(c) two = ret(loop))");
  EXPECT_THAT(WhyNot(Create(LINNET_BACKEND_AUTO)), HasSubstr("a loop does not end"));
}

}  // namespace
}  // namespace linnet
