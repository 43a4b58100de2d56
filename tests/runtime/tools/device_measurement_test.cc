// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/device_measurement.h"

#include <gtest/gtest.h>

#include <vector>

#include "converter/place/device_profile.h"

namespace linnet::tools {
namespace {

using converter::DeviceProfile;

// Reads the file as the converter does.
DeviceProfile Measured(const std::vector<MeasuredStep>& steps) {
  const std::vector<std::string> devices = {"cpu", "vulkan"};
  absl::StatusOr<DeviceProfile> profile = DeviceProfile::Parse(DeviceProfileJson(steps), devices);
  EXPECT_TRUE(profile.ok()) << profile.status() << "\n" << DeviceProfileJson(steps);
  return profile.ok() ? *std::move(profile) : DeviceProfile();
}

TEST(DeviceMeasurementTest, RatesWithoutLaunches) {
  const DeviceProfile profile = Measured({
      {"view", 2.0, 10, 0, 0},
      {"conv", 102.0, 10, 1'000'000, 50'000},
      {"dense", 52.0, 10, 500'000, 900'000},
      {"relu", 12.0, 10, 0, 40'000},
  });
  const converter::DeviceRates rates = profile.RatesOf("cpu");
  EXPECT_DOUBLE_EQ(rates.launch_us, 2.0);
  EXPECT_DOUBLE_EQ(rates.flops_per_s, 3e6 / 150e-6);
  EXPECT_DOUBLE_EQ(rates.bytes_per_s, 40'000 / 10e-6);
  EXPECT_EQ(profile.RatesOf("vulkan").launch_us,
            DeviceProfile::Default().RatesOf("vulkan").launch_us);
}

TEST(DeviceMeasurementTest, NodesAreMeansOfTheirSteps) {
  const DeviceProfile profile =
      Measured({{"cell", 10.0, 5, 1, 1}, {"cell", 30.0, 5, 1, 1}, {"odd \"name\\", 4.0, 5, 0, 8}});
  const auto& nodes = profile.measured.at("cpu");
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes.at("cell").count, 10);
  EXPECT_DOUBLE_EQ(nodes.at("cell").total_us, 200.0);
  EXPECT_DOUBLE_EQ(nodes.at("odd \"name\\").total_us, 20.0);
}

TEST(DeviceMeasurementTest, WhatStepsDoNotTellStaysTheDefault) {
  const converter::DeviceRates usual = DeviceProfile::Default().RatesOf("cpu");
  for (const std::vector<MeasuredStep>& steps : std::vector<std::vector<MeasuredStep>>{
           {},
           {{"never", 0.0, 10, 5, 5}},  // the branch that is not taken
           {{"", 7.0, 10, 1000, 10, /*runs_once=*/false}, {"", 9.0, 0, 9, 9}}}) {  // in a loop
    const DeviceProfile profile = Measured(steps);
    EXPECT_EQ(profile.RatesOf("cpu").flops_per_s, usual.flops_per_s);
    EXPECT_EQ(profile.RatesOf("cpu").bytes_per_s, usual.bytes_per_s);
    EXPECT_EQ(profile.RatesOf("cpu").launch_us, usual.launch_us);
    EXPECT_TRUE(profile.measured.at("cpu").empty());
  }
}

TEST(DeviceMeasurementTest, OneStepHasNoRate) {
  const DeviceProfile profile = Measured({{"conv", 5.0, 3, 1'000'000, 10}});
  EXPECT_DOUBLE_EQ(profile.RatesOf("cpu").launch_us, 5.0);
  EXPECT_EQ(profile.RatesOf("cpu").flops_per_s,
            DeviceProfile::Default().RatesOf("cpu").flops_per_s);
  EXPECT_DOUBLE_EQ(profile.measured.at("cpu").at("conv").total_us, 15.0);
}

}  // namespace
}  // namespace linnet::tools
