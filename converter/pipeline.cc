// SPDX-License-Identifier: Apache-2.0
#include "converter/pipeline.h"

#include <chrono>
#include <string>

#include "converter/graph/structured_node.h"
#include "converter/graph/verifier.h"
#include "converter/legalize/legalize.h"
#include "converter/optimize/clamp_from_min_max.h"
#include "converter/optimize/copy_fetched_state.h"
#include "converter/optimize/copy_loop_results.h"
#include "converter/optimize/drop_broadcasts.h"
#include "converter/optimize/drop_copies.h"
#include "converter/optimize/drop_dead.h"
#include "converter/optimize/eliminate_common_subexpressions.h"
#include "converter/optimize/fold_batch_norm.h"
#include "converter/optimize/fold_constants.h"
#include "converter/optimize/fold_pad.h"
#include "converter/optimize/fuse_activation.h"
#include "converter/optimize/fuse_bias.h"
#include "converter/optimize/fuse_gelu.h"
#include "converter/optimize/fuse_hard_swish.h"
#include "converter/optimize/fuse_l2_normalize.h"
#include "converter/optimize/fuse_layer_norm.h"
#include "converter/optimize/fuse_prelu.h"
#include "converter/optimize/fuse_softmax.h"
#include "converter/optimize/fuse_swish.h"
#include "converter/optimize/hoist_common_factor.h"
#include "converter/optimize/infer_shapes.h"
#include "converter/optimize/merge_affine.h"
#include "converter/optimize/nchw_to_nhwc.h"
#include "converter/optimize/simplify_concat.h"
#include "converter/optimize/simplify_reshape.h"
#include "converter/optimize/simplify_slice.h"
#include "converter/optimize/simplify_transpose.h"
#include "converter/tf_passes/control_flow/raise_control_flow.h"
#include "converter/tf_passes/drop_dropout.h"
#include "converter/tf_passes/drop_no_ops.h"
#include "converter/tf_passes/inline_functions.h"
#include "converter/tf_passes/prune.h"
#include "converter/tf_passes/variables/carry_state.h"
#include "converter/tf_passes/variables/freeze_variables.h"
#include "converter/tf_passes/variables/resolve_references.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

constexpr auto kTensorFlow = Vocabulary::kTensorFlow;
constexpr auto kLinnet = Vocabulary::kLinnet;

// TensorFlow's optimiser stops there too.
constexpr int kMaxRounds = 10;

// clang-format off
const std::vector<Stage>& Stages() {
  static const auto* const kStages = new std::vector<Stage>{
    {"import", {
      // First: what is asked for may be the name of something inside a function. It looks only where the outputs
      // lead, so that it never opens what prune takes away.
      {"inline_functions", InlineFunctions, kTensorFlow, "put functions in place of their calls"},
      // What training left behind is never looked at by anything else.
      {"prune", Prune, kTensorFlow, "cut the graph to what the outputs need from the inputs"},
      // Behind prune, since training changes variables in many ways. Before raise_control_flow, whose functions take no
      // references.
      {"resolve_references", ResolveReferences, kTensorFlow, "references of variables that are assigned -> handles"},
      // Behind prune, since what training left is often unstructured and a PlaceholderWithDefault that decides is a
      // constant now. Before freeze_variables, which takes a handle in a Switch or an Enter for a change of the
      // variable: reads of it move out of the functions here.
      {"raise_control_flow", RaiseControlFlow, kTensorFlow, "Switch, Merge, Enter and the like -> If, While"},
      // Before freeze_variables, which knows no variable that changes.
      {"carry_state", CarryState, kTensorFlow, "variables that the model assigns -> state of the session"},
      // Before drop_no_ops, which would take reads for effects and keep the order of them.
      {"freeze_variables", FreezeVariables, kTensorFlow, "variables -> what the checkpoint has for them"},
      // Before legalize, which knows no ops without effect and no control edges.
      {"drop_no_ops", DropNoOps, kTensorFlow, "Identity, NoOp, Assert and the like; control edges that order nothing"},
      // After drop_no_ops, so that no Identity hides the pattern.
      {"drop_dropout", DropDropout, kTensorFlow, "dropout with rate 0"},
      // From here on Linnet ops, each with a static type. Shape, Size and Rank become constants on this
      // walk and what is computed from them is folded at once, so there is no pass for that.
      {"legalize", Legalize, kTensorFlow, "TensorFlow ops -> Linnet ops, with shapes; folds constants on the way"},
    }, 1},

    {"optimize", {
      {"fold_constants", FoldConstants, kLinnet, "evaluate ops over constants"},
      // Before the patterns: they recognise a value by its identity.
      {"eliminate_common_subexpressions", EliminateCommonSubexpressions, kLinnet, "compute equal things once"},
      {"drop_copies", DropCopies, kLinnet, "ops that return their input: x * 1, full slices, same-shape reshapes"},
      {"drop_broadcasts", DropBroadcasts, kLinnet, "repetition that the reader would do by itself"},
      {"simplify_reshape", SimplifyReshape, kLinnet, "merge reshapes, move them into reductions, off matrix products"},
      {"simplify_transpose", SimplifyTranspose, kLinnet, "merge transposes, turn those that move nothing into reshapes"},
      {"simplify_concat", SimplifyConcat, kLinnet, "splice nested concats, join neighbouring slices"},
      {"simplify_slice", SimplifySlice, kLinnet, "merge slices, slice before concat and pad"},
      // Before folding into convolutions, which looks at direct neighbours only.
      {"nchw_to_nhwc", NchwToNhwc, kLinnet, "move transposes down until they cancel"},
      {"clamp_from_min_max", ClampFromMinMax, kLinnet, "Maximum and Minimum with a constant -> Clamp"},

      // Composites before anything that would spread their constants over their neighbours
      // (merge_affine) or take their Clamp away (fuse_activation).
      {"fuse_prelu", FusePrelu, kLinnet, "spelled-out PReLU and leaky ReLU"},
      {"fuse_hard_swish", FuseHardSwish, kLinnet, "spelled-out hard sigmoid and hard swish"},
      {"fuse_swish", FuseSwish, kLinnet, "x * sigmoid(x)"},
      {"fuse_gelu", FuseGelu, kLinnet, "spelled-out GELU, erf and tanh forms"},
      {"fuse_softmax", FuseSoftmax, kLinnet, "spelled-out softmax and log softmax"},
      {"fuse_layer_norm", FuseLayerNorm, kLinnet, "spelled-out layer normalization"},
      {"fuse_l2_normalize", FuseL2Normalize, kLinnet, "spelled-out L2 normalization"},

      {"hoist_common_factor", HoistCommonFactor, kLinnet, "a*x + b*x -> (a+b)*x"},
      // One multiplication and one addition per chain: what fold_batch_norm and fuse_bias expect.
      {"merge_affine", MergeAffine, kLinnet, "chains of additions and multiplications by constants"},
      // The multiplication first: the addition behind it is next to the convolution then.
      {"fold_batch_norm", FoldBatchNorm, kLinnet, "constant scales into filters"},
      {"fuse_bias", FuseBias, kLinnet, "constant additions into biases"},
      // After fuse_bias, or Conv + Add + Relu would stay two nodes.
      {"fuse_activation", FuseActivation, kLinnet, "Clamp into the op that produces its input"},
      // After fuse_activation: the range of a convolution says that a max pool's input is not negative.
      {"fold_pad", FoldPad, kLinnet, "zero padding into convolutions and max pools"},
    }, kMaxRounds},

    {"finish", {
      {"drop_dead", DropDead, kLinnet, "nodes that no output needs"},
      // Last: drop_copies would take it away again.
      {"copy_fetched_state", CopyFetchedState, kLinnet, "outputs that are the state itself become copies of it"},
      // Likewise.
      {"copy_loop_results", CopyLoopResults, kLinnet, "variables of a loop that become other variables are copied"},
      // A check of ourselves as much as a pass: every type is what the op's rule says.
      {"infer_shapes", InferShapes, kLinnet, "run every shape rule once more"},
    }, 1},
  };
  return *kStages;
}
// clang-format on

}  // namespace

std::span<const Stage> Pipeline() { return Stages(); }

std::vector<Pass> AllPasses() {
  std::vector<Pass> all;
  for (const Stage& stage : Stages())
    all.insert(all.end(), stage.passes.begin(), stage.passes.end());
  return all;
}

const Pass* FindPass(std::string_view name) {
  for (const Stage& stage : Stages())
    for (const Pass& pass : stage.passes)
      if (pass.name == name) return &pass;
  return nullptr;
}

absl::StatusOr<int> RunPass(const Pass& pass, Graph& graph, const PassContext& context) {
  absl::StatusOr<int> rewrites = pass.run(graph, context);
  if (!rewrites.ok() && absl::IsInternal(rewrites.status())) {
    const auto message = rewrites.status().message();
    return absl::InternalError(
        fmt::format("pass {}: {}", pass.name, std::string_view(message.data(), message.size())));
  }
#if defined(LINNET_DCHECKS) && LINNET_DCHECKS
  if (rewrites.ok()) {
    if (absl::Status status = VerifyGraph(graph); !status.ok()) {
      const auto message = status.message();
      return absl::InternalError(fmt::format("after pass {}: {}", pass.name,
                                             std::string_view(message.data(), message.size())));
    }
  }
#endif
  return rewrites;
}

absl::Status RunStages(std::span<const Stage> stages, Graph& graph, const PassContext& context,
                       PassObserver* observer) {
  using Clock = std::chrono::steady_clock;
  for (const Stage& stage : stages) {
    for (int round = 0; round < stage.max_rounds; ++round) {
      int changes = 0;
      for (const Pass& pass : stage.passes) {
        const Clock::time_point start = Clock::now();
        absl::StatusOr<int> rewrites = RunPass(pass, graph, context);
        if (!rewrites.ok()) return rewrites.status();
        changes += *rewrites;
        if (observer == nullptr) continue;
        const std::chrono::duration<double, std::milli> elapsed = Clock::now() - start;
        observer->AfterPass(
            {stage.name, pass.name, round, *rewrites, graph.num_op_nodes(), elapsed.count()},
            graph);
      }
      if (changes == 0) break;
    }
    // What legalize made of a body is in Linnet's vocabulary already.
    if (stage.passes.front().vocabulary != kLinnet) continue;
    for (const Node* node : StructuredNodes(graph))
      for (const auto& region : node->regions())
        if (absl::Status s = RunStages({&stage, 1}, *region, context, observer); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status RunPipeline(Graph& graph, const PassContext& context, PassObserver* observer) {
  return RunStages(Pipeline(), graph, context, observer);
}

}  // namespace linnet::converter
