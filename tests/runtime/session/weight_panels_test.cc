// SPDX-License-Identifier: Apache-2.0
// Weights that a plan has in panels (schema/README.md).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "converter/plan/weight_order.h"
#include "runtime/backends/portable/backend.h"
#include "runtime/core/encoding.h"
#include "runtime/ops/all_attrs.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/api/raw_plan.h"
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

// A plan that no converter writes: one filter in panels, which only the first step reads like that.
std::vector<std::byte> SharedFilter(schema::Encoding encoding) {
  std::vector<float> rows(16 * 8);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i * 7 % 31) - 15;
  const auto constant = converter::Constant::Of<float>({16, 8}, rows);
  const std::span<const std::byte> plain = constant.bytes;
  RawPlan plan;
  const int32_t weight =
      plan.Weight(IsPanels(encoding) ? converter::BytesInPanels(constant)
                                     : std::vector<std::byte>(plain.begin(), plain.end()),
                  encoding);
  const int32_t filter = plan.Add({.shape = {16, 1, 1, 8}, .weight = weight});
  const int32_t one = plan.Input({1, 3, 3, 8}), two = plan.Input({1, 3, 3, 16});
  Conv2DAttrs whole, halves;
  halves.groups = 2;
  const int32_t outputs[] = {plan.Arena({1, 3, 3, 16}), plan.Arena({1, 3, 3, 16}),
                             plan.Arena({1, 3, 3, 16})};
  plan.Step(whole, {one, filter}, {outputs[0]});
  plan.Step(halves, {two, filter}, {outputs[1]});
  plan.Step(TransposeConv2DAttrs{.output_h = 3, .output_w = 3}, {one, filter}, {outputs[2]});
  for (const int32_t output : outputs) plan.Port(output, /*is_output=*/true);
  plan.Port(filter, /*is_output=*/true);
  return plan.Finish();
}

TEST(WeightPanels, StepsThatWantRowsGetThem) {
  for (const Backend* backend : {&portable::GetBackend(), &portable::GetPlainBackend()}) {
    std::vector<float> results[2][4];
    for (const bool in_panels : {false, true}) {
      OpenedPlan plan(
          SharedFilter(in_panels ? schema::Encoding::Panels16 : schema::Encoding::Plain));
      const Backend* backends[] = {backend};
      const Status status = plan.Open(backends);
      ASSERT_TRUE(status.ok()) << status.what() << plan.diagnostic.text;
      for (int i = 0; i < 9 * 8; ++i) plan.input(0)[i] = static_cast<float>(i % 5) - 2;
      for (int i = 0; i < 9 * 16; ++i) plan.input(1)[i] = static_cast<float>(i % 3) - 1;
      ASSERT_TRUE(plan.session.Run().ok());
      for (int i = 0; i < 4; ++i) results[in_panels ? 1 : 0][i] = plan.output(i);
    }
    // Small integers: no sum is rounded, whatever kernel computes it.
    for (int i = 0; i < 4; ++i) EXPECT_EQ(results[0][i], results[1][i]) << "output " << i;
  }
}

// Also by who packs nothing, as on microcontrollers.
TEST(WeightPanels, ArePlainToo) {
  EXPECT_EQ(RunPlan(TextPlan(ProductsOf("")), portable::GetPlainBackend()).prepared_bytes, 0);
}

}  // namespace
}  // namespace linnet
