// SPDX-License-Identifier: Apache-2.0
// Sessions when the system starts fewer threads than requested, or none.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <string>

#include "gtest/gtest.h"
#include "linnet/linnet.h"
#include "tests/runtime/golden_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace {

std::atomic<int> allowed = -1;  // attempts that succeed from now on; -1: all
std::atomic<int> attempts = 0;

}  // namespace

// Takes precedence over the C library's function, also for liblinnet.
extern "C" __attribute__((visibility("default"))) int pthread_create(
    pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument) {
  using Create = decltype(&pthread_create);
  static const auto real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  ++attempts;
  if (allowed == 0) return EAGAIN;
  if (allowed > 0) --allowed;
  return real(thread, attributes, body, argument);
}

namespace linnet {
namespace {

TEST(SessionThreads, FewerThanAskedForAreAWarningAndRun) {
  const PlacedBytes bytes(SmallPlan());
  linnet_plan* plan = nullptr;
  ASSERT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan, nullptr),
            LINNET_OK);
  std::string log;
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.threads = 4;
  options.log_context = &log;
  options.log = [](void* context, linnet_log_level level, const char* text) {
    if (level == LINNET_LOG_WARNING) *static_cast<std::string*>(context) += text;
  };
  for (int given = 0; given <= 3; ++given) {
    log.clear();
    allowed = given;
    linnet_session* session = nullptr;
    linnet_error error{};
    ASSERT_EQ(linnet_session_create(plan, &options, &session, &error), LINNET_OK) << error.text;
    allowed = -1;
    EXPECT_EQ(linnet_session_run(session), LINNET_OK);
    linnet_session_destroy(session);
    const std::string count = std::to_string(1 + given) + " of 4 threads";
    EXPECT_EQ(log.find(count) != std::string::npos, given < 3) << log;
  }
  linnet_plan_close(plan);
}

TEST(SessionThreads, PreparingStartsNone) {
  const PlacedBytes bytes(SmallPlan());
  linnet_plan* plan = nullptr;
  ASSERT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan, nullptr),
            LINNET_OK);
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.threads = 4;
  attempts = 0;
  linnet_weights* weights = nullptr;
  EXPECT_EQ(linnet_weights_prepare(plan, &options, &weights, nullptr), LINNET_OK);
  EXPECT_EQ(attempts, 0);
  linnet_weights_release(weights);
  linnet_plan_close(plan);
}

TEST(SessionThreads, ARunThatIsSubmittedNeedsOne) {
  const PlacedBytes bytes(SmallPlan());
  linnet_plan* plan = nullptr;
  linnet_session* session = nullptr;
  ASSERT_EQ(linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan, nullptr),
            LINNET_OK);
  ASSERT_EQ(linnet_session_create(plan, nullptr, &session, nullptr), LINNET_OK);
  allowed = 0;
  EXPECT_EQ(linnet_session_submit(session), LINNET_NO_MEMORY);
  EXPECT_EQ(linnet_session_last_error(session)->status, LINNET_NO_MEMORY);
  EXPECT_EQ(linnet_session_wait(session, -1), LINNET_INVALID_ARGUMENT);
  EXPECT_EQ(linnet_session_run(session), LINNET_OK);
  allowed = -1;
  attempts = 0;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(linnet_session_submit(session), LINNET_OK);
    EXPECT_EQ(linnet_session_wait(session, -1), LINNET_OK);
  }
  EXPECT_EQ(attempts, 1);
  linnet_session_destroy(session);
  linnet_plan_close(plan);
}

}  // namespace
}  // namespace linnet
