// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/graph.h"
#include "converter/place/constraints.h"
#include "converter/place/cost_model.h"
#include "converter/place/device.h"

namespace linnet::converter {

// What decides where constraints leave a choice.
enum class Choice {
  kPreferred,  // the device set's order, as TensorFlow's placer
  kFastest,    // the cost model: see Place
};

struct PlacerOptions {
  ConstraintOptions constraints;
  Choice choice = Choice::kFastest;
  // Do devices work at the same time? A session runs its steps one after another.
  bool overlap = false;
  // kFastest leaves the host only if that saves so much of the whole run.
  double min_saving_us = 0.0;
  double min_saving_share = 0.0;
};

// Where every node runs, and when, by the cost model.
struct Placement {
  struct Row {
    int device = -1;  // of the device set
    std::string reason;
    double start_us = 0.0, finish_us = 0.0;  // copies of its inputs come before the start
  };
  std::vector<Row> rows;  // by node id; Source, Sink and gaps have device -1
  double completion_us = 0.0;
  std::vector<const Node*> in_vain;  // nodes that did not get the device they ask for, by id
};

// Chooses a device for every node. Constraints first; then TensorFlow's rule that Shape, Size and
// Rank go with their input; then `choice`; and at last nodes without inputs go where they are read.
// kFastest simulates the run: nodes are taken as they get ready, each goes to the device on which
// it finishes first, its copies included. That never pays for a copy today that many later nodes
// would thank for, so the same is tried with each device preferred wherever it is allowed, and the
// run that completes first is taken. Errors are those of Constraints::Of, and InvalidArgument for a
// cycle. Deterministic.
absl::StatusOr<Placement> Place(const Graph& graph, const DeviceSet& devices,
                                const CostModel& costs, const PlacerOptions& options);

// Do the ends of `edge` run one after the other? (Not those that only bound the graph, nor the
// edges that close a loop.)
bool IsOrdered(const Edge& edge);

// Writes the devices' names into the graph, as assigned devices.
void Assign(const Placement& placement, const DeviceSet& devices, Graph* graph);

}  // namespace linnet::converter
