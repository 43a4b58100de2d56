// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "converter/graph/graph.h"
#include "converter/graph/problems.h"

namespace linnet::converter {

// Deeper loops and conditionals than anybody writes: what walks up a nest stays cheap.
inline constexpr int kMaxControlFlowDepth = 64;
// More problems of one kind are not listed.
inline constexpr size_t kEnoughProblems = 20;
// The remedy for control flow that cannot be raised.
inline constexpr char kExportAsV2[] = "export the model with tf.compat.v1.enable_control_flow_v2()";

// A loop of TensorFlow 1: what lies between its Enters and its Exits, those included.
struct Frame {
  std::string name;
  int parent = 0;
  std::vector<Node*> nodes;  // in this frame and in none inside of it; producers first
};

// Which node is in which loop. Frame 0 is outside of all loops.
//
// A node is in the innermost frame that it reads from. TensorFlow wants all inputs to be of one
// frame; here values of outer frames are accepted too: constants in a body lose the control edge
// that put them there when a model goes through tfjs, and are the same in every iteration anyway.
class Frames {
 public:
  // Problems: "Enter node 'x' must have a frame name", inputs from different frames, an Exit or
  // NextIteration outside of all frames, loops nested too deep.
  Frames(const Graph& graph, Problems* problems);

  int num_frames() const { return static_cast<int>(frames_.size()); }
  const Frame& operator[](int frame) const { return frames_[static_cast<size_t>(frame)]; }
  // 0 for nodes that are neither of the graph as it was nor added since.
  int Of(const Node* node) const {
    const auto id = static_cast<size_t>(node->id());
    return id < of_.size() ? of_[id] : 0;
  }
  bool IsIn(const Node* node, int frame) const { return node->IsOp() && Of(node) == frame; }
  int Depth(int frame) const;
  // Takes in a new node.
  void Add(Node* node, int frame);
  // Replaces the list of nodes, once some have been removed from the graph.
  void SetNodes(int frame, std::vector<Node*> nodes) {
    frames_[static_cast<size_t>(frame)].nodes = std::move(nodes);
  }

 private:
  bool IsAncestor(int ancestor, int frame) const;
  int Join(const Node& node, Problems* problems) const;
  int FrameEntered(const Node& enter, int parent, Problems* problems);
  void PlaceCondition(const Node& condition, Problems* problems);
  // One walk over `order`; false when a frame was moved into another one and all must be done
  // again.
  bool Assign(const std::vector<Node*>& order, Problems* problems);

  std::vector<Frame> frames_;
  std::map<std::string, int, std::less<>> by_name_;
  std::vector<int> of_;  // by node id
  bool moved_ = false;
};

// Switch, Merge, Enter, Exit, NextIteration, LoopCond.
bool IsControlFlow(const Node& node);

// The edge that closes a loop.
bool IsBackEdge(const Edge& edge);

// Must the node wait for another one because of this in-edge, without reading it?
bool IsWait(const Edge* edge);
// The nodes that `node` waits for by control edges.
std::vector<Node*> WaitsOf(const Node& node);

// A Merge that begins an iteration.
bool IsLoopMerge(const Node& node);

// `value` before the Identities (a few at most) that it passes through and that wait for nothing.
Output SkipIdentities(Output value);

}  // namespace linnet::converter
