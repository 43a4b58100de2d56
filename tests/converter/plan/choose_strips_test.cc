// SPDX-License-Identifier: Apache-2.0
// Which steps of a program run together in strips, and what that does to its memory.
#include "converter/plan/choose_strips.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "converter/graph/structured_node.h"
#include "converter/graph/text/text.h"
#include "converter/plan/program.h"
#include "converter/plan/strip_cost.h"
#include "runtime/verify/verify_plan.h"
#include "tests/plans/graph_plan.h"
#include "tests/runtime/placed_bytes.h"

namespace linnet::converter {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Two blocks of a MobileNet, of which the second has half as many rows, and what follows them.
constexpr char kBlocks[] = R"(
    x = arg f32[1,112,112,16]
    wide = Conv2D(x, const f32[96,1,1,16] seed=1, const f32[96] seed=2) {range: {min: 0, max: 6}}
    each = DepthwiseConv2D(wide, const f32[3,3,96] seed=3, const f32[96] seed=4)
           {pad_top: 1, pad_bottom: 1, pad_left: 1, pad_right: 1, range: {min: 0, max: 6}}
    narrow = Conv2D(each, const f32[16,1,1,96] seed=5)
    sum = Binary(narrow, x) {kind: Add}
    wide2 = Conv2D(sum, const f32[96,1,1,16] seed=6) {range: {min: 0, max: 6}}
    each2 = DepthwiseConv2D(wide2, const f32[3,3,96] seed=7)
            {stride_h: 2, stride_w: 2, pad_bottom: 1, pad_right: 1}
    narrow2 = Conv2D(each2, const f32[24,1,1,96] seed=8)
    mean = Reduce(narrow2) {kind: Mean, axes: [1, 2], keep_dims: false}
    out = ret(mean))";

// Programs point into their graphs.
struct Built {
  std::unique_ptr<Graph> graph;
  Program program;

  // The names of the nodes of strips, one string for each.
  std::vector<std::string> Together() const {
    std::vector<std::string> all;
    for (const Program::Strips& strips : program.strips) {
      std::string names;
      for (int i = strips.first; i < strips.first + strips.count; ++i)
        names += (names.empty() ? "" : " ") + program.steps[static_cast<size_t>(i)].node->name();
      all.push_back(names);
    }
    return all;
  }
  int64_t arena_bytes() const { return program.memory.arena_bytes; }
};

Built BuildGraph(std::unique_ptr<Graph> graph, ProgramOptions options) {
  std::vector<PortName> outputs;
  for (size_t i = 0; i < RegionResults(*graph).size(); ++i)
    outputs.push_back({"out" + std::to_string(i), ""});
  const PortName input{"x", ""};
  auto program = BuildProgram(*graph, "key", {&input, 1}, outputs, {}, {}, DeviceSet({}), options);
  EXPECT_TRUE(program.ok()) << program.status();
  return {std::move(graph), *std::move(program)};
}

Built Build(const std::string& text, ProgramOptions options) {
  auto graph = ParseGraph(text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return BuildGraph(*std::move(graph), options);
}

Built Build(const std::string& text, StripUse use) { return Build(text, {.strips = use}); }

constexpr StripUse kUses[] = {StripUse::kLatency, StripUse::kMemory};

TEST(ChooseStrips, RunsBlocksTogether) {
  for (const StripUse use : kUses) {
    const Built built = Build(kBlocks, use);
    ASSERT_FALSE(built.program.strips.empty());
    const std::vector<std::string> together = built.Together();
    const std::string all = testing::PrintToString(together);
    for (const char* wide : {"wide each", "wide2 each2"})
      EXPECT_NE(all.find(wide), std::string::npos) << all;
    EXPECT_EQ(all.find("mean"), std::string::npos) << "it makes no picture: " << all;
  }
}

TEST(ChooseStrips, ChoosesNoneWhereNoneAreWanted) {
  const Built built = Build(kBlocks, StripUse::kNone);
  EXPECT_THAT(built.program.strips, IsEmpty());
  for (const Program::Tensor& tensor : built.program.tensors) EXPECT_FALSE(tensor.in_strips);
  for (const Program::Step& step : built.program.steps) EXPECT_EQ(step.scratch, -1);
  EXPECT_THAT(Build(kBlocks, ProgramOptions{}).program.strips, IsEmpty()) << "by default";
}

TEST(ChooseStrips, LeavesSmallPicturesAlone) {
  EXPECT_THAT(Build(R"(
    x = arg f32[1,16,16,8]
    a = Conv2D(x, const f32[16,1,1,8] seed=1)
    b = Conv2D(a, const f32[8,1,1,16] seed=2)
    out = ret(b))",
                    StripUse::kLatency)
                  .program.strips,
              IsEmpty());
}

TEST(ChooseStrips, TakesLessMemory) {
  const int64_t none = Build(kBlocks, StripUse::kNone).arena_bytes();
  const int64_t latency = Build(kBlocks, StripUse::kLatency).arena_bytes();
  const int64_t memory = Build(kBlocks, StripUse::kMemory).arena_bytes();
  EXPECT_LE(latency, none / 2);
  EXPECT_LE(memory, latency);
}

// Its strips read the input's rows before they write them.
TEST(ChooseStrips, ASumLiesWhereItsInputDid) {
  const auto place = [](const Program& program, int tensor) {
    const Program::Tensor& info = program.tensors[static_cast<size_t>(tensor)];
    return program.memory.buffers[static_cast<size_t>(info.buffer)].offset + info.offset;
  };
  std::string block(kBlocks);
  block = block.substr(0, block.find("wide2 =")) + "out = ret(sum)";
  for (const bool keep : {false, true}) {
    const Built built = Build(block, {.keep_inputs = keep, .strips = StripUse::kMemory});
    ASSERT_THAT(built.Together(), ElementsAre("wide each narrow sum"));
    const int x = built.program.inputs[0].tensor, sum = built.program.outputs[0].tensor;
    EXPECT_EQ(place(built.program, x) == place(built.program, sum), !keep);
  }
}

// Strips that write over an input are not divided among threads, so they save time for one only.
TEST(ChooseStrips, OverwritesNothingWhereTimeCounts) {
  const Built built = Build(kBlocks, StripUse::kLatency);
  ASSERT_FALSE(built.program.strips.empty());
  for (const Program::Strips& strips : built.program.strips) EXPECT_EQ(strips.overwrites, -1);
}

TEST(ChooseStrips, HidesNoOutputs) {
  const Built built = Build(std::string(kBlocks) + " two = ret(each)", StripUse::kMemory);
  for (const Program::Port& port : built.program.outputs)
    EXPECT_FALSE(built.program.tensors[static_cast<size_t>(port.tensor)].in_strips);
  ASSERT_FALSE(built.program.strips.empty()) << "the second block's";
  for (const std::string& steps : built.Together())
    EXPECT_EQ(steps.find("each narrow"), std::string::npos) << steps;
}

TEST(ChooseStrips, WantsFixedExtents) {
  auto graph = ParseGraph(kBlocks);
  ASSERT_TRUE(graph.ok()) << graph.status();
  const Output x{(*graph)->FindNode("x"), 0};
  const Extent width = Extent::OfSymbol((*graph)->shapes().AddSymbol("width", 112, 112, {}));
  (*graph)->SetExtents(x, {1, 112, width, 16});
  const Built fixed = BuildGraph(*std::move(graph), {.strips = StripUse::kMemory});
  for (const Program::Strips& strips : fixed.program.strips)
    for (int i = strips.first; i < strips.first + strips.count; ++i)
      for (const int output : fixed.program.steps[static_cast<size_t>(i)].outputs)
        EXPECT_THAT(fixed.program.tensors[static_cast<size_t>(output)].symbols, IsEmpty());
}

// What steps read later stays where it is while strips write their rows and their output.
TEST(ChooseStrips, KeepsWhatIsReadLater) {
  std::string text(kBlocks);
  text.insert(text.find("wide2 ="), "kept = Unary(x) {kind: Neg}\n");
  text.insert(text.find("mean ="), "much = Reduce(kept) {kind: Sum, axes: [0, 1, 2, 3]}\n");
  text += " two = ret(much)";
  for (const StripUse use : kUses) {
    const Built built = Build(text, use);
    const Program& program = built.program;
    ASSERT_FALSE(program.strips.empty());
    std::vector<int> written(program.tensors.size(), -1), read(program.tensors.size(), -1);
    for (int i = 0; i < static_cast<int>(program.steps.size()); ++i) {
      for (const int input : program.steps[static_cast<size_t>(i)].inputs)
        read[static_cast<size_t>(input)] = i;
      for (const int output : program.steps[static_cast<size_t>(i)].outputs)
        written[static_cast<size_t>(output)] = i;
    }
    const auto buffer_of = [&](int buffer) {
      return program.memory.buffers[static_cast<size_t>(buffer)];
    };
    for (const Program::Strips& strips : program.strips) {
      const int end = strips.first + strips.count;
      const Program::Step& last = program.steps[static_cast<size_t>(end) - 1];
      for (size_t t = 0; t < program.tensors.size(); ++t) {
        if (!program.tensors[t].in_arena() || written[t] >= strips.first || read[t] < end) continue;
        for (const int buffer : {program.steps[static_cast<size_t>(strips.first)].scratch,
                                 program.tensors[static_cast<size_t>(last.outputs[0])].buffer}) {
          const auto own = buffer_of(program.tensors[t].buffer), other = buffer_of(buffer);
          EXPECT_TRUE(own.offset + own.bytes <= other.offset ||
                      other.offset + other.bytes <= own.offset)
              << program.tensors[t].name;
        }
      }
    }
  }
}

TEST(ChooseStrips, MakesPlansThatOpen) {
  for (const StripUse use : kUses) {
    const PlacedBytes bytes(TextPlan(kBlocks, WeightOrder::kPanels, {.strips = use}));
    Region region;
    VerifiedPlan plan;
    Diagnostic diagnostic;
    ASSERT_TRUE(VerifyPlan({bytes.data(), bytes.size()}, region, &plan, &diagnostic).ok())
        << diagnostic.text;
    EXPECT_FALSE(plan.view.programs[0].strips.empty());
  }
}

TEST(ChooseStrips, HeightsGiveThreadsFairShares) {
  EXPECT_DOUBLE_EQ(LargestShare(56, 8, 2), 2 * 32.0 / 56);  // 7 strips: 3 and 4
  EXPECT_DOUBLE_EQ(LargestShare(56, 7, 4), 1);
  EXPECT_EQ(FairHeight(56, 8, 1), 7);
  EXPECT_EQ(FairHeight(112, 16, 1), 14);
  EXPECT_EQ(FairHeight(64, 8, 1), 8);
  EXPECT_EQ(FairHeight(16, 8, 1), 8);     // 5 rows are fairer to four threads only
  EXPECT_EQ(FairHeight(112, 16, 4), 12);  // ten strips
  EXPECT_EQ(FairHeight(56, 2, 4), 4);
}

}  // namespace
}  // namespace linnet::converter
