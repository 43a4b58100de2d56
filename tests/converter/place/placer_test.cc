// SPDX-License-Identifier: Apache-2.0
// Rows are those of the list of TensorFlow's graph rules; "placer_test.cc" is TensorFlow's, whose
// cases are told here in our words.
#include "converter/place/placer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/place/fake_devices.h"

namespace linnet::converter {
namespace {

using testing::HasSubstr;

// TensorFlow graph row 55: the placer's two passes
// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestEmptyDeviceSet
TEST_F(PlacerTest, Row55NoDevices) {
  Parse("in = tf.TestInput()");
  EXPECT_EQ(Place(DeviceSet({})), "No devices are registered");
}

// TensorFlow graph row 55: the placer's two passes
// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestNoConstraints
TEST_F(PlacerTest, Row55TheFirstDeviceThatHasAKernel) {
  Parse("in = tf.TestInput() n1 = tf.TestRelu(in) n2 = tf.TestRelu(in:1)");
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("in"), "FakeCPU:0");
  EXPECT_EQ(On("n1"), "FakeGPU:0");
  EXPECT_EQ(On("n2"), "FakeGPU:0");
}

// TensorFlow graph row 55: the placer's two passes
// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestAssignedDevicePreserved
TEST_F(PlacerTest, Row55AnAssignedDeviceStays) {
  Parse("in = tf.TestInput() @\"/device:FakeCPU:0\"");
  graph_->set_assigned_device(graph_->FindNode("in"), "/job:a/replica:0/task:0/device:FakeCPU:1");
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("in"), "FakeCPU:1");
}

// TensorFlow graph row 56: colocation groups
// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestColocationGroup
TEST_F(PlacerTest, Row56GroupsShareADevice) {
  Parse("in = tf.TestInput() with = tf.TestRelu(in) without = tf.TestRelu(in)");
  Colocate("with", {"in"});
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("with"), "FakeCPU:0");
  EXPECT_EQ(On("without"), "FakeGPU:0");
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestInvalidMultipleColocationGroups
//
// TensorFlow graph row 56: colocation groups
TEST_F(PlacerTest, Row56NoDeviceForTheGroup) {
  Parse("in = tf.TestInput() c1 = tf.ReluCPU(in) c2 = tf.ReluGPU(in) foo = tf.TestRelu(in)");
  Colocate("c1", {"foo"});
  Colocate("c2", {"foo"});
  ASSERT_EQ(Place(), "") << "soft: one of them is not where it asks to be";
  EXPECT_EQ(On("c1"), "FakeCPU:0");
  EXPECT_EQ(On("c2"), "FakeGPU:0");
  EXPECT_EQ(On("foo"), "FakeCPU:0");
  options_.constraints.soft = false;
  EXPECT_THAT(Place(), HasSubstr("Cannot colocate nodes {{colocation_node c2}} and "
                                 "{{colocation_node c1}} because no device type supports both of "
                                 "those nodes and the other nodes colocated with them."));
}

// TensorFlow graph row 56: colocation groups
TEST_F(PlacerTest, Row56RequestsInAGroup) {
  const std::string text =
      "in = tf.TestInput() a = tf.TestRelu(in) @\"/device:FakeCPU:1\" "
      "b = tf.TestRelu(in) @\"/device:FakeGPU:1\" c = tf.TestRelu(in)";
  Parse(text);
  Colocate("b", {"a"});
  Colocate("c", {"a"});
  ASSERT_EQ(Place(), "") << "soft: neither type is insisted on";
  EXPECT_EQ(On("a"), On("b"));
  EXPECT_EQ(On("c"), On("b"));
  EXPECT_EQ(On("b"), "FakeGPU:0");
  ASSERT_EQ(placement_.not_as_asked.size(), 2u) << "number 1 went with the types";
  EXPECT_EQ(placement_.not_as_asked[0]->name(), "a");

  options_.constraints.soft = false;
  EXPECT_THAT(Place(), HasSubstr("Cannot colocate nodes {{colocation_node b}} and "
                                 "{{colocation_node a}}: Cannot merge devices with incompatible "
                                 "types: '/device:FakeGPU:1' and '/device:FakeCPU:1'"));
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestReferenceConnection
//
// TensorFlow graph row 57: edges that colocate
TEST_F(PlacerTest, Row57ReferenceEdgesUnite) {
  Parse(
      "in = tf.TestInput() v1 = tf.TestVariable() a1 = tf.TestAssign(v1, in) "
      "v2 = tf.TestVariable() a2 = tf.AssignCPU(v2, in) v3 = tf.VariableCPU() "
      "a3 = tf.TestAssign(v3, in)");
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("v1"), "FakeGPU:0");
  EXPECT_EQ(On("a1"), "FakeGPU:0");
  for (const char* name : {"v2", "a2", "v3", "a3"}) EXPECT_EQ(On(name), "FakeCPU:0") << name;
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestReferenceConnection, the pair of
// variable and assign that share no device
//
// TensorFlow graph row 57: edges that colocate
TEST_F(PlacerTest, Row57ReferenceEdgeBetweenDevices) {
  Parse("in = tf.TestInput() v = tf.VariableGPU() a = tf.AssignCPU(v, in)");
  EXPECT_THAT(Place(), HasSubstr("no device type supports both of those nodes"));
}

// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.TestReferenceConnectionMoreThanOneDevice and its like
//
// TensorFlow graph row 57: edges that colocate
TEST_F(PlacerTest, Row57TheSourcesDeviceWins) {
  Parse(
      "in = tf.TestInput() v = tf.TestVariable() @\"/device:FakeCPU:1\" "
      "a = tf.TestAssign(v, in) @\"/device:FakeGPU:0\"");
  options_.constraints.soft = false;
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("v"), "FakeCPU:1");
  EXPECT_EQ(On("a"), "FakeCPU:1");
}

// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.TestResourceHandlesOnDifferentDevicesFails
//
// TensorFlow graph row 57: edges that colocate
TEST_F(PlacerTest, Row57ResourcesOnTwoDevices) {
  Parse(
      "cpu = tf.TestHandle() @\"/device:FakeCPU:0\" gpu = tf.TestHandle() @\"/device:FakeGPU:0\" "
      "both = tf.TwoHandles(gpu, cpu)");
  EXPECT_THAT(Place(), HasSubstr("Cannot place the graph because a reference or resource edge "
                                 "connects colocation groups with incompatible resource devices: "
                                 "/device:FakeCPU:0 vs /device:FakeGPU:0"));
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestResourceMove
//
// TensorFlow graph row 57: edges that colocate
TEST_F(PlacerTest, Row57AResourcesDeviceIsTheLastToBeGivenUp) {
  Parse(
      "a = tf.TestHandle() @\"/device:FakeCPU:0\" r = tf.ReadHandleGPU(a) "
      "b = tf.TestHandle() @\"/device:FakeCPU:1\" s = tf.ReadHandle(b) @\"/device:FakeGPU:0\"");
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("a"), "FakeGPU:0") << "its reader runs nowhere else";
  EXPECT_EQ(On("r"), "FakeGPU:0");
  EXPECT_EQ(On("s"), "FakeCPU:1") << "its reader's request is soft";
  options_.constraints.soft = false;
  EXPECT_THAT(Place(), HasSubstr("{{colocation_node r}} was colocated with a group of nodes that "
                                 "required incompatible device '/device:FakeCPU:0'"));
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestMultipleColocationGroups
//
// TensorFlow graph row 58: `_class` with `loc:@`
TEST_F(PlacerTest, Row58SeveralEntries) {
  Parse(
      "in = tf.TestInput() c = tf.ReluCPU(in) a = tf.TestRelu(in) b = tf.TestRelu(in) "
      "d = tf.TestRelu(in)");
  Colocate("a", {"c", "b"});
  ASSERT_EQ(Place(), "");
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(On(name), "FakeCPU:0") << name;
  EXPECT_EQ(On("d"), "FakeGPU:0");
}

// TensorFlow graph row 58: `_class` with `loc:@`
TEST_F(PlacerTest, Row58GroupsOfNodesThatAreGone) {
  Parse("in = tf.TestInput() a = tf.ReluCPU(in) b = tf.TestRelu(in)");
  Colocate("a", {"pruned"});
  Colocate("b", {"pruned"});
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("b"), "FakeCPU:0");
}

// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.TestHeuristicGeneratorFollowsSingleConsumer
//
// TensorFlow graph row 59: generators go with what reads them
TEST_F(PlacerTest, Row59GeneratorsFollowTheirReaders) {
  Parse(
      "one = tf.Generator() a = tf.ReluCPU(one) many = tf.Generator() b = tf.ReluCPU(many) "
      "c = tf.ReluCPU(many) torn = tf.Generator() d = tf.ReluCPU(torn) e = tf.ReluGPU(torn)");
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("one"), "FakeCPU:0");
  EXPECT_EQ(On("many"), "FakeCPU:0") << "outputs are counted, not readers";
  EXPECT_EQ(On("torn"), "FakeGPU:0") << "readers on two devices: no rule";
}

// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.TestIgnoreGeneratorHeuristicIfWrongDevice
//
// TensorFlow graph row 59: generators go with what reads them
TEST_F(PlacerTest, Row59OnlyWhereTheyAreAllowed) {
  Parse(
      "g = tf.GeneratorCPU() a = tf.ReluGPU(g) h = tf.Generator() @\"/device:FakeCPU:1\" "
      "b = tf.ReluGPU(h)");
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("g"), "FakeCPU:0");
  EXPECT_EQ(On("h"), "FakeCPU:1");
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestMetadataColocatedWithInput
//
// TensorFlow graph row 60: metadata ops go with their input
TEST_F(PlacerTest, Row60MetadataIsWhereItsInputIs) {
  Parse(
      "in = tf.TestInput() c = tf.ReluCPU(in) shape = tf.Shape(c) size = tf.Size(c) "
      "rank = tf.Rank(c) g = tf.ReluGPU(in) far = tf.Shape(g) "
      "told = tf.Shape(c) @\"/device:FakeGPU:1\"");
  ASSERT_EQ(Place(), "");
  for (const char* name : {"shape", "size", "rank"}) EXPECT_EQ(On(name), "FakeCPU:0") << name;
  EXPECT_EQ(On("far"), "FakeGPU:0");
  EXPECT_EQ(On("told"), "FakeGPU:1");
}

// TensorFlow graph row 61: explicit devices, soft placement
// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestPartialSpec
TEST_F(PlacerTest, Row61PartOfAName) {
  Parse(
      "in = tf.TestInput() @\"/job:a\" a = tf.TestRelu(in) @\"/job:a/task:0\" "
      "b = tf.TestRelu(in) @\"/device:FakeCPU:*\" c = tf.TestRelu(in) @\"/device:*:1\"");
  options_.constraints.soft = false;
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("in"), "FakeCPU:0");
  EXPECT_EQ(On("a"), "FakeGPU:0");
  EXPECT_EQ(On("b"), "FakeCPU:0");
  EXPECT_EQ(On("c"), "FakeGPU:1");
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestNonexistentGpuAllowSoftPlacement,
// ...NoAllowSoftPlacement
//
// TensorFlow graph row 61: explicit devices, soft placement
TEST_F(PlacerTest, Row61NoSuchNumber) {
  Parse("in = tf.TestInput() a = tf.TestRelu(in) @\"/device:FakeCPU:11\"");
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("a"), "FakeCPU:0") << "the same type before the preferred one";
  EXPECT_EQ(Row("a").reason, "asked for /device:FakeCPU:11 (not possible)");
  ASSERT_EQ(placement_.not_as_asked.size(), 1u);
  options_.constraints.soft = false;
  EXPECT_THAT(Place(),
              HasSubstr("{{node a}} was explicitly assigned to /device:FakeCPU:11 but "
                        "available devices are [ /job:a/replica:0/task:0/device:FakeGPU:0, "));
}

// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.TestUnsupportedDeviceAllowSoftPlacement, ...NoAllowSoftPlacement
//
// TensorFlow graph row 61: explicit devices, soft placement
TEST_F(PlacerTest, Row61NoKernelThere) {
  Parse("in = tf.TestInput() a = tf.ReluGPU(in) @\"/device:FakeCPU:0\"");
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("a"), "FakeGPU:0");
  options_.constraints.soft = false;
  EXPECT_THAT(Place(),
              HasSubstr("Could not satisfy explicit device specification '/device:FakeCPU:0' "
                        "because no supported kernel for FakeCPU devices is available."));
}

// TensorFlow graph row 61: explicit devices, soft placement
// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestUnknownDevice
TEST_F(PlacerTest, Row61UnknownMachine) {
  Parse("in = tf.TestInput() @\"/job:foo/replica:17\"");
  EXPECT_THAT(Place(), HasSubstr("was explicitly assigned to /job:foo/replica:17 but available"))
      << "soft placement finds another device, no other machine";
  options_.constraints.ignore_machines = true;
  EXPECT_EQ(Place(), "");
}

// TensorFlow graph row 61: explicit devices, soft placement
// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestMalformedDeviceSpecification
TEST_F(PlacerTest, Row61MalformedNames) {
  Parse("in = tf.TestInput() @\"/foo:bar\" a = tf.TestRelu(in) @\"/device\"");
  const std::string message = Place();
  EXPECT_THAT(message, HasSubstr("TestInput 'in': Malformed device specification '/foo:bar'"));
  EXPECT_THAT(message, HasSubstr("'/device'")) << "every problem at once";
}

// TensorFlow graph row 62: priority of devices
TEST_F(PlacerTest, Row62Order) {
  std::vector<std::string> names;
  const DeviceSet devices = FakeDevices();
  for (const Device& device : devices.all()) names.push_back(ToString(device.name));
  const std::string machine = "/job:a/replica:0/task:0/device:";
  EXPECT_THAT(names, testing::ElementsAre(machine + "FakeGPU:0", machine + "FakeGPU:1",
                                          machine + "FakeCPU:0", machine + "FakeCPU:1"));
}

// TensorFlow graph row 63: ops without a kernel
// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestNoKernelsRegistered
TEST_F(PlacerTest, Row63NoKernels) {
  Parse("var = tf.VariableNoKernels()");
  const std::string message = Place();
  EXPECT_THAT(message, HasSubstr("No OpKernel was registered to support Op 'VariableNoKernels' "
                                 "used by {{node var}}"));
  EXPECT_THAT(message, HasSubstr("<no registered kernels>"));
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestNoDevicesRegistered
//
// TensorFlow graph row 63: ops without a kernel
TEST_F(PlacerTest, Row63KernelWithoutDevice) {
  Parse("var = tf.VariableGPU()");
  const std::string message = Place(DeviceSet({FakeDevice("FakeCPU", 0, 10, {"VariableGPU"})}));
  EXPECT_THAT(message, HasSubstr("No OpKernel was registered to support Op 'VariableGPU'"));
  EXPECT_THAT(message, HasSubstr("[FakeCPU]"));
}

// TensorFlow graph row 64: what must be in host memory
TEST_F(PlacerTest, Row64StringsStayOnTheHost) {
  Parse("s = tf.TestString() @\"/device:FakeGPU:0\" f = tf.TestInput()");
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("s"), "FakeCPU:0");
  EXPECT_THAT(Row("s").reason, HasSubstr("runs on the host only"));
}

// TensorFlow graph row 64: what must be in host memory
TEST_F(PlacerTest, Row64SomeTypesLieInHostMemory) {
  Device gpu = FakeDevice("FakeGPU", 0, 20, {});
  gpu.host_dtypes = {DType::kInt32};
  const DeviceSet devices({gpu, FakeDevice("FakeCPU", 0, 10, {})});
  EXPECT_EQ(MemoryOf(devices, 0, DType::kFloat32), 0);
  EXPECT_EQ(MemoryOf(devices, 0, DType::kInt32), 1);
  EXPECT_EQ(MemoryOf(devices, 1, DType::kInt32), 1);
}

TEST_F(PlacerTest, FixedDevicesComeBeforeRequestedOnes) {
  Parse("in = tf.TestInput() a = tf.TestRelu(in) @\"/device:FakeCPU:0\"");
  options_.constraints.fixed[graph_->FindNode("a")->id()] = *ParseDeviceName("/device:FakeGPU:1");
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("a"), "FakeGPU:1");
  EXPECT_TRUE(placement_.not_as_asked.empty());
  options_.constraints.fixed[graph_->FindNode("a")->id()] = *ParseDeviceName("/device:FakeGPU:7");
  EXPECT_THAT(Place(), HasSubstr("was explicitly assigned to /device:FakeGPU:7"))
      << "although placement is soft";
}

TEST_F(PlacerTest, ACycleIsAnError) {
  Parse("a = tf.TestRelu(b) b = tf.TestRelu(a)");
  EXPECT_EQ(Place(), "the graph has a cycle");
}

}  // namespace
}  // namespace linnet::converter
