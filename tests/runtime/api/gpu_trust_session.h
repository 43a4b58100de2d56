// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "tests/runtime/api/gpu_session.h"

namespace linnet {

using Blob = std::vector<std::byte>;

// Segments of kMixed, and what a self-test runs of them.
inline constexpr int kSegments = 2, kTestRuns = 4 * kSegments;

// An application that stores what it is given.
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

}  // namespace linnet
