// SPDX-License-Identifier: Apache-2.0
// Which library, device and memory is used, and what happens where there is none.
#include "runtime/backends/vulkan/device.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "runtime/backends/vulkan/lowering.h"
#include "runtime/backends/vulkan/memory.h"
#include "tests/runtime/backends/vulkan/watched_vulkan.h"

namespace linnet::vulkan {
namespace {

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kVisible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
constexpr VkMemoryPropertyFlags kCoherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

TEST(Loader, WithoutALibrary) {
  const char* const names[] = {"libno-such-vulkan.so.1", "libno-such-vulkan.so", nullptr};
  PFN_vkGetInstanceProcAddr get = nullptr;
  EXPECT_EQ(OpenLibrary(names, &get).code(), StatusCode::kUnsupported);
  EXPECT_EQ(get, nullptr);
}

TEST(Loader, ALibraryOfSomethingElse) {
  const char* const names[] = {"libc.so.6", nullptr};
  PFN_vkGetInstanceProcAddr get = nullptr;
  EXPECT_EQ(OpenLibrary(names, &get).code(), StatusCode::kUnsupported);
}

PFN_vkVoidFunction VKAPI_CALL HasNothing(VkInstance, const char*) { return nullptr; }

TEST(Loader, ALibraryWithoutFunctions) {
  Functions functions;
  EXPECT_EQ(functions.LoadGlobal(&HasNothing).code(), StatusCode::kUnsupported);
  Device device;
  EXPECT_EQ(device.Open(&HasNothing, nullptr).code(), StatusCode::kUnsupported);
}

class DeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (WatchedVulkan::Get() == nullptr) GTEST_SKIP() << "no Vulkan library";
    if (!Open().ok()) GTEST_SKIP() << "no Vulkan device";
    device_.Close();
  }
  Status Open(const char* wanted = nullptr, const Profile& profile = {}) {
    WatchedVulkan::Reset(profile);
    return device_.Open(WatchedVulkan::Get(), wanted);
  }
  Device device_;
};

TEST_F(DeviceTest, OpensAndCloses) {
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(Open().ok());
    EXPECT_NE(device_.handle(), nullptr);
    EXPECT_NE(device_.facts().name[0], '\0');
    EXPECT_GT(device_.facts().max_allocation, 0);
    device_.Close();
    EXPECT_EQ(WatchedVulkan::live(), 0);
  }
}

TEST_F(DeviceTest, ByNumberOrName) {
  ASSERT_TRUE(Open().ok());
  const std::string name = device_.facts().name;
  device_.Close();
  ASSERT_TRUE(Open(name.substr(1, 4).c_str()).ok());
  device_.Close();
  ASSERT_TRUE(Open("0").ok());
  device_.Close();
  EXPECT_EQ(Open("15").code(), StatusCode::kUnsupported);
  EXPECT_EQ(Open("no such GPU").code(), StatusCode::kUnsupported);
  EXPECT_EQ(WatchedVulkan::live(), 0);
}

TEST_F(DeviceTest, WithoutAUsableDevice) {
  EXPECT_EQ(Open(nullptr, {.no_device = true}).code(), StatusCode::kUnsupported);
  EXPECT_EQ(WatchedVulkan::live(), 0);
  WatchedVulkan::Reset();
  WatchedVulkan::FailAlways("vkCreateInstance", VK_ERROR_INCOMPATIBLE_DRIVER);
  EXPECT_STREQ(device_.Open(WatchedVulkan::Get(), nullptr).what(), "there is no Vulkan driver");
  const Status status = Open(nullptr, {.api_version = VK_API_VERSION_1_0});
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_STREQ(status.what(), "the GPU's driver is of Vulkan 1.0, want 1.1");
  EXPECT_EQ(WatchedVulkan::live(), 0);
}

// shaderFloat16 is enabled where the device has it, and used where someone wants it or the class of
// device gains.
TEST_F(DeviceTest, NativeHalves) {
  ASSERT_TRUE(Open(nullptr, {.no_halves = true}).ok());
  EXPECT_EQ(WatchedVulkan::enabled_features(), 0u);
  EXPECT_EQ(device_.facts().features, 0u);
  EXPECT_TRUE(device_.CanUse(ShaderMode::k_f16p));
  EXPECT_FALSE(device_.CanUse(ShaderMode::k_f16a));
  device_.set_native_halves(true);
  EXPECT_FALSE(device_.native_halves());
  device_.Close();
  ASSERT_TRUE(Open().ok());
  const bool can = device_.CanUse(ShaderMode::k_f16a);
  EXPECT_EQ(device_.native_halves(), can && IsFastInHalves(device_.facts().device_class));
  EXPECT_EQ(WatchedVulkan::enabled_features(), can ? uint32_t{kFloat16} : 0u);
  device_.set_native_halves(true);
  EXPECT_EQ(device_.native_halves(), can);
  device_.set_native_halves(false);
  EXPECT_FALSE(device_.native_halves());
  device_.Close();
  EXPECT_STREQ(WatchedVulkan::misuse(), "");
  if (!can) GTEST_SKIP() << "the GPU has no arithmetic of 16-bit floats";
}

// Nothing else in this program uses the shared device, which reads the environment when it is
// opened.
TEST_F(DeviceTest, NativeHalvesByTheEnvironment) {
  ASSERT_EQ(setenv("LINNET_VULKAN_NATIVE_HALVES", "1", 1), 0);
  Device* shared = nullptr;
  ASSERT_TRUE(SharedDevice(&shared).ok());
  EXPECT_EQ(shared->native_halves(), shared->CanUse(ShaderMode::k_f16a));
  if (!shared->CanUse(ShaderMode::k_f16a) || IsFastInHalves(shared->facts().device_class))
    GTEST_SKIP() << "the environment changes nothing on this GPU";
}

// An extension list that cannot be read counts as one without the extension.
TEST_F(DeviceTest, WithoutExtensions) {
  WatchedVulkan::Reset();
  WatchedVulkan::FailAlways("vkEnumerateDeviceExtensionProperties", VK_ERROR_OUT_OF_HOST_MEMORY);
  ASSERT_TRUE(device_.Open(WatchedVulkan::Get(), nullptr).ok());
  EXPECT_EQ(device_.facts().features, 0u);
  EXPECT_EQ(WatchedVulkan::calls_of("vkGetPhysicalDeviceFeatures2"), 0);
  device_.Close();
}

// What Vulkan 1.1 promises, and no more.
VkPhysicalDeviceProperties Least() {
  VkPhysicalDeviceProperties properties = {};
  properties.apiVersion = VK_API_VERSION_1_1;
  properties.limits.maxPerStageDescriptorStorageBuffers = 4;
  properties.limits.maxPushConstantsSize = 128;
  properties.limits.maxStorageBufferRange = 1u << 27;
  properties.limits.minStorageBufferOffsetAlignment = 256;
  properties.limits.maxComputeWorkGroupInvocations = 128;
  properties.limits.maxComputeWorkGroupSize[0] = 128;
  return properties;
}

TEST(Limits, TheLeastSufficesAndLessDoesNot) {
  EXPECT_EQ(WhyUnusable(Least()), nullptr);
  const auto refuses = [](auto change) {
    VkPhysicalDeviceProperties properties = Least();
    change(properties.limits);
    return WhyUnusable(properties) != nullptr;
  };
  using Limits = VkPhysicalDeviceLimits;
  EXPECT_TRUE(refuses([](Limits& limits) { limits.maxPerStageDescriptorStorageBuffers = 3; }));
  EXPECT_TRUE(refuses([](Limits& limits) { limits.maxPushConstantsSize = 124; }));
  EXPECT_TRUE(refuses([](Limits& limits) { --limits.maxStorageBufferRange; }));
  EXPECT_TRUE(refuses([](Limits& limits) { limits.minStorageBufferOffsetAlignment = 512; }));
  EXPECT_TRUE(refuses([](Limits& limits) { limits.maxComputeWorkGroupInvocations = 32; }));
  EXPECT_TRUE(refuses([](Limits& limits) { limits.maxComputeWorkGroupSize[0] = 32; }));
}

struct MemoryKinds {
  std::vector<VkMemoryType> types;
  std::vector<VkMemoryHeap> heaps;
};
int Choose(const MemoryKinds& kinds, Usage usage, uint32_t bits = ~0u) {
  VkPhysicalDeviceMemoryProperties memory = {};
  for (const VkMemoryType& type : kinds.types) memory.memoryTypes[memory.memoryTypeCount++] = type;
  for (const VkMemoryHeap& heap : kinds.heaps) memory.memoryHeaps[memory.memoryHeapCount++] = heap;
  return ChooseMemoryType(memory, bits, usage);
}

TEST(MemoryTypes, Phone) {
  const MemoryKinds kinds = {{{kLocal, 0},
                              {kLocal | kVisible | kCoherent, 0},
                              {kLocal | kVisible | kCached, 0},
                              {kLocal | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT, 0}},
                             {{4u << 20, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}}};
  EXPECT_EQ(Choose(kinds, Usage::kDevice), 0);
  EXPECT_EQ(Choose(kinds, Usage::kWeights), 1);
  // Reading memory that is not cached is very slow.
  EXPECT_EQ(Choose(kinds, Usage::kHost), 2);
  EXPECT_EQ(Choose(kinds, Usage::kHost, 0b1011), 1);
  EXPECT_EQ(Choose(kinds, Usage::kHost, 0b1001), -1);
  EXPECT_EQ(Choose(kinds, Usage::kDevice, 0b1000), -1);
}

TEST(MemoryTypes, GraphicsCard) {
  // A window of 256 MiB of the card's memory, which is left to others.
  MemoryKinds kinds = {{{kVisible | kCoherent, 1},
                        {kVisible | kCoherent | kCached, 1},
                        {kLocal | kVisible | kCoherent, 2},
                        {kLocal, 0}},
                       {{8ull << 30, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT},
                        {32ull << 30, 0},
                        {256ull << 20, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}}};
  EXPECT_EQ(Choose(kinds, Usage::kDevice), 3);
  EXPECT_EQ(Choose(kinds, Usage::kWeights), 3);
  EXPECT_EQ(Choose(kinds, Usage::kHost), 1);
  // All of it is visible: no staging is needed.
  kinds.types[2].heapIndex = 0;
  EXPECT_EQ(Choose(kinds, Usage::kWeights), 2);
  EXPECT_EQ(Choose(kinds, Usage::kHost), 1);
}

TEST(DeviceClass, ByVendor) {
  VkPhysicalDeviceProperties properties = {};
  properties.vendorID = 0x5143;
  EXPECT_EQ(ClassOf(properties), DeviceClass::kAdreno);
  properties.vendorID = 0x13b5;
  EXPECT_EQ(ClassOf(properties), DeviceClass::kMali);
  properties.vendorID = 0x12345;
  EXPECT_EQ(ClassOf(properties), DeviceClass::kOther);
  properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
  EXPECT_EQ(ClassOf(properties), DeviceClass::kCpu);
}

}  // namespace
}  // namespace linnet::vulkan
