// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <type_traits>

#include "flatbuffers/flatbuffers.h"
#include "runtime/core/panels.h"
#include "runtime/core/shape.h"
#include "runtime/core/status.h"
#include "runtime/core/structure_verifier.h"
#include "runtime/ops/op_kind.h"
#include "runtime/ops/row_window.h"
#include "schema/ops_generated.h"

namespace linnet {

// What is known of one input: its type, and its value if it is constant.
struct InputInfo {
  TensorType type;
  // Dense elements of type.dtype, not encoded; nullptr when unknown. May have any alignment while a
  // shape rule runs.
  const void* value = nullptr;
  // The value is the same in each run, even if it is not given here.
  bool is_constant = value != nullptr;
  // How the step reads a value that the plan has in panels, once its backend was asked.
  PanelForm form = PanelForm::kNone;
  // The value as the plan has it, if in panels (FilterMatrix in core/panels.h).
  EncodedPanels in_panels = {};
  // For kFloats: the panels, of f32, 64-byte aligned.
  const void* panels = nullptr;
};

// One use of an op, as shape rules, cost functions and support.cc see it. Owns nothing.
// `attrs` points to the op's attribute struct (<Name>Attrs in runtime/ops/<op>.h).
struct OpInstance {
  OpKind kind;
  const void* attrs = nullptr;
  std::span<const InputInfo> inputs;
  std::span<const TensorType> outputs;  // empty while the shape rule is computing them

  template <typename Attrs>
  const Attrs& as() const {
    return *static_cast<const Attrs*>(attrs);
  }
  const TensorType& input(int i) const { return inputs[i].type; }
  const TensorType& output(int i) const { return outputs[i]; }
  int num_inputs() const { return static_cast<int>(inputs.size()); }
};

// The work of one execution.
struct Cost {
  int64_t macs = 0;   // multiply-accumulates of convolutions and matrix products
  int64_t flops = 0;  // all arithmetic, a multiply-accumulate counting as two
};

enum OpTraits : uint32_t {
  kNoTraits = 0,
  // Output 0 may be written over input 0 (or over input 1 if kInPlaceSecond is set too) where
  // CanOverwrite (core/layout.h) allows it and no later step reads the input.
  kMayRunInPlace = 1u << 0,
  kInPlaceSecond = 1u << 1,
  // Output 0 has the same contents as input 0: the step does nothing when both share a buffer.
  kAlias = 1u << 2,
  kCommutative = 1u << 3,  // inputs 0 and 1 may be swapped; depends on attrs: see IsCommutative
  // Each element of output 0 is computed from the elements at the same position in the inputs,
  // which broadcast to the output.
  kElementwise = 1u << 4,
  // Output 0 consists of unchanged elements of the inputs, all of which are treated alike. Any
  // dtype.
  kMovesElements = 1u << 5,
  // Output 0 consists of unchanged elements of input 0; the other inputs say which ones.
  kPicksElements = 1u << 6,
  // Each run of output 0 along its last dimension is computed from the run at the same position in
  // input 0; the other inputs are the same for all.
  kAlongLastDimension = 1u << 7,
};

inline constexpr int kMaxOpOutputs = 4;
inline constexpr int kMaxOpInputs = 1 << 12;  // Concat; all others have few
inline constexpr int kMaxAttrsBytes = 256;

// Everything about an op that the converter and the runtime share. One constant per op, k<Name>Op,
// defined in runtime/ops/<op>.cc.
struct OpDef {
  const char* name;
  int min_inputs;
  int max_inputs;
  int num_outputs;
  uint32_t traits;
  // The shape rule: checks inputs and attributes and writes num_outputs types. Is only called with
  // min_inputs to max_inputs inputs, whose shapes have passed NumElementsChecked. Inputs and
  // attributes may come from an untrusted plan: every inconsistency must return kInvalidPlan with a
  // literal that says what is expected. The caller checks output shapes with NumElementsChecked.
  Status (*infer)(const OpInstance& op, TensorType* outputs);
  Cost (*cost)(const OpInstance& op);  // op.outputs is filled in
  // Sets an attribute that may vary from run to run. `slot` is its number in the op's header. False
  // when there is no such slot or the value is out of range.
  bool (*set_extent)(void* attrs, int slot, int64_t value) = nullptr;
  // Where windows move over the rows of pictures: which rows they read (op.outputs is filled in).
  RowWindow (*row_window)(const OpInstance& op) = nullptr;
  // Writes the attributes with which the op computes some of the rows of `op`, so many of whose
  // first (last) windows' rows lie above (below) the picture.
  void (*cut_rows)(const OpInstance& op, int64_t above, int64_t below, void* attrs) = nullptr;
  // The rest is filled in by MakeOpDef.
  int attrs_bytes = 0;
  Status (*decode)(std::span<const uint8_t> flatbuffer, void* attrs) = nullptr;
};

// Reads a nested FlatBuffer of the op's own table into its struct. Each op supplies
//   Status Decode(const schema::<Name>Attrs& table, <Name>Attrs* attrs);      // checks field
//   ranges flatbuffers::Offset<schema::<Name>Attrs> Encode(flatbuffers::FlatBufferBuilder& fbb,
//                                                   const <Name>Attrs& attrs); // the inverse
// as free functions next to its struct.
template <typename Attrs>
Status DecodeAttrs(std::span<const uint8_t> bytes, void* attrs) {
  using Table = typename Attrs::Table;
  if (!StructureVerifier(bytes).Verify(kTableLayout<Table>, nullptr))
    return {StatusCode::kInvalidPlan, "attributes are not a valid FlatBuffer of the op's table"};
  auto* out = new (attrs) Attrs();
  return Decode(*flatbuffers::GetRoot<Table>(bytes.data()), out);
}

template <typename Attrs>
constexpr OpDef MakeOpDef(OpDef def) {
  static_assert(std::is_trivially_copyable_v<Attrs> && sizeof(Attrs) <= kMaxAttrsBytes &&
                alignof(Attrs) <= 8);
  def.attrs_bytes = sizeof(Attrs);
  def.decode = &DecodeAttrs<Attrs>;
  return def;
}

// The cost of `outputs` sums of `depth` products each, plus one addition each with `bias`.
inline Cost MacCost(int64_t outputs, int64_t depth, bool bias) {
  Cost cost;
  cost.macs = SaturatingMul(outputs, depth);
  if (__builtin_add_overflow(SaturatingMul(cost.macs, 2), bias ? outputs : 0, &cost.flops))
    cost.flops = INT64_MAX;
  return cost;
}

inline Cost NoCost(const OpInstance&) { return {}; }

// The definition of `kind`, or nullptr when `kind`, which may come from a file, is out of range, or
// is an op that this program does not contain (linked_ops.h).
const OpDef* FindOp(OpKind kind);

// Runs the shape rule and all checks around it: the number of inputs, and the number of elements of
// inputs and outputs. `outputs` has room for kMaxOpOutputs types.
Status InferTypes(const OpInstance& op, TensorType* outputs);

#define LINNET_OP(name, file) extern const OpDef k##name##Op;
#include "runtime/ops/op_list.def"
#undef LINNET_OP

}  // namespace linnet
