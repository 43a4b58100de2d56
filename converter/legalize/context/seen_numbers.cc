// SPDX-License-Identifier: Apache-2.0
// How LegalizeContext shows tensors of pairs as tensors of numbers.
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/complex_pairs.h"
#include "converter/legalize/context/legalize_context.h"
#include "converter/legalize/context/varying.h"

namespace linnet::converter {

Extents LegalizeContext::extents(Output value) const {
  Extents extents = graph_.ExtentsOf(value);
  if (FindNumbers(value) != nullptr) extents.pop_back();
  return extents;
}

void LegalizeContext::SeeNumbers() {
  for (int i = 0; i < num_inputs(); ++i)
    if (IsComplex(BaseType(node_.tf_input_types()[static_cast<size_t>(i)]))) AddNumbers(input(i));
}

const TensorType* LegalizeContext::FindNumbers(Output value) const {
  const auto found = numbers_.find({value.node->id(), value.index});
  return found == numbers_.end() ? nullptr : &found->second;
}

void LegalizeContext::AddNumbers(Output pairs) {
  const TensorType& type = pairs.node->type(pairs.index);
  numbers_[{pairs.node->id(), pairs.index}] = {type.dtype, NumbersShape(type.shape)};
}

absl::StatusOr<std::vector<Output>> LegalizeContext::EmitOnPairs(const OpAttrs& attrs,
                                                                 std::vector<Output> inputs,
                                                                 std::string_view suffix) {
  if (attrs.kind() == OpKind::kShapeOf) {
    LINNET_ASSIGN_OR_RETURN(const std::vector<Output> of_pairs,
                            EmitOnTensors(attrs, inputs, "extents_of_pairs"));
    const int rank = shape(inputs[0]).rank();
    LINNET_ASSIGN_OR_RETURN(const Output all_but_last,
                            EmitSliceAlong(*this, 0, 0, rank, of_pairs[0], suffix));
    return std::vector<Output>{all_but_last};
  }
  LINNET_ASSIGN_OR_RETURN(const OpAttrs on_pairs, OnPairs(attrs));
  for (Output& input : inputs) {
    if (FindNumbers(input) != nullptr) continue;
    const TensorType& other = type(input);
    if (IsFloat(other.dtype)) return Unsupported("it takes complex and real numbers at once");
    if (other.dtype != DType::kBool || other.shape.rank() == 0) continue;
    // The condition of a Select: both numbers of a pair have the same.
    Extents widened = extents(input);
    widened.push_back(1);
    const std::string name = suffix.empty() ? "condition" : fmt::format("{}/condition", suffix);
    LINNET_ASSIGN_OR_RETURN(input, EmitReshape(*this, widened, input, name));
  }
  LINNET_ASSIGN_OR_RETURN(std::vector<Output> outputs, EmitOnTensors(on_pairs, inputs, suffix));
  for (const Output output : outputs) AddNumbers(output);
  return outputs;
}

}  // namespace linnet::converter
