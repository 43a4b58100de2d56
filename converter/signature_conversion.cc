// SPDX-License-Identifier: Apache-2.0
#include "converter/signature_conversion.h"

#include <algorithm>
#include <set>
#include <utility>

#include "converter/graph/session_state.h"
#include "converter/optimize/encode_weights.h"
#include "converter/pass/passes.h"
#include "converter/pipeline.h"
#include "fmt/format.h"
#include "runtime/core/printable.h"
#include "runtime/core/tensor_name.h"

namespace linnet::converter {
namespace {

// The shape given on the command line, completed by the signature, which may know extents that the
// placeholder does not.
PartialShape FeedShape(PartialShape given, std::span<const TensorRef> signature,
                       const std::string& tensor) {
  for (const TensorRef& entry : signature) {
    PartialShape known = ToPartialShape(entry.shape);
    if (!known || !SameTensor(entry.tensor, tensor)) continue;
    if (!given) return known;
    if (given->size() != known->size()) return given;
    given = Completed(std::move(given), known);
  }
  return given;
}

absl::Status CheckOutputFiles(std::span<const PortName> outputs) {
  std::map<std::string, std::string> files;
  for (const PortName& output : outputs) {
    const auto [it, added] = files.emplace(FileNameOf(output.name), output.name);
    if (!added)
      return absl::InvalidArgumentError(
          fmt::format("outputs '{}' and '{}' would both be written to {}.npy: name one of them "
                      "differently with --output",
                      it->second, output.name, it->first));
  }
  return absl::OkStatus();
}

}  // namespace

SignatureConversion::SignatureConversion(const ConvertOptions& options, const ImportedModel& model,
                                         const Resources& resources, const SignatureInfo* signature,
                                         std::unique_ptr<Graph> graph, ConversionReport* report)
    : options_(options),
      model_(model),
      resources_(resources),
      key_(signature == nullptr ? "" : signature->key),
      graph_(std::move(graph)),
      report_(*report) {
  context_.notes = &report_.notes;
  context_.algebra = options_.algebra;
  context_.cpu_precision = options_.cpu_precision;
  context_.most = options_.most;
  // Each iteration of a loop that stays is a submission to the GPU, for which the host waits.
  const bool is_for_gpu = options_.place.place == "vulkan";
  context_.unroll =
      options_.unroll.value_or(is_for_gpu ? UnrollLimits::Unlimited() : UnrollLimits());
  context_.constant_room = &constant_room_;
  context_.folding_work = &folding_work_;
  context_.variables = resources_.variables.get();
  context_.tables = resources_.tables.get();
  if (signature != nullptr) {
    given_inputs_ = signature->inputs;
    given_outputs_ = signature->outputs;
    for (const TensorRef& input : given_inputs_) context_.input_names.push_back(input.key);
    for (const TensorRef& output : given_outputs_) context_.output_names.push_back(output.key);
  }
}

absl::Status SignatureConversion::ChooseEndpoints() {
  ChooseOutputs();
  for (FixedTensor fixed : options_.fixed) {
    fixed.tensor = Resolve(given_inputs_, fixed.tensor).tensor;
    context_.fixed.push_back(std::move(fixed));
  }
  if (absl::Status s = OpenFunctions(); !s.ok()) return s;
  ChooseInputs();
  return absl::OkStatus();
}

absl::Status SignatureConversion::RunPasses(PassRecorder* recorder) {
  const absl::StatusOr<int> rewrites = RunStagesOn(*graph_, StagesBeforeHost(), recorder);
  if (!rewrites.ok()) return rewrites.status();
  if (options_.weights == WeightEncoding::kF16 || options_.cpu_precision == CpuPrecision::kF16)
    HalveWeights(*graph_);
  if (options_.weights == WeightEncoding::kF32) DecodeWeights(*graph_);
  return absl::OkStatus();
}

absl::StatusOr<int> SignatureConversion::RunStagesOn(Graph& graph, std::span<const Stage> stages,
                                                     PassRecorder* recorder) {
  int rewrites = 0;
  const auto observer = [&](const PassRun& run, const Graph& after) {
    rewrites += run.rewrites;
    recorder->AfterPass(run, after);
  };
  if (absl::Status s = RunStages(stages, graph, context_, observer); !s.ok()) return s;
  if (!recorder->problem().empty()) return absl::UnavailableError(recorder->problem());
  return rewrites;
}

absl::StatusOr<PlacedGraph> SignatureConversion::Place(const DeviceSet& devices,
                                                       PassRecorder* recorder) {
  absl::StatusOr<PlacedGraph> placed = PlaceSteps(devices, &report_.notes);
  if (!placed.ok()) return placed;
  const bool has_own = WantsDeviceProgram(options_.place, devices, *placed);
  if (has_own) {
    if (!graph_->shapes().empty()) return placed;  // such a graph cannot be copied
    hosts_graph_ = std::make_unique<Graph>(&graph_->registry());
    hosts_graph_->CopyFrom(*graph_);
  }
  const absl::StatusOr<int> fused =
      RunStagesOn(has_own ? *hosts_graph_ : *graph_, HostStage(), recorder);
  if (!fused.ok()) return fused.status();
  // Without changes both programs have the same steps, and the reports can say so.
  if (*fused == 0) hosts_graph_ = nullptr;
  if (*fused == 0 || has_own) return placed;
  std::vector<std::string> known_notes;
  return PlaceSteps(devices, &known_notes);
}

absl::StatusOr<PlacedGraph> SignatureConversion::PlaceSteps(const DeviceSet& devices,
                                                            std::vector<std::string>* notes) {
  PlaceRequest request = options_.place;
  for (PlaceRequest::NodeRequest& asked : request.nodes)
    asked.node = NodeOf(Resolve(given_outputs_, asked.node).tensor);
  return PlaceGraph(request, devices, graph_.get(), notes);
}

absl::StatusOr<Program> SignatureConversion::Plan(const Partition& partition,
                                                  const DeviceSet& devices) const {
  const std::vector<PortName> inputs = PortNames(NodeClass::kArg, input_names_);
  const std::vector<PortName> outputs = PortNames(NodeClass::kRetval, output_names_);
  if (absl::Status status = CheckOutputFiles(outputs); !status.ok()) return status;
  absl::StatusOr<std::map<std::string, Constant>> states = InitialStates();
  if (!states.ok()) return states.status();
  const bool hosts_own = partition.segments.empty() && hosts_graph_ != nullptr;
  return BuildProgram(hosts_own ? *hosts_graph_ : *graph_, key_, inputs, outputs, *states,
                      partition, devices,
                      {.keep_inputs = options_.keep_inputs, .strips = options_.strips});
}

absl::Status SignatureConversion::OpenFunctions() {
  const auto is_missing = [this](const std::string& tensor) {
    return graph_->FindNode(NodeOf(tensor)) == nullptr;
  };
  PassContext context = context_;
  for (const Feed& feed : options_.inputs)
    context.feeds.push_back({Resolve(given_inputs_, feed.tensor).tensor, std::nullopt});
  if (!std::ranges::any_of(context.fixed, is_missing, &FixedTensor::tensor) &&
      !std::ranges::any_of(context.feeds, is_missing, &Feed::tensor) &&
      !std::ranges::any_of(context.fetches, is_missing))
    return absl::OkStatus();
  return InlineFunctions(*graph_, context).status();
}

void SignatureConversion::ChooseInputs() {
  bool needed_only = !model_.has_signatures;
  for (const Feed& feed : options_.inputs) {
    const Endpoint endpoint = ResolveToKey(given_inputs_, feed.tensor);
    AddInput(endpoint, FeedShape(feed.shape, given_inputs_, endpoint.tensor), feed.smallest);
    needed_only = needed_only || !IsPlaceholder(endpoint.tensor);
  }
  for (const FixedTensor& fixed : context_.fixed)
    needed_only = needed_only || !IsPlaceholder(fixed.tensor);
  const std::vector<bool> needed = needed_only ? NodesNeeded() : std::vector<bool>();
  const auto is_needed = [&](const Node* node) { return node != nullptr && needed[node->id()]; };
  for (const TensorRef& input : given_inputs_) {
    const auto same = [&](const Endpoint& e) { return SameTensor(e.tensor, input.tensor); };
    const auto is_set = [&](const FixedTensor& f) { return SameTensor(f.tensor, input.tensor); };
    if (std::ranges::any_of(input_names_, same) || std::ranges::any_of(context_.fixed, is_set))
      continue;
    if (needed_only && !is_needed(graph_->FindNode(NodeOf(input.tensor)))) continue;
    AddInput({input.key, input.tensor}, FeedShape(std::nullopt, given_inputs_, input.tensor));
    context_.feeds.back().is_signature = true;
  }
}

void SignatureConversion::AddInput(const Endpoint& endpoint, PartialShape shape,
                                   std::vector<int64_t> smallest) {
  input_names_.push_back(endpoint);
  context_.feeds.push_back({endpoint.tensor, std::move(shape), std::move(smallest)});
}

std::vector<bool> SignatureConversion::NodesNeeded() const {
  std::vector<bool> needed(graph_->num_node_ids(), false), fed = needed;
  const auto stop_at = [&](const std::string& tensor) {
    if (const Node* node = graph_->FindNode(NodeOf(tensor)); node != nullptr)
      fed[node->id()] = true;
  };
  for (const Feed& feed : context_.feeds) stop_at(feed.tensor);
  for (const FixedTensor& fixed : context_.fixed) stop_at(fixed.tensor);
  std::vector<const Node*> open;
  const auto add = [&](const Node* node) {
    if (node == nullptr || fed[node->id()] || needed[node->id()]) return;
    needed[node->id()] = true;
    open.push_back(node);
  };
  for (const std::string& fetch : context_.fetches) add(graph_->FindNode(NodeOf(fetch)));
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    for (const Edge* edge : node->in_edges()) add(edge->src);
  }
  return needed;
}

bool SignatureConversion::IsPlaceholder(const std::string& tensor) const {
  const Node* node = graph_->FindNode(NodeOf(tensor));
  return node != nullptr && node->node_class() == NodeClass::kPlaceholder;
}

void SignatureConversion::ChooseOutputs() {
  if (options_.outputs.empty())
    for (const TensorRef& output : given_outputs_)
      output_names_.push_back({output.key, output.tensor});
  // What is asked for twice under one name is there once.
  std::set<std::string> seen;
  for (const std::string& name : options_.outputs)
    if (seen.insert(name).second) output_names_.push_back(Resolve(given_outputs_, name));
  for (const Endpoint& endpoint : output_names_) context_.fetches.push_back(endpoint.tensor);
}

std::vector<PortName> SignatureConversion::PortNames(NodeClass node_class,
                                                     const std::vector<Endpoint>& given) const {
  std::map<int64_t, const Node*> by_index;
  for (const Node* node : graph_->op_nodes())
    if (node->node_class() == node_class && !IsState(*node))
      by_index[node->FindAttr("index")->i()] = node;
  std::map<std::string, const Endpoint*> endpoints;
  for (const Endpoint& endpoint : given) endpoints[WithSlot(endpoint.tensor)] = &endpoint;
  std::vector<PortName> names;
  for (const auto& [index, node] : by_index) {
    const std::string tensor = node->sources().empty() ? node->name() : node->sources()[0];
    PortName name{tensor, WithSlot(tensor)};
    if (const auto it = endpoints.find(WithSlot(tensor)); it != endpoints.end())
      name.name = it->second->name;
    names.push_back(std::move(name));
  }
  // The same tensor may be fetched under several names: then order decides.
  if (given.size() == names.size())
    for (size_t i = 0; i < names.size(); ++i) names[i].name = given[i].name;
  return names;
}

absl::StatusOr<std::map<std::string, Constant>> SignatureConversion::InitialStates() const {
  std::map<std::string, Constant> states;
  for (const Node* node : graph_->op_nodes()) {
    if (!IsState(*node) || node->node_class() != NodeClass::kArg ||
        StartOf(*node) == StateStart::kZeros)
      continue;
    absl::StatusOr<Constant> value = resources_.variables->Read(StateName(*node));
    if (!value.ok()) return value.status();
    states[StateName(*node)] = *std::move(value);
  }
  return states;
}

}  // namespace linnet::converter
