// SPDX-License-Identifier: Apache-2.0
// Opens the plan named on the command line and runs it on zeros. The first output is written to the
// program's own memory. Prints that output's size.
#include <linnet/linnet.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: %s PLAN\n", argv[0]), 1;
  auto plan = linnet::Plan::Open(argv[1]);
  if (!plan) return std::fprintf(stderr, "%s\n", plan.error().text), 2;
  auto session = linnet::Session::Create(*plan);
  if (!session) return std::fprintf(stderr, "%s\n", session.error().text), 2;
  const linnet::TensorInfo& output = *plan->output_info(0);
  std::vector<char> memory(static_cast<size_t>(output.bytes));
  linnet::Buffer buffer;
  buffer.address = memory.data();
  buffer.bytes = memory.size();
  if (auto error = session->BindOutputBuffer(0, buffer))
    return std::fprintf(stderr, "%s\n", error->text), 3;
  if (auto error = session->Run()) return std::fprintf(stderr, "%s\n", error->text), 3;
  std::printf("%s: %zu bytes\n", output.name, memory.size());
}
