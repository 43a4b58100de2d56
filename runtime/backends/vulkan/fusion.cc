// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/fusion.h"

#include <bit>
#include <limits>

#include "runtime/backends/vulkan/abi/elementwise_chain.h"
#include "runtime/ops/binary.h"
#include "runtime/ops/clamp.h"
#include "runtime/ops/unary.h"

namespace linnet::vulkan {
namespace {

constexpr int kOutputOperand = 2;  // of all shaders with an epilogue
constexpr int kFirstOperand = 3;
constexpr int kSecondOperand = 1;  // of elementwise_chain only
constexpr uint32_t kNoForm = kEpilogueUnbound;

static_assert(LINNET_EPILOGUE_CONSTANT + LINNET_EPILOGUE_CONSTANTS == kMaxConstants + 1);

// What activation.glsl has.
bool IsActivation(uint32_t kind) {
  switch (kind) {
    case kUnaryAbs:
    case kUnaryNeg:
    case kUnarySquare:
    case kUnarySqrt:
    case kUnaryRsqrt:
    case kUnaryExp:
    case kUnaryTanh:
    case kUnarySigmoid:
    case kUnaryGeluErf:
    case kUnaryGeluTanh:
    case kUnarySwish:
    case kUnaryHardSwish:
    case kUnaryHardSigmoid:
    case kUnaryLeakyRelu:
      return true;
    default:
      return false;
  }
}

// What arithmetic.glsl has.
bool IsArithmetic(uint32_t kind) {
  switch (kind) {
    case kBinaryAdd:
    case kBinarySub:
    case kBinaryMul:
    case kBinaryDiv:
    case kBinaryMaximum:
    case kBinaryMinimum:
    case kBinarySquaredDifference:
    case kBinaryPrelu:
      return true;
    default:
      return false;
  }
}

uint32_t FormOf(const TensorType& input, const Rows& output) {
  const Rows rows = RowsOf(input);
  if (rows.count == output.count && rows.columns == output.columns) return kEpilogueSame;
  if (rows.count != 1) return kNoForm;
  if (rows.columns == output.columns) return kEpilogueRow;
  return rows.columns == 1 ? kEpilogueScalar : kNoForm;
}

bool SameWindow(const Access& a, const Access& b) {
  return a.buffer == b.buffer && a.begin == b.begin && a.end == b.end;
}

bool Overlap(const Access& a, const Access& b) {
  return a.buffer == b.buffer && a.begin < b.end && b.begin < a.end;
}

// Takes kind, code and range of an elementwise op of floats. False for all others.
bool DescribeElementwise(const OpInstance& op, FusionStep* step) {
  step->high = std::numeric_limits<float>::infinity();
  step->low = -step->high;
  switch (op.kind) {
    case OpKind::kUnary:
      step->kind = FusionStep::Kind::kUnary;
      step->code = static_cast<uint32_t>(op.as<UnaryAttrs>().kind);
      step->low = op.as<UnaryAttrs>().alpha;
      if (!IsActivation(step->code)) return false;
      break;
    case OpKind::kClamp:
      step->kind = FusionStep::Kind::kClamp;
      step->code = kEpilogueClamp;
      step->low = op.as<ClampAttrs>().range.min;
      step->high = op.as<ClampAttrs>().range.max;
      break;
    case OpKind::kBinary:
      step->kind = FusionStep::Kind::kBinary;
      step->code = static_cast<uint32_t>(op.as<BinaryAttrs>().kind);
      step->low = op.as<BinaryAttrs>().range.min;
      step->high = op.as<BinaryAttrs>().range.max;
      if (!IsArithmetic(step->code)) return false;
      break;
    case OpKind::kPrelu:
      step->kind = FusionStep::Kind::kBinary;
      step->code = kBinaryPrelu;
      break;
    default:
      return false;
  }
  step->num_inputs = op.num_inputs();
  if (step->num_inputs > 2) return false;
  for (int i = 0; i < step->num_inputs; ++i) {
    if (op.input(i).dtype != DType::kFloat32) return false;
    step->forms[i] = FormOf(op.input(i), step->rows);
  }
  return true;
}

// Steps as one dispatch, which is built by adding one after the other.
class Chain {
 public:
  // Begins with the first of `steps`. False when the dispatch cannot be built.
  bool Build(std::span<const FusionStep> steps, PlacedDispatch* out);

 private:
  // The values that the shader computes in turn. `slot`: the value before this step of
  // abi/epilogue.h, or before a later one if there are none between.
  struct Value {
    const Access* window = nullptr;  // where memory has it, or would have it
    int32_t reads_left = 0;          // by steps that have not been added yet
    int slot = 0;
  };
  const Value& last() const { return values_[count_ - 1]; }
  void Begin(const FusionStep& step);
  bool BeginWithMemory(const FusionStep& step);
  bool Add(const FusionStep& step);
  int FindValue(const FusionStep& step, int input) const;
  int NextSlot(const FusionStep& step) const;
  bool BindOther(const Access& window, uint32_t form, uint32_t* source);
  bool MayWrite(const Access& window) const;
  void Specialise(int constant, uint32_t value) {
    placed_.dispatch.constants[LINNET_EPILOGUE_CONSTANT - 1 + constant] = value;
  }

  PlacedDispatch placed_;
  bool from_memory_ = false;  // elementwise_chain
  // The forms of what is bound for the epilogue, as kFirstOperand and kSecondOperand.
  uint32_t forms_[2] = {};
  Value values_[kMostFused + 1];
  int count_ = 0;
};

void Chain::Begin(const FusionStep& step) {
  placed_ = step.placed;
  Dispatch& dispatch = placed_.dispatch;
  for (int i = dispatch.num_constants; i < kMaxConstants; ++i) dispatch.constants[i] = 0;
  dispatch.num_constants = kMaxConstants;
  values_[count_++] = {&step.output(), step.reads, 0};
}

// With the input of an elementwise step that has as many elements as its output.
bool Chain::BeginWithMemory(const FusionStep& step) {
  int x = 0;
  while (x < step.num_inputs && step.forms[x] != kEpilogueSame) ++x;
  if (x == step.num_inputs) return false;
  from_memory_ = true;
  Dispatch& dispatch = placed_.dispatch;
  const int64_t quads = step.rows.count * step.rows.quads;
  dispatch.shader = Shader::k_elementwise_chain;
  dispatch.mode = step.placed.dispatch.mode;
  dispatch.threads = quads;
  dispatch.num_constants = kMaxConstants;
  dispatch.num_operands = kMaxOperands;
  dispatch.Push(ElementwiseChainPush{.quads = static_cast<uint>(quads),
                                     .row_quads = static_cast<uint>(step.rows.quads),
                                     .columns = static_cast<uint>(step.rows.columns)});
  // A binding that the shader names must be something, even where it is not read.
  for (Access& window : placed_.windows) window = step.input(x);
  values_[count_++] = {&step.input(x), 0, 0};
  return Add(step);
}

// The latest value that lies where the step reads input `input`; -1 when none does.
int Chain::FindValue(const FusionStep& step, int input) const {
  if (step.forms[input] != kEpilogueSame) return -1;
  for (int i = count_ - 1; i >= 0; --i)
    if (SameWindow(*values_[i].window, step.input(input))) return i;
  return -1;
}

// The step of abi/epilogue.h that can compute the next value; -1 when none is left.
int Chain::NextSlot(const FusionStep& step) const {
  constexpr int kFunction = 1, kSlots = 4;
  const int slot = last().slot;
  if (step.kind == FusionStep::Kind::kUnary) return slot <= kFunction ? kFunction : -1;
  if (slot == kFunction) return kFunction + 1;
  return slot < kSlots ? slot : -1;
}

// Finds a binding for another operand. False when all are taken.
bool Chain::BindOther(const Access& window, uint32_t form, uint32_t* source) {
  if (form == kNoForm) return false;
  // What the chain does not store must not be read from memory.
  for (int i = from_memory_ ? 1 : 0; i < count_; ++i)
    if (Overlap(*values_[i].window, window)) return false;
  const int bindings = from_memory_ ? 2 : 1;
  for (int i = 0; i < bindings; ++i) {
    Access& bound = placed_.windows[i == 0 ? kFirstOperand : kSecondOperand];
    if (forms_[i] != kEpilogueUnbound && (forms_[i] != form || !SameWindow(bound, window)))
      continue;
    bound = window;
    forms_[i] = form;
    *source = i == 0 ? kEpilogueFirst : kEpilogueSecond;
    return true;
  }
  return false;
}

bool Chain::Add(const FusionStep& step) {
  const int slot = NextSlot(step);
  if (slot < 0) return false;
  const int previous = count_ - 1;
  int main = -1;  // the input that is the value before
  for (int i = 0; i < step.num_inputs && main < 0; ++i)
    if (FindValue(step, i) == previous) main = i;
  if (main < 0) return false;
  --values_[previous].reads_left;
  if (step.kind == FusionStep::Kind::kUnary) {
    Specialise(9, step.code);
    Specialise(10, std::bit_cast<uint32_t>(step.low));
  } else {
    uint32_t code = step.code;
    if (step.kind == FusionStep::Kind::kBinary) {
      const int other = 1 - main, value = FindValue(step, other);
      uint32_t source = 0;
      if (value >= 0) {
        source = kEpilogueValue + static_cast<uint32_t>(values_[value].slot);
        --values_[value].reads_left;
      } else if (!BindOther(step.input(other), step.forms[other], &source)) {
        return false;
      }
      code |= source << kEpilogueSourceShift | (main == 1 ? kEpilogueSwapped : 0);
    }
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    if (step.low != -kInfinity || step.high != kInfinity) code |= kEpilogueRanged;
    const int constant = slot == 0 ? 0 : 3 * (slot - 1);
    Specialise(constant, code);
    Specialise(constant + 1, std::bit_cast<uint32_t>(step.low));
    Specialise(constant + 2, std::bit_cast<uint32_t>(step.high));
  }
  values_[count_++] = {&step.output(), step.reads, slot + 1};
  return true;
}

// Other threads may read what this dispatch reads after one has written. Only a thread that reads a
// quad and then writes this very quad may do both.
bool Chain::MayWrite(const Access& window) const {
  for (int i = 0; i < placed_.dispatch.num_operands; ++i) {
    const Access& read = placed_.windows[i];
    if (i == kOutputOperand || !Overlap(read, window)) continue;
    const uint32_t form = i == kFirstOperand ? forms_[0] : i == kSecondOperand ? forms_[1] : 0;
    const bool elementwise =
        form == kEpilogueSame || (from_memory_ && (i == 0 || form == kEpilogueUnbound));
    if (!elementwise || !SameWindow(read, window)) return false;
  }
  return true;
}

bool Chain::Build(std::span<const FusionStep> steps, PlacedDispatch* out) {
  if (HasEpilogue(steps[0].placed.dispatch.shader)) {
    Begin(steps[0]);
  } else if (steps[0].kind == FusionStep::Kind::kOther || !BeginWithMemory(steps[0])) {
    return false;
  }
  for (const FusionStep& step : steps.subspan(1))
    if (!Add(step)) return false;
  // All that is not stored must have been read by then, and by nothing else.
  for (int i = from_memory_ ? 1 : 0; i < count_ - 1; ++i)
    if (values_[i].reads_left != 0) return false;
  Access& output = placed_.windows[kOutputOperand];
  output = steps.back().output();
  if (!MayWrite(output)) return false;
  Specialise(11, forms_[0]);
  Specialise(12, forms_[1]);
  *out = placed_;
  return true;
}

}  // namespace

const Access& FusionStep::output() const {
  int i = placed.dispatch.num_operands - 1;
  while (i > 0 && !placed.windows[i].written) --i;
  return placed.windows[i];
}

bool HasEpilogue(Shader shader) {
  switch (shader) {
    case Shader::k_conv2d:
    case Shader::k_depthwise_conv2d:
    case Shader::k_gemm:
    case Shader::k_gemm_split:
      return true;
    default:
      return false;
  }
}

bool Describe(const OpInstance& op, const Dispatch& dispatch, int32_t reads, FusionStep* step) {
  *step = {.placed = {.dispatch = dispatch, .windows = {}}, .rows = RowsOf(op.output(0))};
  step->reads = reads;
  if (op.output(0).dtype != DType::kFloat32) return false;
  return HasEpilogue(dispatch.shader) || DescribeElementwise(op, step);
}

bool MayFollow(const FusionStep& last, const FusionStep& next) {
  if (next.kind == FusionStep::Kind::kOther || last.reads < 1 ||
      last.rows.count != next.rows.count || last.rows.columns != next.rows.columns)
    return false;
  for (int i = 0; i < next.num_inputs; ++i)
    if (next.forms[i] == kEpilogueSame && SameWindow(next.input(i), last.output())) return true;
  return false;
}

int Merge(std::span<const FusionStep> steps, PlacedDispatch* merged) {
  for (size_t count = steps.size(); count > 1; --count) {
    Chain chain;
    if (chain.Build(steps.first(count), merged)) return static_cast<int>(count);
  }
  *merged = steps[0].placed;
  return 1;
}

}  // namespace linnet::vulkan
