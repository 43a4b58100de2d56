// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "converter/cli/commands.h"
#include "converter/cli/compare_tensors.h"
#include "converter/cli/exposed_plan.h"
#include "converter/cli/options.h"
#include "converter/cli/plan_file.h"
#include "converter/cli/plan_of_model.h"
#include "converter/convert.h"
#include "converter/import/mapped_file.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "linnet/linnet.h"
#include "runtime/core/printable.h"
#include "runtime/tools/current_shape.h"
#include "runtime/tools/input_names.h"
#include "runtime/tools/noise.h"
#include "runtime/tools/npy.h"

namespace linnet::cli {
namespace {

constexpr char kBisectFooter[] = R"(
Runs the plan as linnet-run would, and again as --against says, on the same inputs, and compares every
tensor that a step writes, in the order of the steps. The first that differs is the step to look at.
--against vulkan compares the CPU with the GPU, for plans that were converted with --place vulkan, where
this build has Vulkan and the machine a GPU.

Examples:
  linnet bisect model.linnet --against portable            XNNPACK against our own kernels
  linnet bisect model.pb --against portable                the same of a model, converted first
  linnet bisect model.linnet --against golden/ --input x=x.npy
      golden/NAME.npy of TensorFlow's run; NAME as in the graph, with _ for / and :. Compared are outputs
      of the plan and steps that come from exactly one TensorFlow node

Exit codes: 0 no difference, 1 usage, 2 bad model or plan, 3 failed, or found a difference.)";

struct BisectArguments {
  std::string file, against, signature;
  std::vector<std::string> inputs;
  double tolerance = 1e-4;
  converter::GpuPrecision gpu_precision = converter::GpuPrecision::kF32;
};

// The path of "NAME.npy" with the name that linnet-run would write.
std::string NpyFile(const std::string& folder, std::string_view name) {
  return (std::filesystem::path(folder) / (FileNameOf(name) + ".npy")).string();
}

// A session of the exposed plan, run once.
class Execution {
 public:
  Execution() = default;
  ~Execution() {
    linnet_session_destroy(session_);
    linnet_plan_close(plan_);
  }
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  // Empty on success, else one sentence; *code is the exit code.
  std::string Run(const std::string& plan, linnet_backend backend,
                  const std::map<std::string, std::string>& files, int* code) {
    linnet_error error{};
    *code = kBadModel;
    if (linnet_plan_open_memory(plan.data(), plan.size(), nullptr, &plan_, &error) != LINNET_OK)
      return error.text;
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.backend = backend;
    options.flags = LINNET_SESSION_NO_SELF_TEST;  // it is wrong steps that are looked for
    if (linnet_session_create(plan_, &options, &session_, &error) != LINNET_OK) return error.text;
    linnet_backend_info info{};
    info.struct_size = sizeof(info);
    linnet_session_backend(session_, &info);
    *code = kFailed;
    if (backend == LINNET_BACKEND_VULKAN && info.backend != backend)
      return fmt::format("the GPU does not run it: {}", info.why_not_gpu);
    *code = kUsage;
    if (std::string problem = Feed(files); !problem.empty()) return problem;
    *code = kFailed;
    if (linnet_session_run(session_) != LINNET_OK) return linnet_session_last_error(session_)->text;
    return "";
  }

  TensorData output(int32_t i) const {
    return {tools::OutputNow(session_, i), linnet_session_output_data(session_, i)};
  }

 private:
  std::string Feed(std::map<std::string, std::string> files) {
    for (int32_t i = 0; i < linnet_session_num_inputs(session_); ++i) {
      const linnet_tensor_info info = tools::InputNow(session_, i);
      const auto file = files.find(info.name);
      if (file == files.end()) {
        tools::FillNoise(info, /*seed=*/0, static_cast<uint64_t>(i),
                         linnet_session_input_data(session_, i));
        continue;
      }
      tools::NpyArray array;
      std::string problem = tools::ReadNpy(file->second, &array);
      if (problem.empty()) problem = tools::FeedArray(array, session_, i);
      if (!problem.empty()) return fmt::format("input '{}': {}", info.name, problem);
      files.erase(file);
    }
    if (!files.empty()) return tools::NoSuchInput(session_, files.begin()->first);
    return "";
  }

  linnet_plan* plan_ = nullptr;
  linnet_session* session_ = nullptr;
};

class Bisection {
 public:
  explicit Bisection(const BisectArguments& arguments) : arguments_(arguments) {}

  int Run() {
    int code = ReadInputs();
    if (code == kGood) code = Expose();
    if (code == kGood) code = Execute();
    return code == kGood ? Compare() : code;
  }

 private:
  int ReadInputs() {
    for (const std::string& input : arguments_.inputs) {
      const size_t equals = input.find('=');
      if (equals == std::string::npos)
        return Fail(kUsage, fmt::format("--input {}: want NAME=FILE.npy", input));
      files_[input.substr(0, equals)] = input.substr(equals + 1);
    }
    return kGood;
  }

  // A plan is taken as it is, anything else is converted.
  int Expose() {
    auto file = converter::MapFile(arguments_.file);
    const bool is_plan = file.ok() && IsPlanFile(file->bytes);
    if (!is_plan) {
      converter::ConvertOptions options;
      options.model = arguments_.file;
      if (arguments_.against == "vulkan") options.place.place = arguments_.against;
      options.place.gpu_precision = arguments_.gpu_precision;
      if (!arguments_.signature.empty()) options.signatures = {arguments_.signature};
      converter::ConversionReport report;
      file = PlanOfModel(std::move(options), &report);
      if (!file.ok()) return Fail(arguments_.file, file.status(), "no plan");
    }
    if (!file.ok()) return Fail(kFailed, std::string(file.status().message()));
    absl::StatusOr<ExposedPlan> exposed =
        ExposeTensors(file->bytes, is_plan ? arguments_.signature : "");
    if (!exposed.ok()) return Fail(arguments_.file, exposed.status(), "");
    exposed_ = *std::move(exposed);
    return kGood;
  }

  std::optional<linnet_backend> OtherBackend() const {
    if (arguments_.against == "cpu") return LINNET_BACKEND_CPU;
    if (arguments_.against == "portable") return LINNET_BACKEND_PORTABLE;
    if (arguments_.against == "vulkan") return LINNET_BACKEND_VULKAN;
    return std::nullopt;
  }

  int Execute() {
    int code = kGood;
    // Against the GPU the CPU is the one to trust.
    const bool against_gpu = OtherBackend() == LINNET_BACKEND_VULKAN;
    std::string problem = ours_.Run(
        exposed_.bytes, against_gpu ? LINNET_BACKEND_CPU : LINNET_BACKEND_AUTO, files_, &code);
    if (problem.empty() && OtherBackend())
      problem = theirs_.Run(exposed_.bytes, *OtherBackend(), files_, &code);
    if (!problem.empty()) return Fail(code, fmt::format("{}: {}", arguments_.file, problem));
    if (!OtherBackend() && !std::filesystem::is_directory(arguments_.against))
      return Fail(kUsage, fmt::format("--against {}: want cpu, portable, vulkan or a folder",
                                      arguments_.against));
    return kGood;
  }

  int Compare() {
    double worst = 0;
    int compared = 0;
    for (size_t i = 0; i < exposed_.tensors.size(); ++i) {
      const ExposedTensor& tensor = exposed_.tensors[i];
      const TensorData ours = ours_.output(static_cast<int32_t>(i));
      tools::NpyArray array;
      std::string problem;
      const std::optional<TensorData> theirs = Reference(i, ours, &array, &problem);
      if (!problem.empty()) return Fail(kUsage, problem);
      if (!theirs) continue;
      ++compared;
      const Comparison comparison = CompareTensors(ours, *theirs, arguments_.tolerance);
      if (comparison.different > 0) {
        fmt::print("{}\n{}", PrintableLines(Describe(tensor, ours)), comparison.text);
        return Fail(kFailed, fmt::format("step {} '{}' is the first that differs", tensor.step,
                                         fmt::join(tensor.sources, "', '")));
      }
      worst = std::max(worst, comparison.worst);
    }
    if (compared == 0)
      return Fail(kUsage, fmt::format("{} has no file for any tensor, such as {}",
                                      arguments_.against, Wanted()));
    fmt::print(
        "no difference in {} of {} tensors; the largest is {:.2g} of its tensor's magnitude\n",
        compared, exposed_.tensors.size(), worst);
    return kGood;
  }

  // What tensor `i` is compared with; nothing where the folder has no file for it.
  std::optional<TensorData> Reference(size_t i, const TensorData& ours, tools::NpyArray* array,
                                      std::string* problem) const {
    if (OtherBackend()) return theirs_.output(static_cast<int32_t>(i));
    const std::string file = FileFor(i);
    if (file.empty()) return std::nullopt;
    *problem = tools::ReadNpy(file, array);
    // Widened to the tensor's own dtype.
    reference_.resize(static_cast<size_t>(ours.info.bytes));
    if (problem->empty()) *problem = tools::CopyToTensor(*array, ours.info, reference_.data());
    if (!problem->empty()) *problem = fmt::format("{}: {}", file, *problem);
    return TensorData{ours.info, reference_.data()};
  }

  // A step that stands for several nodes computes none of them alone, but the plan's outputs are
  // what they are called; of several steps for one node the last one has its value.
  std::string FileFor(size_t i) const {
    const ExposedTensor& tensor = exposed_.tensors[i];
    std::vector<std::string> names;
    if (!tensor.fetched_as.empty()) names.push_back(tensor.fetched_as);
    const bool is_last =
        i + 1 == exposed_.tensors.size() || exposed_.tensors[i + 1].sources != tensor.sources;
    if (tensor.sources.size() == 1 && is_last && tensor.output == 0)
      names.push_back(tensor.sources[0]);
    for (const std::string& name : names)
      if (std::string file = NpyFile(arguments_.against, name); std::filesystem::exists(file))
        return file;
    return "";
  }

  std::string Wanted() const {
    for (const ExposedTensor& tensor : exposed_.tensors)
      if (!tensor.fetched_as.empty()) return NpyFile(arguments_.against, tensor.fetched_as);
    return "NAME.npy";
  }

  static std::string Describe(const ExposedTensor& tensor, const TensorData& data) {
    return fmt::format("step {} {} '{}' output {} {}", tensor.step, tensor.op,
                       fmt::join(tensor.sources, "', '"), tensor.output,
                       tools::TypeText(data.info.dtype, data.info.dims, data.info.rank));
  }

  const BisectArguments& arguments_;
  std::map<std::string, std::string> files_;
  ExposedPlan exposed_;
  Execution ours_, theirs_;
  mutable std::vector<uint8_t> reference_;  // of the tensor at hand
};

}  // namespace

void AddBisectCommand(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("bisect", "Find the first tensor in which two executions differ");
  command->footer(kBisectFooter);
  const auto arguments = std::make_shared<BisectArguments>();
  command->add_option("FILE", arguments->file, "a plan or a model")->required();
  command->add_option("--against", arguments->against, "cpu, portable, vulkan or a folder of .npy")
      ->required();
  command->add_option("--signature", arguments->signature, "which signature (default: the first)")
      ->type_name("KEY");
  AddRepeated(command, "--input", "NAME=FILE.npy",
              "an input's values; an input without a file is noise", &arguments->inputs);
  command
      ->add_option("--tolerance", arguments->tolerance,
                   "largest difference of floats, as a fraction of the tensor's largest magnitude")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  AddGpuPrecision(
      command,
      "how a GPU keeps floats, for a model that is converted; f16 wants a tolerance of 2e-2",
      &arguments->gpu_precision);
  command->callback([arguments, exit_code] { *exit_code = Bisection(*arguments).Run(); });
}

}  // namespace linnet::cli
