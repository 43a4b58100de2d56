// SPDX-License-Identifier: Apache-2.0
#include "converter/place/placer.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <tuple>

#include "converter/graph/tensorflow/dtypes.h"

namespace linnet::converter {
namespace {

// TensorFlow has two rules for nodes that cost nothing wherever they run, but a copy if that is not
// where their neighbours are. First: a node without inputs that makes one value, no reference, goes
// to the device that reads it.
bool IsGenerator(const Node& node) {
  if (node.IsConstant()) return true;
  if (node.node_class() == NodeClass::kArg || node.num_inputs() > 0) return false;
  if (node.node_class() == NodeClass::kOp) return node.num_outputs() == 1;
  return node.tf_output_types().size() == 1 && !IsRefType(node.tf_output_types()[0]);
}

// Second: Shape, Size and Rank read no values, so they go to the device of their input.
bool IsMetadata(const Node& node) { return node.node_class() == NodeClass::kMetadata; }

// One way to place a graph, simulated while it is found.
class Attempt {
 public:
  Attempt(const Graph& graph, const DeviceSet& devices, const CostModel& costs,
          Constraints constraints, bool overlap)
      : graph_(graph),
        devices_(devices),
        costs_(costs),
        constraints_(std::move(constraints)),
        free_us_(overlap ? devices.size() : 1, 0.0),
        placed_(graph.num_node_ids(), -1),
        levels_(graph.num_node_ids(), 0),
        asked_(graph.num_node_ids(), -1),
        rows_(graph.num_node_ids()) {}

  // TensorFlow's choice: the first device that is allowed, in the order of ids.
  void PlaceByPreference() {
    for (const Node* node : graph_.op_nodes())
      if (!IsGenerator(*node)) ChooseIfAllowed(*node, DeviceOfMetadata(*node));
  }

  // Before Simulate: this node goes to this device where that is allowed.
  void Ask(int node, int device) { asked_[node] = device; }

  // Simulates a run. Nodes that have no device yet get `preferred` where that is allowed (-1:
  // never), else the one on which they finish first. False when there is a cycle.
  bool Simulate(int preferred) {
    std::vector<int> missing(graph_.num_node_ids(), 0);
    const std::vector<Node*> nodes = graph_.op_nodes();
    for (const Node* node : nodes)
      missing[node->id()] = static_cast<int>(std::ranges::count_if(
          node->in_edges(), [](const Edge* edge) { return IsOrdered(*edge); }));
    for (const Node* node : nodes)
      if (missing[node->id()] == 0) ready_.push({0.0, node->id()});
    size_t done = 0;
    for (; !ready_.empty(); ++done) {
      const auto [ready_us, id] = ready_.top();
      ready_.pop();
      const Node& node = *graph_.FindNodeId(id);
      if (!IsGenerator(node)) RunNode(node, ready_us, preferred);
      for (const Edge* edge : node.out_edges())
        if (IsOrdered(*edge) && --missing[edge->dst->id()] == 0)
          ready_.push({ReadyUs(*edge->dst), edge->dst->id()});
    }
    return done == nodes.size();
  }

  // Once all other nodes are placed. (Generators cost nothing: a constant is a weight that each
  // device prepares for itself.)
  void PlaceGenerators() {
    for (const Node* node : graph_.op_nodes())
      if (IsGenerator(*node)) ChooseIfAllowed(*node, DeviceOfReaders(*node));
  }

  double completion_us() const { return completion_us_; }
  // After Simulate: the nodes of each segment that has to be submitted to a device.
  std::map<std::pair<int, int>, std::vector<int>> Islands() const {
    std::map<std::pair<int, int>, std::vector<int>> islands;
    for (size_t id = 0; id < placed_.size(); ++id)
      if (placed_[id] >= 0 && costs_.SubmitUs(placed_[id]) > 0)
        islands[{levels_[id], placed_[id]}].push_back(static_cast<int>(id));
    return islands;
  }
  std::vector<Placement::Row> TakeRows() {
    for (size_t id = 0; id < rows_.size(); ++id) rows_[id].device = placed_[id];
    return std::move(rows_);
  }

 private:
  struct Copied {
    int node, output, memory;
    // clang-tidy 14 takes the 0 in what the compiler generates for a null pointer.
    auto operator<=>(const Copied&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  struct Run {
    double start_us = 0.0, finish_us = 0.0;
    int level = 0;
    std::vector<Copied> copies;
  };
  using Ready = std::pair<double, int>;  // when, node id: ties go to the smaller id

  bool IsAllowed(const Node& node, int device) const {
    return std::ranges::count(constraints_.Candidates(node), device) > 0;
  }

  void Choose(const Node& node, int device) {
    placed_[node.id()] = device;
    constraints_.Choose(node, device);
  }
  void ChooseIfAllowed(const Node& node, int device) {
    Choose(node, IsAllowed(node, device) ? device : constraints_.Candidates(node)[0]);
  }

  // The device of all nodes that read `node`; -1 when they differ or there are none.
  int DeviceOfReaders(const Node& node) const {
    int device = -1;
    for (const Edge* edge : node.out_edges()) {
      if (!edge->dst->IsOp()) continue;
      const int other = placed_[edge->dst->id()];
      if (other < 0 || (device >= 0 && device != other)) return -1;
      device = other;
    }
    return device;
  }

  // The device of the input of Shape, Size and Rank; -1 for other nodes.
  int DeviceOfMetadata(const Node& node) const {
    if (!IsMetadata(node) || node.num_inputs() == 0 || !node.input(0)) return -1;
    return placed_[node.input(0).node->id()];
  }

  double ReadyUs(const Node& node) const {
    double ready_us = 0.0;
    for (const Edge* edge : node.in_edges())
      if (IsOrdered(*edge)) ready_us = std::max(ready_us, rows_[edge->src->id()].finish_us);
    return ready_us;
  }

  // How often the devices alternate, at least, until `node` can run on `device`. All nodes of one
  // device and level can be one segment.
  int LevelOn(const Node& node, int device) const {
    int level = 0;
    for (const Edge* edge : node.in_edges()) {
      const int from = edge->src->IsOp() ? placed_[edge->src->id()] : -1;
      if (from >= 0 && IsOrdered(*edge))
        level = std::max(level, levels_[edge->src->id()] + (from == device ? 0 : 1));
    }
    return level;
  }

  double& FreeUs(int device) { return free_us_[free_us_.size() == 1 ? 0 : device]; }

  Run RunOn(const Node& node, double ready_us, int device) {
    Run run;
    double before_us = 0.0;
    for (const Edge* edge : node.in_edges()) {
      if (edge->IsControlEdge() || placed_[edge->src->id()] < 0) continue;
      const DType dtype = OutputDType(*edge->src, edge->src_output);
      const int from = MemoryOf(devices_, placed_[edge->src->id()], dtype);
      const int to = MemoryOf(devices_, device, dtype);
      const Copied copy{edge->src->id(), edge->src_output, to};
      if (from == to || copied_.contains(copy) || std::ranges::count(run.copies, copy) > 0)
        continue;
      before_us += costs_.CopyUs(OutputBytes(*edge->src, edge->src_output), from, to);
      run.copies.push_back(copy);
    }
    run.level = LevelOn(node, device);
    if (!submitted_.contains({device, run.level})) before_us += costs_.SubmitUs(device);
    run.start_us = std::max(FreeUs(device), ready_us) + before_us;
    run.finish_us = run.start_us + costs_.TimeUs(node, device);
    return run;
  }

  // The device of `node` where the times do not matter; else -1.
  int Given(const Node& node, int preferred) const {
    if (placed_[node.id()] >= 0) return placed_[node.id()];
    for (const int device : {DeviceOfMetadata(node), asked_[node.id()], preferred})
      if (IsAllowed(node, device)) return device;
    return -1;
  }

  void RunNode(const Node& node, double ready_us, int preferred) {
    int device = Given(node, preferred);
    Run best;
    if (device >= 0) {
      best = RunOn(node, ready_us, device);
    } else {
      for (int candidate : constraints_.Candidates(node)) {
        Run run = RunOn(node, ready_us, candidate);
        if (device >= 0 && run.finish_us >= best.finish_us) continue;
        best = std::move(run);
        device = candidate;
      }
    }
    Choose(node, device);
    copied_.insert(best.copies.begin(), best.copies.end());
    levels_[node.id()] = best.level;
    submitted_.emplace(device, best.level);
    FreeUs(device) = best.finish_us;
    rows_[node.id()].start_us = best.start_us;
    rows_[node.id()].finish_us = best.finish_us;
    completion_us_ = std::max(completion_us_, best.finish_us);
  }

  const Graph& graph_;
  const DeviceSet& devices_;
  const CostModel& costs_;
  Constraints constraints_;
  std::vector<double> free_us_;  // when each device is free; one for all where they do not overlap
  std::vector<int> placed_;      // device by node id
  std::vector<int> levels_;      // by node id
  std::vector<int> asked_;       // by node id: a device, or -1
  std::set<std::pair<int, int>> submitted_;  // device, level
  std::vector<Placement::Row> rows_;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
  std::set<Copied> copied_;
  double completion_us_ = 0.0;
};

// Simulates runs that prefer a device, but leave to the host what is not worth its submission: the
// islands between steps that the device cannot run. Nothing for a graph with a cycle.
std::optional<Attempt> Simulated(const Attempt& begin, int preferred, int host) {
  constexpr size_t kMaxIslands = 64;  // each takes a simulation
  std::optional<Attempt> best(begin);
  if (!best->Simulate(preferred)) return std::nullopt;
  const auto islands = best->Islands();
  if (host < 0 || islands.size() < 2 || islands.size() > kMaxIslands) return best;
  std::vector<int> on_host;
  for (const auto& [segment, nodes] : islands) {
    const size_t before = on_host.size();
    on_host.insert(on_host.end(), nodes.begin(), nodes.end());
    Attempt tried = begin;
    for (const int node : on_host) tried.Ask(node, host);
    if (tried.Simulate(preferred) && tried.completion_us() < best->completion_us())
      best.emplace(std::move(tried));
    else
      on_host.resize(before);
  }
  return best;
}

// Why a node is where it is when no constraint decided that.
const char* ReasonOfChoice(const Node& node, const DeviceSet& devices, Choice choice) {
  if (devices.size() == 1) return "the only device";
  if (IsGenerator(node)) return "where it is read";
  if (IsMetadata(node)) return "where its input is";
  return choice == Choice::kPreferred ? "preferred" : "the run is fastest this way";
}

// Fills in the reasons, and the nodes that are not on the device that they ask for.
void Explain(const Graph& graph, const DeviceSet& devices, const Constraints& constraints,
             Choice choice, Placement* placement) {
  for (const Node* node : graph.op_nodes()) {
    Placement::Row& row = placement->rows[node->id()];
    const DeviceName wish = constraints.Wish(*node);
    if (!wish.empty() && !Fits(wish, devices[row.device].name))
      placement->not_as_asked.push_back(node);
    row.reason = constraints.Reason(*node, row.device);
    if (row.reason.empty()) row.reason = ReasonOfChoice(*node, devices, choice);
  }
}

}  // namespace

absl::StatusOr<Placement> Place(const Graph& graph, const DeviceSet& devices,
                                const CostModel& costs, const PlacerOptions& options) {
  const absl::StatusOr<Constraints> constraints =
      Constraints::Of(graph, devices, options.constraints);
  if (!constraints.ok()) return constraints.status();
  // The device to prefer, one attempt each. The host comes first, because the others must beat it.
  std::vector<int> attempts = {-1};
  if (options.choice == Choice::kFastest)
    for (int i = 0; i < devices.size(); ++i) attempts.push_back(i);
  const bool host_first = attempts.size() > 1 && devices.host() >= 0;
  if (host_first) std::swap(attempts[0], attempts[devices.host() + 1]);

  std::optional<Attempt> best;
  double goal_us = std::numeric_limits<double>::infinity();
  for (int preferred : attempts) {
    Attempt begin(graph, devices, costs, *constraints, options.overlap);
    if (options.choice == Choice::kPreferred) begin.PlaceByPreference();
    std::optional<Attempt> attempt = Simulated(begin, preferred, devices.host());
    if (!attempt) return absl::InvalidArgumentError("the graph has a cycle");
    const double needed_us = attempt->completion_us();
    if (needed_us >= goal_us) continue;
    goal_us = needed_us;
    if (host_first && !best.has_value())
      goal_us -= std::max(options.min_saving_us, options.min_saving_share * needed_us);
    best.emplace(*std::move(attempt));
    if (devices.size() == 1) break;
  }
  best->PlaceGenerators();
  Placement placement;
  placement.completion_us = best->completion_us();
  placement.rows = best->TakeRows();
  Explain(graph, devices, *constraints, options.choice, &placement);
  return placement;
}

bool IsOrdered(const Edge& edge) {
  return edge.src->IsOp() && edge.dst->IsOp() &&
         edge.src->node_class() != NodeClass::kNextIteration;
}

void Assign(const Placement& placement, const DeviceSet& devices, Graph* graph) {
  for (Node* node : graph->op_nodes())
    graph->set_assigned_device(node, ToString(devices[placement.rows[node->id()].device].name));
}

}  // namespace linnet::converter
