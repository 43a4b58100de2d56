// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/kernel_times.h"

#include <gtest/gtest.h>

#include "linnet/linnet.h"

namespace linnet::tools {
namespace {

std::string Faster(double xnnpack, double portable, const char* rule) {
  return FasterKernel({"Pad()", rule, {{"xnnpack", xnnpack}, {"portable", portable}}}).backend;
}

TEST(KernelTimes, TheFasterOneRuns) {
  EXPECT_EQ(Faster(10, 20, "xnnpack"), "xnnpack");
  EXPECT_EQ(Faster(10, 20, "portable"), "xnnpack");
  EXPECT_EQ(Faster(20, 10, "xnnpack"), "portable");
}

TEST(KernelTimes, NoiseLeavesTheRules) {
  EXPECT_EQ(Faster(100, 96, "xnnpack"), "xnnpack");
  EXPECT_EQ(Faster(96, 100, "portable"), "portable");
  EXPECT_EQ(Faster(100, 94, "xnnpack"), "portable");
  EXPECT_EQ(Faster(100, 100, "portable"), "portable");
  // Less than a tick of the clock.
  EXPECT_EQ(Faster(0.4, 0.2, "xnnpack"), "xnnpack");
  EXPECT_EQ(Faster(0.9, 0.2, "xnnpack"), "portable");
  EXPECT_EQ(Faster(0.0, 0.1, "portable"), "portable");
}

TEST(KernelTimes, AreWrittenAsText) {
  const KindTimes kinds[] = {
      {"Pad(f32[1]) -> f32[2] {1}", "portable", {{"xnnpack", 1.25}, {"portable", 12.06}}},
      {"Clamp(f32[1]) -> f32[1] {2}", "xnnpack", {{"xnnpack", 0}, {"portable", 1e7}}}};
  const linnet_device* cpu = linnet_get_device(0);
  const std::string head = "linnet kernel profile 1\ncpu " + std::string(cpu->name) +
                           "\ninstructions " + cpu->instruction_set + "\nkernels " +
                           linnet_cpu_kernels() + "\nthreads 3\n";
  EXPECT_EQ(KernelProfileText(kinds, 3),
            head +
                "# the faster one, microseconds of each, what the step computes\n"
                "xnnpack\txnnpack 1.2, portable 12.1\tPad(f32[1]) -> f32[2] {1}\n"
                "xnnpack\txnnpack 0.0, portable 10000000.0\tClamp(f32[1]) -> f32[1] {2}\n"
                "end 2\n");
}

}  // namespace
}  // namespace linnet::tools
