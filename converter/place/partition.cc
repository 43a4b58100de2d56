// SPDX-License-Identifier: Apache-2.0
#include "converter/place/partition.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "converter/place/cost_model.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

bool IsStep(const Node& node) {
  return node.IsOp() && !node.IsConstant() && node.node_class() != NodeClass::kArg &&
         node.node_class() != NodeClass::kRetval;
}

class Cutter {
 public:
  Cutter(const Graph& graph, const DeviceSet& devices, const Placement& placement)
      : graph_(graph), devices_(devices), placement_(placement) {}

  absl::StatusOr<Partition> Cut() {
    const std::vector<Node*> nodes = graph_.op_nodes();
    for (const Node* node : nodes)
      if (absl::Status status = CheckComplete(*node); !status.ok()) return status;
    missing_.assign(graph_.num_node_ids(), 0);
    ready_.resize(devices_.size());
    for (const Node* node : nodes) {
      for (const Edge* edge : node->in_edges()) missing_[node->id()] += IsOrdered(*edge);
      if (missing_[node->id()] == 0) AddReady(*node);
    }
    size_t done = 0;
    while (const Node* node = Next()) {
      if (IsStep(*node)) AddStep(*node);
      for (const Edge* edge : node->out_edges())
        if (IsOrdered(*edge) && --missing_[edge->dst->id()] == 0) AddReady(*edge->dst);
      ++done;
    }
    if (done != nodes.size()) return absl::InvalidArgumentError("the graph has a cycle");
    // Results are copied after the last segment, even if their values were ready before.
    for (const Node* node : nodes)
      if (node->node_class() == NodeClass::kRetval)
        CopyInputs(*node, static_cast<int>(partition_.segments.size()));
    return std::move(partition_);
  }

 private:
  static absl::Status CheckComplete(const Node& node) {
    int missing = 0;
    for (int i = 0; i < node.num_inputs(); ++i) missing += node.input(i) ? 0 : 1;
    if (missing == 0) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("Incomplete graph, missing {} inputs for {}", missing, node.name()));
  }

  int DeviceOf(const Node& node) const { return placement_.rows[node.id()].device; }

  void AddReady(const Node& node) {
    (IsStep(node) ? ready_[DeviceOf(node)] : ready_ends_).insert(node.id());
  }

  // Inputs, outputs and constants first, as they are part of no segment; then a step that continues
  // the current segment; else the smallest id. Null when nothing is ready.
  const Node* Next() {
    std::set<int>* next = &ready_ends_;
    if (next->empty() && !partition_.segments.empty())
      next = &ready_[partition_.segments.back().device];
    if (next->empty())
      for (std::set<int>& ready : ready_)
        if (!ready.empty() && (next->empty() || *ready.begin() < *next->begin())) next = &ready;
    if (next->empty()) return nullptr;
    return graph_.FindNodeId(next->extract(next->begin()).value());
  }

  void AddStep(const Node& node) {
    std::vector<Segment>& segments = partition_.segments;
    if (segments.empty() || segments.back().device != DeviceOf(node))
      segments.push_back({DeviceOf(node), {}});
    segments.back().nodes.push_back(&node);
    CopyInputs(node, static_cast<int>(segments.size()) - 1);
  }

  void CopyInputs(const Node& node, int before) {
    for (const Edge* edge : node.in_edges()) {
      const Node& src = *edge->src;
      if (edge->IsControlEdge() || src.IsConstant()) continue;
      const int output = edge->src_output;
      const DType dtype = OutputDType(src, output);
      const int from = MemoryOf(devices_, DeviceOf(src), dtype);
      const int to = MemoryOf(devices_, DeviceOf(node), dtype);
      if (from == to || !copied_.emplace(src.id(), output, to).second) continue;
      partition_.copies.push_back({&src, output, from, to, OutputBytes(src, output), before});
    }
  }

  const Graph& graph_;
  const DeviceSet& devices_;
  const Placement& placement_;
  std::vector<int> missing_;                    // producers that have not run yet, by node id
  std::vector<std::set<int>> ready_;            // steps by device: node ids
  std::set<int> ready_ends_;                    // and nodes that are no steps
  std::set<std::tuple<int, int, int>> copied_;  // node id, output, memory
  Partition partition_;
};

}  // namespace

absl::StatusOr<Partition> MakePartition(const Graph& graph, const DeviceSet& devices,
                                        const Placement& placement) {
  return Cutter(graph, devices, placement).Cut();
}

}  // namespace linnet::converter
