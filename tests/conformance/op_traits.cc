// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/op_traits.h"

#include <span>
#include <string_view>
#include <unordered_set>

#include "runtime/ops/op_def.h"

namespace linnet::conformance {
namespace {

bool BroadcastsTo(const Shape& shape, const Shape& to) {
  if (shape.rank() > to.rank()) return false;
  for (int i = 0; i < shape.rank(); ++i)
    if (shape[i] != 1 && shape[i] != to[to.rank() - shape.rank() + i]) return false;
  return true;
}

std::vector<std::string_view> ElementsOf(const CaseTensor& tensor) {
  const auto width = static_cast<size_t>(DTypeBytes(tensor.type.dtype));
  const std::string_view bytes(reinterpret_cast<const char*>(tensor.bytes.data()),
                               tensor.bytes.size());
  std::vector<std::string_view> elements;
  for (size_t at = 0; at + width <= bytes.size(); at += width)
    elements.push_back(bytes.substr(at, width));
  return elements;
}

// Are all elements of `output` elements of `sources` with the same dtype?
bool ConsistsOf(const CaseTensor& output, std::span<const CaseTensor> sources) {
  std::unordered_set<std::string_view> known;
  for (const CaseTensor& source : sources) {
    if (source.type.dtype != output.type.dtype) return false;
    for (const std::string_view element : ElementsOf(source)) known.insert(element);
  }
  for (const std::string_view element : ElementsOf(output))
    if (!known.contains(element)) return false;
  return true;
}

}  // namespace

std::string WhyTraitsAreWrong(const OpCase& test) {
  const uint32_t traits = FindOp(test.kind)->traits;
  const CaseTensor& output = test.outputs[0];
  if (traits & kElementwise)
    for (const CaseTensor& input : test.inputs)
      if (!BroadcastsTo(input.type.shape, output.type.shape))
        return "kElementwise: an input does not broadcast to the output";
  if ((traits & kMovesElements) && !ConsistsOf(output, test.inputs))
    return "kMovesElements: the output has elements that no input has";
  if ((traits & kPicksElements) && !ConsistsOf(output, std::span(test.inputs).first(1)))
    return "kPicksElements: the output has elements that input 0 has not";
  return "";
}

}  // namespace linnet::conformance
