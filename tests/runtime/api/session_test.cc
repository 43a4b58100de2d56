// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "linnet/linnet.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

class SessionTest : public testing::TestWithParam<linnet_backend> {
 protected:
  void SetUp() override {
    ASSERT_EQ(linnet_plan_open_memory(bytes_.data(), bytes_.size(), nullptr, &plan_, &error_),
              LINNET_OK)
        << error_.text;
  }
  void TearDown() override { linnet_plan_close(plan_); }

  linnet_session_options Options(int threads = 1) const {
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = GetParam();
    options.threads = threads;
    return options;
  }
  linnet_session* Create(const linnet_session_options& options) {
    linnet_session* session = nullptr;
    linnet_error error{};  // local: several threads call this
    EXPECT_EQ(linnet_session_create(plan_, &options, &session, &error), LINNET_OK) << error.text;
    return session;
  }
  static void Feed(linnet_session* session, int first_index = 3) {
    auto* x = static_cast<float*>(linnet_session_input_data(session, 0));
    for (int i = 0; i < 108; ++i) x[i] = static_cast<float>(i % 17) * 0.1f - 0.5f;
    auto* index = static_cast<int32_t*>(linnet_session_input_data(session, 1));
    index[0] = first_index;
    index[1] = 8;
  }
  static std::vector<float> Outputs(linnet_session* session) {
    std::vector<float> values;
    for (int i = 0; i < linnet_session_num_outputs(session); ++i) {
      const auto* data = static_cast<const float*>(linnet_session_output_data(session, i));
      values.insert(values.end(), data, data + linnet_session_output_info(session, i)->bytes / 4);
    }
    return values;
  }
  std::vector<float> RunOnce(const linnet_session_options& options) {
    linnet_session* session = Create(options);
    Feed(session);
    EXPECT_EQ(linnet_session_run(session), LINNET_OK) << linnet_session_last_error(session)->text;
    const std::vector<float> values = Outputs(session);
    linnet_session_destroy(session);
    return values;
  }

  PlacedBytes bytes_{SmallPlan()};
  linnet_plan* plan_ = nullptr;
  linnet_error error_{};
};

// TensorFlow graph row 50: local execution
TEST_P(SessionTest, ProbabilitiesSumToOneAndRunsRepeat) {
  linnet_session* session = Create(Options());
  std::vector<float> first;
  for (int run = 0; run < 3; ++run) {
    Feed(session);
    ASSERT_EQ(linnet_session_run(session), LINNET_OK);
    const std::vector<float> values = Outputs(session);
    EXPECT_NEAR(std::accumulate(values.begin(), values.begin() + 5, 0.0f), 1.0f, 1e-5f);
    if (run == 0) first = values;
    EXPECT_EQ(values, first);
  }
  linnet_session_destroy(session);
}

TEST_P(SessionTest, NamesAndTypes) {
  linnet_session* session = Create(Options());
  EXPECT_EQ(linnet_session_find_input(session, "x"), 0);
  EXPECT_EQ(linnet_session_find_input(session, "x:0"), 0);
  EXPECT_EQ(linnet_session_find_input(session, "index"), 1);
  EXPECT_EQ(linnet_session_find_input(session, "y"), -1);
  EXPECT_EQ(linnet_session_find_output(session, "probabilities"), 0);
  EXPECT_EQ(linnet_session_find_output(session, "softmax"), 0);
  EXPECT_EQ(linnet_session_find_output(session, "picked:0"), 1);
  const linnet_tensor_info* info = linnet_session_input_info(session, 0);
  EXPECT_EQ(info->dtype, LINNET_FLOAT32);
  EXPECT_EQ(info->rank, 4);
  EXPECT_EQ(info->dims[1], 6);
  EXPECT_EQ(info->bytes, 432);
  EXPECT_EQ(linnet_session_input_info(session, 2), nullptr);
  EXPECT_EQ(linnet_session_output_data(session, -1), nullptr);
  linnet_session_destroy(session);
}

TEST_P(SessionTest, ExactBlockSucceedsAndOneByteLessSaysWhatIsNeeded) {
  const std::vector<float> expected = RunOnce(Options());
  linnet_memory memory{};
  memory.struct_size = sizeof(memory);
  linnet_session_options options = Options();
  ASSERT_EQ(linnet_session_bytes(plan_, &options, &memory, &error_), LINNET_OK);
  EXPECT_EQ(memory.block, memory.arena + memory.state + memory.operators + memory.workspace);
  const PlacedBytes block(std::vector<std::byte>(static_cast<size_t>(memory.block)));
  options.block = block.data();
  options.block_bytes = block.size() - 1;
  linnet_session* session = nullptr;
  EXPECT_EQ(linnet_session_create(plan_, &options, &session, &error_), LINNET_NO_MEMORY);
  EXPECT_EQ(error_.bytes_needed, memory.block);
  EXPECT_EQ(session, nullptr);
  options.block_bytes = block.size();
  EXPECT_EQ(RunOnce(options), expected);
}

TEST_P(SessionTest, BlockAtAnyAddress) {
  const std::vector<float> expected = RunOnce(Options());
  linnet_session_options options = Options();
  const PlacedBytes tiny(std::vector<std::byte>(16), 24);
  options.block = tiny.data();
  options.block_bytes = tiny.size();
  linnet_session* session = nullptr;
  ASSERT_EQ(linnet_session_create(plan_, &options, &session, &error_), LINNET_NO_MEMORY);
  const PlacedBytes block(std::vector<std::byte>(static_cast<size_t>(error_.bytes_needed)), 24);
  options.block = block.data();
  options.block_bytes = block.size();
  EXPECT_EQ(RunOnce(options), expected);
}

TEST_P(SessionTest, MaxBytesBoundsWhatIsTakenFromMalloc) {
  const std::vector<float> expected = RunOnce(Options());
  linnet_memory memory{};
  memory.struct_size = sizeof(memory);
  linnet_session_options options = Options();
  ASSERT_EQ(linnet_session_bytes(plan_, &options, &memory, &error_), LINNET_OK);
  options.max_bytes = static_cast<size_t>(std::max(memory.block, memory.prepared));
  EXPECT_EQ(RunOnce(options), expected);
  for (const size_t max_bytes : {size_t{1}, static_cast<size_t>(memory.arena)}) {
    options.max_bytes = max_bytes;
    linnet_session* session = nullptr;
    EXPECT_EQ(linnet_session_create(plan_, &options, &session, &error_), LINNET_NO_MEMORY);
    EXPECT_NE(std::strstr(error_.text, "max_bytes"), nullptr) << error_.text;
    EXPECT_EQ(session, nullptr);
  }
}

TEST_P(SessionTest, ThreadsGiveTheSameBits) { EXPECT_EQ(RunOnce(Options(2)), RunOnce(Options(1))); }

// TensorFlow graph row 36: many sessions of one plan
TEST_P(SessionTest, TwoSessionsInTwoThreads) {
  const std::vector<float> expected = RunOnce(Options());
  std::vector<std::thread> threads;
  std::vector<float> results[2];
  for (auto& result : results)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) result = RunOnce(Options());
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(results[0], expected);
  EXPECT_EQ(results[1], expected);
}

TEST_P(SessionTest, PreparedWeightsServeSeveralSessions) {
  const std::vector<float> expected = RunOnce(Options());
  linnet_session_options options = Options();
  linnet_weights* weights = nullptr;
  ASSERT_EQ(linnet_weights_prepare(plan_, &options, &weights, &error_), LINNET_OK) << error_.text;
  options.weights = weights;
  EXPECT_EQ(RunOnce(options), expected);
  EXPECT_EQ(RunOnce(options), expected);
  linnet_weights_release(weights);
}

TEST_P(SessionTest, BadIndexNamesTheNodeAndTheSessionStaysUsable) {
  linnet_session* session = Create(Options());
  Feed(session, /*first_index=*/9);
  EXPECT_EQ(linnet_session_run(session), LINNET_BAD_INDEX);
  EXPECT_NE(std::strstr(linnet_session_last_error(session)->text, "picked"), nullptr)
      << linnet_session_last_error(session)->text;
  Feed(session);
  EXPECT_EQ(linnet_session_run(session), LINNET_OK);
  linnet_session_destroy(session);
}

TEST_P(SessionTest, CancelStopsTheNextRunOnce) {
  linnet_session* session = Create(Options());
  Feed(session);
  linnet_session_cancel(session);
  EXPECT_EQ(linnet_session_run(session), LINNET_CANCELLED);
  Feed(session);
  EXPECT_EQ(linnet_session_run(session), LINNET_OK);
  linnet_session_destroy(session);
}

TEST_P(SessionTest, BoundBuffers) {
  const std::vector<float> expected = RunOnce(Options());
  linnet_session* session = Create(Options());
  Feed(session);
  const auto* x = static_cast<const std::byte*>(linnet_session_input_data(session, 0));
  const std::vector<std::byte> picture(x, x + 432);
  for (const size_t misalignment : {0, 4}) {
    for (const size_t extra : {0, 64}) {
      std::vector<std::byte> padded = picture;
      padded.resize(picture.size() + extra);
      const PlacedBytes input(padded, misalignment);
      const PlacedBytes output(std::vector<std::byte>(20 + extra), misalignment);
      ASSERT_EQ(linnet_session_bind_input(session, 0, input.data(), input.size()), LINNET_OK);
      ASSERT_EQ(linnet_session_bind_output(session, 0, output.data(), output.size()), LINNET_OK);
      auto* index = static_cast<int32_t*>(linnet_session_input_data(session, 1));
      index[0] = 3;
      index[1] = 8;
      ASSERT_EQ(linnet_session_run(session), LINNET_OK);
      EXPECT_EQ(std::memcmp(output.data(), expected.data(), 20), 0);
      EXPECT_EQ(std::memcmp(input.data(), picture.data(), picture.size()), 0);
      EXPECT_EQ(linnet_session_output_data(session, 0), output.data());
    }
  }
  EXPECT_EQ(linnet_session_bind_input(session, 0, picture.data(), 431), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_bind_input(session, 7, picture.data(), 431), LINNET_INVALID_ARGUMENT);
  ASSERT_EQ(linnet_session_bind_input(session, 0, nullptr, 0), LINNET_OK);
  ASSERT_EQ(linnet_session_bind_output(session, 0, nullptr, 0), LINNET_OK);
  Feed(session);
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  EXPECT_EQ(Outputs(session), expected);
  linnet_session_destroy(session);
}

TEST_P(SessionTest, ProfileHasATimeAndANameForEveryStep) {
  linnet_session* session = Create(Options());
  EXPECT_EQ(linnet_session_step_ns(session), nullptr);
  linnet_session_enable_profile(session, 1);
  Feed(session);
  ASSERT_EQ(linnet_session_run(session), LINNET_OK);
  int64_t macs = 0, flops = 0;
  for (int i = 0; i < linnet_session_num_steps(session); ++i) {
    linnet_step_info info{};
    info.struct_size = sizeof(info);
    ASSERT_EQ(linnet_session_get_step_info(session, i, &info), 1);
    EXPECT_STRNE(info.source, "");
    EXPECT_GE(linnet_session_step_ns(session)[i], 0);
    EXPECT_STREQ(info.layout, "dense");
    macs += info.macs;
    flops += info.flops;
  }
  EXPECT_EQ(macs, 36 * 27 * 4 + 36 * 5);
  EXPECT_GE(flops, 2 * macs);
  EXPECT_EQ(linnet_session_get_step_info(session, linnet_session_num_steps(session), nullptr), 0);
  linnet_session_destroy(session);
}

TEST_P(SessionTest, UnknownSignatureAndForeignWeights) {
  linnet_session_options options = Options();
  options.signature = "training";
  linnet_session* session = nullptr;
  EXPECT_EQ(linnet_session_create(plan_, &options, &session, &error_), LINNET_INVALID_ARGUMENT);
  options.signature = "serving_default";
  linnet_session_destroy(Create(options));
}

TEST_P(SessionTest, VulkanNeedsGpuSegments) {
  linnet_session_options options = Options();
  options.backend = LINNET_BACKEND_VULKAN;
  linnet_session* session = nullptr;
  EXPECT_EQ(linnet_session_create(plan_, &options, &session, &error_), LINNET_UNSUPPORTED);
  EXPECT_NE(std::strstr(error_.text, "convert"), nullptr) << error_.text;
}

INSTANTIATE_TEST_SUITE_P(Backends, SessionTest,
                         testing::Values(LINNET_BACKEND_CPU, LINNET_BACKEND_PORTABLE,
                                         LINNET_BACKEND_PLAIN),
                         [](const auto& info) {
                           if (info.param == LINNET_BACKEND_PLAIN) return "Plain";
                           return info.param == LINNET_BACKEND_CPU ? "Cpu" : "Portable";
                         });

}  // namespace
}  // namespace linnet
