// SPDX-License-Identifier: Apache-2.0
// Whole nets on devices that differ in what they can do: all give the same bits. Skipped without a
// device.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "tests/runtime/backends/vulkan/prepared_net.h"
#include "tests/runtime/backends/vulkan/shaped_nets.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan {
namespace {

using Outputs = std::vector<std::vector<float>>;

enum class Net { kMobileNetV2Shaped, kEncoderShaped };

class ProfilesTest : public testing::TestWithParam<Net> {
 protected:
  void SetUp() override {
    if (WatchedVulkan::Get() == nullptr) GTEST_SKIP() << "no Vulkan library";
    WatchedVulkan::Reset();
    Device device;
    if (!device.Open(WatchedVulkan::Get(), nullptr).ok()) GTEST_SKIP() << "no Vulkan device";
    device.Close();
    plan_ = PlanFor(GetParam() == Net::kEncoderShaped ? EncoderShaped() : MobileNetV2Shaped());
  }

  // The outputs of a session on a device like that, and how long the steps of its second run took.
  // `pace`: null for the device's own.
  Outputs RunOn(const Profile& profile, std::vector<int64_t>* step_ns = nullptr,
                const Pace* pace = nullptr) {
    WatchedVulkan::Reset(profile);
    Device device;
    EXPECT_TRUE(device.Open(WatchedVulkan::Get(), nullptr).ok());
    if (pace != nullptr) device.set_pace(*pace);
    Outputs outputs;
    {
      PreparedNet net(plan_, &device);
      Status status = net.Prepare();
      EXPECT_TRUE(status.ok()) << status.what() << net.problem();
      Region region;
      Diagnostic diagnostic;
      Interpreter session(&region, &net.weights());
      if (status.ok()) status = session.Create({}, &diagnostic);
      EXPECT_TRUE(status.ok()) << status.what() << diagnostic.text;
      if (!status.ok()) return {};
      outputs = RunOnce(session);
      session.EnableProfile(true);
      EXPECT_EQ(RunOnce(session), outputs);
      if (step_ns != nullptr) step_ns->assign(session.step_ns().begin(), session.step_ns().end());
    }
    device.Close();
    EXPECT_EQ(WatchedVulkan::live(), 0);
    EXPECT_STREQ(WatchedVulkan::misuse(), "");
    return outputs;
  }

  std::vector<std::byte> plan_;
};

TEST_P(ProfilesTest, GiveTheSameBits) {
  const Outputs expected = RunOn({});
  ASSERT_FALSE(expected.empty());
  const struct {
    const char* name;
    Profile profile;
  } rows[] = {
      {"least of Vulkan 1.1", {.least = true}},
      {"discrete", {.discrete = true}},
      {"not coherent", {.non_coherent = true}},
      {"discrete and not coherent", {.discrete = true, .non_coherent = true}},
      {"windows at multiples of 256", {.window_alignment = 256}},
      {"few workgroups", {.most_groups = 16}},
      {"all of these",
       {.discrete = true, .non_coherent = true, .no_timestamps = true, .least = true}},
  };
  for (const auto& row : rows) EXPECT_EQ(RunOn(row.profile), expected) << row.name;
}

TEST_P(ProfilesTest, WithoutTimestampsStepsHaveTimesToo) {
  std::vector<int64_t> step_ns;
  RunOn({.no_timestamps = true}, &step_ns);
  EXPECT_EQ(WatchedVulkan::calls_of("vkCmdWriteTimestamp"), 0);
  int64_t steps_with_time = 0;
  for (const int64_t ns : step_ns) steps_with_time += ns > 0 ? 1 : 0;
  EXPECT_GT(steps_with_time, 10);
}

// In many command buffers, and with steps of several dispatches.
TEST_P(ProfilesTest, WhatIsDividedGivesTheSameBits) {
  const Outputs expected = RunOn({});
  const int64_t whole = WatchedVulkan::calls_of("vkCmdDispatch");
  const Pace pace = {.buffer_ns = 500, .dispatch_ns = 300};
  std::vector<int64_t> step_ns;
  for (const Profile& profile : {Profile{}, Profile{.discrete = true, .most_groups = 16}}) {
    EXPECT_EQ(RunOn(profile, &step_ns, &pace), expected);
    EXPECT_GT(WatchedVulkan::calls_of("vkCmdDispatchBase"), 5);
    EXPECT_GE(WatchedVulkan::calls_of("vkCmdDispatch"), whole);
    EXPECT_GT(WatchedVulkan::calls_of("vkQueueSubmit"),
              5 * WatchedVulkan::calls_of("vkWaitForFences"));
    EXPECT_GT(std::ranges::count_if(step_ns, [](int64_t ns) { return ns > 0; }), 10);
  }
}

// A device has one queue, which the sessions of all threads share.
TEST_P(ProfilesTest, FourSessionsOnFourThreads) {
  const Outputs expected = RunOn({});
  PFN_vkGetInstanceProcAddr get = nullptr;  // not watched: that is for one thread
  Device device;
  ASSERT_TRUE(OpenLibrary(kLibraryNames, &get).ok() && device.Open(get, nullptr).ok());
  {
    PreparedNet net(plan_, &device);
    ASSERT_TRUE(net.Prepare().ok()) << net.problem();
    int good[4] = {};
    std::vector<std::thread> threads;
    for (int& runs : good)
      threads.emplace_back([&net, &expected, &runs] {
        Region region;
        Diagnostic diagnostic;
        Interpreter session(&region, &net.weights());
        if (!session.Create({}, &diagnostic).ok()) return;
        for (int i = 0; i < 5; ++i) runs += RunOnce(session) == expected ? 1 : 0;
      });
    for (std::thread& thread : threads) thread.join();
    for (const int runs : good) EXPECT_EQ(runs, 5);
  }
  device.Close();
}

INSTANTIATE_TEST_SUITE_P(Nets, ProfilesTest,
                         testing::Values(Net::kMobileNetV2Shaped, Net::kEncoderShaped),
                         [](const auto& info) {
                           return info.param == Net::kEncoderShaped ? "EncoderShaped"
                                                                    : "MobileNetV2Shaped";
                         });

}  // namespace
}  // namespace linnet::vulkan
