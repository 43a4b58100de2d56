// SPDX-License-Identifier: Apache-2.0
// run_stream PLAN INPUT.npy FOLDER: runs a plan with a single input once per row of INPUT.npy, then
// resets the session and repeats all runs, which must give the same bits. The rows of each output
// are written to FOLDER/NAME.npy.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "linnet/linnet.hpp"
#include "runtime/tools/npy.h"

namespace {

int Fail(const std::string& text) {
  std::fprintf(stderr, "run_stream: %s\n", text.c_str());
  return 1;
}

// The bytes of all outputs after each row, one vector per output.
std::vector<std::vector<uint8_t>> Stream(linnet::Session& session,
                                         const std::vector<uint8_t>& rows) {
  linnet_session* raw = session.get();
  const auto row = static_cast<size_t>(linnet_session_input_info(raw, 0)->bytes);
  std::vector<std::vector<uint8_t>> outputs(static_cast<size_t>(linnet_session_num_outputs(raw)));
  for (size_t at = 0; at + row <= rows.size(); at += row) {
    std::memcpy(linnet_session_input_data(raw, 0), rows.data() + at, row);
    if (session.Run()) return {};
    for (int32_t i = 0; i < linnet_session_num_outputs(raw); ++i) {
      const auto* data = static_cast<const uint8_t*>(linnet_session_output_data(raw, i));
      auto& output = outputs[static_cast<size_t>(i)];
      output.insert(output.end(), data, data + linnet_session_output_info(raw, i)->bytes);
    }
  }
  return outputs;
}

int Run(const char* plan_path, const char* input, const std::string& folder) {
  linnet::tools::NpyArray rows;
  if (const std::string problem = linnet::tools::ReadNpy(input, &rows); !problem.empty())
    return Fail(problem);
  auto plan = linnet::Plan::Open(plan_path);
  if (!plan) return Fail(plan.error().text);
  auto session = linnet::Session::Create(*plan, {});
  if (!session) return Fail(session.error().text);
  const auto outputs = Stream(*session, rows.data);
  session->Reset();
  if (outputs.empty() || Stream(*session, rows.data) != outputs)
    return Fail("a run failed, or the stream after the reset differs from the first");
  for (int32_t i = 0; i < linnet_session_num_outputs(session->get()); ++i) {
    linnet_tensor_info info = *linnet_session_output_info(session->get(), i);
    std::memmove(info.dims + 1, info.dims, sizeof(info.dims) - sizeof(info.dims[0]));
    info.dims[0] = rows.shape[0];
    ++info.rank;
    info.bytes *= info.dims[0];
    const std::string file = folder + "/" + info.name + ".npy";
    if (const std::string problem =
            linnet::tools::WriteNpy(file, info, outputs[static_cast<size_t>(i)].data());
        !problem.empty())
      return Fail(problem);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return argc == 4 ? Run(argv[1], argv[2], argv[3]) : Fail("want PLAN INPUT.npy FOLDER");
}
