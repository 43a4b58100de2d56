// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/tf_op_table.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace linnet::converter {
namespace {

std::vector<TfOp> Collect() {
  std::vector<TfOp> all;
  for (const auto family :
       {ElementwiseOps, ConvolutionOps, MatMulOps, NormalizationOps, PoolingOps, ReductionOps,
        ShapeOps, SlicingOps, JoiningOps, GatherOps, ImageOps, ConstantLikeOps, SelectOps,
        EinsumOps, PassThroughOps, BlockOps, QuantizationOps}) {
    const std::span<const TfOp> rows = family();
    all.insert(all.end(), rows.begin(), rows.end());
  }
  std::sort(all.begin(), all.end(), [](const TfOp& a, const TfOp& b) { return a.name < b.name; });
  return all;
}

constexpr char kDynamic[] = "its output's extent depends on data, which is not supported yet";
constexpr char kLoops[] = "control flow is only understood where it can be resolved at conversion";
constexpr char kLists[] = "lists of tensors exist only inside loops, which are not supported yet";
constexpr char kState[] = "it reads or writes state: freeze the model's variables first";
constexpr char kTraining[] = "it serves training only";
constexpr char kStrings[] = "there are no strings in a plan: preprocess text in the app";
constexpr char kInputPipeline[] = "it belongs to an input pipeline: feed what it would deliver";
constexpr char kFiles[] = "a plan neither reads nor writes files";
constexpr char kSummaries[] = "it writes summaries for TensorBoard";
constexpr char kDistributed[] = "a plan runs on one device, in one process";
constexpr char kSparse[] = "sparse and ragged tensors are not supported";
constexpr char kSpectral[] = "it needs complex numbers: compute spectra in the app's front end";
constexpr char kRandom[] = "random numbers are not supported: feed them";
constexpr char kTables[] = "lookup tables are not supported yet";
constexpr char kQuantized[] =
    "it computes on quantised tensors of TensorFlow's older form, which is not supported yet";
constexpr char kVolumes[] = "convolution and pooling of volumes are not supported";
constexpr char kPython[] = "it calls Python";
constexpr char kFunctions[] = "functions must be inlined before: this one could not be";
constexpr char kLinearAlgebra[] = "matrix decompositions are not supported";
constexpr char kCompiler[] = "it belongs to another compiler (XLA, TPU, TensorRT, oneDNN)";

constexpr RejectedTfOp kRejected[] = {
    {"If", kLoops},
    {"StatelessIf", kLoops},
    {"While", kLoops},
    {"StatelessWhile", kLoops},
    {"Case", kLoops},
    {"StatelessCase", kLoops},
    {"Switch", kLoops},
    {"RefSwitch", kLoops},
    {"_SwitchN", kLoops},
    {"Merge", kLoops},
    {"RefMerge", kLoops},
    {"Enter", kLoops},
    {"RefEnter", kLoops},
    {"Exit", kLoops},
    {"RefExit", kLoops},
    {"NextIteration", kLoops},
    {"RefNextIteration", kLoops},
    {"LoopCond", kLoops},
    {"PartitionedCall", kFunctions},
    {"StatefulPartitionedCall", kFunctions},
    {"SymbolicGradient", kTraining},
    {"TensorList*", kLists},
    {"EmptyTensorList", kLists},
    {"TensorArray*", kLists},
    {"Stack*", kLists},
    {"NonMaxSuppression*", kDynamic},
    {"CombinedNonMaxSuppression", kDynamic},
    {"Where", kDynamic},
    {"Unique*", kDynamic},
    {"ListDiff", kDynamic},
    {"DynamicPartition", kDynamic},
    {"BooleanMask", kDynamic},
    {"Bincount", "histograms are not supported"},
    {"DenseBincount", "histograms are not supported"},
    {"ScatterNd*", "scattering is not supported yet"},
    {"TensorScatter*", "scattering is not supported yet"},
    {"DynamicStitch", "scattering is not supported yet"},
    {"ParallelDynamicStitch", "scattering is not supported yet"},
    {"Scatter*", kState},
    {"ResourceScatter*", kState},
    {"CropAndResize", "it is not supported yet"},
    {"ResizeBicubic", "only bilinear and nearest-neighbour resizing are supported"},
    {"ResizeArea", "only bilinear and nearest-neighbour resizing are supported"},
    {"ScaleAndTranslate", "only bilinear and nearest-neighbour resizing are supported"},
    {"ReverseSequence", "it is not supported yet"},
    {"LSTMBlockCell", "fused recurrent cells are not supported yet"},
    {"BlockLSTM*", "fused recurrent cells are not supported yet"},
    {"GRUBlockCell", "fused recurrent cells are not supported yet"},
    {"CudnnRNN*", "fused recurrent cells are not supported yet"},
    {"MaxPoolWithArgmax", "only the maxima are supported, not their positions"},
    {"FractionalMaxPool", "its regions are random"},
    {"FractionalAvgPool", "its regions are random"},
    {"Conv3D*", kVolumes},
    {"MaxPool3D*", kVolumes},
    {"AvgPool3D*", kVolumes},
    {"DepthwiseConv2dNativeBackpropInput",
     "a transposed depthwise convolution is not supported yet"},
    {"Dilation2D", "greyscale dilation is not supported"},
    {"VarHandleOp", kState},
    {"ReadVariableOp", kState},
    {"Assign*", kState},
    {"Variable", kState},
    {"VariableV2", kState},
    {"VarIsInitializedOp", kState},
    {"IsVariableInitialized", kState},
    {"ResourceGather*", kState},
    {"VariableShape", kState},
    {"TemporaryVariable", kState},
    {"LookupTable*", kTables},
    {"HashTable*", kTables},
    {"MutableHashTable*", kTables},
    {"MutableDenseHashTable*", kTables},
    {"InitializeTable*", kTables},
    {"AnonymousHashTable", kTables},
    {"RFFT*", kSpectral},
    {"IRFFT*", kSpectral},
    {"FFT*", kSpectral},
    {"IFFT*", kSpectral},
    {"Complex*", kSpectral},
    {"Real", kSpectral},
    {"Imag", kSpectral},
    {"Conj", kSpectral},
    {"Angle", kSpectral},
    {"AudioSpectrogram", "audio front ends are not supported: compute features in the app"},
    {"Mfcc", "audio front ends are not supported: compute features in the app"},
    {"DecodeWav", "audio front ends are not supported: compute features in the app"},
    {"EncodeWav", "audio front ends are not supported: compute features in the app"},
    {"Decode*", "files are decoded in the app: feed the pixels or samples"},
    {"Encode*", "files are encoded in the app"},
    {"ParseExample*", kInputPipeline},
    {"ParseSingle*", kInputPipeline},
    {"ParseSequence*", kInputPipeline},
    {"ParseTensor", kInputPipeline},
    {"Random*", kRandom},
    {"StatelessRandom*", kRandom},
    {"StatefulRandom*", kRandom},
    {"StatefulStandardNormal*", kRandom},
    {"StatefulUniform*", kRandom},
    {"StatefulTruncatedNormal", kRandom},
    {"StatelessTruncatedNormal*", kRandom},
    {"TruncatedNormal", kRandom},
    {"ParameterizedTruncatedNormal", kRandom},
    {"Multinomial", kRandom},
    {"StatelessMultinomial", kRandom},
    {"QuantizeAndDequantize*", kQuantized},
    {"Quantize*", kQuantized},
    {"Quantized*", kQuantized},
    {"Dequantize", kQuantized},
    {"Requantiz*", kQuantized},
    {"Sparse*", kSparse},
    {"Ragged*", kSparse},
    {"String*", kStrings},
    {"Regex*", kStrings},
    {"StaticRegex*", kStrings},
    {"Substr", kStrings},
    {"AsString", kStrings},
    {"ReduceJoin", kStrings},
    {"UnsortedSegmentJoin", kStrings},
    {"Unicode*", kStrings},
    {"Base64*", kStrings},
    {"EncodeBase64", kStrings},
    {"DecodeBase64", kStrings},
    {"*Queue*", kInputPipeline},
    {"*Reader*", kInputPipeline},
    {"*Dataset*", kInputPipeline},
    {"*Iterator*", kInputPipeline},
    {"*Barrier*", kInputPipeline},
    {"Save*", kFiles},
    {"Restore*", kFiles},
    {"ShardedFilename", kFiles},
    {"MergeV2Checkpoints", kFiles},
    {"ReadFile", kFiles},
    {"WriteFile", kFiles},
    {"MatchingFiles", kFiles},
    {"*Summary*", kSummaries},
    {"Collective*", kDistributed},
    {"Nccl*", kDistributed},
    {"_Send", kDistributed},
    {"_Recv", kDistributed},
    {"_HostSend", kDistributed},
    {"_HostRecv", kDistributed},
    {"RemoteCall", kDistributed},
    {"PyFunc*", kPython},
    {"EagerPyFunc", kPython},
    {"Cholesky*", kLinearAlgebra},
    {"Qr", kLinearAlgebra},
    {"Svd", kLinearAlgebra},
    {"Lu", kLinearAlgebra},
    {"Eig", kLinearAlgebra},
    {"SelfAdjointEig*", kLinearAlgebra},
    {"Matrix*", kLinearAlgebra},
    {"BatchMatrix*", kLinearAlgebra},
    {"Batch*", "this older batch form is not supported"},
    {"*Grad", kTraining},
    {"*GradV2", kTraining},
    {"*GradV3", kTraining},
    {"*Backprop*", kTraining},
    {"Apply*", kTraining},
    {"ResourceApply*", kTraining},
    {"ResourceSparseApply*", kTraining},
    {"*CTCLoss*", kTraining},
    {"*CandidateSampler", kTraining},
    {"*CrossEntropyWithLogits", kTraining},
    {"Xla*", kCompiler},
    {"_Xla*", kCompiler},
    {"TPU*", kCompiler},
    {"TRTEngineOp", kCompiler},
    {"_Mkl*", kCompiler},
    {"_ITEX*", kCompiler},
};

bool Matches(std::string_view pattern, std::string_view name) {
  const bool open_start = pattern.starts_with('*'), open_end = pattern.ends_with('*');
  if (open_start) pattern.remove_prefix(1);
  if (open_end) pattern.remove_suffix(1);
  if (open_start && open_end) return name.find(pattern) != std::string_view::npos;
  if (open_start) return name.ends_with(pattern);
  return open_end ? name.starts_with(pattern) : name == pattern;
}

}  // namespace

std::span<const TfOp> TfOpTable() {
  static const std::vector<TfOp>& table = *new std::vector<TfOp>(Collect());
  return table;
}

const TfOp* FindTfOp(std::string_view name) {
  const std::span<const TfOp> table = TfOpTable();
  const auto row = std::lower_bound(table.begin(), table.end(), name,
                                    [](const TfOp& op, std::string_view n) { return op.name < n; });
  return row != table.end() && row->name == name ? &*row : nullptr;
}

std::span<const RejectedTfOp> RejectedTfOps() { return kRejected; }

std::string_view RejectionReason(std::string_view name) {
  for (const RejectedTfOp& op : kRejected) {
    if (Matches(op.name, name)) return op.reason;
  }
  return "this op is not supported";
}

}  // namespace linnet::converter
