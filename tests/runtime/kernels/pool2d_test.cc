// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/pool2d.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tests/runtime/kernels/loop_cases.h"

namespace linnet::kernels {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

bool Same(float a, float b) { return a == b || (a != a && b != b); }

// Two windows of 2 x 3 with stride 2 in a picture of 2 x 5, and what is there before.
struct WindowCase {
  explicit WindowCase(int64_t channels)
      : channels(channels), in(Random(10 * channels, 1)), before(Random(2 * channels, 2)) {}

  std::vector<float> Run(void (*loop)(const PoolWindows<float>&), bool begun) const {
    std::vector<float> out = before;
    out.push_back(77.0f);
    loop({.in = in.data(),
          .out = out.data(),
          .begun = begun,
          .windows = 2,
          .rows = 2,
          .columns = 3,
          .channels = channels,
          .window_step = 2 * channels,
          .row_step = 5 * channels,
          .pixel_step = channels,
          .divisor = 6.0f,
          .min = -1.5f,
          .max = 1.25f});
    EXPECT_EQ(out.back(), 77.0f) << "written past the end";
    out.pop_back();
    return out;
  }

  // `join(so_far, x)` and `finish(result)` of one element each.
  template <typename Join, typename Finish>
  std::vector<float> Expected(bool begun, const Join& join, const Finish& finish) const {
    std::vector<float> out = before;
    for (int64_t i = 0; i < 2 * channels; ++i) {
      const float* first = in.data() + i / channels * 2 * channels + i % channels;
      if (!begun) out[i] = *first;
      for (int64_t tap = begun ? 0 : 1; tap < 6; ++tap)
        out[i] = join(out[i], first[(tap / 3 * 5 + tap % 3) * channels]);
      const float value = finish(out[i]);
      out[i] = value < -1.5f ? -1.5f : value > 1.25f ? 1.25f : value;
    }
    return out;
  }

  int64_t channels;
  std::vector<float> in, before;
};

TEST(WindowLoops, EqualTheDefinition) {
  const auto larger = [](float a, float b) { return a != a || b != b ? kNan : std::max(a, b); };
  for (const IsaSet& set : UsableSets()) {
    for (int64_t channels = 1; channels <= 150; ++channels) {
      for (const bool begun : {false, true}) {
        SCOPED_TRACE(testing::Message() << set.name << ", " << channels << " channels");
        WindowCase test(channels);
        EXPECT_EQ(test.Run(set.kernels->mean_of_windows, begun),
                  test.Expected(
                      begun, [](float a, float b) { return a + b; },
                      [](float sum) { return sum / 6.0f; }));
        for (size_t i = 0; i < test.in.size(); i += 7) test.in[i] = i % 2 == 0 ? kNan : -kInfinity;
        const auto got = test.Run(set.kernels->max_of_windows, begun);
        const auto want = test.Expected(begun, larger, [](float max) { return max; });
        for (size_t i = 0; i < want.size(); ++i)
          ASSERT_TRUE(Same(got[i], want[i])) << i << ": " << got[i] << ", want " << want[i];
      }
    }
  }
}

// The loops get such a window in several calls.
TEST(Pool2D, WindowsWithMoreWorkThanBetweenTwoQuestions) {
  constexpr int64_t kRows = 300, kColumns = 70, kChannels = 65;
  const Pool2DShape shape = {.batch = 1,
                             .in_h = kRows,
                             .in_w = kColumns,
                             .channels = kChannels,
                             .out_h = 1,
                             .out_w = 1,
                             .window_h = kRows,
                             .window_w = kColumns,
                             .stride_h = 1,
                             .stride_w = 1,
                             .pad_top = 0,
                             .pad_left = 0};
  const std::vector<float> in = Random(kRows * kColumns * kChannels);
  std::vector<float> want_max(in.begin(), in.begin() + kChannels), want_mean(kChannels);
  for (size_t i = 0; i < in.size(); ++i) {
    want_max[i % kChannels] = std::max(want_max[i % kChannels], in[i]);
    want_mean[i % kChannels] += in[i];
  }
  for (float& sum : want_mean) sum /= kRows * kColumns;
  std::vector<float> out(kChannels);
  MaxPool2D(shape, in.data(), -kInfinity, kInfinity, out.data(), {});
  EXPECT_EQ(out, want_max);
  AveragePool2D(shape, in.data(), -kInfinity, kInfinity, out.data(), {});
  EXPECT_EQ(out, want_mean);
  const std::vector<int32_t> ints(in.size(), 5);
  std::vector<int32_t> most(kChannels);
  MaxPool2D(shape, ints.data(), -100, 100, most.data(), {});
  EXPECT_EQ(most, std::vector<int32_t>(kChannels, 5));
}

// An untrusted plan may have windows that are larger than any picture: 2^30 by 2^30 taps for 16
// outputs are 2^64.
TEST(Pool2D, WindowsMuchLargerThanThePicture) {
  constexpr int64_t kWindow = int64_t{1} << 30;
  const Pool2DShape shape = {.batch = 1,
                             .in_h = 2,
                             .in_w = 2,
                             .channels = 1,
                             .out_h = 1,
                             .out_w = 16,
                             .window_h = kWindow,
                             .window_w = kWindow,
                             .stride_h = 1,
                             .stride_w = 1,
                             .pad_top = 0,
                             .pad_left = 15};
  const float in[] = {1, 2, 3, 6};
  float out[16];
  AveragePool2D(shape, in, -100.0f, 100.0f, out, {});
  for (const float value : out) EXPECT_EQ(value, 3.0f);
  MaxPool2D(shape, in, -100.0f, 100.0f, out, {});
  for (const float value : out) EXPECT_EQ(value, 6.0f);
}

}  // namespace
}  // namespace linnet::kernels
