// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/device_measurement.h"

#include <gtest/gtest.h>

#include <vector>

#include "converter/place/device_profile.h"

namespace linnet::tools {
namespace {

using converter::CopyRates;
using converter::DeviceProfile;
using converter::DeviceRates;

// Reads the file as the converter does.
DeviceProfile Measured(const std::vector<MeasuredDevice>& devices) {
  const std::vector<std::string> known = {"cpu", "vulkan"};
  absl::StatusOr<DeviceProfile> profile = DeviceProfile::Parse(DeviceProfileJson(devices), known);
  EXPECT_TRUE(profile.ok()) << profile.status() << "\n" << DeviceProfileJson(devices);
  return profile.ok() ? *std::move(profile) : DeviceProfile();
}
DeviceProfile Measured(const std::vector<MeasuredStep>& steps) {
  return Measured(std::vector<MeasuredDevice>{{.key = "cpu", .steps = steps}});
}

TEST(DeviceMeasurementTest, RatesWithoutLaunches) {
  const DeviceProfile profile = Measured({
      {"view", OpFamily::kOther, 2.0, 10, 0, 0},
      {"conv", OpFamily::kProducts, 102.0, 10, 2'000'000, 50'000},
      {"dense", OpFamily::kProducts, 52.0, 10, 1'000'000, 90'000},
      {"depthwise", OpFamily::kDepthwise, 42.0, 10, 80'000, 30'000},
      {"softmax", OpFamily::kOther, 22.0, 10, 500'000, 40'000},
      {"relu", OpFamily::kOther, 12.0, 10, 5'000, 80'000},
      {"short", OpFamily::kOther, 7.0, 10, 90'000, 80'000},
      {"small", OpFamily::kOther, 99.0, 10, 60'000, 40'000},
  });
  const DeviceRates rates = profile.RatesOf("cpu");
  EXPECT_DOUBLE_EQ(rates.launch_us, 2.0);
  EXPECT_DOUBLE_EQ(rates.flops_per_s, 3e6 / 150e-6);
  EXPECT_DOUBLE_EQ(rates.depthwise_flops_per_s, 80'000 / 40e-6);
  EXPECT_DOUBLE_EQ(rates.other_flops_per_s, 500'000 / 20e-6);
  EXPECT_DOUBLE_EQ(rates.bytes_per_s, 80'000 / 10e-6);
  EXPECT_EQ(profile.RatesOf("vulkan").launch_us,
            DeviceProfile::Default().RatesOf("vulkan").launch_us);
}

TEST(DeviceMeasurementTest, DevicesAndTheirCopies) {
  const DeviceProfile profile = Measured(std::vector<MeasuredDevice>{
      {.key = "vulkan",
       .steps = {{"view", OpFamily::kOther, 10.0, 5, 0, 0},
                 {"conv", OpFamily::kProducts, 50.0, 5, 400'000, 500},
                 {"small", OpFamily::kProducts, 39.0, 5, 400'000, 50}},
       .submit_us = 150,
       .copy_us = 20,
       .copy_bytes = 8'000},
      {.key = "cpu", .steps = {{"conv", OpFamily::kProducts, 90.0, 5, 4'000, 50}}},
  });
  const DeviceRates gpu = profile.RatesOf("vulkan");
  EXPECT_DOUBLE_EQ(gpu.launch_us, 10.0);
  EXPECT_DOUBLE_EQ(gpu.flops_per_s, 400'000 / 40e-6);
  EXPECT_DOUBLE_EQ(gpu.bytes_per_s, 500 / 50e-6);
  EXPECT_DOUBLE_EQ(gpu.submit_us, 150.0);
  EXPECT_DOUBLE_EQ(profile.RatesOf("cpu").launch_us, 90.0);
  for (const auto& [from, to] : {std::pair("cpu", "vulkan"), std::pair("vulkan", "cpu")}) {
    const CopyRates copies = profile.CopyOf(from, to);
    EXPECT_DOUBLE_EQ(copies.bytes_per_s, 8'000 / 20e-6);
    EXPECT_EQ(copies.latency_us, 0.0);
  }
  EXPECT_DOUBLE_EQ(profile.measured.at("vulkan").at("conv").total_us, 250.0);
  EXPECT_DOUBLE_EQ(profile.measured.at("cpu").at("conv").total_us, 450.0);
}

TEST(DeviceMeasurementTest, CopiesThatWereNotMeasuredStayTheDefault) {
  const DeviceProfile profile =
      Measured(std::vector<MeasuredDevice>{{.key = "vulkan", .copy_us = 0, .copy_bytes = 8'000}});
  const DeviceProfile usual = DeviceProfile::Default();
  EXPECT_EQ(profile.CopyOf("cpu", "vulkan").bytes_per_s, usual.CopyOf("cpu", "vulkan").bytes_per_s);
  EXPECT_EQ(profile.RatesOf("vulkan").submit_us, usual.RatesOf("vulkan").submit_us);
}

TEST(DeviceMeasurementTest, NodesAreMeansOfTheirSteps) {
  const DeviceProfile profile = Measured({{"cell", OpFamily::kProducts, 10.0, 5, 2, 1},
                                          {"cell", OpFamily::kProducts, 30.0, 5, 2, 1},
                                          {"odd \"name\\", OpFamily::kOther, 4.0, 5, 0, 8}});
  const auto& nodes = profile.measured.at("cpu");
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes.at("cell").count, 10);
  EXPECT_DOUBLE_EQ(nodes.at("cell").total_us, 200.0);
  EXPECT_DOUBLE_EQ(nodes.at("odd \"name\\").total_us, 20.0);
}

TEST(DeviceMeasurementTest, WhatStepsDoNotTellStaysTheDefault) {
  const DeviceRates usual = DeviceProfile::Default().RatesOf("cpu");
  for (const std::vector<MeasuredStep>& steps : std::vector<std::vector<MeasuredStep>>{
           {},
           {{"never", OpFamily::kProducts, 0.0, 10, 5, 5}},  // the branch that is not taken
           {{"", OpFamily::kProducts, 7.0, 10, 100'000, 10, /*runs_once=*/false},  // in a loop
            {"", OpFamily::kProducts, 9.0, 0, 9, 9}}}) {
    const DeviceProfile profile = Measured(steps);
    EXPECT_EQ(profile.RatesOf("cpu").flops_per_s, usual.flops_per_s);
    EXPECT_EQ(profile.RatesOf("cpu").bytes_per_s, usual.bytes_per_s);
    EXPECT_EQ(profile.RatesOf("cpu").launch_us, usual.launch_us);
    EXPECT_TRUE(profile.measured.at("cpu").empty());
  }
}

TEST(DeviceMeasurementTest, OneStepHasNoRate) {
  const DeviceProfile profile = Measured({{"conv", OpFamily::kProducts, 5.0, 3, 1'000'000, 10}});
  EXPECT_DOUBLE_EQ(profile.RatesOf("cpu").launch_us, 5.0);
  EXPECT_EQ(profile.RatesOf("cpu").flops_per_s,
            DeviceProfile::Default().RatesOf("cpu").flops_per_s);
  EXPECT_DOUBLE_EQ(profile.measured.at("cpu").at("conv").total_us, 15.0);
}

}  // namespace
}  // namespace linnet::tools
