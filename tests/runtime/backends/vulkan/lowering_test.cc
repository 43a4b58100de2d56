// SPDX-License-Identifier: Apache-2.0
// Properties of the dispatches of every conformance case that Vulkan can run. Needs no device.
#include "runtime/backends/vulkan/lowering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/backends/vulkan/abi/epilogue.h"
#include "runtime/backends/vulkan/fusion.h"
#include "runtime/backends/vulkan/support.h"
#include "tests/conformance/loaded_case.h"
#include "tests/runtime/backends/vulkan/spirv_module.h"

namespace linnet::vulkan {
namespace {

using conformance::LoadedCase;
using conformance::OpCase;
using conformance::OpFile;

std::vector<OpFile> LoweredOps() {
  std::vector<OpFile> result;
  for (const OpFile& row : conformance::kOpFiles)
    if (FindLowering(row.kind) != nullptr) result.push_back(row);
  return result;
}

// Those of all classes of devices, and the largest everywhere.
const Tiles kTiles[] = {TilesOf(DeviceClass::kOther),
                        TilesOf(DeviceClass::kMali),
                        TilesOf(DeviceClass::kCpu),
                        {.product = {8, 4}, .depthwise = {4, 1}, .many_threads = 1}};

// What is known of the constants.
enum class Constants { kKnown, kUnknown, kVariable };

std::vector<InputInfo> InputsOf(const OpInstance& op, Constants constants) {
  std::vector<InputInfo> inputs(op.inputs.begin(), op.inputs.end());
  for (InputInfo& input : inputs) {
    if (!input.is_constant) continue;
    if (constants != Constants::kKnown) input.value = nullptr;
    input.is_constant = constants != Constants::kVariable;
  }
  return inputs;
}

// Such a step has no dispatches.
bool HasEmptyOutput(const OpInstance& op) {
  return std::any_of(op.outputs.begin(), op.outputs.end(),
                     [](const TensorType& type) { return type.shape.num_elements() == 0; });
}

// What a lowering says about a step.
struct Lowered {
  explicit Lowered(const Tiles& tiles) : dispatches(tiles) {}

  int64_t scratch_bytes = 0;  // that it is offered
  const char* why_unsupported = nullptr;
  Dispatches dispatches;
  int64_t packed_bytes = 0;
};

// With the scratch memory that the step wants, or without.
Lowered LoweredFrom(OpInstance op, Constants constants, Layout layout, const Tiles& tiles,
                    bool with_scratch) {
  const std::vector<InputInfo> inputs = InputsOf(op, constants);
  op.inputs = inputs;
  const OpLowering& lowering = *FindLowering(op.kind);
  Lowered result(tiles);
  result.why_unsupported = WhyUnsupported(op);
  if (result.why_unsupported != nullptr) return result;
  if (with_scratch) result.scratch_bytes = ScratchBytes(op, layout);
  if (!HasEmptyOutput(op)) LowerStep(op, layout, result.scratch_bytes, result.dispatches);
  if (lowering.packed_bytes != nullptr)
    result.packed_bytes = PackedBytes(op, layout, result.scratch_bytes);
  return result;
}

// Bytes of what `operand` names; -1 when there is no such thing.
int64_t BytesOf(const Operand& operand, const OpInstance& op, Layout layout,
                const Lowered& lowered) {
  switch (operand.kind) {
    case Operand::Kind::kInput:
      return operand.index < op.num_inputs() ? BytesIn(layout, op.input(operand.index)) : -1;
    case Operand::Kind::kOutput:
      return operand.index < op.outputs.size() ? BytesIn(layout, op.output(operand.index)) : -1;
    case Operand::Kind::kPacked:
      return operand.index == 0 && lowered.packed_bytes > 0 ? lowered.packed_bytes : -1;
    case Operand::Kind::kScratch:
      return operand.index == 0 && lowered.scratch_bytes > 0 ? lowered.scratch_bytes : -1;
    case Operand::Kind::kStatus:
      return -1;
  }
  return -1;
}

void ExpectWindow(const Operand& operand, const OpInstance& op, Layout layout,
                  const Lowered& lowered) {
  const int64_t whole = BytesOf(operand, op, layout, lowered);
  ASSERT_GT(whole, 0) << "names nothing";
  EXPECT_GE(operand.offset, 0);
  EXPECT_LT(operand.offset, whole);
  EXPECT_EQ(operand.offset % kWindowAlignment, 0);
  const int64_t bytes = operand.bytes == -1 ? whole - operand.offset : operand.bytes;
  EXPECT_GT(bytes, 0);
  EXPECT_EQ(bytes % (layout == Layout::kRows4Half ? 8 : 16), 0) << "not whole quads";
  EXPECT_LE(operand.offset + bytes, whole);
  EXPECT_LE(bytes, kMaxWindowBytes);
  EXPECT_TRUE(operand.kind == Operand::Kind::kOutput || operand.kind == Operand::Kind::kScratch ||
              !operand.written)
      << "writes an input";
}

// What the dispatches before one have written.
struct Written {
  std::vector<bool> outputs;
  std::vector<std::pair<int64_t, int64_t>> scratch;  // begin and end of each window
};

void ExpectDispatch(const Dispatch& dispatch, const OpInstance& op, Layout layout,
                    const Lowered& lowered, Written* written) {
  ASSERT_LT(static_cast<int>(dispatch.shader), static_cast<int>(Shader::kCount));
  EXPECT_GE(dispatch.threads, 1);
  EXPECT_LT(dispatch.threads, int64_t{1} << 32);
  ASSERT_LE(dispatch.num_operands, kMaxOperands);
  EXPECT_LT(dispatch.num_constants, LINNET_EPILOGUE_CONSTANT);
  EXPECT_LE(dispatch.push_bytes, kMaxPushBytes);
  EXPECT_EQ(dispatch.push_bytes % 4, 0);
  bool writes = false, writes_status = false;
  for (int i = 0; i < dispatch.num_operands; ++i) {
    SCOPED_TRACE("operand " + std::to_string(i));
    const Operand& operand = dispatch.operands[i];
    writes |= operand.written;
    if (operand.kind == Operand::Kind::kStatus) {
      EXPECT_TRUE(operand.written);
      EXPECT_FALSE(writes_status) << "twice";
      writes_status = true;
      continue;
    }
    ExpectWindow(operand, op, layout, lowered);
    if (operand.kind == Operand::Kind::kScratch && !operand.written) {
      const std::pair window(operand.offset, operand.offset + operand.bytes);
      EXPECT_EQ(std::ranges::count(written->scratch, window), 1) << "reads what is not written yet";
    }
    if (operand.kind != Operand::Kind::kOutput || operand.index >= written->outputs.size())
      continue;
    EXPECT_TRUE(operand.written || written->outputs[operand.index])
        << "reads what is not written yet";
  }
  EXPECT_TRUE(writes);
  EXPECT_EQ(dispatch.bad_index != nullptr, writes_status);
  for (int i = 0; i < dispatch.num_operands; ++i) {
    const Operand& operand = dispatch.operands[i];
    if (!operand.written) continue;
    if (operand.kind == Operand::Kind::kScratch) {
      const std::pair window(operand.offset, operand.offset + operand.bytes);
      // What lay there is gone.
      std::erase_if(written->scratch, [&](const auto& other) {
        return other.first < window.second && window.first < other.second;
      });
      written->scratch.push_back(window);
    } else if (operand.kind == Operand::Kind::kOutput && operand.index < written->outputs.size()) {
      written->outputs[operand.index] = true;
    }
  }
}

// The shader has the bindings, constants and push constants that the dispatch fills in.
void ExpectInterface(const Dispatch& dispatch) {
  ASSERT_FALSE(PackedSpirvOf(dispatch.shader, dispatch.mode).empty()) << NameOf(dispatch.shader);
  const std::vector<uint32_t> words = WordsOf(dispatch.shader, dispatch.mode);
  const SpirvModule module(words);
  ASSERT_EQ(module.error(), "");
  std::vector<bool> written;
  for (int i = 0; i < dispatch.num_operands; ++i) written.push_back(dispatch.operands[i].written);
  EXPECT_EQ(module.WrittenBindings(), written) << "bindings, and which of them are written";
  for (const uint32_t id : module.ConstantIds())
    EXPECT_TRUE(
        id <= static_cast<uint32_t>(dispatch.num_constants) ||
        (HasEpilogue(dispatch.shader) && id >= LINNET_EPILOGUE_CONSTANT && id <= kMaxConstants))
        << "constant_id " << id;
  EXPECT_EQ(module.PushBytes(), dispatch.push_bytes);
}

void ExpectSame(const Lowered& a, const Lowered& b) {
  EXPECT_STREQ(a.why_unsupported, b.why_unsupported);
  EXPECT_EQ(a.scratch_bytes, b.scratch_bytes);
  EXPECT_EQ(a.packed_bytes, b.packed_bytes);
  ASSERT_EQ(a.dispatches.size(), b.dispatches.size());
  for (int i = 0; i < a.dispatches.size(); ++i) {
    SCOPED_TRACE("dispatch " + std::to_string(i));
    const Dispatch &x = a.dispatches[i], &y = b.dispatches[i];
    EXPECT_EQ(x.shader, y.shader);
    EXPECT_EQ(x.threads, y.threads);
    EXPECT_TRUE(std::equal(x.constants, x.constants + x.num_constants, y.constants,
                           y.constants + y.num_constants));
    EXPECT_TRUE(std::equal(x.push, x.push + x.push_bytes, y.push, y.push + y.push_bytes));
    const auto same = [](const Operand& m, const Operand& n) {
      return m.kind == n.kind && m.index == n.index && m.written == n.written &&
             m.offset == n.offset && m.bytes == n.bytes;
    };
    EXPECT_TRUE(std::equal(x.operands, x.operands + x.num_operands, y.operands,
                           y.operands + y.num_operands, same));
  }
}

// What `pack` writes into memory of packed_bytes that was full of `fill`.
std::vector<std::byte> Packed(const OpInstance& op, Layout layout, const Lowered& lowered,
                              std::byte fill) {
  constexpr size_t kCanary = 256;
  const ScratchForm* form = FindScratchForm(op, layout, lowered.scratch_bytes);
  const OpLowering& lowering = *FindLowering(op.kind);
  const int64_t bytes =
      form != nullptr ? form->packed_bytes(op, layout) : lowering.packed_bytes(op, layout);
  std::vector<std::byte> memory(bytes + 2 * kCanary, fill);
  (form != nullptr ? form->pack : lowering.pack)(op, layout, memory.data() + kCanary);
  const auto is_fill = [fill](std::byte b) { return b == fill; };
  EXPECT_TRUE(std::all_of(memory.begin(), memory.begin() + kCanary, is_fill)) << "writes in front";
  EXPECT_TRUE(std::all_of(memory.end() - kCanary, memory.end(), is_fill)) << "writes behind";
  return {memory.begin() + kCanary, memory.end() - kCanary};
}

constexpr Layout kLayouts[] = {Layout::kRows4, Layout::kRows4Half};

class LoweringTest : public testing::TestWithParam<OpFile> {
 protected:
  // Calls `check(op, lowered)` for each case that Vulkan can run, with `constants`.
  template <typename Check>
  void ForEachCase(Constants constants, Layout layout, const Check& check) {
    std::string error;
    const std::string path = std::string(LINNET_GOLDEN_DIR "/") + GetParam().file + ".json";
    const std::vector<OpCase> cases = conformance::LoadCases(path, GetParam().kind, &error);
    ASSERT_FALSE(cases.empty()) << error;
    for (const OpCase& test : cases) {
      if (test.error == StatusCode::kInvalidPlan) continue;
      SCOPED_TRACE(test.name);
      LoadedCase loaded(test);
      const Status status = loaded.Load();
      ASSERT_TRUE(status.ok()) << status.what();
      for (const Tiles& tiles : kTiles) {
        SCOPED_TRACE("tiles " + std::to_string(&tiles - kTiles));
        const Lowered lowered = LoweredFrom(loaded.op(), constants, layout, tiles, false);
        if (lowered.why_unsupported != nullptr) continue;
        ++supported_;
        check(loaded.op(), lowered);
        const Lowered other = LoweredFrom(loaded.op(), constants, layout, tiles, true);
        if (other.scratch_bytes == 0) continue;
        SCOPED_TRACE("with scratch memory");
        ++with_scratch_;
        check(loaded.op(), other);
      }
    }
  }
  int supported_ = 0, with_scratch_ = 0;
};

TEST_P(LoweringTest, DispatchesStayInTheirLimits) {
  Layout layout = Layout::kRows4;
  const auto check = [&layout](const OpInstance& op, const Lowered& lowered) {
    ASSERT_LE(lowered.dispatches.size(), kMaxDispatches);
    Written written{std::vector<bool>(op.outputs.size(), false), {}};
    for (int i = 0; i < lowered.dispatches.size(); ++i) {
      SCOPED_TRACE("dispatch " + std::to_string(i));
      ExpectDispatch(lowered.dispatches[i], op, layout, lowered, &written);
      ExpectInterface(lowered.dispatches[i]);
    }
    EXPECT_EQ(written.outputs, std::vector<bool>(op.outputs.size(), !HasEmptyOutput(op)))
        << "not written";
  };
  for (const Layout each : kLayouts) {
    layout = each;
    ForEachCase(Constants::kKnown, layout, check);
    EXPECT_GT(supported_, 0) << "no case can run, so nothing is tested";
    EXPECT_EQ(with_scratch_ > 0, FindLowering(GetParam().kind)->with_scratch != nullptr);
    ForEachCase(Constants::kVariable, layout, check);
  }
}

TEST_P(LoweringTest, DoesNotDependOnTheValuesOfConstants) {
  for (const Layout layout : kLayouts) {
    ForEachCase(Constants::kKnown, layout, [layout](const OpInstance& op, const Lowered& known) {
      ExpectSame(known, LoweredFrom(op, Constants::kUnknown, layout, known.dispatches.tiles(),
                                    known.scratch_bytes > 0));
    });
    ForEachCase(Constants::kUnknown, layout,
                [layout](const OpInstance& op, const Lowered& unknown) {
                  ExpectSame(LoweredFrom(op, Constants::kKnown, layout, unknown.dispatches.tiles(),
                                         unknown.scratch_bytes > 0),
                             unknown);
                });
  }
}

TEST_P(LoweringTest, OnlyTilesDependOnTheDevice) {
  for (const Layout layout : kLayouts) {
    ForEachCase(Constants::kKnown, layout, [layout](const OpInstance& op, const Lowered& lowered) {
      const Lowered other =
          LoweredFrom(op, Constants::kKnown, layout, kTiles[0], lowered.scratch_bytes > 0);
      EXPECT_STREQ(lowered.why_unsupported, other.why_unsupported);
      EXPECT_EQ(lowered.packed_bytes, other.packed_bytes);
      EXPECT_EQ(lowered.scratch_bytes, other.scratch_bytes);
    });
  }
}

TEST_P(LoweringTest, PacksEachByteAndNoOther) {
  const OpLowering& lowering = *FindLowering(GetParam().kind);
  ASSERT_EQ(lowering.packed_bytes == nullptr, lowering.pack == nullptr);
  if (lowering.pack == nullptr) return;
  for (const Layout layout : kLayouts) {
    ForEachCase(Constants::kKnown, layout, [layout](const OpInstance& op, const Lowered& lowered) {
      if (lowered.packed_bytes == 0) return;
      ASSERT_GT(lowered.packed_bytes, 0);
      const auto packed = Packed(op, layout, lowered, std::byte{0xa5});
      EXPECT_EQ(packed, Packed(op, layout, lowered, std::byte{0x5a})) << "leaves bytes alone";
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, LoweringTest, testing::ValuesIn(LoweredOps()),
                         [](const auto& info) { return std::string(info.param.op); });

// In kRows4Half exactly the steps that have floats use the modules that keep these in 16 bits.
TEST_P(LoweringTest, KeepsFloatsInHalves) {
  ForEachCase(
      Constants::kKnown, Layout::kRows4Half, [](const OpInstance& op, const Lowered& lowered) {
        const auto is_float = [](const TensorType& type) { return type.dtype == DType::kFloat32; };
        bool floats = std::any_of(op.outputs.begin(), op.outputs.end(), is_float);
        for (const InputInfo& input : op.inputs) floats |= is_float(input.type);
        for (int i = 0; i < lowered.dispatches.size(); ++i)
          EXPECT_EQ(lowered.dispatches[i].mode == ShaderMode::k_f16p,
                    floats && lowered.dispatches[i].shader != Shader::k_index_check);
      });
}

TEST(FindLoweringTest, KnowsNoOpThatIsNotInTheTable) {
  EXPECT_EQ(FindLowering(OpKind::kUnique), nullptr);
  EXPECT_EQ(FindLowering(static_cast<OpKind>(255)), nullptr);
  EXPECT_NE(FindLowering(OpKind::kClamp), nullptr);
}

}  // namespace
}  // namespace linnet::vulkan
