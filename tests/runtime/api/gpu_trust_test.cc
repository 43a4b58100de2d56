// SPDX-License-Identifier: Apache-2.0
// The self-test of the GPU, which is the test device, and what applications store of it.
#include <cmath>
#include <cstring>
#include <functional>

#include "tests/runtime/api/gpu_session.h"
#include "tests/runtime/session/fake_memory.h"

namespace linnet {
namespace {

using testing::HasSubstr;
using testing::Not;
using Blob = std::vector<std::byte>;

// Segments of kMixed, and what a self-test runs of them.
constexpr int kSegments = 2, kTestRuns = 4 * kSegments;

class GpuTrust : public GpuTest {
 protected:
  // The options of an application that stores in blobs_ and starts with `cache`.
  linnet_session_options Storing(const Blob& cache = {}) {
    linnet_session_options options = Options(LINNET_BACKEND_AUTO);
    options.cache = cache.data();
    options.cache_bytes = cache.size();
    options.store_context = this;
    options.store_cache = [](void* test, const void* data, size_t bytes) {
      const auto* first = static_cast<const std::byte*>(data);
      static_cast<GpuTrust*>(test)->blobs_.emplace_back(first, first + bytes);
    };
    return options;
  }
  static Blob CacheOf(const linnet_session* session) {
    Blob blob(static_cast<size_t>(linnet_session_cache(session, nullptr, 0)));
    EXPECT_EQ(linnet_session_cache(session, blob.data(), blob.size()), std::ssize(blob));
    return blob;
  }
  // As if another process had begun.
  void Restart() {
    for (linnet_session* session : sessions_) linnet_session_destroy(session);
    sessions_.clear();
    linnet_plan_close(plan_);
    plan_ = nullptr;
    log_.clear();
    blobs_.clear();
    FakeGpu().Repair();
    ASSERT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), nullptr, &plan_, nullptr),
              LINNET_OK);
  }
  // The caches of the first process, whose session is created with `options`.
  Blob FirstProcess(linnet_backend want = LINNET_BACKEND_VULKAN) {
    linnet_session* session = Create(Storing());
    EXPECT_EQ(InfoOf(session).backend, want) << WhyNot(session);
    Blob last = blobs_.empty() ? Blob() : blobs_.back();
    return last;
  }
  // What the device's outputs become from now on.
  void Spoil(std::function<void(float* values, int64_t count)> spoil) {
    spoil_ = std::move(spoil);
    FakeGpu().set_on_output(
        [](void* test, void* data, int64_t bytes) {
          static_cast<GpuTrust*>(test)->spoil_(static_cast<float*>(data), bytes / 4);
        },
        this);
  }
  void ExpectRuns(linnet_session* session) {
    Fill(session, {1, 2, 3, 4});
    ASSERT_EQ(linnet_session_run(session), LINNET_OK);
    linnet_session* host = Create(LINNET_BACKEND_PORTABLE);
    Fill(host, {1, 2, 3, 4});
    ASSERT_EQ(linnet_session_run(host), LINNET_OK);
    for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(Output(session)[i], Output(host)[i], 1e-5);
  }

  std::vector<Blob> blobs_;
  std::function<void(float*, int64_t)> spoil_;
};

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

// What rounding decides may differ, but not be NaN.
TEST_F(GpuTrust, UnstableOutputs) {
  OpenVariants(R"(x = arg f32[3] a = Unary(x) {kind: Exp} b = Unary(a) {kind: Floor}
                  c = Unary(b) {kind: Neg} out = ret(c))");
  Spoil([](float* values, int64_t) { values[1] -= 1; });
  EXPECT_EQ(WhyNot(Create(LINNET_BACKEND_AUTO)), "");
  Restart();
  Spoil([](float* values, int64_t) { values[1] = NAN; });
  EXPECT_THAT(WhyNot(Create(LINNET_BACKEND_AUTO)), HasSubstr("element 1 of 'out0' is not finite"));
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

TEST_F(GpuTrust, TheNextProcessNeedsNoTest) {
  OpenVariants(kMixed);
  const Blob cache = FirstProcess();
  ASSERT_EQ(blobs_.size(), 2u) << "an attempt and its end";
  EXPECT_EQ(CacheOf(sessions_[0]), cache);
  EXPECT_EQ(linnet_session_cache(sessions_[0], nullptr, 1000), std::ssize(cache));
  std::byte few[4] = {};
  EXPECT_EQ(linnet_session_cache(sessions_[0], few, 4), std::ssize(cache));
  EXPECT_EQ(few[0], std::byte{0}) << "nothing is written where not all of it fits";
  EXPECT_EQ(FakeGpu().counts().cache_bytes, 0);
  Create(Storing());
  EXPECT_EQ(blobs_.size(), 2u) << "another session learns nothing new";
  Restart();
  linnet_session* session = Create(Storing(cache));
  EXPECT_EQ(InfoOf(session).backend, LINNET_BACKEND_VULKAN);
  EXPECT_EQ(InfoOf(session).self_test, LINNET_SELF_TEST_CACHED);
  EXPECT_EQ(InfoOf(session).why_cache_refused, nullptr);
  EXPECT_EQ(FakeGpu().counts().runs, 0);
  EXPECT_EQ(FakeGpu().counts().cache_bytes, std::ssize(fake::kDriverData));
  ASSERT_EQ(blobs_.size(), 2u);
  EXPECT_EQ(blobs_[1], cache);
  ExpectRuns(session);
}

// The session works as without it, and the driver sees nothing of it.
TEST_F(GpuTrust, DamagedCachesAreRefused) {
  OpenVariants(kMixed);
  const Blob cache = FirstProcess();
  const auto expect_refused = [&](const Blob& damaged) {
    Restart();
    linnet_session* session = Create(Storing(damaged));
    ASSERT_NE(InfoOf(session).why_cache_refused, nullptr);
    EXPECT_THAT(log_, HasSubstr(std::string("warning: ") + InfoOf(session).why_cache_refused));
    EXPECT_EQ(InfoOf(session).self_test, LINNET_SELF_TEST_PASSED);
    EXPECT_EQ(FakeGpu().counts().runs, kTestRuns);
    EXPECT_EQ(FakeGpu().counts().cache_bytes, 0);
    EXPECT_EQ(blobs_.back(), cache) << "it is written anew";
  };
  for (size_t i = 0; i < cache.size(); ++i) {
    Blob damaged = cache;
    damaged[i] ^= std::byte{0x10};
    expect_refused(damaged);
  }
  expect_refused({cache.begin(), cache.end() - 1});
  expect_refused({cache.begin(), cache.begin() + 1});
}

TEST_F(GpuTrust, CachesOfOthersAreRefused) {
  OpenVariants(kMixed);
  const Blob cache = FirstProcess();
  Restart();
  FakeGpu().key().driver_version = 77;
  EXPECT_THAT(InfoOf(Create(Storing(cache))).why_cache_refused, HasSubstr("another GPU or driver"));
  EXPECT_EQ(FakeGpu().counts().runs, kTestRuns);
  for (linnet_session* session : sessions_) linnet_session_destroy(session);
  sessions_.clear();
  linnet_plan_close(plan_);
  FakeGpu().Repair();
  OpenVariants("x = arg f32[4] a = Unary(x) {kind: Exp} out = ret(a)");
  EXPECT_THAT(InfoOf(Create(Storing(cache))).why_cache_refused, HasSubstr("another plan"));
}

TEST_F(GpuTrust, AMarkThatIsLeftBehind) {
  OpenVariants(kMixed);
  FirstProcess();
  const Blob mark = blobs_[0];
  for (int process = 0; process < 2; ++process) {
    Restart();
    linnet_session* session = Create(Storing(mark));
    EXPECT_THAT(WhyNot(session), HasSubstr("its driver may crash"));
    EXPECT_EQ(FakeGpu().counts().caches, 0) << "nothing of the GPU is touched";
    EXPECT_TRUE(blobs_.empty());
    EXPECT_EQ(CacheOf(session), mark);
    ExpectRuns(session);
  }
}

// The mark comes before the driver compiles anything.
TEST_F(GpuTrust, TheMarkComesFirst) {
  OpenVariants(kMixed);
  linnet_session_options options = Options(LINNET_BACKEND_VULKAN);
  std::vector<int> made;
  options.store_context = &made;
  options.store_cache = [](void* context, const void*, size_t) {
    static_cast<std::vector<int>*>(context)->push_back(
        FakeGpu().counts().caches + FakeGpu().counts().segments + FakeGpu().counts().runs);
  };
  Create(options);
  EXPECT_THAT(made, testing::ElementsAre(0, 1 + kSegments + kTestRuns));
}

TEST_F(GpuTrust, AFailureIsRemembered) {
  OpenVariants(kMixed);
  Spoil([](float* values, int64_t) { values[0] = 100; });
  const Blob cache = FirstProcess(LINNET_BACKEND_CPU);
  EXPECT_EQ(CacheOf(sessions_[0]), cache);
  Restart();
  linnet_session* session = Create(Storing(cache));
  EXPECT_EQ(WhyNot(session), "the GPU failed the self-test in an earlier process");
  EXPECT_EQ(InfoOf(session).self_test, LINNET_SELF_TEST_FAILED);
  EXPECT_EQ(FakeGpu().counts().runs, 0);
  EXPECT_EQ(CacheOf(session), cache);
}

TEST_F(GpuTrust, ALossIsRemembered) {
  OpenVariants(kMixed);
  FirstProcess();
  linnet_session* session = sessions_[0];
  FakeGpu().Lose();
  ExpectRuns(session);
  EXPECT_EQ(InfoOf(session).device_lost, 1);
  ASSERT_EQ(blobs_.size(), 3u);
  const Blob cache = blobs_[2];
  EXPECT_EQ(CacheOf(session), cache);
  Restart();
  EXPECT_EQ(WhyNot(Create(Storing(cache))), "the GPU stopped working in an earlier process");
}

// Whatever fails at the start, no mark stays, and the next process tries again.
TEST_F(GpuTrust, FailuresAtTheStartLeaveNoMark) {
  OpenVariants(kMixed);
  for (int failures = 0;; ++failures) {
    Restart();
    FakeGpu().FailAfter(failures);
    const bool works = WhyNot(Create(Storing())).empty();
    ASSERT_EQ(blobs_.size(), 2u);
    const Blob cache = blobs_[1];
    if (works) break;
    Restart();
    EXPECT_EQ(WhyNot(Create(Storing(cache))), "");
    EXPECT_EQ(InfoOf(sessions_[0]).self_test, LINNET_SELF_TEST_PASSED);
  }
}

TEST_F(GpuTrust, MeasuringIsAnAttemptToo) {
  OpenVariants(kMixed);
  linnet_session_options options = Storing();
  linnet_memory memory{};
  memory.struct_size = sizeof(memory);
  ASSERT_EQ(linnet_session_bytes(plan_, &options, &memory, nullptr), LINNET_OK);
  EXPECT_EQ(blobs_.size(), 2u);
  EXPECT_EQ(FakeGpu().counts().runs, kTestRuns);
  Create(options);
  EXPECT_EQ(blobs_.size(), 2u);
  EXPECT_EQ(FakeGpu().counts().runs, kTestRuns);
}

TEST_F(GpuTrust, NothingToStore) {
  OpenVariants(kMixed);
  EXPECT_EQ(linnet_session_cache(nullptr, nullptr, 0), -1);
  EXPECT_EQ(linnet_session_cache(Create(LINNET_BACKEND_CPU), nullptr, 0), 0);
  linnet_session* session = Create(LINNET_BACKEND_VULKAN);
  EXPECT_GT(linnet_session_cache(session, nullptr, 0), 0);
  ASSERT_EQ(linnet_session_submit(session), LINNET_OK);
  EXPECT_EQ(linnet_session_cache(session, nullptr, 0), -1);
  ASSERT_EQ(linnet_session_wait(session, -1), LINNET_OK);
  EXPECT_EQ(linnet_session_cache(sessions_[0], nullptr, 0), 0) << "the GPU's session has more";
}

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
