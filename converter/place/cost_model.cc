// SPDX-License-Identifier: Apache-2.0
#include "converter/place/cost_model.h"

#include <algorithm>

#include "runtime/core/checked.h"

namespace linnet::converter {
namespace {

// No plan holds more (a later stage refuses it), and counting the work of such tensors would
// overflow.
constexpr double kMaxBytes = 1e15;

// Reshape and the like, which the memory plan turns into views of their input.
bool IsView(const Node& node) {
  return (FindOp(node.kind())->traits & kAlias) != 0 && !node.input(0).node->IsConstant();
}

double FlopsPerSecond(const DeviceRates& rates, OpKind kind) {
  switch (kind) {
    case OpKind::kConv2D:
    case OpKind::kTransposeConv2D:
    case OpKind::kFullyConnected:
    case OpKind::kBatchMatMul:
      return rates.flops_per_s;
    case OpKind::kDepthwiseConv2D:
      return rates.depthwise_flops_per_s > 0 ? rates.depthwise_flops_per_s : rates.flops_per_s;
    default:
      return rates.other_flops_per_s > 0 ? rates.other_flops_per_s : rates.flops_per_s;
  }
}

}  // namespace

DType OutputDType(const Node& node, int output) {
  const bool is_known = output < node.num_outputs() && node.HasType(output);
  return is_known ? node.type(output).dtype : DType::kInvalid;
}

int64_t OutputBytes(const Node& node, int output) {
  if (OutputDType(node, output) == DType::kInvalid) return 1;
  const TensorType& type = node.type(output);
  return SaturatingMul(type.shape.num_elements(), DTypeBytes(type.dtype));
}

Work WorkOf(const Node& node) {
  Work work;
  if (node.node_class() != NodeClass::kOp || IsView(node)) return work;
  const auto add = [&](const Node& of, int output) {
    work.bytes += static_cast<double>(OutputBytes(of, output));
  };
  for (int i = 0; i < node.num_inputs(); ++i) add(*node.input(i).node, node.input(i).index);
  for (int i = 0; i < node.num_outputs(); ++i) add(node, i);
  if (work.bytes < kMaxBytes)
    work.flops = static_cast<double>(FindOp(node.kind())->cost(NodeInstance(node).op()).flops);
  return work;
}

CostModel::CostModel(const DeviceSet& devices, const DeviceProfile& profile)
    : devices_(devices), profile_(profile) {}

const Measurement* CostModel::FindMeasurement(const Node& node, int device) const {
  const auto measured = profile_.measured.find(devices_[device].key);
  if (measured == profile_.measured.end()) return nullptr;
  auto it = measured->second.find(node.name());
  if (it == measured->second.end() && !node.sources().empty())
    it = measured->second.find(node.sources()[0]);
  return it == measured->second.end() ? nullptr : &it->second;
}

double CostModel::TimeUs(const Node& node, int device) const {
  constexpr NodeClass kTakeNothing[] = {NodeClass::kSource,   NodeClass::kSink,
                                        NodeClass::kConstant, NodeClass::kVariable,
                                        NodeClass::kArg,      NodeClass::kRetval};
  if (std::ranges::count(kTakeNothing, node.node_class()) > 0) return 0.0;
  if (const Measurement* measured = FindMeasurement(node, device))
    return measured->total_us / static_cast<double>(measured->count);
  if (node.node_class() != NodeClass::kOp) return 1.0;
  if (IsView(node)) return 0.0;
  const DeviceRates rates = profile_.RatesOf(devices_[device].key);
  Work work = WorkOf(node);
  // Almost all of them are of floats.
  if (devices_[device].layout == linnet::Layout::kRows4Half) work.bytes /= 2;
  const double seconds =
      std::max(work.flops / FlopsPerSecond(rates, node.kind()), work.bytes / rates.bytes_per_s);
  return rates.launch_us + seconds * 1e6;
}

double CostModel::CopyUs(int64_t bytes, int from, int to) const {
  if (from == to) return 0.0;
  const CopyRates rates = profile_.CopyOf(devices_[from].key, devices_[to].key);
  return rates.latency_us + static_cast<double>(bytes) / rates.bytes_per_s * 1e6;
}

double CostModel::SubmitUs(int device) const {
  return profile_.RatesOf(devices_[device].key).submit_us;
}

}  // namespace linnet::converter
