// SPDX-License-Identifier: Apache-2.0
// Small plans that ask for much. Opening a plan of n bytes and creating a session under max_bytes
// must take at most 64 n + 1 MB + 2 max_bytes of memory, and a plan of 4 n bytes at most six times
// as long. It does not matter whether the plan is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string>
#include <tuple>

#include "linnet/linnet.h"
#include "tests/runtime/api/bombs.h"
#include "tests/runtime/counted_malloc.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

constexpr int64_t kMaxBytes = int64_t{8} << 20;

// What opening, creating and running one plan took.
struct Taken {
  int64_t open_bytes, all_bytes;
  double seconds;
  linnet_status opened, created;
};

double Now() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Taken Live(const PlacedBytes& bytes, linnet_backend backend) {
  Taken taken{0, 0, 0, LINNET_OK, LINNET_OK};
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.backend = backend;
  options.max_bytes = kMaxBytes;
  linnet_plan* plan = nullptr;
  linnet_session* session = nullptr;
  const CountedScope scope(-1);
  const double start = Now();
  taken.opened = linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan, nullptr);
  taken.open_bytes = CountedScope::peak_bytes();
  if (taken.opened == LINNET_OK)
    taken.created = linnet_session_create(plan, &options, &session, nullptr);
  taken.seconds = Now() - start;
  taken.all_bytes = CountedScope::peak_bytes();
  linnet_session_destroy(session);
  linnet_plan_close(plan);
  return taken;
}

class BombTest : public testing::TestWithParam<std::tuple<Bomb, linnet_backend>> {};

TEST_P(BombTest, IsAnsweredWithinItsBudget) {
  constexpr size_t kSmall = size_t{256} << 10;
  const auto& [bomb, backend] = GetParam();
  const PlacedBytes plans[] = {PlacedBytes(bomb.make(kSmall)), PlacedBytes(bomb.make(4 * kSmall))};
  double least[] = {1e9, 1e9};
  // Times below some milliseconds depend on the caches of a busy machine; quadratic time is much
  // longer than that.
  const auto in_time = [&] { return least[1] <= 6 * std::max(least[0], 0.005); };
  // Both sizes take turns, so that a busy moment affects both. If it lasts, more repetitions wait
  // for it to end: a plan never takes less than its true time.
  for (int repeat = 0; repeat < 5 || (repeat < 40 && !in_time()); ++repeat)
    for (int size = 0; size < 2; ++size) {
      const auto n = static_cast<int64_t>(plans[size].size());
      const Taken taken = Live(plans[size], backend);
      least[size] = std::min(least[size], taken.seconds);
      if (repeat == 0) continue;  // initialises what lives as long as the process
      EXPECT_LE(taken.open_bytes, 64 * n + (1 << 20)) << n << " bytes";
      EXPECT_LE(taken.all_bytes, 64 * n + (1 << 20) + 2 * kMaxBytes) << n << " bytes";
      if (repeat == 4)
        RecordProperty("size" + std::to_string(size),
                       std::to_string(n) + " bytes: " + std::to_string(taken.open_bytes) + ", " +
                           std::to_string(taken.all_bytes) + " taken, " +
                           linnet_status_name(taken.opened) + ", " +
                           linnet_status_name(taken.created));
    }
  EXPECT_TRUE(in_time()) << least[0] << " s, then " << least[1];
}

INSTANTIATE_TEST_SUITE_P(All, BombTest,
                         testing::Combine(testing::ValuesIn(AllBombs().begin(), AllBombs().end()),
                                          testing::Values(LINNET_BACKEND_CPU,
                                                          LINNET_BACKEND_PORTABLE,
                                                          LINNET_BACKEND_PLAIN)),
                         [](const auto& info) {
                           const linnet_backend backend = std::get<1>(info.param);
                           return std::string(std::get<0>(info.param).name) +
                                  (backend == LINNET_BACKEND_CPU        ? "Cpu"
                                   : backend == LINNET_BACKEND_PORTABLE ? "Portable"
                                                                        : "Plain");
                         });

}  // namespace
}  // namespace linnet
