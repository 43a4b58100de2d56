// SPDX-License-Identifier: Apache-2.0
#include "converter/place/device_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/place/place_graph.h"

namespace linnet::converter {
namespace {

using testing::HasSubstr;

std::string WhatIsWrong(const std::string& json) {
  const absl::StatusOr<DeviceProfile> profile = DeviceProfile::Parse(json, KnownDevices());
  return profile.ok() ? "" : std::string(profile.status().message());
}

TEST(DeviceProfile, ReplacesWhatItSays) {
  const auto profile = DeviceProfile::Parse(R"({
    "devices": {"vulkan": {"flops_per_s": 5e11, "nodes": {"conv": {"count": 3, "total_us": 12}}}},
    "copies": [{"from": "vulkan", "to": "cpu", "latency_us": 0}]})",
                                            KnownDevices());
  ASSERT_TRUE(profile.ok()) << profile.status();
  const DeviceProfile standard = DeviceProfile::Default();
  EXPECT_EQ(profile->RatesOf("vulkan").flops_per_s, 5e11);
  EXPECT_EQ(profile->RatesOf("vulkan").launch_us, standard.RatesOf("vulkan").launch_us);
  EXPECT_EQ(profile->RatesOf("cpu").flops_per_s, standard.RatesOf("cpu").flops_per_s);
  EXPECT_EQ(profile->CopyOf("vulkan", "cpu").latency_us, 0);
  EXPECT_EQ(profile->CopyOf("vulkan", "cpu").bytes_per_s,
            standard.CopyOf("vulkan", "cpu").bytes_per_s);
  EXPECT_EQ(profile->measured.at("vulkan").at("conv").count, 3);
}

TEST(DeviceProfile, OneRateIsThatOfAllSteps) {
  const auto one =
      DeviceProfile::Parse(R"({"devices": {"vulkan": {"flops_per_s": 7}}})", KnownDevices());
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_EQ(one->RatesOf("vulkan").depthwise_flops_per_s, 0) << "as flops_per_s";
  EXPECT_EQ(one->RatesOf("vulkan").other_flops_per_s, 0);
  const auto three = DeviceProfile::Parse(
      R"({"devices": {"vulkan": {"depthwise_flops_per_s": 5, "flops_per_s": 7,
                                 "other_flops_per_s": 6, "submit_us": 9}}})",
      KnownDevices());
  ASSERT_TRUE(three.ok()) << three.status();
  EXPECT_EQ(three->RatesOf("vulkan").depthwise_flops_per_s, 5);
  EXPECT_EQ(three->RatesOf("vulkan").flops_per_s, 7);
  EXPECT_EQ(three->RatesOf("vulkan").other_flops_per_s, 6);
  EXPECT_EQ(three->RatesOf("vulkan").submit_us, 9);
}

// CostModel::SuppressInfrequent.
// TensorFlow graph row 66: cost model
TEST(DeviceProfile, Row66InfrequentNodesAreLeftOut) {
  const auto profile = DeviceProfile::Parse(R"({"devices": {"cpu": {"nodes": {
    "a": {"count": 10, "total_us": 1}, "b": {"count": 10, "total_us": 1},
    "half": {"count": 5, "total_us": 1}, "rare": {"count": 4, "total_us": 1}}}}})",
                                            KnownDevices());
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_TRUE(profile->measured.at("cpu").contains("half"));
  EXPECT_FALSE(profile->measured.at("cpu").contains("rare"));
}

TEST(DeviceProfile, SaysWhatIsWrong) {
  EXPECT_THAT(WhatIsWrong("{"), HasSubstr("it is no JSON object"));
  EXPECT_THAT(WhatIsWrong("[]"), HasSubstr("it is no JSON object"));
  EXPECT_THAT(WhatIsWrong(R"({"devices": {"tpu": {}}})"),
              HasSubstr("there is no device 'tpu'; known: cpu, vulkan"));
  EXPECT_THAT(WhatIsWrong(R"({"devices": {"cpu": {"speed": 1}}})"),
              HasSubstr("there is no key 'speed'"));
  EXPECT_THAT(WhatIsWrong(R"({"devices": {"cpu": {"flops_per_s": 0}}})"),
              HasSubstr("'flops_per_s' is 0, want a number of at least 1"));
  EXPECT_THAT(WhatIsWrong(R"({"devices": {"cpu": {"launch_us": "2"}}})"),
              HasSubstr("want a number"));
  EXPECT_THAT(WhatIsWrong(R"({"devices": {"cpu": {"nodes": {"a": {"count": 1}}}}})"),
              HasSubstr("node 'a' is not"));
  EXPECT_THAT(WhatIsWrong(R"({"devices": {"cpu": {"nodes": {"a": {"count": 0, "total_us": 1}}}}})"),
              HasSubstr("'a' is 0"));
  EXPECT_THAT(WhatIsWrong(R"({"copies": [{"from": "cpu"}]})"), HasSubstr("'from' and 'to'"));
  EXPECT_THAT(WhatIsWrong(R"({"rates": 1, "devices": 2})"),
              testing::AllOf(HasSubstr("'rates'"), HasSubstr("'devices' is no object")))
      << "every problem at once";
}

TEST(DeviceProfile, NoSuchFile) {
  const auto profile = DeviceProfile::Read("/nonexistent/profile.json", KnownDevices());
  EXPECT_EQ(profile.status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace linnet::converter
