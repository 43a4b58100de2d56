// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/weight_order.h"

#include <algorithm>
#include <cstdint>

#include "runtime/core/encoding.h"
#include "runtime/core/transpose_tile.h"
#include "runtime/ops/conv2d.h"
#include "runtime/ops/fully_connected.h"

namespace linnet::converter {
namespace {

// What reads a weight of the plan, in the host's programs.
struct Readers {
  const Shape* filter = nullptr;  // of the products that read it
  bool others = false;            // something else does, or a product of another matrix
  bool halves = false;            // a product may multiply it in halves, which only panels have
};

// Whether a product multiplies by its input 1 in one piece. Winograd's method transforms the filter
// first.
bool MultipliesByFilter(const Node& node) {
  if (node.kind() == OpKind::kFullyConnected) return true;
  if (node.kind() != OpKind::kConv2D) return false;
  const auto& attrs = node.attrs().as<Conv2DAttrs>();
  return attrs.groups == 1 && attrs.winograd == 0;
}

bool MultipliesInHalves(const Node& node) {
  return node.kind() == OpKind::kConv2D ? node.attrs().as<Conv2DAttrs>().halves
                                        : node.attrs().as<FullyConnectedAttrs>().halves;
}

class ReaderSearch {
 public:
  ReaderSearch(const Program& program, std::span<const int> numbers, std::span<Readers> readers)
      : program_(program), numbers_(numbers), readers_(readers) {}

  void Run() {
    AddSteps(program_.steps);
    for (const Program::Region& region : program_.regions) {
      AddSteps(region.steps);
      for (const int result : region.results) AddOther(result);
    }
    for (const Program::Port& port : program_.outputs) AddOther(port.tensor);
    for (const Program::Update& update : program_.updates) AddOther(update.next);
    for (const Program::State& state : program_.states)
      if (state.initial >= 0) Of(state.initial).others = true;
  }

 private:
  void AddSteps(std::span<const Program::Step> steps) {
    for (const Program::Step& step : steps) {
      if (step.space != 0) continue;
      const bool is_op = !step.is_copy && step.node->node_class() == NodeClass::kOp;
      for (size_t i = 0; i < step.inputs.size(); ++i) {
        if (i == 1 && is_op && MultipliesByFilter(*step.node))
          AddProduct(step.inputs[i], MultipliesInHalves(*step.node));
        else
          AddOther(step.inputs[i]);
      }
    }
  }
  void AddProduct(int tensor, bool halves) {
    if (WeightOf(tensor) < 0) return;
    const Shape& filter = program_.tensors[static_cast<size_t>(tensor)].type.shape;
    Readers& readers = Of(WeightOf(tensor));
    if (readers.filter != nullptr && *readers.filter != filter) readers.others = true;
    readers.filter = &filter;
    readers.halves |= halves;
  }
  void AddOther(int tensor) {
    if (WeightOf(tensor) >= 0) Of(WeightOf(tensor)).others = true;
  }
  // -1 for what is no weight, and for an index out of range: a bug, which the verifier reports
  // afterwards.
  int WeightOf(int tensor) const {
    const auto index = static_cast<size_t>(tensor);
    return tensor >= 0 && index < program_.tensors.size() ? program_.tensors[index].weight : -1;
  }
  Readers& Of(int weight) {
    return readers_[static_cast<size_t>(numbers_[static_cast<size_t>(weight)])];
  }

  const Program& program_;
  std::span<const int> numbers_;
  std::span<Readers> readers_;
};

bool PaddingIsSmall(const Shape& filter) {
  constexpr int64_t kFewElements = 1024;  // are packed in no time
  const FilterMatrix matrix(filter);
  const int64_t elements = filter.num_elements();
  return elements >= kFewElements && PanelElements(matrix.depth, matrix.cols) <= elements / 4 * 5;
}

template <typename T>
void ToPanels(const FilterMatrix& m, const std::byte* rows, std::byte* panels) {
  constexpr auto kBytes = static_cast<int64_t>(sizeof(T));
  constexpr int64_t kLine = 64 / kBytes;
  for (int64_t col = 0; col < m.cols; col += kPanelCols) {
    const int64_t width = PanelWidth(m.cols - col);
    const auto* from = reinterpret_cast<const char*>(rows + col * m.depth * kBytes);
    auto* to = reinterpret_cast<char*>(panels + col * m.depth * kBytes);
    for (int64_t k = 0; k < m.depth; k += kLine)
      TransposeBlock<T>(from + k * kBytes, m.depth * kBytes, to + k * width * kBytes,
                        width * kBytes, std::min(kLine, m.depth - k),
                        std::min(width, m.cols - col));
  }
}

}  // namespace

std::vector<bool> WeightsInPanels(std::span<const Program> programs,
                                  std::span<const std::vector<int>> indices, size_t count) {
  std::vector<Readers> readers(count);
  for (size_t i = 0; i < programs.size(); ++i) ReaderSearch(programs[i], indices[i], readers).Run();
  std::vector<bool> in_panels(count);
  for (size_t i = 0; i < count; ++i)
    in_panels[i] = readers[i].filter != nullptr && !readers[i].others &&
                   (readers[i].halves || PaddingIsSmall(*readers[i].filter));
  return in_panels;
}

std::vector<std::byte> BytesInPanels(const Constant& value) {
  const FilterMatrix matrix(value.type.shape);
  const int64_t element_bytes = DTypeBytes(StoredDType(value.type.dtype, value.encoding));
  std::vector<std::byte> panels(
      static_cast<size_t>(PanelElements(matrix.depth, matrix.cols) * element_bytes));
  if (element_bytes == 4)
    ToPanels<uint32_t>(matrix, value.bytes.data(), panels.data());
  else if (element_bytes == 2)
    ToPanels<uint16_t>(matrix, value.bytes.data(), panels.data());
  else
    ToPanels<uint8_t>(matrix, value.bytes.data(), panels.data());
  return panels;
}

}  // namespace linnet::converter
