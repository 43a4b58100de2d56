// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/arguments.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace linnet::tools {

const char kHelp[] = R"(linnet-run PLAN [options]: runs a plan made by `linnet convert`.

  --signature KEY        entry point of a plan that has several (default: the first)
  --input NAME=FILE.npy  value of an input; repeat for more. Inputs without a file get uniform noise
                         (seed 0: floats [0,1), u8 0..255, other integers and bool 0..1). A file of float64, as numpy
                         writes by itself, is rounded for an input of float32
  --output-dir DIR       write each output to DIR/NAME.npy; DIR is created
  --backend NAME         cpu; portable: the CPU without XNNPACK; plain: the same, and weights are read where they
                         lie in the plan; vulkan: the GPU, for plans converted with --place vulkan, and the CPU where
                         none can be used, for example in a build without Vulkan (a note then says why);
                         auto (default): the GPU for such plans, if it is none in software; else the CPU
  --cache FILE           keep in FILE what is learned about the GPU, so that the next start neither tests it again
                         nor compiles again. Without the file, or if it is of another plan or GPU, it is written anew
  --no-self-test         use the GPU without comparing it with the CPU first
  --threads N            default 1
  --max-bytes N          limit for the memory of the plan's tensors, and again for its prepared weights (for
                         untrusted plans, which may describe tensors of any size; default: no limit)

  --bench                measure loading, the first run and many further runs
  --warmup N             runs before measuring (default 3)
  --runs N               measured runs (default: until 1 s or 200)
  --profile              measure the time of each step; steps on a GPU have the time that the GPU measured,
                         the Copy before them the rest: copies, and waiting for the GPU; a step that the
                         GPU computes together with the one before it has the time 0. With --bench, also how fast
                         this machine multiplies and adds and how fast it reads memory, the least time that this
                         allows for each step on the CPU and for the run, and that time in % of the measured one
                         ("of bound": more than 100 % where data stay in caches)
  --json                 write one JSON object to stdout instead of text
  --version              print the release and the kernels, and end
  --measure-kernels FILE measure which of the CPU's kernels, XNNPACK's or Linnet's own, is faster for each step that
                         both can run, on this machine and with so many --threads, and write the result to FILE;
                         then compare whole runs by the built-in choice and by FILE. Takes up to 6 s, for slow plans
                         longer, or --runs rounds
  --kernels FILE         let the faster kernel run each step, as --measure-kernels found out, for this plan or another
                         one with equal steps. Steps that FILE does not have keep the built-in choice. FILE is
                         refused where the CPU, its instructions, XNNPACK or --threads are others than it was
                         measured with. --profile says which steps it chose for
  --measure-device FILE  measure as with --bench how fast this device runs the plan's steps, and write the
                         result to FILE for `linnet convert --device-profile FILE`; when the GPU runs them, how
                         fast the CPU does too

Examples:
  linnet-run movenet.linnet --input serving_default_input=person.npy --output-dir out
  linnet-run mobilenet.linnet --bench --threads 2 --json
  linnet-run mobilenet.linnet --threads 4 --measure-device phone.json
  linnet-run mobilenet.linnet --threads 2 --measure-kernels board.kernels
  linnet-run mobilenet.linnet --threads 2 --kernels board.kernels --bench --profile

Exit status: 0 success, 1 usage error, 2 bad or unsupported plan, 3 failed while running.
)";

namespace {

// Parses a whole number in [least, most].
template <typename T>
bool ParseCount(std::string_view text, T least, T most, T* out) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if (value < least || value > most) return false;
  *out = value;
  return true;
}

bool ParseBackend(const std::string& text, linnet_backend* out) {
  if (text == "auto")
    *out = LINNET_BACKEND_AUTO;
  else if (text == "cpu")
    *out = LINNET_BACKEND_CPU;
  else if (text == "portable")
    *out = LINNET_BACKEND_PORTABLE;
  else if (text == "plain")
    *out = LINNET_BACKEND_PLAIN;
  else if (text == "vulkan")
    *out = LINNET_BACKEND_VULKAN;
  else
    return false;
  return true;
}

// Handles an option that takes a value; false when there is no such option.
bool ParseValue(const std::string& name, const char* value, Arguments* out, std::string* problem) {
  if (name == "--signature") {
    out->signature = value;
    out->has_signature = true;
  } else if (name == "--input") {
    const char* equals = std::strrchr(value, '=');
    if (equals == nullptr || equals == value || equals[1] == '\0')
      *problem = "--input wants NAME=FILE.npy, not '" + std::string(value) + "'";
    else
      out->inputs.push_back({std::string(value, equals), std::string(equals + 1)});
  } else if (name == "--output-dir") {
    out->output_dir = value;
  } else if (name == "--measure-device") {
    out->measure_device = value;
  } else if (name == "--measure-kernels") {
    out->measure_kernels = value;
  } else if (name == "--kernels") {
    out->kernels = value;
  } else if (name == "--cache") {
    out->cache = value;
  } else if (name == "--backend") {
    if (!ParseBackend(value, &out->backend))
      *problem =
          "--backend wants auto, cpu, portable, plain or vulkan, not '" + std::string(value) + "'";
  } else if (name == "--threads" || name == "--warmup" || name == "--runs") {
    int* target = name == "--threads" ? &out->threads
                  : name == "--runs"  ? &out->runs
                                      : &out->warmup;
    if (!ParseCount(value, name == "--warmup" ? 0 : 1, 1'000'000, target))
      *problem = name + " wants a whole number, not '" + value + "'";
  } else if (name == "--max-bytes") {
    if (!ParseCount<int64_t>(value, 1, INT64_MAX, &out->max_bytes))
      *problem = "--max-bytes wants a number of bytes, not '" + std::string(value) + "'";
  } else {
    return false;
  }
  return true;
}

bool ParseFlag(const std::string& name, Arguments* out) {
  if (name == "--bench")
    out->bench = true;
  else if (name == "--profile")
    out->profile = true;
  else if (name == "--json")
    out->json = true;
  else if (name == "--no-self-test")
    out->self_test = false;
  else if (name == "--help" || name == "-h")
    out->help = true;
  else if (name == "--version")
    out->version = true;
  else
    return false;
  return true;
}

// What does not go together. The kernels that are measured are the CPU's.
std::string CheckTogether(Arguments* arguments) {
  if (arguments->measure_kernels.empty()) return "";
  if (!arguments->kernels.empty())
    return "--measure-kernels goes without --kernels: it compares with the built-in choice";
  if (arguments->backend == LINNET_BACKEND_AUTO) arguments->backend = LINNET_BACKEND_CPU;
  if (arguments->backend != LINNET_BACKEND_CPU)
    return "--measure-kernels compares the CPU's kernels: it goes with --backend cpu";
  return "";
}

}  // namespace

std::string ParseArguments(int argc, char** argv, Arguments* arguments) {
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    if (name.empty() || name[0] != '-') {
      if (!arguments->plan.empty()) return "more than one plan given: '" + name + "'";
      arguments->plan = name;
      continue;
    }
    if (ParseFlag(name, arguments)) continue;
    // --name=value and --name value are the same.
    const size_t equals = name.find('=');
    const char* value = nullptr;
    if (equals != std::string::npos) {
      value = argv[i] + equals + 1;
      name.resize(equals);
    } else if (i + 1 < argc) {
      value = argv[i + 1];
    }
    std::string problem;
    if (value == nullptr || !ParseValue(name, value, arguments, &problem))
      return value == nullptr ? name + " is unknown or wants a value" : "unknown option " + name;
    if (!problem.empty()) return problem;
    if (equals == std::string::npos) ++i;
  }
  if (arguments->plan.empty() && !arguments->help && !arguments->version) return "no plan given";
  return CheckTogether(arguments);
}

}  // namespace linnet::tools
