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

// How to choose where constraints leave several devices.
enum class Choice {
  kPreferred,  // by the order of the device set, as TensorFlow's placer
  kFastest,    // by the cost model: see Place
};

struct PlacerOptions {
  ConstraintOptions constraints;
  Choice choice = Choice::kFastest;
  // Do devices work at the same time? A session runs its steps one after another, so no.
  bool overlap = false;
  // kFastest leaves the host only if that saves this much of the whole run.
  double min_saving_us = 0.0;
  double min_saving_share = 0.0;
};

// Where every node runs, and when according to the cost model.
struct Placement {
  struct Row {
    int device = -1;  // of the device set
    std::string reason;
    double start_us = 0.0, finish_us = 0.0;  // copies of its inputs come before the start
  };
  std::vector<Row> rows;  // by node id; Source, Sink and gaps have device -1
  double completion_us = 0.0;
  std::vector<const Node*> not_as_asked;  // not on the device that they ask for, by id
};

// Chooses a device for every node. Constraints come first; then TensorFlow's rule that Shape, Size
// and Rank go with their input; then `choice`; at last nodes without inputs go where they are read.
// kFastest simulates the run: nodes are taken as they become ready, each goes to the device on
// which it finishes first, copies of its inputs and the submission of its segment included. This
// greedy choice never pays for a copy from which only later nodes would benefit, so the simulation
// is repeated with each device preferred wherever it is allowed, but for segments that are not
// worth their submission, and the run that completes first is taken. Errors are those of
// Constraints::Of, and InvalidArgument for a cycle. Deterministic.
absl::StatusOr<Placement> Place(const Graph& graph, const DeviceSet& devices,
                                const CostModel& costs, const PlacerOptions& options);

// Must the source of `edge` run before its destination? (Not so for Source and Sink, nor for edges
// that close a loop.)
bool IsOrdered(const Edge& edge);

// Writes the devices' names into the graph, as assigned devices.
void Assign(const Placement& placement, const DeviceSet& devices, Graph* graph);

}  // namespace linnet::converter
