// SPDX-License-Identifier: Apache-2.0
// What applications store of the GPU, which is the test device, and what the next process makes of
// it.
#include <cstdlib>

#include "tests/runtime/api/gpu_trust_session.h"
#include "tests/runtime/session/fake_memory.h"

namespace linnet {
namespace {

using testing::HasSubstr;

using GpuCache = GpuTrust;

TEST_F(GpuCache, TheNextProcessNeedsNoTest) {
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

TEST_F(GpuCache, DamagedCachesAreRefused) {
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

TEST_F(GpuCache, CachesOfOthersAreRefused) {
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

TEST_F(GpuCache, AMarkThatIsLeftBehind) {
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

TEST_F(GpuCache, TheMarkComesFirst) {
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

TEST_F(GpuCache, AFailureIsRemembered) {
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

// Which of the two ways of a GPU was tested.
TEST_F(GpuCache, TheWayToComputeIsRemembered) {
  OpenVariants(kMixed);
  for (const bool fast_is_right : {true, false}) {
    Restart();
    FakeGpu().set_prefers_speed(true);
    Spoil([=](float* values, int64_t) {
      if (!fast_is_right && !FakeGpu().is_precise()) values[0] = 100;
    });
    const Blob cache = FirstProcess();
    ASSERT_EQ(blobs_.size(), 2u);
    Restart();
    FakeGpu().set_prefers_speed(true);
    linnet_session* session = Create(Storing(cache));
    EXPECT_EQ(InfoOf(session).self_test, LINNET_SELF_TEST_CACHED) << WhyNot(session);
    EXPECT_EQ(FakeGpu().counts().runs, 0);
    EXPECT_EQ(FakeGpu().counts().precise, fast_is_right ? 0 : kSegments);
    EXPECT_EQ(blobs_.back(), cache);
    // Where the GPU no longer has the faster way, its test says nothing.
    Restart();
    session = Create(Storing(cache));
    EXPECT_EQ(InfoOf(session).self_test,
              fast_is_right ? LINNET_SELF_TEST_PASSED : LINNET_SELF_TEST_CACHED);
    EXPECT_EQ(FakeGpu().counts().runs, fast_is_right ? kTestRuns : 0);
  }
}

TEST_F(GpuCache, ALossIsRemembered) {
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

TEST_F(GpuCache, FailuresAtTheStartLeaveNoMark) {
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

// Memory of which only the first `left` pieces can be had.
struct FewPieces {
  int64_t left = 0;

  linnet_allocator hooks() {
    linnet_allocator hooks{};
    hooks.struct_size = sizeof(hooks);
    hooks.context = this;
    hooks.allocate = [](void* self, size_t bytes, size_t) -> void* {
      if (--static_cast<FewPieces*>(self)->left < 0) return nullptr;
      return std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    };
    hooks.release = [](void*, void* memory, size_t) { std::free(memory); };
    return hooks;
  }
};

TEST_F(GpuCache, WithoutMemoryNoMarkStays) {
  OpenVariants(kMixed);
  FewPieces memory;
  const linnet_allocator hooks = memory.hooks();
  linnet_open_options open{};
  open.struct_size = sizeof(open);
  open.allocator = &hooks;
  int on_gpu = 0, failed = 0;
  for (int64_t pieces = 0; on_gpu == 0 || blobs_.back().size() <= blobs_[0].size(); ++pieces) {
    ASSERT_LT(pieces, 1000);
    Restart();
    linnet_plan_close(plan_);
    memory.left = 1000;
    ASSERT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), &open, &plan_, nullptr),
              LINNET_OK);
    memory.left = pieces;
    const linnet_session_options options = Storing();
    linnet_session* session = nullptr;
    const linnet_status status = linnet_session_create(plan_, &options, &session, nullptr);
    ASSERT_TRUE(status == LINNET_OK || status == LINNET_NO_MEMORY) << status;
    if (session != nullptr) sessions_.push_back(session);
    on_gpu += session != nullptr && InfoOf(session).backend == LINNET_BACKEND_VULKAN ? 1 : 0;
    failed += session == nullptr ? 1 : 0;
    ASSERT_EQ(blobs_.size(), 2u);
    const Blob mark = blobs_[0], cache = blobs_[1];
    Restart();
    EXPECT_EQ(WhyNot(Create(Storing(cache))), "") << pieces;
    blobs_ = {mark, cache};
  }
  EXPECT_GT(failed, 5);
  EXPECT_GT(on_gpu, 1) << "also without what the driver compiled";
}

TEST_F(GpuCache, MeasuringIsAnAttemptToo) {
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

TEST_F(GpuCache, NothingToStore) {
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

}  // namespace
}  // namespace linnet
