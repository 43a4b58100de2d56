// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/plan_writer.h"

#include <gtest/gtest.h>

#include <cstring>

#include "converter/graph/text/text.h"
#include "runtime/core/region.h"
#include "runtime/plan/file_header.h"
#include "runtime/verify/verify_plan.h"
#include "tests/scratch_folder.h"

namespace linnet::converter {
namespace {

class WritePlanTest : public testing::Test {
 protected:
  // The plan file of a graph.
  std::string Write(const std::string& text, const std::string& name = "p.linnet") {
    auto graph = ParseGraph(text);
    EXPECT_TRUE(graph.ok()) << graph.status();
    const std::vector<PortName> in = {{"key", "x:0"}}, out = {{"result", "y:0"}};
    const auto program = BuildProgram(**graph, "serving_default", in, out);
    EXPECT_TRUE(program.ok()) << program.status();
    const auto written = WritePlan(BuildPlan({&*program, 1}), folder_ / name);
    EXPECT_TRUE(written.ok()) << written.status();
    const std::string bytes = ReadAll(folder_ / name);
    EXPECT_EQ(*written, static_cast<int64_t>(bytes.size()));
    return bytes;
  }

  ScratchFolder folder_;
};

constexpr char kText[] = R"(
x = arg f32[1,8,8,3]
c = Conv2D(x, const f32[4,3,3,3] seed=1, const f32[4] {1, 2, 3, 4}) {stride_h: 2, stride_w: 2, range: {min: 0, max: 6}}
y = ret(c)
)";

TEST_F(WritePlanTest, RuntimeReadsWhatWasWritten) {
  const std::string bytes = Write(kText);
  Region region;
  VerifiedPlan plan;
  Diagnostic diagnostic;
  ASSERT_TRUE(VerifyPlan(std::as_bytes(std::span(bytes)), region, &plan, &diagnostic).ok())
      << diagnostic.text;
  const PlanView& view = plan.view;
  ASSERT_EQ(plan.programs.size(), 1u);
  const VerifiedProgram& verified = plan.programs[0];
  ASSERT_EQ(verified.steps.size(), 1u);
  EXPECT_STREQ(verified.steps[0].def->name, "Conv2D");
  EXPECT_STREQ(view.programs[0].key, "serving_default");
  EXPECT_STREQ(view.programs[0].inputs[0].name, "key");
  EXPECT_STREQ(view.programs[0].inputs[0].source, "x:0");
  ASSERT_EQ(view.weights.size(), 2u);
  const float bias[] = {1, 2, 3, 4};
  EXPECT_EQ(std::memcmp(bytes.data() + view.weights[1].offset, bias, sizeof(bias)), 0);
  for (const PlanWeight& weight : view.weights) EXPECT_EQ(weight.offset % kWeightAlignment, 0);
}

TEST_F(WritePlanTest, SameProgramSameBytes) { EXPECT_EQ(Write(kText, "a"), Write(kText, "b")); }

// Two signatures; the second has one more weight. Weights that both use must be in the file once.
// TensorFlow graph row 45: one pruned graph for each signature
TEST_F(WritePlanTest, SignaturesShareWeights) {
  auto first = ParseGraph(kText);
  auto second = ParseGraph(R"(
x = arg f32[1,8,8,3]
c = Conv2D(x, const f32[4,3,3,3] seed=1, const f32[4] {1, 2, 3, 4}) {stride_h: 2, stride_w: 2}
d = Binary(c, const f32[4] {9, 8, 7, 6}) {kind: Add}
y = ret(d)
)");
  ASSERT_TRUE(first.ok() && second.ok());
  const std::vector<PortName> in = {{"key", "x:0"}}, out = {{"result", "y:0"}};
  std::vector<Program> programs;
  programs.push_back(*BuildProgram(**first, "one", in, out));
  programs.push_back(*BuildProgram(**second, "two", in, out));
  ASSERT_TRUE(WritePlan(BuildPlan(programs), folder_ / "two").ok());
  const std::string bytes = ReadAll(folder_ / "two");
  Region region;
  VerifiedPlan plan;
  Diagnostic diagnostic;
  ASSERT_TRUE(VerifyPlan(std::as_bytes(std::span(bytes)), region, &plan, &diagnostic).ok())
      << diagnostic.text;
  ASSERT_EQ(plan.programs.size(), 2u);
  EXPECT_STREQ(plan.view.programs[1].key, "two");
  EXPECT_EQ(plan.view.weights.size(), programs[0].weights.size() + 1);
}

constexpr char kLoopText[] = R"(
x = arg f32[4]
loop = While(const i32[] 9, x) [
  n = arg i32[]
  more = Compare(n, const i32[] 0) {kind: Greater}
  r = ret(more)
] [
  n = arg i32[]
  y = arg f32[4]
  less = Binary(n, const i32[] 1) {kind: Sub}
  sum = Binary(y, const f32[4] {1, 2, 3, 4}) {kind: Add}
  ret0 = ret(less)
  ret1 = ret(sum)
]
y = ret(loop:1)
)";

// bisect and inspect read plans into a structure, which must lose nothing. Debug builds check this
// for every plan that any test writes.
TEST_F(WritePlanTest, ReadAndPackedAgainItHasTheSameBytes) {
  for (const char* text : {kText, kLoopText}) {
    const std::string bytes = Write(text);
    const PlanStructure plan = ReadStructure(std::as_bytes(std::span(bytes)));
    const flatbuffers::DetachedBuffer packed = PackStructure(plan);
    FileHeader header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(packed.data()), packed.size()),
              std::string_view(bytes).substr(header.structure_offset, header.structure_bytes));
  }
}

// The planner places the rows where the concatenation has them, and the rest of x behind it.
TEST_F(WritePlanTest, AConcatenationOfATensorAndItsOwnRowsOpens) {
  Write(R"(
x = arg f32[2,3]
row = Slice(x) {begin: [0, 0], size: [1, 3], stride: [1, 1]}
c = Concat(x, row)
y = ret(c)
)");
}

TEST_F(WritePlanTest, PlanThatWouldNotOpenIsNotKept) {
  auto graph = ParseGraph(kText);
  ASSERT_TRUE(graph.ok()) << graph.status();
  const std::vector<PortName> in = {{"x", "x:0"}}, out = {{"y", "y:0"}};
  auto program = BuildProgram(**graph, "", in, out);
  ASSERT_TRUE(program.ok()) << program.status();
  program->steps[0].inputs[0] = 1'000;
  const absl::Status status = WritePlan(BuildPlan({&*program, 1}), folder_ / "p").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_NE(status.message().find("no such tensor"), std::string_view::npos) << status;
  EXPECT_EQ(folder_.NumFiles(), 0);
}

TEST_F(WritePlanTest, NothingCarriesTheNameWhenWritingFails) {
  auto graph = ParseGraph(kText);
  const std::vector<PortName> in = {{"x", "x:0"}}, out = {{"y", "y:0"}};
  const auto program = BuildProgram(**graph, "", in, out);
  EXPECT_EQ(WritePlan(BuildPlan({&*program, 1}), folder_ / "no/folder/p").status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(folder_.NumFiles(), 0);
}

}  // namespace
}  // namespace linnet::converter
