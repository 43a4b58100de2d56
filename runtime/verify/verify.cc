// SPDX-License-Identifier: Apache-2.0
#include "runtime/verify/verify.h"

#include <algorithm>
#include <cstring>

#include "runtime/verify/scratch.h"
#include "runtime/verify/strips.h"
#include "runtime/verify/type_text.h"
#include "runtime/verify/unknown_op.h"

namespace linnet {
namespace {

constexpr size_t kMaxAttrsFlatBuffer = 1024;
constexpr Status kNotOnHost{StatusCode::kInvalidPlan,
                            "a program input or output is not in the host's memory"};

class Verifier {
 public:
  Verifier(const PlanView& view, std::span<const std::byte> file, const PlanProgram& program,
           Region& region, VerifierScratch& scratch, Diagnostic* diagnostic)
      : view_(view),
        file_(file),
        program_(program),
        region_(region),
        diagnostic_(diagnostic),
        scopes_(scratch.scopes),
        inputs_(scratch.inputs),
        placed_(scratch.placed),
        ranges_(scratch.ranges),
        updated_by_(scratch.updated_by),
        reader_of_(scratch.reader_of),
        readers_(scratch.readers),
        extents_(scratch.extents),
        strips_(program, scratch.strip_parts) {}

  Status Run(VerifiedProgram* verified) {
    const auto count = static_cast<int64_t>(program_.steps.size());
    steps_ = region_.New<VerifiedStep>(count);
    if (steps_ == nullptr) return kNoMemoryToVerify;
    scopes_.BeginProgram(program_);
    LINNET_RETURN_IF_ERROR(CheckLargest());
    LINNET_RETURN_IF_ERROR(CheckInputs());
    LINNET_RETURN_IF_ERROR(CheckRegion(0));
    if (const char* problem = scopes_.FindUnusedRegion(); problem != nullptr)
      return {StatusCode::kInvalidPlan, problem};
    LINNET_RETURN_IF_ERROR(CheckOutputs());
    LINNET_RETURN_IF_ERROR(CheckUpdates());
    verified->plan = &program_;
    verified->steps = {steps_, static_cast<size_t>(count)};
    return {};
  }

 private:
  // The shape of a tensor must be exactly the largest that its symbols allow.
  Status CheckLargest() const {
    for (const PlanTensor& tensor : program_.tensors)
      for (size_t d = 0; d < tensor.symbols.size(); ++d)
        if (tensor.symbols[d] >= 0 &&
            extents_.Largest(tensor.symbols[d]) != tensor.type.shape[static_cast<int>(d)])
          return {StatusCode::kInvalidPlan,
                  "a tensor's shape is not the largest that its symbols allow"};
    return {};
  }

  // For the step index_, whose op is known.
  Status Error(const char* what) const {
    if (diagnostic_ != nullptr)
      diagnostic_->Format("step %d '%s' (%s): %s", static_cast<int>(index_),
                          program_.steps[index_].source, steps_[index_].def->name, what);
    return {StatusCode::kInvalidPlan, what, index_};
  }
  // `problem`: what is wrong, or null.
  Status ErrorIf(const char* problem) const {
    return problem == nullptr ? Status() : Error(problem);
  }

  Status CheckInputs() {
    for (const PlanPort& port : program_.inputs) {
      if (!scopes_.Write(port.tensor))
        return {StatusCode::kInvalidPlan, "a program input is a weight or is named twice"};
      if (program_.tensors[port.tensor].space != 0) return kNotOnHost;
      for (const int32_t symbol : program_.tensors[port.tensor].symbols) {
        if (symbol < 0) continue;
        if (!view_.symbols[symbol].is_free())
          return {StatusCode::kInvalidPlan, "an extent of a program input follows from others"};
        reader_of_[symbol] = kInputs;
      }
    }
    return {};
  }

  Status CheckOutputs() const {
    for (const PlanPort& port : program_.outputs) {
      const PlanTensor& tensor = program_.tensors[port.tensor];
      if (!scopes_.IsReadable(port.tensor))
        return {StatusCode::kInvalidPlan, "a program output is never written"};
      // After the run, the state already has its value for the next run.
      if (tensor.storage == Storage::kState)
        return {StatusCode::kInvalidPlan, "a program output is a state"};
      if (tensor.space != 0) return kNotOnHost;
    }
    return {};
  }

  // Each state gets one value. It must not be another state, which may already have its next value.
  Status CheckUpdates() {
    for (const PlanUpdate& update : program_.updates) {
      const PlanTensor& state = program_.tensors[update.state];
      const PlanTensor& next = program_.tensors[update.next];
      if (state.storage != Storage::kState || updated_by_[state.index] == &program_)
        return {StatusCode::kInvalidPlan,
                "an update is not of a state, or a state is updated twice"};
      updated_by_[state.index] = &program_;
      if (next.storage == Storage::kState || next.type != state.type || next.varies() ||
          next.space != 0 || !scopes_.IsReadable(update.next))
        return {StatusCode::kInvalidPlan, "a state's next value is not a tensor of its type"};
    }
    return {};
  }

  Status CheckRegion(int32_t region) {
    const PlanRegion& range = program_.regions[region];
    for (int32_t i = range.first; i < range.first + range.count; ++i) {
      index_ = i;
      const PlanStep& step = program_.steps[i];
      strips_.Reach(i);
      if (step.control == schema::Control::None) {
        LINNET_RETURN_IF_ERROR(CheckStep(step, &steps_[i]));
        if (kLinkedStrips) LINNET_RETURN_IF_ERROR(ErrorIf(strips_.Leave()));
        continue;
      }
      steps_[i] = {ControlDef(step.control),
                   {},
                   step.control,
                   nullptr,
                   step.inputs,
                   step.outputs,
                   step.source};
      if (step.scratch >= 0) return Error("only a step with an op can have scratch memory");
      if (kLinkedStrips && strips_.is_inside())
        return Error("loops, branches and copies cannot run in strips");
      LINNET_RETURN_IF_ERROR(step.control == schema::Control::Copy ? CheckCopy(step)
                                                                   : CheckStructured(step, i));
    }
    return {};
  }

  // Only copies may access the memory of another device. Weights belong to no device: each device
  // packs its own.
  Status CheckSpaces(const PlanStep& step) const {
    const auto is_elsewhere = [&](int32_t tensor) {
      return program_.tensors[tensor].storage != Storage::kWeight &&
             program_.tensors[tensor].space != step.space;
    };
    for (const int32_t tensor : step.inputs)
      if (is_elsewhere(tensor)) return Error("reads from another device's memory");
    for (const int32_t tensor : step.outputs)
      if (is_elsewhere(tensor)) return Error("writes to another device's memory");
    return {};
  }

  // A copy is from the host to the device of its segment, or in a segment of the host from a
  // device.
  Status CheckCopy(const PlanStep& step) {
    const char* problem = nullptr;
    if (step.inputs.empty() || step.inputs.size() != step.outputs.size())
      problem = "must have as many outputs as inputs";
    for (size_t i = 0; problem == nullptr && i < step.inputs.size(); ++i)
      problem = FindBadCopy(step.inputs[i], step.outputs[i], step.space);
    return ErrorIf(problem);
  }

  const char* FindBadCopy(int32_t input, int32_t output, uint8_t space) {
    const PlanTensor& from = program_.tensors[input];
    const PlanTensor& to = program_.tensors[output];
    if (from.storage == Storage::kWeight || !scopes_.IsReadable(input))
      return "reads a weight or a tensor that nothing has written";
    if (to.space != space) return "writes to another device's memory";
    if ((from.space == 0) == (to.space == 0)) return "is not between the host and another device";
    if (from.type != to.type || from.varies() || to.varies())
      return "copies between tensors of different or varying types";
    return scopes_.Write(output) ? nullptr : "writes a weight or a tensor that is written already";
  }

  Status CheckStructured(const PlanStep& step, int32_t index) {
    LINNET_RETURN_IF_ERROR(CheckSpaces(step));
    if (step.space != 0) return Error("While and If can run only on the host");
    const char* problem = scopes_.Begin(step);
    for (int k = 0; problem == nullptr && k < static_cast<int>(step.regions.size()); ++k) {
      problem = scopes_.Enter(step, k);
      if (problem != nullptr) break;
      LINNET_RETURN_IF_ERROR(CheckRegion(step.regions[k]));
      index_ = index;
      problem = scopes_.Leave(step, k);
    }
    if (problem == nullptr) problem = scopes_.End(step);
    return ErrorIf(problem);
  }

  Status CheckStep(const PlanStep& step, VerifiedStep* out) {
    const auto kind = static_cast<OpKind>(step.op);
    const OpDef* def = FindOp(kind);
    if (def == nullptr) return UnknownOp(view_, step, index_, diagnostic_);
    out->def = def;
    out->kind = kind;
    out->inputs = step.inputs;
    out->outputs = step.outputs;
    out->source = step.source;
    LINNET_RETURN_IF_ERROR(CheckSpaces(step));
    LINNET_RETURN_IF_ERROR(DecodeAttributes(step, *def, out));
    out->varies = !step.attr_extents.empty();
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      const int32_t tensor = step.inputs[i];
      if (!scopes_.IsReadable(tensor) && !strips_.IsReadable(tensor))
        return Error("reads a tensor that nothing has written");
      inputs_[i].value = PlainConstant(program_.tensors[tensor]);
      inputs_[i].is_constant = program_.tensors[tensor].storage == Storage::kWeight;
      LINNET_RETURN_IF_ERROR(LargestType(tensor, out, &inputs_[i].type));
      placed_[i] = &program_.tensors[tensor];
    }
    LINNET_RETURN_IF_ERROR(CheckSets(step));
    return CheckTypes(step, out);
  }

  Status LargestType(int32_t tensor, VerifiedStep* out, TensorType* type) const {
    out->varies |= program_.tensors[tensor].varies();
    if (extents_.TypeOf(program_.tensors[tensor], type)) return {};
    return Error("an extent is invalid when all symbols are at their maximum");
  }

  Status CheckSets(const PlanStep& step) {
    if (SetsWhatIsRead(step))
      return Error(
          "sets an extent that its own inputs or attributes have, or the program's inputs");
    for (const schema::SetSymbol& set : step.sets) {
      if (set.output() < 0 || set.output() >= static_cast<int64_t>(step.outputs.size()))
        return Error("sets a symbol from an output it does not have");
      const PlanTensor& tensor = program_.tensors[step.outputs[set.output()]];
      const bool is_integer =
          tensor.type.dtype == DType::kInt32 || tensor.type.dtype == DType::kInt64;
      const bool is_element = set.element() >= 0 && is_integer && !tensor.varies() &&
                              set.element() < tensor.type.shape.num_elements();
      const bool is_extent = set.element() < 0 && set.element() >= -tensor.type.shape.rank();
      if (!is_element && !is_extent)
        return Error(
            "sets a symbol from an element or dimension that is not an integer of the output");
    }
    return {};
  }

  // A step must not set an extent that it reads: it sets extents of outputs before it runs, so the
  // extent would have two values. Nor one with which an input was written.
  bool SetsWhatIsRead(const PlanStep& step) {
    if (step.sets.empty()) return false;
    ++readers_;
    const auto read = [&](int32_t symbol) {
      if (symbol < 0 || reader_of_[symbol] >= readers_) return;
      reader_of_[symbol] = readers_;
      for (const schema::Term& term : view_.symbols[symbol].terms)
        reader_of_[term.symbol()] = std::max(reader_of_[term.symbol()], readers_);
    };
    for (const int32_t input : step.inputs)
      for (const int32_t symbol : program_.tensors[input].symbols) read(symbol);
    for (const schema::AttrExtent& extent : step.attr_extents) read(extent.symbol());
    return std::any_of(step.sets.begin(), step.sets.end(), [&](const schema::SetSymbol& set) {
      return reader_of_[set.symbol()] >= (set.element() < 0 ? readers_ : kInputs);
    });
  }

  // Sets symbols to extents of the outputs as the shape rule infers them, while this step's outputs
  // are checked. Later steps are checked with the maximum, which a symbol may have in other runs.
  Status SetOutputExtents(const PlanStep& step, const TensorType* outputs) {
    for (const schema::SetSymbol& set : step.sets)
      if (set.element() < 0 &&
          (-1 - set.element() >= outputs[set.output()].shape.rank() ||
           !extents_.Set(set.symbol(), outputs[set.output()].shape[-1 - set.element()])))
        return Error("an extent is outside its symbol's bounds");
    return {};
  }

  // The bytes in the file, at any alignment; null for a tensor that is not constant or encoded.
  const void* PlainConstant(const PlanTensor& tensor) const {
    if (tensor.storage != Storage::kWeight) return nullptr;
    const PlanWeight& weight = view_.weights[tensor.index];
    return weight.encoding == schema::Encoding::Plain ? file_.data() + weight.offset : nullptr;
  }

  Status DecodeAttributes(const PlanStep& step, const OpDef& def, VerifiedStep* out) {
    // FlatBuffers needs the alignment that the buffer had when it was written.
    alignas(16) uint8_t aligned[kMaxAttrsFlatBuffer];
    if (step.attrs.empty() || step.attrs.size() > sizeof(aligned))
      return Error("attributes are missing or too large");
    std::memcpy(aligned, step.attrs.data(), step.attrs.size());
    void* attrs = region_.Allocate(def.attrs_bytes);
    if (attrs == nullptr) return kNoMemoryToVerify.At(index_);
    const Status status = def.decode({aligned, step.attrs.size()}, attrs);
    if (!status.ok()) return Error(status.what());
    for (const schema::AttrExtent& extent : step.attr_extents)
      if (def.set_extent == nullptr ||
          !def.set_extent(attrs, extent.slot(), extents_.value(extent.symbol())))
        return Error("an attribute cannot take the value of a symbol");
    out->attrs = attrs;
    return {};
  }

  Status CheckTypes(const PlanStep& step, VerifiedStep* verified) {
    const OpDef& def = *verified->def;
    OpInstance op{verified->kind, verified->attrs, {inputs_, step.inputs.size()}, {}};
    TensorType outputs[kMaxOpOutputs];
    if (const Status status = InferTypes(op, outputs); !status.ok()) return Error(status.what());
    if (static_cast<int>(step.outputs.size()) != def.num_outputs)
      return Error("wrong number of outputs");
    LINNET_RETURN_IF_ERROR(SetOutputExtents(step, outputs));
    for (int i = 0; i < def.num_outputs; ++i) {
      if (!Writes(step.outputs[i]))
        return Error("writes a weight or a tensor that is written already");
      TensorType type;
      LINNET_RETURN_IF_ERROR(LargestType(step.outputs[i], verified, &type));
      if (type == outputs[i]) continue;
      if (diagnostic_ != nullptr)
        diagnostic_->Format("step %d '%s' (%s): output %d must be %s by the op's rule, not %s",
                            static_cast<int>(index_), step.source, def.name, i,
                            TypeText(outputs[i]).text, TypeText(type).text);
      return {StatusCode::kInvalidPlan, "an output's type differs from the op's rule", index_};
    }
    for (const schema::SetSymbol& set : step.sets) extents_.SetToMaximum(set.symbol());
    // Runs compute and read varying extents between the steps, in the host's memory.
    if (step.space != 0 && (verified->varies || !step.sets.empty()))
      return Error("extents can vary only on the host");
    op.outputs = {outputs, static_cast<size_t>(def.num_outputs)};
    LINNET_RETURN_IF_ERROR(CheckOverlaps(step, op, *verified));
    if (!kLinkedStrips || !strips_.is_inside()) return {};
    if (verified->varies || !step.sets.empty())
      return Error("extents can vary only outside of strips");
    verified->in_strips = true;
    return ErrorIf(strips_.Add(op, step));
  }

  bool Writes(int32_t output) {
    return scopes_.Write(output) ||
           (kLinkedStrips && strips_.is_inside() && scopes_.WriteInStrips(output));
  }

  Status CheckOverlaps(const PlanStep& step, const OpInstance& op,
                       const VerifiedStep& verified) const {
    const OpDef& def = *verified.def;
    const PlanTensor* outputs[kMaxOpOutputs];
    for (int i = 0; i < def.num_outputs; ++i) outputs[i] = &program_.tensors[step.outputs[i]];
    const char* problem = FindBadOverlap({op,
                                          def.traits,
                                          verified.varies,
                                          program_.spaces[step.space].layout,
                                          {placed_, step.inputs.size()},
                                          {outputs, static_cast<size_t>(def.num_outputs)}},
                                         {ranges_, step.inputs.size()});
    // That of strips is checked with all of their steps.
    if (problem == nullptr && step.scratch >= 0 && !strips_.IsFirst(index_))
      problem = FindBadScratch(program_, step);
    return ErrorIf(problem);
  }

  const PlanView& view_;
  std::span<const std::byte> file_;
  const PlanProgram& program_;
  Region& region_;
  Diagnostic* diagnostic_;
  VerifiedStep* steps_ = nullptr;
  // From VerifierScratch.
  RegionScopes& scopes_;
  InputInfo* inputs_;
  const PlanTensor** placed_;
  ByteRange* ranges_;
  const PlanProgram** updated_by_;
  static constexpr int64_t kInputs = INT64_MAX;
  int64_t* reader_of_;
  int64_t& readers_;
  Extents& extents_;
  StripsVerifier strips_;
  int32_t index_ = kNoStep;
};

}  // namespace

Status VerifyPrograms(const PlanView& view, std::span<const std::byte> file, Region& region,
                      std::span<VerifiedProgram> verified, Diagnostic* diagnostic) {
  VerifierScratch scratch(region.allocator());
  LINNET_RETURN_IF_ERROR(scratch.Create(view));
  for (size_t i = 0; i < verified.size(); ++i)
    LINNET_RETURN_IF_ERROR(
        Verifier(view, file, view.programs[i], region, scratch, diagnostic).Run(&verified[i]));
  return {};
}

}  // namespace linnet
