// SPDX-License-Identifier: Apache-2.0
// Untrusted plans with invalid regions: each must be refused with the reason.
#include <memory>
#include <vector>

#include "converter/graph/graph.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "schema/plan_generated.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/api/forger.h"
#include "tests/runtime/api/raw_plan.h"

namespace linnet {
namespace {

// A loop in a loop: regions 1 and 2 of the outer step, 3 and 4 of the inner one.
std::vector<std::byte> Nested() {
  return TextPlan(R"(
    n = arg i32[]
    x = arg f32[]
    outside = Unary(x) {kind: Neg}
    outer = While(n, outside) [
      n = arg i32[]
      more = Compare(n, const i32[] 0) {kind: Greater}
      goes_on = ret(more)
    ] [
      n = arg i32[]
      x = arg f32[]
      less = Binary(n, const i32[] 1) {kind: Sub}
      inner = While(x, less) [
        x = arg f32[]
        low = Compare(x, const f32[] 9) {kind: Less}
        goes_on = ret(low)
      ] [
        x = arg f32[]
        sum = Binary(x, x) {kind: Add}
        ret0 = ret(sum)
      ]
      ret0 = ret(less)
      ret1 = ret(inner)
    ]
    after = Unary(outer:1) {kind: Neg}
    out = ret(after))");
}

constexpr uint32_t kOuterBody = 2, kInnerCondition = 3, kInnerBody = 4;

// The step to which a region belongs.
const schema::Step& Loop(const Forger& plan, uint32_t region) {
  for (const schema::Step* step : *plan.region(region).steps())
    if (step->control() != schema::Control::None) return *step;
  std::abort();
}

TEST(Regions, AreAcceptedAsTheyAreWritten) { EXPECT_EQ(Forger(Nested()).Open(), ""); }

TEST(Regions, MayNotContainThemselves) {
  const Forger plan(Nested());
  for (const int32_t region : {1, 2}) {
    Forger::Set(Loop(plan, kOuterBody).regions(), 0, region);
    EXPECT_REFUSED(plan, "names a region that is not above its own");
  }
}

TEST(Regions, BelongToOneStep) {
  const Forger twice(Nested());
  Forger::Set(Loop(twice, kOuterBody).regions(), 1, kInnerCondition);
  EXPECT_REFUSED(twice, "names a region of another step");
  const Forger unused(Nested());
  Forger::Set(Loop(unused, 0).regions(), 1, kInnerBody);
  EXPECT_NE(unused.Open(), "");
}

TEST(Regions, Exist) {
  const Forger plan(Nested());
  for (const int32_t region : {-1, 0, 5, INT32_MAX}) {
    Forger::Set(Loop(plan, 0).regions(), 1, region);
    EXPECT_REFUSED(plan, "no such region");
  }
}

TEST(Regions, AreTwo) {
  const Forger plan(Nested());
  Forger::SetSize(Loop(plan, 0).regions(), 1);
  EXPECT_REFUSED(plan, "wrong number of regions");
}

TEST(Regions, WantAKnownControl) {
  const Forger plan(Nested());
  Forger::SetControl(Loop(plan, 0), 4);
  EXPECT_REFUSED(plan, "unknown control");
}

TEST(Regions, ReadOnlyWhatTheirStepLists) {
  const Forger plan(Nested());
  // x belongs to the program, and the outer loop does not list it.
  Forger::Set(plan.step(kInnerBody, 0).inputs(), 0,
              plan.program().signature()->inputs()->Get(1)->tensor());
  EXPECT_REFUSED(plan, "reads a tensor that nothing has written");
}

TEST(Regions, KeepTheirTensorsToThemselves) {
  const int32_t inside = Forger(Nested()).region(kInnerBody).results()->Get(0);
  const Forger outside(Nested());
  Forger::Set(outside.step(0, 2).inputs(), 0, inside);
  EXPECT_REFUSED(outside, "reads a tensor that nothing has written");
  const Forger sibling(Nested());
  Forger::Set(sibling.step(kInnerCondition, 0).inputs(), 0, inside);
  EXPECT_REFUSED(sibling, "reads a tensor that nothing has written");
  const Forger result(Nested());
  Forger::Set(result.region(kOuterBody).results(), 1, inside);
  EXPECT_REFUSED(result, "a region's result is never written in it");
}

TEST(Regions, WriteEachTensorOnce) {
  const Forger plan(Nested());
  Forger::Set(plan.step(kInnerBody, 0).outputs(), 0, Loop(plan, kOuterBody).outputs()->Get(0));
  EXPECT_REFUSED(plan, "is written already");
}

TEST(Regions, HaveResultsOfTheRightTypes) {
  const Forger condition(Nested());
  Forger::Set(condition.region(kInnerCondition).results(), 0,
              Loop(condition, kOuterBody).outputs()->Get(0));
  EXPECT_REFUSED(condition, "its condition's result is not a bool scalar");
  const Forger body(Nested());
  Forger::Set(body.region(kOuterBody).results(), 1, body.region(kOuterBody).results()->Get(0));
  EXPECT_REFUSED(body, "has another type than the output");
  const Forger few(Nested());
  Forger::SetSize(few.region(kOuterBody).results(), 1);
  EXPECT_REFUSED(few, "a region must have as many results as the step has outputs");
}

TEST(Regions, BeginWithValuesOfTheRightTypes) {
  const Forger plan(Nested());
  Forger::Set(Loop(plan, 0).inputs(), 1, Loop(plan, 0).inputs()->Get(0));
  EXPECT_REFUSED(plan, "a variable and its initial value have different types");
  const Forger few(Nested());
  Forger::SetSize(Loop(few, 0).inputs(), 1);
  EXPECT_REFUSED(few, "needs at least one variable, and an initial value for each");
}

// A branch whose tensors of 8 elements have a varying extent, but for the outputs without one.
std::vector<std::byte> VaryingBranch(bool outputs_vary) {
  const std::vector<std::byte> bytes = TextPlan(R"(
    p = arg bool[]
    x = arg f32[8]
    choice = If(p, x) [
      x = arg f32[8]
      y = Unary(x) {kind: Neg}
      ret0 = ret(y)
    ] [
      x = arg f32[8]
      y = Unary(x) {kind: Abs}
      ret0 = ret(y)
    ]
    out = ret(choice))");
  return ChangedPlan(bytes, [&](schema::PlanT& plan) {
    plan.symbols.push_back(std::make_unique<schema::SymbolT>());
    plan.symbols[0]->name = "n";
    plan.symbols[0]->min = 1;
    plan.symbols[0]->max = 8;
    const schema::ProgramT& program = *plan.programs[0];
    for (const auto& tensor : program.tensors)
      if (!tensor->shape.empty()) tensor->symbols = {0};
    for (const auto& step : program.regions[0]->steps)
      if (!outputs_vary) program.tensors[step->outputs[0]]->symbols.clear();
  });
}

// Or an output would have more elements than a region has written.
TEST(Regions, HaveResultsOfTheSameExtents) {
  EXPECT_EQ(Forger(VaryingBranch(true)).Open(), "");
  EXPECT_REFUSED(Forger(VaryingBranch(false)), "has another type than the output");
}

TEST(Regions, BranchOnABool) {
  const Forger plan(TextPlan(R"(
    p = arg bool[]
    x = arg f32[]
    choice = If(p, x) [ x = arg f32[] r = ret(x) ] [ c = const f32[] 3 r = ret(c) ]
    out = ret(choice))"));
  EXPECT_EQ(plan.Open(), "");
  Forger::Set(Loop(plan, 0).inputs(), 0, Loop(plan, 0).inputs()->Get(1));
  EXPECT_REFUSED(plan, "the predicate is not a bool scalar");
}

TEST(Regions, AreNamedAsAFeature) {
  const Forger plan(Nested());
  const auto* name = plan.program().required_features()->Get(0);
  ASSERT_EQ(name->str(), "regions");
  *const_cast<char*>(name->c_str()) = 'x';
  linnet_status status;
  EXPECT_NE(plan.Open(&status).find("'xegions'"), std::string::npos);
  EXPECT_EQ(status, LINNET_UNSUPPORTED);
}

// If in If in If ...: `depth` of them around the argument.
converter::Output Nest(converter::Graph* graph, int depth) {
  const converter::Output p{graph->AddArg("p", 0, {DType::kBool, {}}), 0};
  const converter::Output x{graph->AddArg("x", 1, {DType::kFloat32, {}}), 0};
  if (depth == 0) return x;
  std::vector<std::unique_ptr<converter::Graph>> regions;
  for (int i = 0; i < 2; ++i) {
    regions.push_back(std::make_unique<converter::Graph>(converter::OpRegistry::Global()));
    regions.back()->AddRetval("ret", 0, Nest(regions.back().get(), i == 0 ? depth - 1 : 0));
  }
  const converter::Output inputs[] = {p, p, x};
  const auto node =
      graph->AddStructured("if", converter::NodeClass::kLinnetIf, inputs, std::move(regions));
  EXPECT_TRUE(node.ok()) << node.status();
  return {*node, 0};
}

TEST(Regions, AreNestedSixteenDeep) {
  for (const int depth : {kMaxRegionDepth, kMaxRegionDepth + 1}) {
    converter::Graph graph(converter::OpRegistry::Global());
    graph.AddRetval("ret", 0, Nest(&graph, depth));
    const Forger plan(GraphPlan(graph));
    if (depth == kMaxRegionDepth)
      EXPECT_EQ(plan.Open(), "");
    else
      EXPECT_REFUSED(plan, "structured steps are nested too deeply");
  }
}

}  // namespace
}  // namespace linnet
