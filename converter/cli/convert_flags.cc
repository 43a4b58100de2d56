// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/convert_flags.h"

#include <filesystem>
#include <optional>
#include <utility>

#include "CLI/CLI.hpp"
#include "converter/cli/input_flag.h"
#include "converter/cli/options.h"
#include "converter/cli/set_flag.h"
#include "converter/pipeline.h"
#include "converter/plan/for_release.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::cli {

using converter::ConvertOptions;

namespace {

// "exported.linnet" of exported/, "model.linnet" of some/where/model.pb.
std::string PlanNameOf(const std::string& model) {
  std::filesystem::path path = std::filesystem::absolute(model).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  return path.filename().replace_extension(".linnet").string();
}

std::string UnrollFlagProblem(const std::string& text) {
  if (text == "auto" || text == "never" || ParseNumber(text)) return "";
  return fmt::format("{} is neither auto nor never nor a number of iterations", text);
}

std::optional<converter::UnrollLimits> ParseUnrollFlag(const std::string& text) {
  if (text == "auto") return std::nullopt;
  converter::UnrollLimits limits = converter::UnrollLimits::Unlimited();
  limits.iterations = text == "never" ? 0 : *ParseNumber(text);
  return limits;
}

}  // namespace

void AddConvertFlags(CLI::App* command, ConvertArguments* arguments) {
  ConvertOptions& options = arguments->options;
  command
      ->add_option(
          "MODEL", options.model,
          "GraphDef .pb or .pbtxt, SavedModel folder, tfjs model.json, or .meta of a checkpoint")
      ->required();
  command
      ->add_option("-o", options.output,
                   "the plan to write (default: the model's name with .linnet, in this folder)")
      ->type_name("PLAN");
  AddRepeated(
      command, "--input", "NAME[=DIMxDIM..]",
      "an input and its shape: 1x224x224x3; ? = as the model says; 1..128 = may vary from run "
      "to run; scalar. A NAME that is no placeholder becomes an input, and what computed it is "
      "left out",
      &arguments->inputs);
  AddRepeated(
      command, "--output", "NAME",
      "an output: the name of a node, or NODE:1 for its second output. Default: the outputs "
      "of the signature; in a model without signatures, those of all nodes that no other "
      "node reads",
      &options.outputs);
  AddRepeated(
      command, "--set", "NAME=VALUE",
      "make an input a constant, and fold what depends on it alone: training=false, keep_prob=1, "
      "size=256,512, or a .npy file. A NAME that is no placeholder is not computed any more",
      &arguments->sets);
  AddRepeated(
      command, "--max", "NAME=N",
      "upper bound of a computed value that sizes a tensor; needed when an error message asks "
      "for it, because the model implies no bound",
      &arguments->most);
  AddRepeated(command, "--signature", "KEY",
              "which signature (default serving_default); several share the plan's weights",
              &options.signatures);
  AddRepeated(command, "--tag", "TAG",
              "which graph of a SavedModel: the one with exactly these tags (default serve)",
              &options.tags);
  AddCheckpoint(command, &options.checkpoint);
  command
      ->add_option_function<std::string>(
          "--unroll",
          [&options](const std::string& text) { options.unroll = ParseUnrollFlag(text); },
          "loops whose end is known. auto: small ones are unrolled, others stay, on a CPU; never: "
          "all stay; N: those of at most N iterations are unrolled. What cannot stay in a plan is "
          "unrolled")
      ->check([](const std::string& text) { return UnrollFlagProblem(text); })
      ->type_name("auto|never|N")
      ->default_str("auto");
  AddChoice(command, "--algebra",
            "tf: rewrites may change the last bit of a result, as those of TensorFlow's optimiser "
            "do, and Winograd's method the last few; strict: every bit stays",
            &options.algebra,
            {{"tf", converter::Algebra::kTf}, {"strict", converter::Algebra::kStrict}});
  AddChoice(command, "--weights",
            "weights as the model stores them, as f32, or rounded to f16 in the file",
            &options.weights,
            {{"keep", converter::WeightEncoding::kKeep},
             {"f32", converter::WeightEncoding::kF32},
             {"f16", converter::WeightEncoding::kF16}});
  AddChoice(
      command, "--cpu-precision",
      "f16: convolutions and matrix products may run in 16 bits on CPUs that have instructions "
      "for it (ARM: most from ARMv8.2 on; x86: AVX512-FP16), which multiply twice as fast so, and "
      "weights are rounded to f16. Sums of 32 products have 16 bits, sums of those 32: "
      "results keep about 3 decimal digits, and values above 65504 become infinite. "
      "Other CPUs compute in 32 bits",
      &options.cpu_precision,
      {{"f32", converter::CpuPrecision::kF32}, {"f16", converter::CpuPrecision::kF16}});
  AddChoice(command, "--weight-order",
            "how the filters of convolutions and matrix products lie in the plan. panels: as "
            "Linnet's kernels read them, so that loading packs nothing; rows: as the model has "
            "them, which takes up to a quarter less space where filters are few, and leaves to "
            "XNNPACK what its kernels run as fast",
            &options.weight_order,
            {{"panels", converter::WeightOrder::kPanels}, {"rows", converter::WeightOrder::kRows}});
  AddChoice(command, "--strips",
            "convolutions and what is around them may run together, a few rows at a time, so that "
            "whole pictures between them never exist: never (off), where that makes runs faster "
            "(latency), or wherever it saves memory and costs little time (memory)",
            &options.strips,
            {{"latency", converter::StripUse::kLatency},
             {"memory", converter::StripUse::kMemory},
             {"off", converter::StripUse::kNone}});
  command->add_flag("--keep-inputs", options.keep_inputs,
                    "a run leaves its inputs as they are, so that they need not be written again; "
                    "without this, steps may use their memory, which saves some");
  command
      ->add_option("--place", options.place.place,
                   "where steps run. auto: where the model asks, else where the run is fastest by "
                   "the device profile; vulkan: on a GPU what it can run. With steps on a GPU the "
                   "plan also has the CPU's program, which runs where no GPU can be used or the "
                   "runtime was built without Vulkan")
      ->check(CLI::IsMember({"cpu", "vulkan", "auto"}))
      ->capture_default_str();
  command
      ->add_option(
          "--for", options.release,
          "write a plan that the runtime of this release opens, for example 0.1, or say what "
          "in it is too new and which nodes need that")
      ->type_name("RELEASE");
  AddGpuPrecision(
      command,
      "how a GPU keeps floats and weights: in 32 bits, or rounded to 16 bits, which halves "
      "its memory and costs accuracy (about 3 decimal digits); sums have 32 bits",
      &options.place.gpu_precision);
  AddRepeated(command, "--place-node", "NAME=cpu|vulkan",
              "where the steps of one node run, whatever --place and the model say; an error where "
              "the device cannot run them",
              &arguments->place_nodes);
  command
      ->add_option("--device-profile", options.place.profile,
                   "how fast the target's devices are, as JSON (converter/place/README.md); "
                   "default: a mid-range phone")
      ->type_name("FILE");
  command->add_flag("--explain-placement", arguments->explain_placement,
                    "say for each step what runs it and why, what is copied between devices, and "
                    "how long that takes");
  AddRepeated(command, "--report", "FILE",
              "write what happened as .json or .html, also when the conversion fails",
              &arguments->reports);
  command
      ->add_option("--dump-after", options.dump_after,
                   "write the graph as text after this pass, or all")
      ->type_name("PASS");
  command->add_option("--dump-dir", options.dump_dir, "where --dump-after writes (default .)")
      ->type_name("DIR");
}

std::string FillOptions(const ConvertArguments& arguments, ConvertOptions* options) {
  if (options->output.empty()) options->output = PlanNameOf(options->model);
  for (const std::string& text : arguments.inputs) {
    absl::StatusOr<converter::Feed> feed = ParseInputFlag(text);
    if (!feed.ok()) return std::string(feed.status().message());
    options->inputs.push_back(*std::move(feed));
  }
  for (const std::string& text : arguments.sets)
    if (std::string problem = ParseSetFlag(text, &options->fixed); !problem.empty()) return problem;
  for (const std::string& text : arguments.most) {
    const absl::Status status = ParseMaxFlag(text, &options->most);
    if (!status.ok()) return std::string(status.message());
  }
  for (const std::string& text : arguments.place_nodes) {
    const size_t equals = text.rfind('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      return fmt::format("--place-node {}: want NAME=DEVICE; devices are {}", text,
                         fmt::join(converter::KnownDevices(), ", "));
    options->place.nodes.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  if (options->cpu_precision == converter::CpuPrecision::kF16 &&
      (options->weights == converter::WeightEncoding::kF32 ||
       options->weight_order == converter::WeightOrder::kRows))
    return "--cpu-precision f16 multiplies weights of 16 bits in panels: leave out --weights f32 "
           "and --weight-order rows";
  const std::string& pass = options->dump_after;
  if (!pass.empty() && pass != "all" && converter::FindPass(pass) == nullptr)
    return fmt::format("--dump-after {}: there is no such pass; `linnet passes` lists them", pass);
  if (pass.empty() && !options->dump_dir.empty())
    return "--dump-dir needs --dump-after PASS or --dump-after all";
  const std::string& release = options->release;
  if (!release.empty() && converter::FindRelease(release) == nullptr)
    return fmt::format("--for {}: the releases known here are {}", release,
                       converter::KnownReleases());
  for (const std::string& path : arguments.reports)
    if (!path.ends_with(".json") && !path.ends_with(".html"))
      return fmt::format("--report {}: the name must end in .json or .html", path);
  return "";
}

}  // namespace linnet::cli
