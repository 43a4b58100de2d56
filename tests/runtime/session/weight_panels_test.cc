// SPDX-License-Identifier: Apache-2.0
// Weights that a plan has in panels (schema/README.md).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "converter/plan/weight_order.h"
#include "runtime/backends/portable/backend.h"
#include "runtime/core/encoding.h"
#include "runtime/kernels/encoded_filter.h"
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

// `text` with that encoding of its weights.
std::string Encoded(std::string text, const std::string& encoding) {
  for (size_t at; (at = text.find("ENCODING")) != std::string::npos;)
    text.replace(at, std::string("ENCODING").size(), encoding);
  return text;
}
std::string ProductsOf(const std::string& encoding) { return Encoded(kProducts, encoding); }

struct Ran {
  std::vector<float> output;
  int64_t prepared_bytes = 0;
};

// All outputs, one after the other.
Ran RunPlan(const std::vector<std::byte>& bytes, const Backend& backend) {
  OpenedPlan plan(bytes);
  const Backend* backends[] = {&backend};
  const Status status = plan.Open(backends);
  EXPECT_TRUE(status.ok()) << status.what() << plan.diagnostic.text;
  if (!status.ok()) return {};
  const PlanProgram& program = plan.program();
  for (size_t k = 0; k < program.inputs.size(); ++k) {
    const int64_t elements = program.tensors[program.inputs[k].tensor].type.shape.num_elements();
    for (int64_t i = 0; i < elements; ++i)
      plan.input(static_cast<int>(k))[i] = static_cast<float>(i % 17) - 8;
  }
  EXPECT_TRUE(plan.session.Run().ok());
  Ran ran = {plan.output(0), plan.prepared_bytes()};
  for (size_t k = 1; k < program.outputs.size(); ++k) {
    const std::vector<float> more = plan.output(static_cast<int>(k));
    ran.output.insert(ran.output.end(), more.begin(), more.end());
  }
  return ran;
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

// Products of few rows: of a matrix, of a map of one pixel, and with a window.
constexpr char kFewRowsOfAll[] = R"(
    x = arg f32[1,3,3,24]
    matrix = arg f32[4,24]
    pixel = Conv2D(x, const f32[70,3,3,24] ENCODING seed=1, const f32[70] seed=2) {}
    squeezed = Conv2D(pixel, const f32[40,1,1,70] ENCODING seed=3) {}
    y = FullyConnected(squeezed, const f32[33,40] ENCODING seed=4) {}
    z = FullyConnected(matrix, const f32[89,24] ENCODING seed=5) {}
    out = ret(y, z))";

// As many bytes as the filters have elements would be a copy of the smallest ones.
constexpr int64_t kCopyBytes = 70 * 9 * 24 + 40 * 70 + 33 * 40 + 89 * 24;

TEST_P(WeightPanels, OfFewRowsAreReadFromTheFile) {
  const std::string text = Encoded(kFewRowsOfAll, GetParam());
  const Ran rows = RunPlan(TextPlan(text, WeightOrder::kRows), portable::GetBackend());
  const Ran panels = RunPlan(TextPlan(text), portable::GetBackend());
  EXPECT_EQ(panels.output, rows.output);
  EXPECT_GT(rows.prepared_bytes, kCopyBytes * int64_t{sizeof(float)});
  const std::string encoding = GetParam();
  const bool is_half = encoding.find("Float16") != std::string::npos;
  const bool is_byte = encoding.find("AffineU8") != std::string::npos;
  if (encoding.empty() || (is_half && kernels::ReadsEncoded(schema::Encoding::Panels16Float16)) ||
      (is_byte && kernels::ReadsEncoded(schema::Encoding::Panels16AffineU8))) {
    EXPECT_LT(panels.prepared_bytes, 1024);
  } else {
    EXPECT_GE(panels.prepared_bytes, kCopyBytes * int64_t{sizeof(float)});
  }
}

// One filter for a step that reads it as it is in the plan, and one that wants floats, in both
// orders of the steps.
TEST_P(WeightPanels, OfFewAndOfManyRows) {
  for (const char* order : {"y, z", "z, y"}) {
    const bool few_first = order[0] == 'y';
    const std::string few = "y = FullyConnected(a, w) {}\n", many = "z = FullyConnected(b, w) {}\n";
    const std::string text =
        Encoded("a = arg f32[2,64] b = arg f32[50,64] w = const f32[48,64] ENCODING seed=1\n" +
                    (few_first ? few + many : many + few) + "out = ret(" + order + ")",
                GetParam());
    const Ran rows = RunPlan(TextPlan(text, WeightOrder::kRows), portable::GetBackend());
    const Ran panels = RunPlan(TextPlan(text), portable::GetBackend());
    EXPECT_EQ(panels.output, rows.output);
    EXPECT_EQ(RunPlan(TextPlan(text), portable::GetPlainBackend()).output, rows.output);
    EXPECT_LT(panels.prepared_bytes, 48 * 64 * 4 + 1024) << "more than one copy";
  }
}

// A product of n x (8 - n) rows: with the largest n there are none, but a run may have 16.
std::vector<std::byte> VaryingRows(bool in_panels) {
  constexpr size_t kDepth = 24, kCols = 16;
  std::vector<std::byte> bytes(kDepth * kCols);
  for (size_t k = 0; k < kDepth; ++k)
    for (size_t n = 0; n < kCols; ++n)
      bytes[in_panels ? k * kCols + n : n * kDepth + k] =
          static_cast<std::byte>((k * 7 + n * 3) % 29);
  RawPlan plan;
  const int32_t n = plan.Symbol(1, 8), rest = plan.Symbol(0, 0, 8, {schema::Term(n, -1)});
  const std::vector<int32_t> symbols = {n, rest, -1};
  const int32_t weight = plan.Weight(
      bytes, in_panels ? schema::Encoding::Panels16AffineU8 : schema::Encoding::AffineU8);
  const int32_t filter = plan.Add({.shape = {kCols, kDepth}, .weight = weight});
  const int32_t in = plan.Input({8, 1, kDepth}, {n, -1, -1});
  const int32_t x = plan.Arena({8, 7, kDepth}, symbols), y = plan.Arena({8, 7, kCols}, symbols);
  BroadcastToAttrs broadcast;
  broadcast.shape = {0, 0, kDepth};
  plan.Step(broadcast, {in}, {x}, {{schema::AttrExtent(0, n), schema::AttrExtent(1, rest)}, {}});
  plan.Step(FullyConnectedAttrs{}, {x, filter}, {y});
  plan.Port(y, /*is_output=*/true);
  return plan.Finish();
}

TEST(WeightPanels, OfRowsThatVary) {
  std::vector<float> results[2];
  for (const bool in_panels : {false, true}) {
    OpenedPlan plan(VaryingRows(in_panels));
    const Backend* backends[] = {&portable::GetBackend()};
    const Status status = plan.Open(backends);
    ASSERT_TRUE(status.ok()) << status.what() << plan.diagnostic.text;
    for (const int64_t n : {4, 1, 7}) {
      const int64_t dims[] = {n, 1, 24};
      ASSERT_TRUE(plan.session.SetInputShape(0, dims).ok());
      for (int i = 0; i < n * 24; ++i) plan.input(0)[i] = static_cast<float>(i % 13) - 6;
      ASSERT_TRUE(plan.session.Run().ok());
      const std::vector<float> output = plan.output(0);
      results[in_panels ? 1 : 0].insert(results[in_panels ? 1 : 0].end(), output.begin(),
                                        output.end());
    }
  }
  EXPECT_EQ(results[0].size(), (16 + 7 + 7) * 16u);
  EXPECT_EQ(results[0], results[1]);
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
