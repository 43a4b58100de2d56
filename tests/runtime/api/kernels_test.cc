// SPDX-License-Identifier: Apache-2.0
// Sessions that are given a kernel profile.
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "linnet/linnet.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

bool HasXnnpack() { return std::string(linnet_cpu_kernels()) != "none"; }

class KernelsTest : public testing::Test {
 protected:
  void SetUp() override { Open(GoldenPlan("large")); }
  void TearDown() override {
    linnet_plan_close(plan_);
    delete bytes_;
  }

  void Open(const std::vector<std::byte>& bytes) {
    linnet_plan_close(plan_);
    delete bytes_;
    bytes_ = new PlacedBytes(bytes);
    ASSERT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), nullptr, &plan_, nullptr),
              LINNET_OK);
  }

  // Null, and error_, when it fails.
  linnet_session* Create(const std::string* kernels, int threads = 1,
                         linnet_backend backend = LINNET_BACKEND_CPU) {
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.threads = threads;
    options.backend = backend;
    if (kernels != nullptr) {
      options.kernels = kernels->data();
      options.kernels_bytes = kernels->size();
    }
    linnet_session* session = nullptr;
    linnet_session_create(plan_, &options, &session, &error_);
    return session;
  }

  static std::string KindOf(const linnet_session* session, int step) {
    const int32_t length = linnet_session_step_kind(session, step, nullptr, 0);
    std::string kind(static_cast<size_t>(length) + 1, '?');
    EXPECT_EQ(linnet_session_step_kind(session, step, kind.data(), kind.size()), length);
    if (length > 0) {
      EXPECT_EQ(kind[static_cast<size_t>(length)], '\0');
    }
    kind.pop_back();
    return kind;
  }
  static std::set<std::string> KindsOf(const linnet_session* session) {
    std::set<std::string> kinds;
    for (int i = 0; i < linnet_session_num_steps(session); ++i)
      if (const std::string kind = KindOf(session, i); !kind.empty()) kinds.insert(kind);
    return kinds;
  }
  static linnet_step_info InfoOf(const linnet_session* session, int step) {
    linnet_step_info info{};
    info.struct_size = sizeof(info);
    EXPECT_EQ(linnet_session_get_step_info(session, step, &info), 1);
    return info;
  }

  static std::string Profile(const std::set<std::string>& kinds, const std::string& backend,
                             int threads = 1) {
    const linnet_device* cpu = linnet_get_device(0);
    std::string text = "linnet kernel profile 1\ncpu " + std::string(cpu->name) +
                       "\ninstructions " + cpu->instruction_set + "\nkernels " +
                       linnet_cpu_kernels() + "\nthreads " + std::to_string(threads) + "\n";
    for (const std::string& kind : kinds) text += backend + "\t\t" + kind + "\n";
    return text + "end " + std::to_string(kinds.size()) + "\n";
  }
  std::set<std::string> Kinds() {
    linnet_session* session = Create(nullptr);
    const std::set<std::string> kinds = KindsOf(session);
    linnet_session_destroy(session);
    return kinds;
  }

  static std::vector<float> RunOnce(linnet_session* session) {
    auto* x = static_cast<float*>(linnet_session_input_data(session, 0));
    const int64_t count = linnet_session_input_info(session, 0)->bytes / 4;
    for (int64_t i = 0; i < count; ++i) x[i] = static_cast<float>(i % 17) * 0.1f - 0.5f;
    EXPECT_EQ(linnet_session_run(session), LINNET_OK);
    const auto* y = static_cast<const float*>(linnet_session_output_data(session, 0));
    return {y, y + linnet_session_output_info(session, 0)->bytes / 4};
  }

  const PlacedBytes* bytes_ = nullptr;
  linnet_plan* plan_ = nullptr;
  linnet_error error_{};
};

TEST_F(KernelsTest, TheProfileDecides) {
  if (!HasXnnpack()) GTEST_SKIP() << "no step has a choice";
  linnet_session* rules = Create(nullptr);
  const std::vector<float> expected = RunOnce(rules);
  const std::set<std::string> kinds = KindsOf(rules);
  EXPECT_GT(kinds.size(), 1u);
  for (const char* backend : {"xnnpack", "portable"}) {
    const std::string profile = Profile(kinds, backend);
    linnet_session* session = Create(&profile);
    ASSERT_NE(session, nullptr) << error_.text;
    for (int i = 0; i < linnet_session_num_steps(session); ++i) {
      const bool has_choice = !KindOf(session, i).empty();
      EXPECT_EQ(KindOf(session, i), KindOf(rules, i));
      EXPECT_STREQ(InfoOf(session, i).chosen_by, has_choice ? "profile" : "rules");
      if (has_choice) {
        EXPECT_STREQ(InfoOf(session, i).backend, backend);
      }
      EXPECT_STREQ(InfoOf(rules, i).chosen_by, "rules");
    }
    const std::vector<float> output = RunOnce(session);
    ASSERT_EQ(output.size(), expected.size());
    for (size_t i = 0; i < output.size(); ++i)
      EXPECT_NEAR(output[i], expected[i], 1e-4f * (1.0f + std::abs(expected[i])));
    linnet_session_destroy(session);
  }
  linnet_session_destroy(rules);
}

TEST_F(KernelsTest, StepsThatAreNotInItKeepTheRules) {
  if (!HasXnnpack()) GTEST_SKIP() << "no step has a choice";
  const std::set<std::string> kinds = Kinds();
  const std::string profile = Profile({*kinds.begin()}, "portable");
  linnet_session* session = Create(&profile);
  ASSERT_NE(session, nullptr) << error_.text;
  for (int i = 0; i < linnet_session_num_steps(session); ++i)
    EXPECT_STREQ(InfoOf(session, i).chosen_by,
                 KindOf(session, i) == *kinds.begin() ? "profile" : "rules");
  linnet_session_destroy(session);
}

// XNNPACK would need a copy of the filters, and cannot run in strips.
TEST_F(KernelsTest, PanelsAndStripsLeaveNoChoice) {
  Open(PanelsPlan());
  EXPECT_TRUE(Kinds().empty());
  Open(StripsPlan());
  EXPECT_TRUE(Kinds().empty());
}

TEST_F(KernelsTest, WeightsAreSharedByTheSameProfileOnly) {
  if (!HasXnnpack()) GTEST_SKIP() << "no step has a choice";
  const std::set<std::string> kinds = Kinds();
  const std::string xnnpack = Profile(kinds, "xnnpack"), portable = Profile(kinds, "portable");
  linnet_session* rules = Create(nullptr);
  linnet_session* sessions[] = {Create(&xnnpack), Create(&portable), Create(&xnnpack)};
  for (linnet_session* session : sessions) {
    ASSERT_NE(session, nullptr) << error_.text;
    for (int i = 0; i < linnet_session_num_steps(session); ++i)
      if (!KindOf(session, i).empty()) {
        EXPECT_STREQ(InfoOf(session, i).backend, session == sessions[1] ? "portable" : "xnnpack");
      }
  }
  // Also where the weights are there already.
  EXPECT_EQ(Create(&xnnpack, /*threads=*/2), nullptr);
  EXPECT_EQ(error_.status, LINNET_UNSUPPORTED);
  for (linnet_session* session : sessions) linnet_session_destroy(session);
  linnet_session_destroy(rules);
}

TEST_F(KernelsTest, WeightsCanBePreparedByIt) {
  if (!HasXnnpack()) GTEST_SKIP() << "no step has a choice";
  const std::string profile = Profile(Kinds(), "portable", 2);
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.threads = 2;
  options.kernels = profile.data();
  options.kernels_bytes = profile.size();
  ASSERT_EQ(linnet_weights_prepare(plan_, &options, &options.weights, &error_), LINNET_OK)
      << error_.text;
  options.kernels = "nonsense";
  linnet_session* session = nullptr;
  ASSERT_EQ(linnet_session_create(plan_, &options, &session, &error_), LINNET_OK) << error_.text;
  for (int i = 0; i < linnet_session_num_steps(session); ++i)
    if (!KindOf(session, i).empty()) {
      EXPECT_STREQ(InfoOf(session, i).chosen_by, "profile");
    }
  linnet_session_destroy(session);
  linnet_weights_release(options.weights);
}

TEST_F(KernelsTest, BadProfilesAreRefused) {
  const std::string none, text = "no profile", good = Profile({}, ""), threads = Profile({}, "", 2),
                          unknown = Profile({"A()"}, "abacus");
  if (!HasXnnpack()) {  // there is nothing to choose, so nobody looks
    linnet_session_destroy(Create(&text));
    EXPECT_EQ(error_.status, LINNET_OK);
    return;
  }
  linnet_session_destroy(Create(&good));
  EXPECT_EQ(error_.status, LINNET_OK) << error_.text;
  for (const std::string* bad : {&none, &text, &unknown}) {
    EXPECT_EQ(Create(bad), nullptr);
    EXPECT_EQ(error_.status, LINNET_INVALID_ARGUMENT);
    EXPECT_NE(std::string(error_.text).find("the kernel profile, line "), std::string::npos);
  }
  EXPECT_EQ(Create(&threads), nullptr);
  EXPECT_EQ(error_.status, LINNET_UNSUPPORTED);
  EXPECT_NE(std::string(error_.text).find("threads 2, and this is threads 1"), std::string::npos)
      << error_.text;
  linnet_session_destroy(Create(&threads, 2));
  EXPECT_EQ(error_.status, LINNET_OK) << error_.text;
}

// Whoever asks for portable kernels gets them.
TEST_F(KernelsTest, TheBackendGoesFirst) {
  const std::string profile = Profile(Kinds(), "xnnpack");
  linnet_session* session = Create(&profile, 1, LINNET_BACKEND_PORTABLE);
  ASSERT_NE(session, nullptr) << error_.text;
  for (int i = 0; i < linnet_session_num_steps(session); ++i) {
    EXPECT_STREQ(InfoOf(session, i).backend, "portable");
    EXPECT_STREQ(InfoOf(session, i).chosen_by, "rules");
    EXPECT_EQ(linnet_session_step_kind(session, i, nullptr, 0), 0);
  }
  EXPECT_EQ(linnet_session_step_kind(session, -1, nullptr, 0), -1);
  EXPECT_EQ(linnet_session_step_kind(session, 1000, nullptr, 0), -1);
  linnet_session_destroy(session);
}

// Too small a buffer stays as it is.
TEST_F(KernelsTest, KindsNeedRoom) {
  if (!HasXnnpack()) GTEST_SKIP() << "no step has a choice";
  linnet_session* session = Create(nullptr);
  int step = 0;
  while (linnet_session_step_kind(session, step, nullptr, 0) == 0) ++step;
  const std::string kind = KindOf(session, step);
  std::string buffer(kind.size() + 1, '?');
  EXPECT_EQ(linnet_session_step_kind(session, step, buffer.data(), kind.size()),
            static_cast<int32_t>(kind.size()));
  EXPECT_EQ(buffer, std::string(kind.size() + 1, '?'));
  linnet_session_destroy(session);
}

}  // namespace
}  // namespace linnet
