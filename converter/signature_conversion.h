// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <optional>
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

namespace linnet::converter {

// One signature on its way to a program.
class SignatureConversion {
 public:
  // `signature` may be null: a graph without nodes. `graph` is a copy of the model's. All outlive
  // this.
  SignatureConversion(const ConvertOptions& options, const ImportedModel& model,
                      const Resources& resources, const SignatureInfo* signature,
                      std::unique_ptr<Graph> graph, ConversionReport* report);

  const std::string& key() const { return key_; }
  const Graph& graph() const { return *graph_; }

  absl::Status ChooseEndpoints();
  // REQUIRES: ChooseEndpoints.
  absl::Status RunPasses(PassRecorder* recorder);
  // REQUIRES: RunPasses. What comes back refers to the graph and to `devices`.
  absl::StatusOr<PlacedGraph> Place(const DeviceSet& devices);
  // REQUIRES: RunPasses. The program refers to the graph.
  absl::StatusOr<Program> Plan(const Partition& partition, const DeviceSet& devices) const;

 private:
  // Names that are not in the graph may be in its functions: then those are inlined already here,
  // as which of the signature's inputs are still needed is seen in the graph after inlining only.
  absl::Status OpenFunctions();
  // Names on the command line come first, in their order; the signature's other inputs follow. Once
  // one of the names cuts the graph, or when nobody wrote a signature, only those that are still
  // needed do.
  void ChooseInputs();
  void AddInput(const Endpoint& endpoint, std::optional<std::vector<int64_t>> shape,
                std::vector<int64_t> smallest = {});
  // What the outputs read, not looking behind what is fed already. By node id.
  std::vector<bool> NodesNeeded() const;
  bool IsPlaceholder(const std::string& tensor) const;
  void ChooseOutputs();
  // Both names of every end: prune put the tensor's into the sources of _Arg and _Retval.
  std::vector<PortName> PortNames(NodeClass node_class, const std::vector<Endpoint>& given) const;
  absl::StatusOr<std::map<std::string, Constant>> InitialStates() const;

  const ConvertOptions& options_;
  const ImportedModel& model_;
  const Resources& resources_;
  const std::string key_;
  const std::unique_ptr<Graph> graph_;
  ConversionReport& report_;
  std::span<const TensorRef> given_inputs_, given_outputs_;  // by the signature
  PassContext context_;
  int64_t constant_room_;
  int64_t folding_work_;
  std::vector<Endpoint> input_names_, output_names_;
};

}  // namespace linnet::converter
