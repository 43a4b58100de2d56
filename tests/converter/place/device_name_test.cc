// SPDX-License-Identifier: Apache-2.0
#include "converter/place/device_name.h"

#include <gtest/gtest.h>

#include <string>

namespace linnet::converter {
namespace {

std::string RoundTrip(const std::string& text) {
  const absl::StatusOr<DeviceName> name = ParseDeviceName(text);
  return name.ok() ? ToString(*name)
                   : std::string(name.status().message().data(), name.status().message().size());
}

DeviceName Name(const std::string& text) { return *ParseDeviceName(text); }

// The table of DeviceNameUtilsTest.Basic in TensorFlow's device_name_utils_test.cc, restated.
// TensorFlow graph row 29: NodeDef: op, inputs, device, attributes
TEST(DeviceName, Row29Grammar) {
  EXPECT_EQ(RoundTrip("/job:a/replica:0/task:0/device:GPU:0"),
            "/job:a/replica:0/task:0/device:GPU:0");
  EXPECT_EQ(RoundTrip(""), "");
  EXPECT_EQ(RoundTrip("/"), "");
  EXPECT_EQ(RoundTrip("/task:3"), "/task:3");
  EXPECT_EQ(RoundTrip("/device:GPU:2/job:w"), "/job:w/device:GPU:2") << "any order";
  EXPECT_EQ(RoundTrip("/job:*/replica:*/task:4/device:GPU:*"), "/task:4/device:GPU:*");
  EXPECT_EQ(RoundTrip("/device:GPU"), "/device:GPU:*");
  EXPECT_EQ(RoundTrip("/device:*:1"), "/device:*:1");
  EXPECT_EQ(RoundTrip("/gpu:0"), "/device:GPU:0");
  EXPECT_EQ(RoundTrip("/cpu:*"), "/device:CPU:*");
  EXPECT_EQ(RoundTrip("/job:a_1/CPU:2"), "/job:a_1/device:CPU:2");
}

// TensorFlow graph row 61: explicit devices, soft placement
TEST(DeviceName, Row61MalformedNamesAreRefused) {
  for (const char* text :
       {"/foo:bar", "/job:123", "/job:", "/job:_a", "/gpu:", "/gpu:x", "/task:-1", "/device:GPU:0x",
        "job:a", "/job:a//task:0", "/cpu", "/task:99999999999"})
    EXPECT_EQ(RoundTrip(text), std::string("Malformed device specification '") + text + "'");
}

TEST(DeviceName, AbsentPartsFitAll) {
  const DeviceName full = Name("/job:a/replica:0/task:0/device:GPU:1");
  for (const char* pattern : {"", "/job:a", "/gpu:*", "/device:GPU:1", "/task:0/gpu:1"})
    EXPECT_TRUE(Fits(Name(pattern), full)) << pattern;
  for (const char* pattern : {"/job:b", "/cpu:*", "/gpu:0", "/task:1", "/replica:2"})
    EXPECT_FALSE(Fits(Name(pattern), full)) << pattern;
  EXPECT_FALSE(Fits(full, Name("/job:a"))) << "what asks for more is not had";
}

std::string Merged(const char* a, const char* b, NameConflict conflict) {
  DeviceName target = Name(a);
  const absl::Status status = Merge(Name(b), conflict, &target);
  if (status.ok()) return ToString(target);
  EXPECT_EQ(target, Name(a)) << "changed by a failed merge";
  return {status.message().data(), status.message().size()};
}

// DeviceNameUtilsTest.MergeDevNames and MergeDevNamesAllowSoftPlacement.
// TensorFlow graph row 56: colocation groups
TEST(DeviceName, Row56NamesMerge) {
  const NameConflict hard = NameConflict::kIsError, soft = NameConflict::kDropKindAndId;
  EXPECT_EQ(Merged("/job:a", "/gpu:1", hard), "/job:a/device:GPU:1");
  EXPECT_EQ(Merged("/gpu:*", "/gpu:1", hard), "/device:GPU:1");
  EXPECT_EQ(Merged("/job:a", "/job:b", soft),
            "Cannot merge devices with incompatible jobs: '/job:a' and '/job:b'");
  EXPECT_EQ(Merged("/replica:0", "/replica:1", hard),
            "Cannot merge devices with incompatible replicas: '/replica:0' and '/replica:1'");
  EXPECT_EQ(Merged("/task:0", "/task:1", hard),
            "Cannot merge devices with incompatible tasks: '/task:0' and '/task:1'");
  EXPECT_EQ(Merged("/cpu:0", "/gpu:0", hard),
            "Cannot merge devices with incompatible types: '/device:CPU:0' and '/device:GPU:0'");
  EXPECT_EQ(Merged("/gpu:0", "/gpu:1", hard),
            "Cannot merge devices with incompatible ids: '/device:GPU:0' and '/device:GPU:1'");
  EXPECT_EQ(Merged("/job:a/cpu:0", "/gpu:1", soft), "/job:a");
  EXPECT_EQ(Merged("/job:a/gpu:0", "/gpu:1", soft), "/job:a/device:GPU:*");
}

}  // namespace
}  // namespace linnet::converter
