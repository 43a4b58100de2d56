// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "converter/cli/commands.h"
#include "converter/cli/input_flag.h"
#include "converter/cli/input_value.h"
#include "converter/cli/options.h"
#include "converter/cli/plan_file.h"
#include "converter/cli/plan_of_model.h"
#include "converter/cli/set_flag.h"
#include "converter/import/mapped_file.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "linnet/linnet.h"
#include "runtime/core/printable.h"
#include "runtime/tools/input_names.h"
#include "runtime/tools/outputs.h"

namespace linnet::cli {
namespace {

constexpr char kRunFooter[] = R"(
Converts a model in memory, runs it once and shows what comes out: type, shape and range of each output, all elements
of a short one, and of a single row the places of the largest elements. A plan runs as it is. Inputs without --input
get noise.

A picture is resized to the input's size; floats get 0..1 unless the value says otherwise, integers 0..255. A .npy
file also fixes the shape of an input that the model leaves open.

Examples:
  linnet run mobilenet.pb --input input=cat.jpg
  linnet run exported/ --input cat.jpg,-1..1            the only input
  linnet run encoder/ --input ids=ids.npy --input mask=mask.npy --output-dir out
  linnet run model.pb --input x=8x32x32x3               a batch of noise
  linnet run detector.pb --input image=1x64..512x64..512x3 --input image=street.png
                                                        in the picture's own size
  linnet run model.linnet                               on noise

Exit codes: 0 good, 1 usage, 2 bad or unsupported model, 3 failed while running.)";

struct RunArguments {
  std::string model, signature, checkpoint, output_dir;
  std::vector<std::string> inputs, sets, outputs;
  linnet_backend backend = LINNET_BACKEND_AUTO;
  int threads = 1;
};

// One invocation. Every stage returns an exit code.
class Run {
 public:
  explicit Run(const RunArguments& arguments) : arguments_(arguments) {}
  ~Run() {
    linnet_session_destroy(session_);
    linnet_plan_close(plan_);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  int Execute() {
    for (const auto stage :
         {&Run::ReadInputs, &Run::MakePlan, &Run::Open, &Run::Feed, &Run::Compute, &Run::Show})
      if (const int code = (this->*stage)(); code != kGood) return code;
    return kGood;
  }

 private:
  int ReadInputs() {
    std::vector<std::string> problems;
    for (const std::string& text : arguments_.inputs) {
      absl::StatusOr<converter::Feed> shape = ParseInputFlag(text);
      if (shape.ok() && shape->shape) {
        shapes_.push_back(*std::move(shape));
        continue;
      }
      absl::StatusOr<InputValue> value = ReadInputValue(text);
      if (!value.ok())
        problems.emplace_back(value.status().message());
      else
        values_.push_back(*std::move(value));
    }
    for (const std::string& text : arguments_.sets)
      if (std::string problem = ParseSetFlag(text, &fixed_); !problem.empty())
        problems.push_back(std::move(problem));
    return problems.empty() ? kGood : Fail(kUsage, fmt::format("{}", fmt::join(problems, "\n")));
  }

  // A plan is taken as it is, anything else is converted.
  int MakePlan() {
    auto file = converter::MapFile(arguments_.model);
    if (file.ok() && IsPlanFile(file->bytes)) {
      if (!shapes_.empty() || !fixed_.empty() || !arguments_.outputs.empty())
        return Fail(kUsage,
                    fmt::format("{}: a plan has its shapes, constants and outputs; give the model",
                                arguments_.model));
      bytes_ = *std::move(file);
      return kGood;
    }
    converter::ConvertOptions options;
    options.model = arguments_.model;
    options.outputs = arguments_.outputs;
    options.checkpoint = arguments_.checkpoint;
    if (!arguments_.signature.empty()) options.signatures = {arguments_.signature};
    options.inputs = Shapes();
    options.fixed = fixed_;
    converter::ConversionReport report;
    auto plan = PlanOfModel(std::move(options), &report);
    if (!plan.ok()) return Fail(arguments_.model, plan.status(), "nothing was run");
    bytes_ = *std::move(plan);
    for (const std::string& note : report.notes)
      fmt::print(stderr, "linnet: note: {}\n", Printable(note));
    return kGood;
  }

  // What was asked for, and what arrays have. Whatever gets a value is an input, also in the middle
  // of the model.
  std::vector<converter::Feed> Shapes() const {
    std::vector<converter::Feed> shapes = shapes_;
    for (const InputValue& value : values_) {
      if (value.name.empty()) continue;
      const auto is_given = [&](const converter::Feed& feed) { return feed.tensor == value.name; };
      if (std::ranges::any_of(shapes, is_given)) continue;
      shapes.push_back({.tensor = value.name});
      if (value.array) shapes.back().shape = value.array->shape;
    }
    return shapes;
  }

  int Open() {
    linnet_error error{};
    const auto bytes = bytes_.bytes;
    if (linnet_plan_open_memory(bytes.data(), bytes.size(), nullptr, &plan_, &error) != LINNET_OK)
      return Fail(kBadModel, fmt::format("{}: {}", arguments_.model, error.text));
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.signature = arguments_.signature.empty() ? nullptr : arguments_.signature.c_str();
    options.backend = arguments_.backend;
    options.threads = arguments_.threads;
    if (linnet_session_create(plan_, &options, &session_, &error) != LINNET_OK)
      return Fail(error.status == LINNET_INVALID_ARGUMENT ? kUsage : kBadModel,
                  fmt::format("{}: {}", arguments_.model, error.text));
    return kGood;
  }

  // The values by the inputs' numbers.
  int FindInputs(std::map<int32_t, InputValue>* found) const {
    std::vector<std::string> problems;
    const bool has_one = linnet_session_num_inputs(session_) == 1;
    for (const InputValue& value : values_) {
      const bool is_only = value.name.empty() && has_one;
      const int32_t index = is_only ? 0 : linnet_session_find_input(session_, value.name.c_str());
      if (index >= 0)
        (*found)[index] = value;
      else if (value.name.empty())
        problems.push_back(fmt::format("--input {}: of which input; the inputs are {}", value.file,
                                       tools::InputNames(session_)));
      else
        problems.push_back(
            fmt::format("--input {}: {}", value.name, tools::NoSuchInput(session_, value.name)));
    }
    return problems.empty() ? kGood : Fail(kUsage, fmt::format("{}", fmt::join(problems, "\n")));
  }

  int Feed() {
    std::map<int32_t, InputValue> values;
    if (const int code = FindInputs(&values); code != kGood) return code;
    for (int32_t i = 0; i < linnet_session_num_inputs(session_); ++i) {
      const std::string name = Printable(linnet_session_input_info(session_, i)->name);
      std::string told;
      if (const std::string problem = FeedInput(values[i], session_, i, &told); !problem.empty())
        return Fail(kUsage, fmt::format("input '{}': {}", name, problem));
      fmt::print(stderr, "linnet: input '{}': {}\n", name, Printable(told));
    }
    return kGood;
  }

  int Compute() {
    if (linnet_session_run(session_) == LINNET_OK) return kGood;
    return Fail(kFailed,
                fmt::format("{}: {}", arguments_.model, linnet_session_last_error(session_)->text));
  }

  int Show() {
    std::vector<tools::Output> outputs = tools::ReadOutputs(session_);
    if (!arguments_.output_dir.empty()) {
      std::string problem = tools::MakeFolder(arguments_.output_dir);
      if (!problem.empty()) return Fail(kUsage, problem);
      problem = tools::WriteOutputs(session_, arguments_.output_dir, &outputs);
      if (!problem.empty()) return Fail(kFailed, problem);
    }
    return std::fputs(tools::OutputsText(outputs).c_str(), stdout) < 0 ? kFailed : kGood;
  }

  const RunArguments& arguments_;
  std::vector<converter::Feed> shapes_;  // that were asked for
  std::vector<InputValue> values_;
  std::vector<converter::FixedTensor> fixed_;
  converter::OwnedBytes bytes_;
  linnet_plan* plan_ = nullptr;
  linnet_session* session_ = nullptr;
};

}  // namespace

void AddRunCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run a model or a plan once, and show its outputs");
  command->footer(kRunFooter);
  const auto arguments = std::make_shared<RunArguments>();
  command->add_option("MODEL", arguments->model, "a model, a SavedModel's folder, or a plan")
      ->required();
  AddRepeated(command, "--input", "[NAME=]VALUE",
              "FILE.npy, PICTURE, PICTURE,LOW..HIGH, or noise (default); or the shape of a model's "
              "input, as `linnet convert --input` takes it",
              &arguments->inputs);
  AddRepeated(command, "--set", "NAME=VALUE",
              "makes an input a constant, as `linnet convert --set` does", &arguments->sets);
  AddRepeated(command, "--output", "NAME", "an output, as `linnet convert --output` takes it",
              &arguments->outputs);
  command->add_option("--signature", arguments->signature, "which signature")->type_name("KEY");
  AddCheckpoint(command, &arguments->checkpoint);
  command
      ->add_option("--output-dir", arguments->output_dir,
                   "write each output to DIR/NAME.npy; DIR is created")
      ->type_name("DIR");
  AddChoice(command, "--backend", "what runs it", &arguments->backend,
            {{"auto", linnet_backend{LINNET_BACKEND_AUTO}},
             {"cpu", linnet_backend{LINNET_BACKEND_CPU}},
             {"portable", linnet_backend{LINNET_BACKEND_PORTABLE}}});
  command->add_option("--threads", arguments->threads, "")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->callback([arguments, exit_code] { *exit_code = Run(*arguments).Execute(); });
}

}  // namespace linnet::cli
