// SPDX-License-Identifier: Apache-2.0
// Weights that a plan has in panels (schema/README.md).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/backends/portable/backend.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/session/opened_plan.h"

namespace linnet {
namespace {

using converter::WeightOrder;

constexpr char kProducts[] = R"(
    x = arg f32[1,6,5,16]
    window = Conv2D(x, const f32[40,3,3,16] ENCODING seed=1, const f32[40] seed=2)
             {pad_top: 1, pad_bottom: 1, pad_left: 1, pad_right: 1}
    y = FullyConnected(window, const f32[33,40] ENCODING seed=3) {}
    out = ret(y))";

std::string ProductsOf(const std::string& encoding) {
  std::string text = kProducts;
  for (size_t at; (at = text.find("ENCODING")) != std::string::npos;)
    text.replace(at, std::string("ENCODING").size(), encoding);
  return text;
}

struct Ran {
  std::vector<float> output;
  int64_t prepared_bytes = 0;
};

Ran RunPlan(const std::vector<std::byte>& bytes, const Backend& backend) {
  OpenedPlan plan(bytes);
  const Backend* backends[] = {&backend};
  const Status status = plan.Open(backends);
  EXPECT_TRUE(status.ok()) << status.what() << plan.diagnostic.text;
  if (!status.ok()) return {};
  for (int i = 0; i < 6 * 5 * 16; ++i) plan.input(0)[i] = static_cast<float>(i % 17) - 8;
  EXPECT_TRUE(plan.session.Run().ok());
  return {plan.output(0), plan.prepared_bytes()};
}

class WeightPanels : public testing::TestWithParam<const char*> {};

TEST_P(WeightPanels, GiveTheBitsOfRows) {
  const std::string text = ProductsOf(GetParam());
  const auto panels = TextPlan(text), rows = TextPlan(text, WeightOrder::kRows);
  EXPECT_NE(panels, rows);
  const std::vector<float> output = RunPlan(rows, portable::GetBackend()).output;
  EXPECT_EQ(RunPlan(panels, portable::GetBackend()).output, output);
  // Its product of rows adds in another order of roundings, that of panels is the same.
  EXPECT_EQ(RunPlan(panels, portable::GetPlainBackend()).output, output);
}

INSTANTIATE_TEST_SUITE_P(Encodings, WeightPanels,
                         testing::Values("", "encoding=Float16",
                                         "encoding=AffineU8 scale=0.01 min=-1",
                                         "encoding=AffineU16 scale=0.0001 min=-1"));

TEST(WeightPanels, FloatsAreReadFromTheFile) {
  const std::string text = ProductsOf("");
  const int64_t filters = (40 * 9 * 16 + 40 * 40) * int64_t{sizeof(float)};
  EXPECT_GE(RunPlan(TextPlan(text, WeightOrder::kRows), portable::GetBackend()).prepared_bytes,
            filters);
  EXPECT_EQ(RunPlan(TextPlan(text), portable::GetBackend()).prepared_bytes, 0);
}

// Also by who packs nothing, as on microcontrollers.
TEST(WeightPanels, ArePlainToo) {
  EXPECT_EQ(RunPlan(TextPlan(ProductsOf("")), portable::GetPlainBackend()).prepared_bytes, 0);
}

}  // namespace
}  // namespace linnet
