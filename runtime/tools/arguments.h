// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "linnet/linnet.h"
#include "runtime/tools/benchmark.h"

namespace linnet::tools {

struct InputFile {
  std::string name, path;
};

// What linnet-run was asked to do.
struct Arguments {
  std::string plan;
  std::string signature;
  bool has_signature = false;
  std::vector<InputFile> inputs;
  std::string output_dir;
  linnet_backend backend = LINNET_BACKEND_AUTO;
  int threads = 1;
  int64_t max_bytes = 0;  // 0: no limit
  std::string cache;      // a file; "" for none
  bool self_test = true;
  bool bench = false;
  int warmup = kWarmupRuns;
  int runs = 0;  // 0: until one second or 200 runs
  bool profile = false;
  std::string measure_device;   // the profile to write; "" for none
  std::string kernels;          // a kernel profile to read; "" for none
  std::string measure_kernels;  // a kernel profile to write; "" for none
  bool json = false;
  bool help = false, version = false;

  bool measures_device() const { return !measure_device.empty(); }
  bool runs_often() const { return bench || measures_device(); }
  bool times_steps() const { return profile || measures_device(); }
};

extern const char kHelp[];

// Empty on success, else one sentence about what is wrong with the command line.
std::string ParseArguments(int argc, char** argv, Arguments* arguments);

}  // namespace linnet::tools
