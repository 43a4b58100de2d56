// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/tensor_table.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "fmt/format.h"
#include "runtime/core/checked.h"
#include "runtime/core/region.h"
#include "runtime/plan/file_header.h"

namespace linnet::converter {

void TensorTable::Add(const Node* node, int space, int region) {
  if (node->node_class() != NodeClass::kOp && node->node_class() != NodeClass::kArg &&
      !node->IsStructured())
    return;
  // The arguments of a region are tensors of the regions around it.
  if (!first_tensors_.try_emplace(node, static_cast<int>(program_.tensors.size())).second) return;
  for (int i = 0; i < node->num_outputs(); ++i) {
    Program::Tensor tensor{.type = node->type(i),
                           .space = space,
                           .region = region,
                           .name = node->name(),
                           .symbols = symbols_.Numbers(node, i)};
    // The runtime wants exactly what follows from the symbols, which may have become fewer since
    // the type was inferred.
    for (size_t d = 0; d < tensor.symbols.size(); ++d)
      if (tensor.symbols[d] >= 0)
        tensor.type.shape[static_cast<int>(d)] = symbols_.Largest(tensor.symbols[d]);
    program_.tensors.push_back(std::move(tensor));
  }
}

TensorTable::Copied TensorTable::AddCopy(const Node* node, int output, int space) {
  const int original = WrittenBy(node, output);
  const auto on_host = copies_.find({original, 0});
  const int from = on_host == copies_.end() ? original : on_host->second;
  const int copy = static_cast<int>(program_.tensors.size());
  program_.tensors.push_back({.type = program_.tensors[original].type,
                              .space = space,
                              .name = program_.tensors[original].name});
  copies_[{original, space}] = copy;
  return {from, copy};
}

int TensorTable::TensorOf(Output value, int space) {
  const auto [first, added] =
      first_tensors_.try_emplace(value.node, static_cast<int>(program_.tensors.size()));
  if (added) {
    const Constant& constant = value.node->constant();
    program_.tensors.push_back(
        {.type = constant.type, .weight = WeightOf(constant), .name = value.node->name()});
  }
  const int found = first->second + value.index;
  const Program::Tensor& tensor = program_.tensors[found];
  if (tensor.weight >= 0 || tensor.space == space) return found;
  return copies_.at({found, space});
}

int TensorTable::WeightOf(const Constant& constant) {
  const std::string_view bytes(reinterpret_cast<const char*>(constant.bytes.data()),
                               constant.bytes.size());
  // A sample keeps the key cheap for large weights; equality then compares all bytes.
  const std::string_view sample = bytes.substr(0, 256);
  const size_t key = std::hash<std::string_view>()(sample) ^ bytes.size();
  auto [first, last] = weights_.equal_range(key);
  for (; first != last; ++first) {
    const Constant& other = program_.weights[first->second];
    if (other.encoding == constant.encoding && other.affine.scale() == constant.affine.scale() &&
        other.affine.min() == constant.affine.min() &&
        std::ranges::equal(other.bytes, constant.bytes))
      return first->second;
  }
  const int index = static_cast<int>(program_.weights.size());
  weights_.emplace(key, index);
  program_.weights.push_back(constant);
  return index;
}

absl::Status TensorTable::CheckSizes() {
  for (; num_checked_ < program_.tensors.size(); ++num_checked_) {
    const Program::Tensor& tensor = program_.tensors[num_checked_];
    int64_t elements = 0;
    const int64_t bytes = tensor.type.shape.NumElementsChecked(&elements)
                              ? BytesIn(program_.LayoutOf(tensor.space), tensor.type)
                              : kMaxSpaceBytes + 1;
    if (bytes > kMaxSpaceBytes ||
        (total_bytes_ += AlignUp(bytes, tensor.space == 0 ? kHostAlignment : kDeviceAlignment)) >
            kMaxSpaceBytes)
      return absl::InvalidArgumentError(
          fmt::format("with '{}' the tensors take more than the {} bytes that a plan may have",
                      tensor.name, kMaxSpaceBytes));
  }
  return absl::OkStatus();
}

}  // namespace linnet::converter
