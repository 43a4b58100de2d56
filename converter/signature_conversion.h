// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/convert_options.h"
#include "converter/endpoint.h"
#include "converter/import/import.h"
#include "converter/pass_recorder.h"
#include "converter/plan/program.h"
#include "converter/report/report.h"
#include "converter/resources/resources.h"
#include "converter/tf_passes/partial_shape.h"

namespace linnet::converter {

// One signature on its way to a program.
class SignatureConversion {
 public:
  // `signature` is null for a graph without nodes. `graph` is a copy of the model's. What the other
  // arguments refer to must outlive this object.
  SignatureConversion(const ConvertOptions& options, const ImportedModel& model,
                      const Resources& resources, const SignatureInfo* signature,
                      std::unique_ptr<Graph> graph, ConversionReport* report);

  const std::string& key() const { return key_; }
  const Graph& graph() const { return *graph_; }

  absl::Status ChooseEndpoints();
  // REQUIRES: ChooseEndpoints.
  absl::Status RunPasses(PassRecorder* recorder);
  // REQUIRES: RunPasses. The result refers to the graph and to `devices`. Where the host runs all
  // steps, they are fused as only the host can.
  absl::StatusOr<PlacedGraph> Place(const DeviceSet& devices, PassRecorder* recorder);
  // REQUIRES: Place. The program, which refers to the graph, is the one for the host alone where
  // `partition` is empty.
  absl::StatusOr<Program> Plan(const Partition& partition, const DeviceSet& devices) const;

 private:
  // How many rewrites the stages made.
  absl::StatusOr<int> RunStagesOn(Graph& graph, std::span<const Stage> stages,
                                  PassRecorder* recorder);
  absl::StatusOr<PlacedGraph> PlaceSteps(const DeviceSet& devices, std::vector<std::string>* notes);
  // Where a given name is not in the graph, it may be inside a function: then functions are inlined
  // here already, since only the graph after inlining tells which of the signature's inputs are
  // still needed.
  absl::Status OpenFunctions();
  // Inputs on the command line come first, in their order; the signature's other inputs follow. Of
  // these, only the ones that the outputs still need are taken when the model has no signature of
  // its own or a given input, or what --set names, is no placeholder and so cuts the graph. What is
  // set is no input.
  void ChooseInputs();
  void AddInput(const Endpoint& endpoint, PartialShape shape, std::vector<int64_t> smallest = {});
  // Which nodes the outputs depend on, not looking behind what is fed or set already. By node id.
  std::vector<bool> NodesNeeded() const;
  bool IsPlaceholder(const std::string& tensor) const;
  void ChooseOutputs();
  // The plan's and the tensor's name of every input (_Arg) or output (_Retval): prune left the
  // tensor's in the node's sources.
  std::vector<PortName> PortNames(NodeClass node_class, const std::vector<Endpoint>& given) const;
  absl::StatusOr<std::map<std::string, Constant>> InitialStates() const;

  const ConvertOptions& options_;
  const ImportedModel& model_;
  const Resources& resources_;
  const std::string key_;
  const std::unique_ptr<Graph> graph_;
  std::unique_ptr<Graph> hosts_graph_;  // of the host's program where devices have one of their own
  ConversionReport& report_;
  std::span<const TensorRef> given_inputs_, given_outputs_;  // by the signature
  PassContext context_;
  // Ordinary models stay far below these: folding adds scalars, masks and position tables to them.
  int64_t constant_room_ = int64_t{256} << 20;
  int64_t folding_work_ = int64_t{1} << 34;  // takes seconds on one core
  std::vector<Endpoint> input_names_, output_names_;
};

}  // namespace linnet::converter
