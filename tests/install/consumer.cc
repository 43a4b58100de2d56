// SPDX-License-Identifier: Apache-2.0
#include <linnet/linnet.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  auto plan = linnet::Plan::Open(argv[1]);
  if (!plan) return std::fprintf(stderr, "%s\n", plan.error().text), 2;
  auto session = linnet::Session::Create(*plan);
  if (!session) return std::fprintf(stderr, "%s\n", session.error().text), 2;
  if (auto error = session->Run()) return std::fprintf(stderr, "%s\n", error->text), 3;
  std::printf("%s: %lld bytes\n", session->output_info(0)->name,
              static_cast<long long>(session->output_info(0)->bytes));
}
