// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/structure/follow_types.h"

#include <algorithm>
#include <set>

#include "runtime/core/encoding.h"
#include "runtime/core/region.h"
#include "runtime/ops/op_def.h"
#include "runtime/plan/file_header.h"
#include "tests/fuzz/structure/plan_editor.h"

namespace linnet::fuzz {
namespace {

constexpr size_t kMaxInputs = 64;  // steps that this fuzzer makes have fewer

enum class At : uint8_t { kMost, kLeast };  // values of the free symbols

class Follower {
 public:
  Follower(PlanFile& file, schema::ProgramT& program, Random& random)
      : file_(file), program_(program), editor_(file, program, random) {}

  void Run() {
    FollowRegion(0);
    for (size_t i = 0; i < program_.tensors.size(); ++i) MakeRoom(static_cast<int32_t>(i));
    for (const schema::Strips& strips : program_.strips) MakeRoomForRows(strips);
    for (size_t space = 0; space < program_.spaces.size(); ++space)
      program_.spaces[space]->size = CloseGaps(space);
    program_.required_features.clear();
    if (program_.regions.size() > 1) program_.required_features.emplace_back(kRegionsFeature);
    if (!program_.strips.empty()) program_.required_features.emplace_back(kStripsFeature);
    if (!program_.segments.empty()) program_.required_features.emplace_back(kSegmentsFeature);
    if (std::ranges::any_of(program_.spaces, [](const auto& space) {
          return space->layout != schema::Layout::Dense;
        }))
      program_.required_features.emplace_back(kLayoutsFeature);
    if (std::ranges::any_of(program_.spaces, [](const auto& space) {
          return space->layout == schema::Layout::Rows4Half;
        }))
      program_.required_features.emplace_back(kHalfFeature);
  }

  bool Infer(const schema::StepT& step, At at, TensorType* outputs) const {
    const OpDef* def = FindOp(static_cast<OpKind>(step.op));
    if (def == nullptr || step.inputs.size() > kMaxInputs || step.attrs.empty()) return false;
    const std::vector<uint8_t> aligned = step.attrs;
    alignas(16) uint8_t attrs[kMaxAttrsBytes];
    if (!def->decode(aligned, attrs).ok()) return false;
    for (const schema::AttrExtent& extent : step.attr_extents)
      if (def->set_extent == nullptr ||
          !def->set_extent(attrs, extent.slot(), ValueOf(extent.symbol(), at)))
        return false;
    InputInfo inputs[kMaxInputs];
    for (size_t i = 0; i < step.inputs.size(); ++i)
      if (!ReadInput(step.inputs[i], at, &inputs[i])) return false;
    const OpInstance op{static_cast<OpKind>(step.op), attrs, {inputs, step.inputs.size()}, {}};
    return InferTypes(op, outputs).ok();
  }

 private:
  int64_t ValueOf(int32_t index, At at) const {
    if (index < 0 || index >= static_cast<int32_t>(file_.plan.symbols.size())) return -1;
    const schema::SymbolT& symbol = *file_.plan.symbols[index];
    if (symbol.terms.empty()) return at == At::kMost ? symbol.max : symbol.min;
    int64_t value = symbol.constant;
    for (const schema::Term& term : symbol.terms) {
      const bool known = term.symbol() >= 0 &&
                         term.symbol() < static_cast<int32_t>(file_.plan.symbols.size()) &&
                         file_.plan.symbols[term.symbol()]->terms.empty();
      int64_t product = 0;
      if (!known || __builtin_mul_overflow(term.factor(), ValueOf(term.symbol(), at), &product) ||
          __builtin_add_overflow(value, product, &value))
        return -1;
    }
    return value;
  }

  bool ReadInput(int32_t index, At at, InputInfo* info) const {
    if (!editor_.IsTensor(index)) return false;
    const schema::TensorT& tensor = *program_.tensors[index];
    if (tensor.shape.size() > static_cast<size_t>(kMaxRank)) return false;
    info->type = {static_cast<DType>(tensor.dtype), Shape(std::span<const int64_t>(tensor.shape))};
    for (size_t d = 0; d < std::min(tensor.symbols.size(), tensor.shape.size()); ++d)
      if (tensor.symbols[d] >= 0)
        info->type.shape[static_cast<int>(d)] = ValueOf(tensor.symbols[d], at);
    int64_t elements = 0;
    if (!info->type.shape.NumElementsChecked(&elements)) return false;
    info->is_constant = tensor.weight >= 0;
    const bool plain = tensor.weight >= 0 &&
                       tensor.weight < static_cast<int32_t>(file_.weights.size()) &&
                       file_.plan.weights[tensor.weight]->encoding == schema::Encoding::Plain;
    if (plain &&
        static_cast<int64_t>(file_.weights[tensor.weight].size()) >= BytesOf(editor_.TypeOf(index)))
      info->value = file_.weights[tensor.weight].data();
    return true;
  }

  void FollowRegion(int32_t region) {
    if (region < 0 || region >= static_cast<int32_t>(program_.regions.size()) ||
        !seen_.insert(region).second)
      return;
    for (const auto& step : program_.regions[region]->steps) {
      if (step->control == schema::Control::None) FollowOp(*step);
      if (step->control == schema::Control::While || step->control == schema::Control::If)
        FollowControl(*step);
      if (step->control == schema::Control::Copy)
        for (size_t i = 0; i < std::min(step->inputs.size(), step->outputs.size()); ++i)
          SetType(step->outputs[i], step->inputs[i]);
    }
  }

  void FollowOp(schema::StepT& step) {
    TensorType most[kMaxOpOutputs], least[kMaxOpOutputs];
    if (!Infer(step, At::kMost, most)) return;
    const OpDef& def = *FindOp(static_cast<OpKind>(step.op));
    while (static_cast<int>(step.outputs.size()) < def.num_outputs)
      step.outputs.push_back(editor_.AddTensor({}));
    step.outputs.resize(static_cast<size_t>(def.num_outputs));
    // A rule may refuse the smallest extents; then the extents for the largest ones are used.
    const bool has_least = Infer(step, At::kLeast, least);
    for (int i = 0; i < def.num_outputs; ++i)
      if (editor_.IsTensor(step.outputs[static_cast<size_t>(i)]))
        SetOutput(step, i, most[i], has_least ? least[i] : most[i]);
  }

  void SetOutput(schema::StepT& step, int output, const TensorType& most, const TensorType& least) {
    schema::TensorT& tensor = *program_.tensors[step.outputs[static_cast<size_t>(output)]];
    tensor.dtype = static_cast<schema::DType>(most.dtype);
    tensor.shape.assign(most.shape.begin(), most.shape.end());
    tensor.symbols.resize(tensor.symbols.empty() ? 0 : tensor.shape.size(), -1);
    if (most.shape != least.shape) tensor.symbols.resize(tensor.shape.size(), -1);
    for (int d = 0; d < static_cast<int>(tensor.symbols.size()); ++d)
      SetExtent(step, output, d, most.shape[d],
                d < least.shape.rank() ? least.shape[d] : most.shape[d], tensor);
    if (std::ranges::all_of(tensor.symbols, [](int32_t symbol) { return symbol < 0; }))
      tensor.symbols.clear();
  }

  // The tensor's symbol, if its values are right; otherwise a symbol that the step sets.
  void SetExtent(schema::StepT& step, int output, int d, int64_t most, int64_t least,
                 schema::TensorT& tensor) {
    int32_t& symbol = tensor.symbols[static_cast<size_t>(d)];
    const bool is_own = std::ranges::any_of(step.sets, [&](const schema::SetSymbol& set) {
      return set.symbol() == symbol && set.output() == output && set.element() == -1 - d;
    });
    const int64_t smallest = ValueOf(symbol, At::kLeast);
    if (ValueOf(symbol, At::kMost) == most && (is_own ? smallest <= least : smallest == least))
      return;
    symbol = -1;
    if (most == least) return;
    for (size_t i = 0; i < file_.plan.symbols.size() && symbol < 0; ++i)
      if (ValueOf(static_cast<int32_t>(i), At::kMost) == most &&
          ValueOf(static_cast<int32_t>(i), At::kLeast) == least && !IsSet(static_cast<int32_t>(i)))
        symbol = static_cast<int32_t>(i);
    if (symbol >= 0) return;
    symbol = editor_.AddSymbol(std::min(least, most), std::max(least, most));
    step.sets.emplace_back(symbol, output, -1 - d);
  }

  // A symbol that a step sets, so that its value is a new one.
  bool IsSet(int32_t symbol) const {
    for (const auto& region : program_.regions)
      for (const auto& step : region->steps)
        for (const schema::SetSymbol& set : step->sets)
          if (set.symbol() == symbol) return true;
    return false;
  }

  void SetType(int32_t to, int32_t from) {
    if (!editor_.IsTensor(to) || !editor_.IsTensor(from)) return;
    program_.tensors[to]->dtype = program_.tensors[from]->dtype;
    program_.tensors[to]->shape = program_.tensors[from]->shape;
    program_.tensors[to]->symbols.clear();
  }

  void FollowControl(const schema::StepT& step) {
    if (step.regions.size() != 2) return;
    if (step.control == schema::Control::While)
      for (size_t i = 0; i < std::min(step.inputs.size(), step.outputs.size()); ++i)
        SetType(step.outputs[i], step.inputs[i]);
    for (const int32_t region : step.regions) FollowRegion(region);
    if (step.control != schema::Control::If) return;
    if (step.regions[0] <= 0 || step.regions[0] >= static_cast<int32_t>(program_.regions.size()))
      return;
    const std::vector<int32_t>& results = program_.regions[step.regions[0]]->results;
    for (size_t i = 0; i < std::min(results.size(), step.outputs.size()); ++i)
      SetType(step.outputs[i], results[i]);
  }

  // Removed parts leave gaps between a space's buffers, which this closes. Returns the space's
  // size.
  int64_t CloseGaps(size_t space) {
    const int64_t alignment = space == 0 ? kHostAlignment : kRows4Alignment;
    std::vector<schema::BufferT*> buffers;
    for (const auto& buffer : program_.buffers)
      if (buffer->space == space) buffers.push_back(buffer.get());
    int64_t end = 0, used = 0;
    for (const schema::BufferT* buffer : buffers) {
      end = std::max(end, SaturatingAdd(buffer->offset, buffer->size));
      used = SaturatingAdd(used, SaturatingAdd(buffer->size, alignment));
    }
    if (end <= SaturatingAdd(used, 4096) || used > kMaxSpaceBytes) return end;
    end = 0;
    for (schema::BufferT* buffer : buffers) {
      buffer->offset = AlignUp(end, alignment);
      end = buffer->offset + std::max<int64_t>(buffer->size, 0);
    }
    return end;
  }

  void MakeRoom(int32_t index) {
    schema::TensorT& tensor = *program_.tensors[index];
    const Type type = editor_.TypeOf(index);
    if (!program_.strips.empty() && tensor.buffer < 0 && tensor.weight < 0 && tensor.state < 0)
      return;
    if (tensor.weight >= 0 && tensor.weight < static_cast<int32_t>(file_.weights.size()))
      return MakeWeight(type, tensor);
    if (tensor.state >= 0 && tensor.state < static_cast<int32_t>(file_.plan.states.size())) {
      tensor.dtype = file_.plan.states[tensor.state]->dtype;
      tensor.shape = file_.plan.states[tensor.state]->shape;
      return;
    }
    const Layout layout = editor_.LayoutOf(editor_.SpaceOf(index));
    const int64_t alignment = TensorAlignment(layout, static_cast<DType>(type.dtype));
    const bool known =
        tensor.buffer >= 0 && tensor.buffer < static_cast<int32_t>(program_.buffers.size());
    if (known && alignment > 0 && tensor.offset >= 0 && tensor.offset % alignment == 0 &&
        Inside(static_cast<uint64_t>(tensor.offset), static_cast<uint64_t>(BytesOf(type, layout)),
               static_cast<uint64_t>(program_.buffers[tensor.buffer]->size)))
      return;
    editor_.Move(index);
  }

  // As much as all rows of all tensors take.
  void MakeRoomForRows(const schema::Strips& strips) {
    const auto& steps = program_.regions[0]->steps;
    const uint64_t end =
        std::min<uint64_t>(uint64_t{strips.first()} + strips.count(), steps.size());
    int64_t bytes = 0;
    for (uint64_t i = strips.first(); i < end; ++i)
      for (const int32_t output : steps[i]->outputs)
        bytes = SaturatingAdd(bytes, SaturatingAdd(BytesOf(editor_.TypeOf(output)), 192));
    const int32_t scratch = strips.first() < end ? steps[strips.first()]->scratch : -1;
    if (scratch < 0 || scratch >= static_cast<int32_t>(program_.buffers.size()) ||
        program_.buffers[scratch]->size >= bytes)
      return;
    const int32_t room = editor_.AddTensor({schema::DType::Uint8, {bytes}});
    program_.tensors.resize(static_cast<size_t>(room));
    steps[strips.first()]->scratch = static_cast<int32_t>(program_.buffers.size()) - 1;
  }

  void MakeWeight(const Type& type, schema::TensorT& tensor) {
    schema::WeightT& weight = *file_.plan.weights[tensor.weight];
    const bool affine = IsAffine(weight.encoding);
    if (affine && weight.affine == nullptr)
      weight.affine = std::make_unique<schema::Affine>(0.01, -1.0);
    if (!affine) weight.affine.reset();
    const int64_t bytes = EncodedBytesOf(type, weight.encoding);
    if (static_cast<int64_t>(file_.weights[tensor.weight].size()) == bytes) return;
    std::vector<uint8_t> data = editor_.RandomBytes(type);
    data.resize(static_cast<size_t>(std::min<int64_t>(bytes, 1 << 17)));
    tensor.weight = static_cast<int32_t>(file_.weights.size());
    file_.weights.push_back(std::move(data));
    file_.plan.weights.push_back(std::make_unique<schema::WeightT>(weight));
  }

  PlanFile& file_;
  schema::ProgramT& program_;
  PlanEditor editor_;
  std::set<int32_t> seen_;
};

}  // namespace

void FollowTypes(PlanFile& file, Random& random) {
  for (const auto& program : file.plan.programs)
    if (!program->regions.empty()) Follower(file, *program, random).Run();
}

bool RuleTakes(PlanFile& file, schema::ProgramT& program, const schema::StepT& step) {
  Random unused(0);
  TensorType outputs[kMaxOpOutputs];
  return Follower(file, program, unused).Infer(step, At::kMost, outputs);
}

}  // namespace linnet::fuzz
