// SPDX-License-Identifier: Apache-2.0
// run_steps PLAN BACKEND THREADS RUNS FOLDER: runs one session several times; its state persists.
// Run i reads FOLDER/i.NAME.npy for each input, in the shape of that array, and writes
// FOLDER/i.NAME.out.npy for each output.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "linnet/linnet.hpp"
#include "runtime/tools/npy.h"

namespace {

std::string Read(linnet::Session& session, int32_t index, const std::string& path) {
  linnet::tools::NpyArray array;
  if (std::string problem = linnet::tools::ReadNpy(path, &array); !problem.empty()) return problem;
  if (const auto error = session.SetInputShape(index, array.shape)) return error->text;
  linnet_tensor_info info = *session.input_info(index);
  for (size_t i = 0; i < array.shape.size(); ++i) info.dims[i] = array.shape[i];
  return linnet::tools::CopyToTensor(array, info, linnet_session_input_data(session.get(), index));
}

std::string Write(const linnet::Session& session, int32_t index, const std::string& path) {
  linnet_tensor_info info = *session.output_info(index);
  int64_t elements = 1, most = 1;
  const linnet::Dims shape = session.OutputShape(index);
  for (int32_t i = 0; i < shape.rank; ++i) {
    most *= info.dims[i];
    elements *= shape.values[i];
    info.dims[i] = shape.values[i];
  }
  if (most > 0) info.bytes = info.bytes / most * elements;
  return linnet::tools::WriteNpy(path, info, linnet_session_output_data(session.get(), index));
}

std::string Run(linnet::Session& session, int runs, const std::string& folder) {
  for (int run = 0; run < runs; ++run) {
    const std::string stem = folder + "/" + std::to_string(run) + ".";
    for (int32_t i = 0; i < session.num_inputs(); ++i)
      if (std::string problem = Read(session, i, stem + session.input_info(i)->name + ".npy");
          !problem.empty())
        return problem;
    if (const auto error = session.Run()) return "run " + std::to_string(run) + ": " + error->text;
    for (int32_t i = 0; i < session.num_outputs(); ++i)
      if (std::string problem = Write(session, i, stem + session.output_info(i)->name + ".out.npy");
          !problem.empty())
        return problem;
  }
  return "";
}

std::string OpenAndRun(char** argv) {
  auto plan = linnet::Plan::Open(argv[1]);
  if (!plan) return plan.error().text;
  const linnet_backend backend =
      std::strcmp(argv[2], "portable") == 0 ? LINNET_BACKEND_PORTABLE : LINNET_BACKEND_CPU;
  auto session =
      linnet::Session::Create(*plan, {.backend = backend, .threads = std::atoi(argv[3])});
  if (!session) return session.error().text;
  return Run(*session, std::atoi(argv[4]), argv[5]);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string problem =
      argc == 6 ? OpenAndRun(argv) : "want PLAN BACKEND THREADS RUNS FOLDER";
  if (!problem.empty()) std::fprintf(stderr, "run_steps: %s\n", problem.c_str());
  return problem.empty() ? 0 : 1;
}
