// SPDX-License-Identifier: Apache-2.0
// README's quick start; quick_start_test.cmake compares the two, so that it cannot rot.
// [begin]
#include <linnet/linnet.hpp>

#include <cstdio>

int main(int, char** argv) {
  auto plan = linnet::Plan::Open(argv[1]);
  if (!plan) return std::puts(plan.error().text), 1;
  auto session = linnet::Session::Create(*plan);
  if (!session) return std::puts(session.error().text), 1;
  for (float& x : session->Input<float>(0)) x = 0.5f;
  if (auto error = session->Run()) return std::puts(error->text), 1;
  std::printf("%f\n", session->Output<float>(0)[0]);
}
// [end]
