// SPDX-License-Identifier: Apache-2.0
// Which steps may run together in strips, and on which memory.
#include <gmock/gmock.h>

#include "runtime/ops/all_attrs.h"
#include "runtime/verify/verify_plan.h"
#include "tests/runtime/api/raw_plan.h"
#include "tests/runtime/api/strips_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet {
namespace {

using Parts = StripsPlanParts;
using testing::HasSubstr;

// The error message of opening a plan; "" when it opens.
std::string Open(const std::vector<std::byte>& file) {
  const PlacedBytes bytes(file);
  Region region;
  VerifiedPlan plan;
  Diagnostic diagnostic;
  const Status status = VerifyPlan({bytes.data(), bytes.size()}, region, &plan, &diagnostic);
  EXPECT_TRUE(status.ok() || status.code() == StatusCode::kInvalidPlan) << status.what();
  return status.ok() ? "" : diagnostic.TextOr(status.what());
}

std::string OpenAfter(const std::function<void(schema::ProgramT&)>& change) {
  return Open(RawStripsPlan(change));
}

std::string OpenWith(std::vector<schema::Strips> strips) {
  return OpenAfter([&](schema::ProgramT& program) { program.strips = std::move(strips); });
}

schema::StepT& StepOf(schema::ProgramT& program, size_t index) {
  return *program.regions[0]->steps[index];
}

schema::BufferT& RowsOf(schema::ProgramT& program) {
  return *program.buffers[static_cast<size_t>(StepOf(program, 0).scratch)];
}

schema::BufferT& BufferOf(schema::ProgramT& program, size_t tensor) {
  return *program.buffers[static_cast<size_t>(program.tensors[tensor]->buffer)];
}

TEST(Strips, AreStepsOfTheProgramInOrder) {
  EXPECT_EQ(Open(RawStripsPlan()), "");
  constexpr char kDisorder[] = "want steps of the program, behind those before";
  using List = std::vector<schema::Strips>;
  constexpr uint32_t kMost = UINT32_MAX;
  for (const List& strips :
       {List{{0, 4, 2}}, List{{3, 1, 2}}, List{{3, 0, 2}}, List{{0, 0, 2}}, List{{1, 3, 2}},
        List{{kMost, 2, 2}}, List{{2, kMost, 2}}, List{{kMost, kMost, 2}}, List{{0, kMost, 2}},
        List{{0, 2, 2}, {1, 2, 2}}, List{{1, 2, 2}, {0, 1, 2}}, List{{0, 3, 2}, {0, 3, 2}}})
    EXPECT_THAT(OpenWith(strips), HasSubstr(kDisorder)) << strips[0].first();
}

TEST(Strips, AreOfSeveralSteps) {
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) {
                program.strips = {{0, 1, 2}};
                GiveMemory(program, Parts::kWindows);
                GiveMemory(program, Parts::kCurve);
              }),
              HasSubstr("at least two steps"));
}

TEST(Strips, HaveRowsThatTheLastStepCanMake) {
  for (const uint32_t rows : {1u, 3u, 8u})
    EXPECT_EQ(OpenAfter([&](schema::ProgramT& program) {
                program.strips = {{0, 3, rows}};
                RowsOf(program).size = program.spaces[0]->size = 1 << 16;
                RowsOf(program).offset = 1 << 15;
                RowsOf(program).size = 1 << 15;
              }),
              "")
        << rows;
  for (const uint32_t rows : {0u, 9u, 1u << 31, UINT32_MAX})
    EXPECT_THAT(OpenWith({{0, 3, rows}}), HasSubstr("rows that the last step cannot make")) << rows;
}

TEST(Strips, HaveMemory) {
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) { StepOf(program, 0).scratch = -1; }),
              HasSubstr("strips have no memory"));
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) { StepOf(program, 0).scratch = 99; }),
              HasSubstr("no such buffer"));
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) { RowsOf(program).size -= 1; }),
              HasSubstr("too little memory"));
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) { RowsOf(program).size = 0; }),
              HasSubstr("too little memory"));
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) {
                StepOf(program, 1).scratch = StepOf(program, 0).scratch;
              }),
              HasSubstr("is not in its device's memory"))
      << "only the first step has it";
}

TEST(Strips, OverlapNothingWithTheirMemory) {
  const auto over = [](size_t tensor, int64_t by) {
    return OpenAfter([&](schema::ProgramT& program) {
      program.spaces[0]->size *= 4;
      RowsOf(program).offset = BufferOf(program, tensor).offset + by;
    });
  };
  constexpr int64_t kAll = 8 * 6 * 4 * 4;
  EXPECT_THAT(over(Parts::kX, 0), HasSubstr("the memory of strips overlaps an input"));
  EXPECT_THAT(over(Parts::kY, kAll - 64), HasSubstr("the memory of strips overlaps their output"));
  EXPECT_EQ(over(Parts::kY, kAll), "");
}

TEST(Strips, WriteOverAnInputOnlyBehindAllWhoReadIt) {
  const auto at = [](int64_t by, int32_t pad) {
    return OpenAfter([&](schema::ProgramT& program) {
      program.spaces[0]->size *= 4;
      BufferOf(program, Parts::kY).offset = BufferOf(program, Parts::kX).offset + by;
      // The next strip's windows begin `pad` rows above it.
      StepOf(program, Parts::kDepthwise).inputs[0] = Parts::kX;
      StepOf(program, Parts::kSum).inputs[1] = Parts::kCurve;
      DepthwiseConv2DAttrs each;
      each.pad_top = pad, each.pad_bottom = 2 - pad;
      each.pad_left = each.pad_right = 1;
      StepOf(program, Parts::kDepthwise).attrs = EncodeAttrs(OpKind::kDepthwiseConv2D, &each);
      RowsOf(program).offset = 1 << 14, RowsOf(program).size = 1 << 12;
      program.spaces[0]->size = 1 << 16;
    });
  };
  EXPECT_EQ(at(8 * 6 * 4 * 4, 1), "");
  EXPECT_EQ(at(0, 0), "");
  EXPECT_THAT(at(0, 1), HasSubstr("overlaps rows that a later strip reads"));
  EXPECT_THAT(at(0, 2), HasSubstr("overlaps rows that a later strip reads"));
  EXPECT_THAT(at(64, 0), HasSubstr("the output of strips overlaps an input that they still read"));
}

// Also where what is wrong with the last step comes to light only later.
TEST(Strips, AreRefusedWithALastStepThatWritesNothing) {
  EXPECT_THAT(
      OpenAfter([](schema::ProgramT& program) { StepOf(program, Parts::kSum).outputs.clear(); }),
      HasSubstr("wrong number of outputs"));
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) {
                StepOf(program, Parts::kSum).control = schema::Control::While;
                StepOf(program, Parts::kSum).outputs.clear();
              }),
              HasSubstr(""));
}

TEST(Strips, MakeTensorsThatNobodyElseHas) {
  constexpr char kUnwritten[] = "reads a tensor that nothing has written";
  EXPECT_THAT(OpenWith({{1, 2, 2}}), HasSubstr("written already")) << "by a step before them";
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) {
                program.strips = {{0, 2, 2}};
                GiveMemory(program, Parts::kWindows);
                StepOf(program, Parts::kSum).inputs[1] = Parts::kCurve;
              }),
              HasSubstr(kUnwritten))
      << "by a step behind them";
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) {
                StepOf(program, Parts::kExp).inputs[0] = Parts::kWindows;
              }),
              HasSubstr(kUnwritten))
      << "by an earlier part";
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) {
                program.signature->outputs[0]->tensor = Parts::kCurve;
              }),
              HasSubstr("program output"));
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) {
                program.signature->inputs[0]->tensor = Parts::kCurve;
              }),
              HasSubstr("program input"));
  EXPECT_THAT(OpenWith({}), HasSubstr("want exactly one of buffer, weight and state"));
}

TEST(Strips, MakeATensorOnce) {
  constexpr char kTwice[] = "writes a weight or a tensor that is written already";
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) {
                StepOf(program, Parts::kDepthwise).outputs[0] = Parts::kCurve;
              }),
              HasSubstr(kTwice));
  // Other strips, too.
  EXPECT_THAT(
      OpenAfter([](schema::ProgramT& program) {
        auto& steps = program.regions[0]->steps;
        for (size_t i = 0; i < 3; ++i) steps.push_back(std::make_unique<schema::StepT>(*steps[i]));
        program.tensors.push_back(std::make_unique<schema::TensorT>(*program.tensors[Parts::kY]));
        steps[5]->outputs[0] = static_cast<int32_t>(program.tensors.size()) - 1;
        program.strips.emplace_back(3, 3, 2);
      }),
      HasSubstr(std::string("step 3 '' (Unary): ") + kTwice));
}

TEST(Strips, WriteOnlyTheirOutputToTheArena) {
  constexpr char kOnlyTheLast[] = "the last step and no other writes to the arena";
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) { GiveMemory(program, Parts::kCurve); }),
              HasSubstr(kOnlyTheLast));
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) {
                program.strips = {{0, 2, 2}};
                StepOf(program, Parts::kSum).inputs[0] = Parts::kX;
              }),
              HasSubstr(kOnlyTheLast))
      << "there is no tensor but the parts' own";
}

TEST(Strips, NeedEachStep) {
  EXPECT_THAT(OpenAfter([](schema::ProgramT& program) {
                StepOf(program, Parts::kSum).inputs[0] = Parts::kX;
              }),
              HasSubstr("each step but the last to be read"));
}

TEST(Strips, HaveNoControl) {
  for (const auto control : {schema::Control::While, schema::Control::If, schema::Control::Copy})
    EXPECT_THAT(OpenAfter([&](schema::ProgramT& program) {
                  schema::StepT& step = StepOf(program, Parts::kDepthwise);
                  step.control = control;
                  if (control == schema::Control::Copy) return;
                  step.regions = {1, 2};
                  for (int i = 0; i < 2; ++i)
                    program.regions.push_back(std::make_unique<schema::RegionT>());
                }),
                HasSubstr("loops, branches and copies cannot run in strips"));
}

// A region ends with what it made, and strips are the program's only.
TEST(Strips, MakeNoResultOfARegion) {
  EXPECT_THAT(
      OpenAfter([](schema::ProgramT& program) {
        auto& added = *program.tensors.emplace_back(std::make_unique<schema::TensorT>());
        added.dtype = schema::DType::Bool;
        const auto tensor = static_cast<int32_t>(program.tensors.size()) - 1;
        GiveMemory(program, static_cast<size_t>(tensor));
        auto& port = *program.signature->inputs.emplace_back(std::make_unique<schema::PortT>());
        port.name = "goes_on", port.tensor = tensor;
        auto& branch = *program.regions[0]->steps.emplace_back(std::make_unique<schema::StepT>());
        branch.control = schema::Control::If;
        branch.inputs = {tensor};
        branch.regions = {1, 2};
        for (int i = 0; i < 2; ++i)
          program.regions.emplace_back(std::make_unique<schema::RegionT>())->results = {
              Parts::kWindows};
      }),
      HasSubstr("a region's result is never written in it"));
}

// Plans of other steps, in strips of `rows` rows.
class OtherStrips : public testing::Test {
 protected:
  OtherStrips() {
    exp_.kind = schema::UnaryKind::Exp;
    add_.kind = schema::BinaryKind::Add;
  }
  int32_t Made(const Shape& shape, std::vector<int32_t> symbols = {}) {
    return plan_.Add({.shape = shape, .symbols = std::move(symbols)});
  }
  RawPlan::StepSymbols WithMemory() { return {{}, {}, plan_.Buffer(1 << 16)}; }

  RawPlan plan_;
  UnaryAttrs exp_;
  BinaryAttrs add_;
};

TEST_F(OtherStrips, HaveAtMost64Steps) {
  for (const int count : {64, 65}) {
    RawPlan plan;
    const Shape shape = {1, 8, 2, 3};
    int32_t last = plan.Input(shape);
    const int32_t rows = plan.Buffer(1 << 16);
    plan.Strips(static_cast<uint32_t>(count), 2);
    for (int i = 0; i < count; ++i) {
      const int32_t next = i + 1 < count ? plan.Add({.shape = shape}) : plan.Arena(shape);
      plan.Step(exp_, {last}, {next}, {{}, {}, i == 0 ? rows : -1});
      last = next;
    }
    if (count == 64)
      EXPECT_EQ(Open(plan.Finish()), "");
    else
      EXPECT_THAT(Open(plan.Finish()), HasSubstr("more steps than strips can have"));
  }
}

TEST_F(OtherStrips, CannotMakeRowsOfAnyOp) {
  const int32_t x = plan_.Input({1, 4, 4, 2}), made = Made({1, 4, 4, 2}),
                y = plan_.Arena({1, 4, 4, 2});
  plan_.Strips(2, 2);
  plan_.Step(exp_, {x}, {made}, WithMemory());
  TransposeAttrs turned;
  turned.perm = {0, 2, 1, 3};
  plan_.Step(turned, {made}, {y});
  EXPECT_THAT(Open(plan_.Finish()), HasSubstr("(Transpose): cannot run in strips"));
}

// No window lies beside the picture, whatever pads the plan has.
TEST_F(OtherStrips, HaveWindowsOnThePicture) {
  for (const auto& [above, below] :
       {std::pair(2, 2), std::pair(3, 0), std::pair(0, 3), std::pair(0, 9)}) {
    RawPlan plan;
    const int64_t rows = 4 + above + below - 2;
    const int32_t x = plan.Input({1, 4, 4, 2}), made = plan.Add({.shape = {1, 4, 4, 2}});
    const int32_t y = plan.Arena({1, rows, 2, 2}), memory = plan.Buffer(1 << 12);
    DepthwiseConv2DAttrs each;
    each.pad_top = above, each.pad_bottom = below;
    plan.Strips(2, 1);
    plan.Step(exp_, {x}, {made}, {{}, {}, memory});
    plan.Step(each, {made, plan.Constant({3, 3, 2})}, {y});
    const std::string error = Open(plan.Finish());
    if (above == 2)
      EXPECT_EQ(error, "");
    else
      EXPECT_THAT(error, HasSubstr("(DepthwiseConv2D): cannot run in strips")) << above << below;
  }
}

TEST_F(OtherStrips, HaveFixedExtents) {
  const int32_t n = plan_.Symbol(1, 4);
  const int32_t x = plan_.Input({1, 4, 4, 2}, {-1, n, -1, -1}), y = plan_.Arena({1, 4, 4, 2});
  plan_.Strips(2, 2);
  plan_.Step(exp_, {x}, {Made({1, 4, 4, 2})}, WithMemory());
  plan_.Step(exp_, {x}, {y});
  EXPECT_THAT(Open(plan_.Finish()), HasSubstr("extents can vary only outside of strips"));
}

TEST_F(OtherStrips, MakeNoTensorWhoseExtentsVary) {
  const int32_t n = plan_.Symbol(1, 4);
  plan_.Strips(2, 2);
  plan_.Step(exp_, {plan_.Input({1, 4, 4, 2})}, {Made({1, 4, 4, 2}, {-1, n, -1, -1})},
             WithMemory());
  EXPECT_THAT(Open(plan_.Finish()), HasSubstr("only tensors in the arena can vary"));
}

TEST_F(OtherStrips, HaveEquallyManyPictures) {
  const int32_t x = plan_.Input({1, 4, 4, 2}), many = plan_.Input({3, 4, 4, 2});
  const int32_t made = Made({1, 4, 4, 2});
  plan_.Strips(2, 2);
  plan_.Step(exp_, {x}, {made}, WithMemory());
  plan_.Step(add_, {made, many}, {plan_.Arena({3, 4, 4, 2})});
  EXPECT_THAT(Open(plan_.Finish()), HasSubstr("equally many pictures"));
}

TEST_F(OtherStrips, ReadAllOfNothingThatTheyMake) {
  const int32_t x = plan_.Input({1, 1, 4, 2}), much = plan_.Input({1, 4, 4, 2});
  const int32_t made = Made({1, 1, 4, 2});
  plan_.Strips(2, 1);
  plan_.Step(exp_, {x}, {made}, WithMemory());
  plan_.Step(add_, {much, made}, {plan_.Arena({1, 4, 4, 2})});
  EXPECT_THAT(Open(plan_.Finish()), HasSubstr("reads all of a tensor that is made in strips"));
}

// What a plan of a few bytes can ask for.
TEST_F(OtherStrips, AreNotTooMany) {
  for (const uint32_t rows : {1u, 1u << 11}) {
    RawPlan plan;
    const Shape shape = {1, 1 << 20, 1, 1};
    const int32_t x = plan.Input(shape), made = plan.Add({.shape = shape}), y = plan.Arena(shape);
    const int32_t memory = plan.Buffer(1 << 16);
    plan.Strips(2, rows);
    plan.Step(exp_, {x}, {made}, {{}, {}, memory});
    plan.Step(exp_, {made}, {y});
    if (rows == 1)
      EXPECT_THAT(Open(plan.Finish()), HasSubstr("too many strips"));
    else
      EXPECT_EQ(Open(plan.Finish()), "");
  }
}

// Numbers of rows that do not fit into 32 bits.
TEST_F(OtherStrips, HaveNoGiganticPictures) {
  for (const int64_t rows : {int64_t{1} << 31, (int64_t{1} << 32) + 5, int64_t{1} << 40}) {
    RawPlan plan;
    const Shape shape = {1, rows, 1, 1};
    const int32_t x = plan.Input(shape), made = plan.Add({.shape = shape});
    const int32_t memory = plan.Buffer(1 << 16);
    Pool2DAttrs most;
    most.kind = schema::PoolKind::Max;
    most.window_h = most.stride_h = 1 << 30;
    most.window_w = most.stride_w = 1;
    const int32_t y = plan.Arena({1, (rows - (1 << 30)) / (1 << 30) + 1, 1, 1});
    plan.Strips(2, 1);
    plan.Step(exp_, {x}, {made}, {{}, {}, memory});
    plan.Step(most, {made}, {y});
    EXPECT_THAT(Open(plan.Finish()), HasSubstr("too many rows for strips")) << rows;
  }
}

}  // namespace
}  // namespace linnet
