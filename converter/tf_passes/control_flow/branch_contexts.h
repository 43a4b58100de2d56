// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "converter/graph/problems.h"
#include "converter/tf_passes/control_flow/control_flow_frames.h"

namespace linnet::converter {

// A conditional: everything that one predicate decides, inside of one branch or of none.
struct Fork {
  int base = 0;                // context around it
  Output predicate;            // as it was when the frame was looked at: for names only
  int depth = 0;               // forks around it
  const Node* gate = nullptr;  // one of its Switches
};

// When each node of a frame runs: always (context 0), or in one branch of a fork, which may itself
// lie in a branch. As with frames, a node is in the innermost context that it reads from, since
// control edges that tie a constant to its branch may be missing.
class BranchContexts {
 public:
  // Problems: values of different branches that meet in another node than a Merge; a Merge whose
  // inputs are not the two branches of one fork; branches nested too deep.
  BranchContexts(const Frames& frames, int frame, const std::vector<Node*>& order,
                 Problems* problems);

  const std::vector<Fork>& forks() const { return forks_; }
  const Fork& fork(int index) const { return forks_[static_cast<size_t>(index)]; }
  // The context of a node; of a Switch its own, not that of its outputs.
  int Of(const Node* node) const;
  void Set(const Node* node, int context);
  static int ForkOf(int context) { return (context - 1) / 2; }  // REQUIRES: context != 0
  static int ContextOf(int fork, int branch) { return 1 + 2 * fork + branch; }
  static int BranchOf(int context) { return (context - 1) % 2; }  // 1 = predicate is true
  // The fork that a conditional's Switch or Merge belongs to; -1 for any other node.
  int ForkAt(const Node* node) const;
  // Which of a Merge's inputs comes from the branch. REQUIRES: ForkAt(merge) >= 0.
  int SlotOf(const Node* merge, int branch) const;
  bool IsWithin(int context, int outer) const;  // inside of it, or it
  int DepthOf(int context) const { return context == 0 ? 0 : fork(ForkOf(context)).depth + 1; }

 private:
  int OfOutput(const Edge& edge) const;
  // The value before any Identity or Switch passed it on: Switches of the same one are one fork.
  Output Origin(Output value) const;
  int Join(const Node& node, Problems* problems) const;
  void EnterSwitch(const Node& node, Problems* problems);
  int LeaveMerge(const Node& node, Problems* problems);
  std::string Text(int context) const;

  const Frames& frames_;
  const int frame_;
  std::vector<Fork> forks_;
  std::map<std::tuple<int, int, int>, int> fork_index_;  // by base and predicate
  std::map<int, int> of_;                                // by node id; others are in context 0
  std::map<int, Output> origins_;                        // by node id: Identity, Switch
  std::map<int, std::pair<int, int>> at_;                // by node id: fork, SlotOf(1)
};

// Is it a Switch or a Merge of a loop, not of a conditional?
bool IsLoopPart(const Node& node);

}  // namespace linnet::converter
