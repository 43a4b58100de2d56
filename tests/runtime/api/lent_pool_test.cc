// SPDX-License-Identifier: Apache-2.0
// Sessions that use a caller's pthreadpool.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "linnet/linnet.h"
#include "runtime/ops/softmax.h"
#include "tests/runtime/api/raw_plan.h"
#include "tests/runtime/placed_bytes.h"
#if LINNET_HAS_PTHREADPOOL
#include <pthreadpool.h>
#endif

namespace linnet {
namespace {

constexpr int kRows = 500, kColumns = 64;

class LentPool : public testing::TestWithParam<linnet_backend> {
 protected:
  void SetUp() override {
    RawPlan plan;
    const int32_t x = plan.Input({kRows, kColumns}), y = plan.Arena({kRows, kColumns});
    plan.Step(SoftmaxAttrs{}, {x}, {y});
    plan.Port(y, /*is_output=*/true);
    bytes_.emplace(plan.Finish());
    ASSERT_EQ(linnet_plan_open_memory(bytes_->data(), bytes_->size(), nullptr, &plan_, nullptr),
              LINNET_OK);
  }
  void TearDown() override { linnet_plan_close(plan_); }

  linnet_status Create(struct pthreadpool* pool, linnet_session** session, linnet_error* error) {
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = GetParam();
    options.pool = pool;
    return linnet_session_create(plan_, &options, session, error);
  }

#if LINNET_HAS_PTHREADPOOL
  static std::vector<float> Run(linnet_session* session) {
    auto* x = static_cast<float*>(linnet_session_input_data(session, 0));
    for (int i = 0; i < kRows * kColumns; ++i) x[i] = static_cast<float>(i % 37) * 0.1f;
    EXPECT_EQ(linnet_session_run(session), LINNET_OK) << linnet_session_last_error(session)->text;
    const auto* y = static_cast<const float*>(linnet_session_output_data(session, 0));
    return {y, y + kRows * kColumns};
  }
#endif

  std::optional<PlacedBytes> bytes_;
  linnet_plan* plan_ = nullptr;
};

#if LINNET_HAS_PTHREADPOOL
TEST_P(LentPool, ServesSeveralSessionsAndGivesTheSameBits) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP()
      << "pthreadpool is built without ThreadSanitizer, which cannot see how it orders its "
         "threads";
#endif
  linnet_error error{};
  linnet_session* alone = nullptr;
  ASSERT_EQ(Create(nullptr, &alone, &error), LINNET_OK) << error.text;
  const std::vector<float> want = Run(alone);
  linnet_session_destroy(alone);
  pthreadpool_t pool = pthreadpool_create(3);
  ASSERT_NE(pool, nullptr);
  linnet_session *first = nullptr, *second = nullptr;
  ASSERT_EQ(Create(pool, &first, &error), LINNET_OK) << error.text;
  ASSERT_EQ(Create(pool, &second, &error), LINNET_OK) << error.text;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Run(first), want);
    EXPECT_EQ(Run(second), want);
  }
  linnet_session_destroy(first);
  EXPECT_EQ(Run(second), want);
  linnet_session_destroy(second);
  pthreadpool_destroy(pool);  // it still belongs to the caller
}
#else
TEST_P(LentPool, IsRefusedWithoutPthreadpool) {
  char anything = 0;
  linnet_error error{};
  linnet_session* session = nullptr;
  EXPECT_EQ(Create(reinterpret_cast<struct pthreadpool*>(&anything), &session, &error),
            LINNET_UNSUPPORTED);
  EXPECT_STREQ(error.text, "this build has no pthreadpool, so none can be lent to it");
  EXPECT_EQ(session, nullptr);
}
#endif

INSTANTIATE_TEST_SUITE_P(Backends, LentPool,
                         testing::Values(LINNET_BACKEND_AUTO, LINNET_BACKEND_PORTABLE));

}  // namespace
}  // namespace linnet
