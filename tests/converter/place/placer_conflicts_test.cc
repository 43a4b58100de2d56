// SPDX-License-Identifier: Apache-2.0
// Cases of TensorFlow's placer_test.cc where devices, references and groups ask for what does not
// go together, and what its heuristics do at the border of two devices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/place/placer.h"
#include "fmt/format.h"
#include "tests/converter/place/fake_devices.h"

namespace linnet::converter {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr char kFullCpu[] = "/job:a/replica:0/task:0/device:FakeCPU:0";
constexpr char kFullGpu[] = "/job:a/replica:0/task:0/device:FakeGPU:0";

class PlacerConflictsTest : public PlacerTest {
 protected:
  // Hard placement: a requested device that does not fit is an error.
  std::string PlaceHard() {
    options_.constraints.soft = false;
    return Place();
  }
  void Assign(const std::string& node, const std::string& device) {
    graph_->set_assigned_device(graph_->FindNode(node), device);
  }
};

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestUnknownAssignedDevice
// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestNonUniqueAssignedDevice
// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestMalformedAssignedDevice
// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestAssignedGpuDeviceToCpuDevice
TEST_F(PlacerConflictsTest, AssignedDevicesAreOneThatCanRunTheNode) {
  const struct {
    const char *device, *error;
  } kCases[] = {
      {"/job:foo", "Assigned device '/job:foo' does not match any device"},
      {"/job:a", "Assigned device '/job:a' does not match any device"},
      {"/foo:bar", "Malformed assigned device '/foo:bar'"},
      {kFullGpu,
       "Assigned device '/job:a/replica:0/task:0/device:FakeGPU:0' does not have registered "
       "OpKernel support for TestInput"},
  };
  for (const auto& [device, error] : kCases) {
    Parse("in = tf.TestInput()");
    Assign("in", device);
    const DeviceSet devices = FakeDevices();
    const auto constraints = Constraints::Of(*graph_, devices, {});
    EXPECT_EQ(constraints.status().code(), absl::StatusCode::kInternal) << device;
    EXPECT_THAT(Place(), HasSubstr(error));
  }
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestUnknownMergedDevice
// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestNonExistentDevice
TEST_F(PlacerConflictsTest, UnknownMachines) {
  Parse("in = tf.TestInput() @\"/job:foo\"");
  EXPECT_THAT(Place(), HasSubstr("{{node in}} was explicitly assigned to /job:foo but available"));
  Parse("var = tf.VariableGPU() @\"/job:foo/replica:17\"");
  EXPECT_THAT(PlaceHard(), HasSubstr("was explicitly assigned to /job:foo/replica:17 but available "
                                     "devices are [ "));
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestPartialSpecGpuToCpu
TEST_F(PlacerConflictsTest, AnotherTypeWhereThereIsNoKernel) {
  Parse(
      "in = tf.TestInput() @\"/device:FakeGPU:0\" var = tf.TestVariable() @\"/device:FakeGPU:0\"");
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("in"), "FakeCPU:0");
  EXPECT_EQ(On("var"), "FakeGPU:0");
}

// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.TestNoKernelsRegisteredWithRequestedDeviceLocal
TEST_F(PlacerConflictsTest, ARequestedDeviceNeedsAKernel) {
  Parse("var = tf.VariableNoKernels() @\"/job:a/replica:0/task:0/device:FakeGPU:0\"");
  EXPECT_THAT(PlaceHard(),
              AllOf(HasSubstr("No OpKernel was registered to support Op 'VariableNoKernels' used "
                              "by {{node var}}"),
                    HasSubstr("<no registered kernels>")));
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestDeviceTypeConstraints
TEST_F(PlacerConflictsTest, ReferencesWithinEachType) {
  Parse(
      "in = tf.TestInput() vc = tf.VariableCPU() ac = tf.AssignCPU(vc, in) vg = tf.VariableGPU() "
      "ag = tf.AssignGPU(vg, in)");
  ASSERT_EQ(Place(), "");
  for (const char* name : {"in", "vc", "ac"}) EXPECT_EQ(On(name), "FakeCPU:0") << name;
  for (const char* name : {"vg", "ag"}) EXPECT_EQ(On(name), "FakeGPU:0") << name;
}

// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.TestDeviceTypeConstraintsAllowSoftPlacement
TEST_F(PlacerConflictsTest, ReadersOfReferencesGoWithThem) {
  Parse(
      "vg = tf.VariableGPU() rg = tf.ReadVariable(vg) @\"/device:FakeCPU:0\" "
      "vc = tf.VariableCPU() rc = tf.ReadVariable(vc) @\"/device:FakeGPU:0\"");
  ASSERT_EQ(Place(), "");
  for (const char* name : {"vg", "rg"}) EXPECT_EQ(On(name), "FakeGPU:0") << name;
  for (const char* name : {"vc", "rc"}) EXPECT_EQ(On(name), "FakeCPU:0") << name;
}

// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.TestUnsatisfiableConstraintWithReferenceConnections
TEST_F(PlacerConflictsTest, ReferencesBetweenTypes) {
  Parse("var = tf.VariableGPU() in = tf.TestInput() assign = tf.AssignCPU(var, in)");
  EXPECT_THAT(Place(), HasSubstr("Cannot colocate nodes {{colocation_node var}} and "
                                 "{{colocation_node assign}}"));
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestReferenceConnectionIgnoreInfeasible
TEST_F(PlacerConflictsTest, TheVariablesDeviceCounts) {
  Parse(
      "in = tf.GeneratorGPU() @\"/job:a/task:0/device:FakeGPU:0\" "
      "var = tf.TestVariable() @\"/job:a/task:0/device:FakeGPU:0\" "
      "assign = tf.TestAssign(var, in) @\"/job:a/task:0/device:FakeCPU:0\"");
  ASSERT_EQ(PlaceHard(), "");
  EXPECT_EQ(On("var"), "FakeGPU:0");
  EXPECT_EQ(On("assign"), "FakeGPU:0");
}

// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.TestReferenceConnectionMoreSpecificDestinationSourceWins
// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestReferenceConnectionNoSourceDevice
TEST_F(PlacerConflictsTest, AReaderMayCompleteTheVariablesDevice) {
  for (const char* machine : {"/job:a/task:0", ""}) {
    Parse(
        fmt::format("in = tf.Generator() @\"/job:a/task:0\" var = tf.TestVariable() @\"{}\" "
                    "assign = tf.TestAssign(var, in) @\"/job:a/task:0/device:FakeCPU:0\"",
                    machine));
    ASSERT_EQ(PlaceHard(), "");
    EXPECT_EQ(On("var"), "FakeCPU:0");
    EXPECT_EQ(On("assign"), "FakeCPU:0");
  }
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestResourceHandle
TEST_F(PlacerConflictsTest, ResourcesAndTheirUsers) {
  const struct {
    const char *variable, *use, *device;  // null: impossible
  } kCases[] = {{"TestHandle", "TestHandleAssign", "FakeGPU:0"},
                {"TestHandle", "HandleAssignCPU", "FakeCPU:0"},
                {"TestHandle", "HandleAssignGPU", "FakeGPU:0"},
                {"HandleCPU", "TestHandleAssign", "FakeCPU:0"},
                {"HandleCPU", "HandleAssignCPU", "FakeCPU:0"},
                {"HandleGPU", "HandleAssignGPU", "FakeGPU:0"},
                {"HandleGPU", "TestHandleAssign", "FakeGPU:0"},
                {"HandleGPU", "HandleAssignCPU", nullptr},
                {"HandleCPU", "HandleAssignGPU", nullptr}};
  for (const auto& [variable, use, device] : kCases) {
    Parse(fmt::format("in = tf.TestInput() var = tf.{}() use = tf.{}(var, in)", variable, use));
    if (device == nullptr) {
      EXPECT_THAT(Place(), HasSubstr("no device type supports both of those nodes"));
      continue;
    }
    ASSERT_EQ(Place(), "") << variable << " " << use;
    EXPECT_EQ(On("var"), device) << variable << " " << use;
    EXPECT_EQ(On("use"), device) << variable << " " << use;
  }
}

// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.TestResourceHandlesOnDifferentDevicesFails, all four of it
TEST_F(PlacerConflictsTest, TwoResourcesOnTwoDevices) {
  for (const bool soft : {false, true}) {
    for (const bool assigned : {false, true}) {
      Parse("cpu = tf.TestHandle() gpu = tf.TestHandle() both = tf.TwoHandles(cpu, gpu)");
      for (const auto& [name, device] : {std::pair("cpu", kFullCpu), std::pair("gpu", kFullGpu)}) {
        if (assigned)
          Assign(name, device);
        else
          graph_->FindNode(name)->set_requested_device(device);
      }
      options_.constraints.soft = soft;
      EXPECT_THAT(Place(), HasSubstr(fmt::format(
                               "Cannot place the graph because a reference or resource edge "
                               "connects colocation groups with incompatible {} devices: {} vs {}",
                               assigned ? "assigned" : "resource", kFullGpu, kFullCpu)));
    }
  }
}

// tensorflow/core/common_runtime/placer_test.cc:
// SoftPlacementPlacerTest.TestInvalidMultipleColocationGroups
TEST_F(PlacerConflictsTest, GroupsWithoutADevice) {
  Parse("in = tf.TestInput() colocated_1 = tf.ReluCPU(in) foo = tf.ReluGPU(in)");
  Colocate("colocated_1", {"in"});
  Colocate("foo", {"in", "colocated_1"});
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("in"), "FakeCPU:0");
  EXPECT_EQ(On("colocated_1"), "FakeCPU:0");
  EXPECT_EQ(On("foo"), "FakeGPU:0");
  EXPECT_THAT(PlaceHard(), HasSubstr("Cannot colocate nodes {{colocation_node foo}} and "
                                     "{{colocation_node in}} because no device type supports both "
                                     "of those nodes and the other nodes colocated with them"));
}

// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.TestColocationGroupWithReferenceConnections
// tensorflow/core/common_runtime/placer_test.cc:
// SoftPlacementPlacerTest.TestColocationGroupWithUnsatisfiableReferenceConnections
TEST_F(PlacerConflictsTest, GroupsAcrossReferences) {
  const std::string two =
      "in = tf.TestInput() var1 = tf.VariableCPU() var2 = tf.VariableCPU() "
      "assign1 = tf.TestAssign(var1, in) assign2 = tf.TestAssign(var2, in) ";
  Parse(two);
  Colocate("assign1", {"var1"});
  Colocate("assign2", {"var2"});
  ASSERT_EQ(Place(), "");
  for (const char* name : {"in", "var1", "var2", "assign1", "assign2"})
    EXPECT_EQ(On(name), "FakeCPU:0") << name;

  Parse(two + "var3 = tf.VariableGPU() assign3 = tf.TestAssign(var3, in)");
  Colocate("assign1", {"var1"});
  Colocate("assign2", {"var2"});
  Colocate("assign3", {"var2"});
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("assign2"), "FakeCPU:0");
  EXPECT_EQ(On("assign3"), "FakeGPU:0") << "the reference holds, the group does not";
  EXPECT_THAT(PlaceHard(), HasSubstr("Cannot colocate nodes {{colocation_node assign3}} and "
                                     "{{colocation_node var2}} because no device type"));
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestColocationAndReferenceConnections
TEST_F(PlacerConflictsTest, ManyGroupsAndReferences) {
  std::string text = "in = tf.TestInput() ";
  for (int i = 0; i < 100; ++i)
    text += fmt::format("var_{0} = tf.TestVariable() assign_{0} = tf.TestAssign(var_{0}, in) ", i);
  Parse(text);
  for (int i = 10; i < 100; ++i) {
    Colocate(fmt::format("var_{}", i), {fmt::format("var_{}", i % 6)});
    Colocate(fmt::format("assign_{}", i), {fmt::format("assign_{}", i % 3)});
  }
  ASSERT_EQ(PlaceHard(), "");
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(On(fmt::format("var_{}", i)), On(fmt::format("assign_{}", i))) << i;
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestHeterogeneousDeviceSetFailure
TEST_F(PlacerConflictsTest, EachMachineHasOtherDevices) {
  Parse(
      "in = tf.TestInput() var = tf.VariableGPU() "
      "assign = tf.TestAssign(var, in) @\"/job:b/task:1\"");
  Device gpu = FakeDevice("FakeGPU", 0, 20, {"TestInput"});
  gpu.name.job = "b";
  Device cpu = FakeDevice("FakeCPU", 0, 10, {"VariableGPU"});
  cpu.name.job = "b";
  cpu.name.task = 1;
  EXPECT_THAT(Place(DeviceSet({gpu, cpu})),
              AllOf(HasSubstr("Could not satisfy explicit device specification '' because the node "
                              "{{colocation_node var}} was colocated with a group of nodes that "
                              "required incompatible device '/job:b/task:1'"),
                    HasSubstr("VariableGPU: FakeGPU"), HasSubstr("TestAssign: FakeGPU FakeCPU")));
}

// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.AssignedDeviceOfColocatedNodeIsRespected
TEST_F(PlacerConflictsTest, AssignedDevicesAreNotGivenUp) {
  Parse("a = tf.TestHandle() iter = tf.ReadHandleGPU(a)");
  Assign("a", kFullCpu);
  EXPECT_THAT(
      Place(),
      HasSubstr("{{colocation_node iter}} was colocated with a group of nodes that required "
                "incompatible device '/job:a/replica:0/task:0/device:FakeCPU:0'"));
}

// tensorflow/core/common_runtime/placer_test.cc:
// SoftPlacementPlacerTest.RequestedDeviceOnResourceGeneratorIsTreatedAsAssigned
TEST_F(PlacerConflictsTest, GroupsAcrossResourcesOfTwoDevices) {
  Parse(
      "a = tf.TestHandle() @\"/device:FakeGPU:0\" b = tf.TestHandle() @\"/device:FakeCPU:0\" "
      "id1 = tf.PassHandle(a) id2 = tf.PassHandle(b)");
  Colocate("id1", {"id2"});
  ASSERT_EQ(Place(), "");
  for (const char* name : {"a", "id1"}) EXPECT_EQ(On(name), "FakeGPU:0") << name;
  for (const char* name : {"b", "id2"}) EXPECT_EQ(On(name), "FakeCPU:0") << name;
  EXPECT_THAT(PlaceHard(), HasSubstr("Cannot colocate nodes {{colocation_node id2}} and "
                                     "{{colocation_node id1}}: Cannot merge devices with "
                                     "incompatible types: '/device:FakeCPU:0' and "
                                     "'/device:FakeGPU:0'"));
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.RequestedDeviceCanBeOverridden
TEST_F(PlacerConflictsTest, RequestsBehindResourcesAreGivenUp) {
  Parse(
      "a = tf.TestHandle() b = tf.TestHandle() id_a = tf.PassHandle(a) @\"/device:FakeGPU:0\" "
      "id_b = tf.PassHandle(b) @\"/device:FakeCPU:0\" id1 = tf.PassHandle(id_a) "
      "id2 = tf.PassHandle(id_b)");
  Colocate("id1", {"id2"});
  ASSERT_EQ(Place(), "");
  for (const char* name : {"b", "id_a", "id_b", "id1", "id2"}) EXPECT_EQ(On(name), On("a")) << name;
}

// tensorflow/core/common_runtime/placer_test.cc:
// SoftPlacementPlacerTest.AssignedDevicesAreNotOverriddenDueToResourcesAndColocation
TEST_F(PlacerConflictsTest, GroupsAcrossAssignedDevices) {
  Parse(
      "a = tf.TestHandle() b = tf.TestHandle() id_a = tf.PassHandle(a) id_b = tf.PassHandle(b) "
      "id1 = tf.PassHandle(id_a) id2 = tf.PassHandle(id_b)");
  Colocate("id1", {"id2"});
  Assign("id_a", kFullGpu);
  Assign("id_b", kFullCpu);
  ASSERT_EQ(Place(), "");
  for (const char* name : {"a", "id_a", "id1"}) EXPECT_EQ(On(name), "FakeGPU:0") << name;
  for (const char* name : {"b", "id_b", "id2"}) EXPECT_EQ(On(name), "FakeCPU:0") << name;
  EXPECT_THAT(PlaceHard(),
              HasSubstr(fmt::format("Cannot colocate nodes {{{{colocation_node id2}}}} and "
                                    "{{{{colocation_node id1}}}}: Cannot merge devices with "
                                    "incompatible types: '{}' and '{}'",
                                    kFullCpu, kFullGpu)));
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestGeneratorNodeFollowsConsumerNode
TEST_F(PlacerConflictsTest, GeneratorsFollowReadersThatReferencesBind) {
  Parse(
      "v1 = tf.VariableCPU() v2 = tf.VariableCPU() in = tf.Generator() a1 = tf.TestAssign(v1, in) "
      "a2 = tf.TestAssign(v2, in)");
  ASSERT_EQ(Place(), "");
  for (const char* name : {"v1", "v2", "in", "a1", "a2"}) EXPECT_EQ(On(name), "FakeCPU:0") << name;
}

// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.TestGeneratorNodeDoesntFollowNonColocatedConsumers
TEST_F(PlacerConflictsTest, GeneratorsBetweenTwoReadersGoTheirOwnWay) {
  Parse(
      "v1 = tf.VariableCPU() v2 = tf.VariableCPU() in = tf.Generator() a1 = tf.TestAssign(v1, in) "
      "a2 = tf.TestAssign(v2, in)");
  Assign("v1", "/job:a/replica:0/task:0/device:FakeCPU:0");
  Assign("v2", "/job:a/replica:0/task:0/device:FakeCPU:1");
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("a1"), "FakeCPU:0");
  EXPECT_EQ(On("a2"), "FakeCPU:1");
  EXPECT_EQ(On("in"), "FakeGPU:0");
}

// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.TestIgnoreGeneratorHeuristicIfWrongDevice
// tensorflow/core/common_runtime/placer_test.cc:
// PlacerTest.TestIgnoreGeneratorHeuristicIfWrongPartialDevice
TEST_F(PlacerConflictsTest, GeneratorsStayWhereTheyMust) {
  Parse(
      "v1 = tf.VariableCPU() gpu = tf.GeneratorGPU() a1 = tf.TestAssign(v1, gpu) "
      "v2 = tf.VariableCPU() one = tf.Generator() @\"/device:FakeCPU:1\" "
      "a2 = tf.TestAssign(v2, one)");
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("gpu"), "FakeGPU:0");
  EXPECT_EQ(On("one"), "FakeCPU:1");
  for (const char* name : {"v1", "a1", "v2", "a2"}) EXPECT_EQ(On(name), "FakeCPU:0") << name;
}

// tensorflow/core/common_runtime/placer_test.cc: PlacerTest.TestMetadataColocatedWithInput, of a
// reference, and where the input itself goes with others
TEST_F(PlacerConflictsTest, MetadataAtABorder) {
  Parse(
      "var = tf.VariableCPU() shape = tf.Shape(var) in = tf.TestInput() far = tf.TestRelu(in) "
      "with_far = tf.Shape(far) bound = tf.TestRelu(in) with_bound = tf.Rank(bound) "
      "fed = tf.Size(with_bound)");
  Colocate("bound", {"in"});
  ASSERT_EQ(Place(), "");
  EXPECT_EQ(On("shape"), "FakeCPU:0");
  EXPECT_EQ(On("with_far"), "FakeGPU:0");
  EXPECT_EQ(On("with_bound"), "FakeCPU:0");
  EXPECT_EQ(On("fed"), "FakeCPU:0");
}

}  // namespace
}  // namespace linnet::converter
