// SPDX-License-Identifier: Apache-2.0
#include "converter/convert.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "converter/graph/session_state.h"
#include "converter/graph/text.h"
#include "converter/import/import.h"
#include "converter/passes/encode_weights.h"
#include "converter/passes/inline_functions.h"
#include "converter/passes/pipeline.h"
#include "converter/plan/plan_writer.h"
#include "converter/plan/program.h"
#include "converter/report/describe.h"
#include "converter/report/describe_placement.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

const std::string kDefaultKey = "serving_default";
// Honest models stay far below: what folding adds is scalars, masks and position tables.
constexpr int64_t kConstantRoom = int64_t{256} << 20;

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// "x" -> "x:0", "x:1" stays.
std::string WithSlot(const std::string& tensor) {
  const size_t colon = tensor.rfind(':');
  const bool has_slot = colon != std::string::npos && colon + 1 < tensor.size() &&
                        tensor.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return has_slot ? tensor : tensor + ":0";
}

// The node that makes a tensor.
std::string NodeOf(const std::string& tensor) {
  const std::string full = WithSlot(tensor);
  return full.substr(0, full.rfind(':'));
}

bool SameTensor(const std::string& a, const std::string& b) { return WithSlot(a) == WithSlot(b); }

// A tensor of the graph with the name that the plan will know it by.
struct Endpoint {
  std::string name, tensor;
};

// Resolves names of the command line: signature keys first, then tensors of the graph.
class EndpointResolver {
 public:
  explicit EndpointResolver(std::span<const TensorRef> signature) : signature_(signature) {}

  Endpoint Resolve(const std::string& name) const {
    for (const TensorRef& tensor : signature_)
      if (SameTensor(tensor.key, name)) return {name, tensor.tensor};
    return {name, name};
  }
  // For inputs: the signature's key, whichever name was used. (Outputs keep the name that was asked
  // for.)
  Endpoint ResolveToKey(const std::string& name) const {
    const Endpoint endpoint = Resolve(name);
    for (const TensorRef& tensor : signature_)
      if (SameTensor(tensor.tensor, endpoint.tensor)) return {tensor.key, tensor.tensor};
    return endpoint;
  }
  std::vector<Endpoint> All() const {
    std::vector<Endpoint> all;
    for (const TensorRef& tensor : signature_) all.push_back({tensor.key, tensor.tensor});
    return all;
  }

 private:
  std::span<const TensorRef> signature_;
};

// Keeps what each pass did for the report and writes the dumps that were asked for.
class Recorder : public PassObserver {
 public:
  Recorder(const ConvertOptions& options, ConversionReport* report)
      : options_(options), report_(*report) {}

  void AfterPass(const PassRun& run, const Graph& graph) override {
    if (options_.progress) options_.progress(run.pass);
    auto& passes = report_.passes;
    const auto same = std::ranges::find(passes, run.pass, &ConversionReport::PassRun::name);
    auto& row = same != passes.end() ? *same : passes.emplace_back();
    row.name = run.pass;
    row.rewrites += run.rewrites;
    row.ms += run.milliseconds;
    if (options_.dump_after == "all" || options_.dump_after == run.pass) Dump(run, graph);
  }
  const std::string& problem() const { return problem_; }

 private:
  void Dump(const PassRun& run, const Graph& graph) {
    const std::filesystem::path directory = options_.dump_dir.empty() ? "." : options_.dump_dir;
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    const auto path = directory / fmt::format("{:03}_{}.txt", count_++, run.pass);
    std::ofstream file(path);
    file << PrintGraph(graph);
    if (!file.good()) problem_ = fmt::format("cannot write {}", path.string());
  }

  const ConvertOptions& options_;
  ConversionReport& report_;
  int count_ = 0;
  std::string problem_;
};

// One signature on its way to a program.
class SignatureConversion {
 public:
  // `signature` may be null: a graph without nodes. `graph` is a copy of the model's.
  SignatureConversion(const ConvertOptions& options, const ImportedModel& model,
                      const SignatureInfo* signature, std::unique_ptr<Graph> graph,
                      ConversionReport* report)
      : options_(options),
        model_(model),
        key_(signature == nullptr ? "" : signature->key),
        graph_(std::move(graph)),
        report_(*report) {
    context_.notes = &report_.notes;
    context_.algebra = options_.algebra;
    context_.most = options_.most;
    context_.constant_room = &constant_room_;
    context_.variables = model_.variables.get();
    context_.tables = model_.tables.get();
    if (signature != nullptr) {
      given_inputs_ = signature->inputs;
      given_outputs_ = signature->outputs;
    }
  }

  const std::string& key() const { return key_; }
  const Graph& graph() const { return *graph_; }

  absl::Status ChooseEndpoints() {
    ChooseOutputs(given_outputs_);
    if (absl::Status s = OpenFunctions(given_inputs_); !s.ok()) return s;
    ChooseInputs(given_inputs_);
    return absl::OkStatus();
  }

  // REQUIRES: ChooseEndpoints.
  absl::Status RunPasses(Recorder* recorder) {
    if (absl::Status status = RunPipeline(*graph_, context_, recorder); !status.ok()) return status;
    if (!recorder->problem().empty()) return absl::UnavailableError(recorder->problem());
    if (options_.weights == WeightEncoding::kF16) HalveWeights(*graph_);
    if (options_.weights == WeightEncoding::kF32) DecodeWeights(*graph_);
    return absl::OkStatus();
  }

  // REQUIRES: RunPasses. What comes back refers to the graph and to `devices`.
  absl::StatusOr<PlacedGraph> Place(const DeviceSet& devices) {
    PlaceRequest request = options_.place;
    const EndpointResolver resolver(given_outputs_);
    for (PlaceRequest::NodeRequest& asked : request.nodes)
      asked.node = NodeOf(resolver.Resolve(asked.node).tensor);
    return PlaceGraph(request, devices, graph_.get(), &report_.notes);
  }

  // REQUIRES: RunPasses. The program refers to the graph.
  absl::StatusOr<Program> Plan(const Partition& partition, const DeviceSet& devices) const {
    const std::vector<PortName> inputs = PortNames(NodeClass::kArg, input_names_);
    const std::vector<PortName> outputs = PortNames(NodeClass::kRetval, output_names_);
    if (absl::Status status = CheckOutputFiles(outputs); !status.ok()) return status;
    absl::StatusOr<std::map<std::string, Constant>> states = InitialStates();
    if (!states.ok()) return states.status();
    return BuildProgram(*graph_, key_, inputs, outputs, *states, partition, devices);
  }

 private:
  // Names that are not in the graph may be in its functions: then those are inlined already here,
  // as which of the signature's inputs are still needed is seen in the open graph only.
  absl::Status OpenFunctions(std::span<const TensorRef> signature) {
    const EndpointResolver resolver(signature);
    const auto is_missing = [this](const std::string& tensor) {
      return graph_->FindNode(NodeOf(tensor)) == nullptr;
    };
    PassContext context = context_;
    for (const Feed& feed : options_.inputs)
      context.feeds.push_back({resolver.Resolve(feed.tensor).tensor, std::nullopt});
    if (!std::ranges::any_of(context.feeds, is_missing, &Feed::tensor) &&
        !std::ranges::any_of(context.fetches, is_missing))
      return absl::OkStatus();
    return InlineFunctions(*graph_, context).status();
  }

  // Names on the command line come first, in their order; the signature's other inputs follow. Once
  // one of the names cuts the graph, or when nobody wrote a signature, only those that are still
  // needed do.
  void ChooseInputs(std::span<const TensorRef> signature) {
    const EndpointResolver resolver(signature);
    bool needed_only = !model_.has_signatures;
    for (const Feed& feed : options_.inputs) {
      const Endpoint endpoint = resolver.ResolveToKey(feed.tensor);
      AddInput(endpoint, FeedShape(feed.shape, signature, endpoint.tensor), feed.smallest);
      needed_only = needed_only || !IsPlaceholder(endpoint.tensor);
    }
    const std::vector<bool> needed = needed_only ? NodesNeeded() : std::vector<bool>();
    const auto is_needed = [&](const Node* node) { return node != nullptr && needed[node->id()]; };
    for (const Endpoint& endpoint : resolver.All()) {
      const auto same = [&](const Endpoint& e) { return SameTensor(e.tensor, endpoint.tensor); };
      if (std::ranges::any_of(input_names_, same)) continue;
      if (needed_only && !is_needed(graph_->FindNode(NodeOf(endpoint.tensor)))) continue;
      AddInput(endpoint, FeedShape(std::nullopt, signature, endpoint.tensor));
    }
  }

  void AddInput(const Endpoint& endpoint, std::optional<std::vector<int64_t>> shape,
                std::vector<int64_t> smallest = {}) {
    input_names_.push_back(endpoint);
    context_.feeds.push_back({endpoint.tensor, std::move(shape), std::move(smallest)});
  }

  // What the outputs read, not looking behind what is fed already. By node id.
  std::vector<bool> NodesNeeded() const {
    std::vector<bool> needed(graph_->num_node_ids(), false), fed = needed;
    for (const Feed& feed : context_.feeds)
      if (const Node* node = graph_->FindNode(NodeOf(feed.tensor)); node != nullptr)
        fed[node->id()] = true;
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

  // A signature may know an extent that its placeholder does not; the command line knows better
  // still.
  static std::optional<std::vector<int64_t>> FeedShape(std::optional<std::vector<int64_t>> given,
                                                       std::span<const TensorRef> signature,
                                                       const std::string& tensor) {
    for (const TensorRef& entry : signature) {
      if (!SameTensor(entry.tensor, tensor) || entry.shape.unknown_rank()) continue;
      std::vector<int64_t> shape;
      for (const auto& dim : entry.shape.dim()) shape.push_back(dim.size());
      if (!given.has_value()) return shape;
      if (given->size() != shape.size()) return given;
      for (size_t i = 0; i < shape.size(); ++i)
        if ((*given)[i] < 0) (*given)[i] = shape[i];
    }
    return given;
  }

  bool IsPlaceholder(const std::string& tensor) const {
    const Node* node = graph_->FindNode(NodeOf(tensor));
    return node != nullptr && node->node_class() == NodeClass::kPlaceholder;
  }

  void ChooseOutputs(std::span<const TensorRef> signature) {
    const EndpointResolver resolver(signature);
    if (options_.outputs.empty()) output_names_ = resolver.All();
    for (const std::string& name : options_.outputs)
      output_names_.push_back(resolver.Resolve(name));
    for (const Endpoint& endpoint : output_names_) context_.fetches.push_back(endpoint.tensor);
  }

  // Both names of every end: prune put the tensor's into the sources of _Arg and _Retval.
  std::vector<PortName> PortNames(NodeClass node_class, const std::vector<Endpoint>& given) const {
    std::map<int64_t, const Node*> by_index;
    for (const Node* node : graph_->op_nodes())
      if (node->node_class() == node_class && !IsState(*node))
        by_index[node->FindAttr("index")->i()] = node;
    std::vector<PortName> names;
    for (const auto& [index, node] : by_index) {
      const std::string tensor = node->sources().empty() ? node->name() : node->sources()[0];
      PortName name{tensor, WithSlot(tensor)};
      for (const Endpoint& endpoint : given)
        if (SameTensor(endpoint.tensor, tensor)) name.name = endpoint.name;
      names.push_back(std::move(name));
    }
    // The same tensor may be fetched under several names: then order decides.
    if (given.size() == names.size())
      for (size_t i = 0; i < names.size(); ++i) names[i].name = given[i].name;
    return names;
  }

  absl::StatusOr<std::map<std::string, Constant>> InitialStates() const {
    std::map<std::string, Constant> states;
    for (const Node* node : graph_->op_nodes()) {
      if (!IsState(*node) || node->node_class() != NodeClass::kArg ||
          StartOf(*node) == StateStart::kZeros)
        continue;
      absl::StatusOr<Constant> value = model_.variables->Read(StateName(*node));
      if (!value.ok()) return value.status();
      states[StateName(*node)] = *std::move(value);
    }
    return states;
  }

  absl::Status CheckOutputFiles(std::span<const PortName> outputs) const {
    std::map<std::string, std::string> files;
    for (const PortName& output : outputs) {
      std::string file = output.name;
      std::ranges::replace_if(
          file, [](char c) { return c == '/' || c == ':'; }, '_');
      const auto [it, added] = files.emplace(file, output.name);
      if (!added)
        return absl::InvalidArgumentError(
            fmt::format("outputs '{}' and '{}' would both be written to {}.npy: name one of them "
                        "differently with --output",
                        it->second, output.name, file));
    }
    return absl::OkStatus();
  }

  const ConvertOptions& options_;
  const ImportedModel& model_;
  const std::string key_;
  const std::unique_ptr<Graph> graph_;
  ConversionReport& report_;
  std::span<const TensorRef> given_inputs_, given_outputs_;  // by the signature
  PassContext context_;
  int64_t constant_room_ = kConstantRoom;
  std::vector<Endpoint> input_names_, output_names_;
};

// The whole of it: the signatures share the model, the report and the file.
class Conversion {
 public:
  Conversion(const ConvertOptions& options, ConversionReport* report)
      : options_(options), report_(*report) {}

  absl::Status Run() {
    struct Stage {
      const char* name;
      absl::Status (Conversion::*run)();
    };
    for (const Stage& stage :
         {Stage{"import", &Conversion::Import}, Stage{"passes", &Conversion::RunPasses},
          Stage{"place", &Conversion::Place}, Stage{"plan", &Conversion::Plan},
          Stage{"write", &Conversion::Write}}) {
      if (options_.progress) options_.progress(stage.name);
      const Clock::time_point start = Clock::now();
      const absl::Status status = (this->*stage.run)();
      report_.stages.push_back({stage.name, MillisecondsSince(start)});
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Import() {
    ImportOptions import;
    if (!options_.tags.empty()) import.tags = options_.tags;
    absl::StatusOr<ImportedModel> model = ImportModel(options_.model, import);
    if (!model.ok()) return model.status();
    model_ = std::move(*model);
    report_.format = model_.format;
    report_.notes.insert(report_.notes.end(), model_.notes.begin(), model_.notes.end());
    report_.ops_before = CountOps(*model_.graph);
    return ChooseSignatures();
  }

  // The signature `asked`; when that is empty serving_default, else the first; null for a graph
  // without nodes.
  absl::StatusOr<const SignatureInfo*> FindSignature(const std::string& asked) const {
    const auto& signatures = model_.signatures;
    const std::string& wanted = asked.empty() ? kDefaultKey : asked;
    std::string known;
    for (const SignatureInfo& signature : signatures) {
      if (signature.key == wanted) return &signature;
      known += (known.empty() ? "" : ", ") + signature.key;
    }
    if (asked.empty()) return signatures.empty() ? nullptr : &signatures[0];
    return absl::NotFoundError(fmt::format(
        "--signature {}: the model has {}", asked,
        model_.has_signatures ? known : std::string("no signatures; leave the option out")));
  }

  absl::Status ChooseSignatures() {
    std::vector<std::string> keys = options_.signatures;
    if (keys.empty()) keys.emplace_back();
    if (keys.size() > 1 &&
        !(options_.inputs.empty() && options_.outputs.empty() && options_.place.nodes.empty()))
      return absl::InvalidArgumentError(
          "--input, --output and --place-node say nothing where there are several signatures: "
          "convert one");
    for (size_t i = 0; i < keys.size(); ++i) {
      if (std::ranges::count(keys, keys[i]) > 1)
        return absl::InvalidArgumentError(fmt::format("--signature {} is given twice", keys[i]));
      const absl::StatusOr<const SignatureInfo*> signature = FindSignature(keys[i]);
      if (!signature.ok()) return signature.status();
      std::unique_ptr<Graph> graph;
      if (i + 1 == keys.size()) {
        graph = std::move(model_.graph);
      } else {
        graph = std::make_unique<Graph>(&model_.graph->registry());
        graph->CopyFrom(*model_.graph);
      }
      signatures_.push_back(std::make_unique<SignatureConversion>(options_, model_, *signature,
                                                                  std::move(graph), &report_));
      if (absl::Status s = signatures_.back()->ChooseEndpoints(); !s.ok()) return s;
    }
    report_.signature = signatures_[0]->key();
    return absl::OkStatus();
  }

  absl::Status RunPasses() {
    Recorder recorder(options_, &report_);
    for (const auto& signature : signatures_)
      if (absl::Status status = signature->RunPasses(&recorder); !status.ok()) return status;
    report_.ops_after = CountOps(signatures_[0]->graph());
    return absl::OkStatus();
  }

  absl::Status Place() {
    for (const auto& signature : signatures_) {
      absl::StatusOr<PlacedGraph> placed = signature->Place(devices_);
      if (!placed.ok()) return placed.status();
      placed_.push_back(*std::move(placed));
    }
    return absl::OkStatus();
  }

  absl::Status Plan() {
    for (const auto& signature : signatures_) {
      absl::StatusOr<Program> program =
          signature->Plan(placed_[programs_.size()].partition, devices_);
      if (!program.ok()) return program.status();
      if (programs_.empty())
        DescribeProgram(*program, &report_);
      else
        report_.notes.push_back(
            fmt::format("the plan also has a program for signature '{}': {} steps, arena {} bytes",
                        program->key, program->steps.size(), program->memory.arena_bytes));
      DescribePlacement(placed_[programs_.size()], devices_, *program, &report_);
      programs_.push_back(*std::move(program));
    }
    return absl::OkStatus();
  }

  absl::Status Write() {
    if (options_.output.empty()) return absl::OkStatus();
    absl::StatusOr<WrittenPlan> written = WritePlan(programs_, options_.output);
    if (!written.ok()) return written.status();
    report_.plan_bytes = written->plan_bytes;
    return absl::OkStatus();
  }

  const ConvertOptions& options_;
  ConversionReport& report_;
  ImportedModel model_;
  std::vector<std::unique_ptr<SignatureConversion>> signatures_;
  const DeviceSet devices_ = DevicesOfThisBuild();
  std::vector<PlacedGraph> placed_;  // by signature
  std::vector<Program> programs_;
};

}  // namespace

absl::Status Convert(const ConvertOptions& options, ConversionReport* report) {
  const Clock::time_point start = Clock::now();
  report->model = options.model;
  report->plan = options.output;
  const absl::Status status = Conversion(options, report).Run();
  report->succeeded = status.ok();
  if (!status.ok()) report->problems = ProblemsOf(status);
  report->total_ms = MillisecondsSince(start);
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) == 0) report->peak_rss_bytes = usage.ru_maxrss * 1024;
  return status;
}

}  // namespace linnet::converter
