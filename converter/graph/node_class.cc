// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/node_class.h"

#include <unordered_map>
#include <utility>
#include <vector>

namespace linnet::converter {

NodeClass NodeClassOf(std::string_view op) {
  using enum NodeClass;
  static const auto* const kClasses = [] {
    const std::pair<NodeClass, std::vector<std::string_view>> rows[] = {
        {kConstant, {"Const", "HostConst"}},
        {kArg, {"_Arg", "_DeviceArg"}},
        {kRetval, {"_Retval", "_DeviceRetval"}},
        {kPlaceholder, {"Placeholder", "PlaceholderV2", "PlaceholderWithDefault"}},
        {kVariable, {"Variable", "VariableV2"}},
        {kIdentity, {"Identity", "RefIdentity"}},
        {kMetadata, {"Size", "Shape", "Rank"}},
        {kSwitch, {"Switch", "RefSwitch", "_SwitchN"}},
        {kMerge, {"Merge", "RefMerge", "_XlaMerge"}},
        {kEnter, {"Enter", "RefEnter"}},
        {kExit, {"Exit", "RefExit"}},
        {kNextIteration, {"NextIteration", "RefNextIteration"}},
        {kLoopCond, {"LoopCond"}},
        {kControlTrigger, {"ControlTrigger"}},
        {kSend, {"_Send", "_HostSend"}},
        {kRecv, {"_Recv", "_HostRecv"}},
        {kPartitionedCall, {"PartitionedCall", "StatefulPartitionedCall"}},
        {kTfIf, {"If", "StatelessIf"}},
        {kTfWhile, {"While", "StatelessWhile"}},
        {kCase, {"Case", "StatelessCase"}},
        {kSymbolicGradient, {"SymbolicGradient"}},
        {kFakeParam, {"FakeParam"}},
        {kNoOp, {"NoOp"}},
    };
    auto* const classes = new std::unordered_map<std::string_view, NodeClass>;
    for (const auto& [node_class, ops] : rows)
      for (const std::string_view op : ops) classes->emplace(op, node_class);
    return classes;
  }();
  const auto it = kClasses->find(op);
  return it == kClasses->end() ? kOther : it->second;
}

}  // namespace linnet::converter
