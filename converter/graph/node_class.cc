// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/node_class.h"

#include <unordered_map>

namespace linnet::converter {

NodeClass NodeClassOf(std::string_view op) {
  using enum NodeClass;
  static const auto* const kClasses = new std::unordered_map<std::string_view, NodeClass>{
      {"Const", kConstant},
      {"HostConst", kConstant},
      {"_Arg", kArg},
      {"_DeviceArg", kArg},
      {"_Retval", kRetval},
      {"_DeviceRetval", kRetval},
      {"Placeholder", kPlaceholder},
      {"PlaceholderV2", kPlaceholder},
      {"PlaceholderWithDefault", kPlaceholder},
      {"Variable", kVariable},
      {"VariableV2", kVariable},
      {"Identity", kIdentity},
      {"RefIdentity", kIdentity},
      {"Size", kMetadata},
      {"Shape", kMetadata},
      {"Rank", kMetadata},
      {"Switch", kSwitch},
      {"RefSwitch", kSwitch},
      {"_SwitchN", kSwitch},
      {"Merge", kMerge},
      {"RefMerge", kMerge},
      {"_XlaMerge", kMerge},
      {"Enter", kEnter},
      {"RefEnter", kEnter},
      {"Exit", kExit},
      {"RefExit", kExit},
      {"NextIteration", kNextIteration},
      {"RefNextIteration", kNextIteration},
      {"LoopCond", kLoopCond},
      {"ControlTrigger", kControlTrigger},
      {"_Send", kSend},
      {"_HostSend", kSend},
      {"_Recv", kRecv},
      {"_HostRecv", kRecv},
      {"PartitionedCall", kPartitionedCall},
      {"StatefulPartitionedCall", kPartitionedCall},
      {"If", kTfIf},
      {"StatelessIf", kTfIf},
      {"While", kTfWhile},
      {"StatelessWhile", kTfWhile},
      {"Case", kCase},
      {"StatelessCase", kCase},
      {"SymbolicGradient", kSymbolicGradient},
      {"FakeParam", kFakeParam},
      {"NoOp", kNoOp},
  };
  const auto it = kClasses->find(op);
  return it == kClasses->end() ? kOther : it->second;
}

}  // namespace linnet::converter
