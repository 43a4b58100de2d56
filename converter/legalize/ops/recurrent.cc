// SPDX-License-Identifier: Apache-2.0
// Fused recurrent cells become the products and activations that they consist of, sequences one
// cell per step.
#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"

namespace linnet::converter {
namespace {

// Gate number `index`, [rows, cells], of the gates side by side in x.
Emitted EmitGate(LegalizeContext& context, const Emitted& x, int64_t cells, int index,
                 const std::string& name) {
  if (!x.ok()) return x;
  return EmitSlice(context, {0, index * cells}, {context.shape(*x)[0], cells}, x, name);
}

// What the steps of one LSTM have in common.
struct Lstm {
  Output peephole_i, peephole_f, peephole_o;  // empty: no peepholes
  double forget_bias = 0, clip = 0;           // clip <= 0: no clipping
  int order[4] = {0, 1, 2, 3};  // positions of i, ci (the new content), f, o in the gates
  int64_t cells = 0;
};

// The outputs of a step, in TensorFlow's order.
struct LstmState {
  Emitted i, cs, f, o, ci, co, h;
  std::vector<Emitted> all() const { return {i, cs, f, o, ci, co, h}; }
};

Emitted EmitPeephole(LegalizeContext& context, const Emitted& gate, const Emitted& cs,
                     Output weight, const std::string& name) {
  if (!weight) return gate;
  const Emitted seen = EmitBinary(context, BinaryKind::Mul, cs, weight, name + "/peephole");
  return EmitBinary(context, BinaryKind::Add, gate, seen, name + "/sum");
}

// One step. `gates`, [batch, 4 * cells], are before their activations.
LstmState EmitLstmStep(LegalizeContext& context, const Lstm& lstm, const Emitted& gates,
                       const Emitted& cs, const std::string& name) {
  const auto gate = [&](int place, const char* which) {
    return EmitGate(context, gates, lstm.cells, lstm.order[place],
                    fmt::format("{}{}/gate", name, which));
  };
  const auto unary = [&](UnaryKind kind, const Emitted& x, const char* which) {
    return EmitUnary(context, kind, x, name + which);
  };
  LstmState s;
  s.i = gate(0, "i");
  s.ci = gate(1, "ci");
  s.f = gate(2, "f");
  s.o = gate(3, "o");
  s.i = EmitPeephole(context, s.i, cs, lstm.peephole_i, name + "i");
  s.f = EmitPeephole(context, s.f, cs, lstm.peephole_f, name + "f");
  if (lstm.forget_bias != 0)
    s.f = EmitBinary(context, BinaryKind::Add, s.f, lstm.forget_bias, name + "f/biased");
  s.i = unary(UnaryKind::Sigmoid, s.i, "i");
  s.f = unary(UnaryKind::Sigmoid, s.f, "f");
  s.ci = unary(UnaryKind::Tanh, s.ci, "ci");
  const Emitted added = EmitBinary(context, BinaryKind::Mul, s.ci, s.i, name + "cs/new");
  const Emitted kept = EmitBinary(context, BinaryKind::Mul, cs, s.f, name + "cs/old");
  s.cs = EmitBinary(context, BinaryKind::Add, added, kept, name + "cs");
  if (lstm.clip > 0) {
    const auto clip = static_cast<float>(lstm.clip);
    s.cs = EmitClamp(context, {-clip, clip}, s.cs, name + "cs/clipped");
  }
  s.o = EmitPeephole(context, s.o, s.cs, lstm.peephole_o, name + "o");
  s.o = unary(UnaryKind::Sigmoid, s.o, "o");
  s.co = unary(UnaryKind::Tanh, s.cs, "co");
  s.h = EmitBinary(context, BinaryKind::Mul, s.co, s.o, name + "h");
  return s;
}

// Reads the attributes, and the peepholes from input `first` on. The gates of `v2` are in the order
// i, f, ci, o.
absl::StatusOr<Lstm> GetLstm(const LegalizeContext& context, int first, bool v2) {
  Lstm lstm;
  LINNET_ASSIGN_OR_RETURN(lstm.forget_bias, context.Float("forget_bias", v2 ? 0.0f : 1.0f));
  LINNET_ASSIGN_OR_RETURN(lstm.clip, context.Float("cell_clip", v2 ? 0.0f : 3.0f));
  LINNET_ASSIGN_OR_RETURN(const bool peephole, context.Bool("use_peephole", false));
  if (peephole) {
    lstm.peephole_i = context.input(first);
    lstm.peephole_f = context.input(first + 1);
    lstm.peephole_o = context.input(first + 2);
  }
  if (v2) std::swap(lstm.order[1], lstm.order[2]);
  return lstm;
}

// Weights must be [inputs + cells, columns]: a row for each column of x and of the state.
absl::Status WantWeights(const LegalizeContext& context, int i, int64_t inputs, int64_t cells,
                         int64_t columns) {
  const Shape wanted = {inputs + cells, columns};
  if (context.shape(i) == wanted) return absl::OkStatus();
  return Invalid("weights (input {}) have shape {}, want {}", i, ShapeText(context.shape(i)),
                 ShapeText(wanted));
}

absl::Status LstmBlockCell(LegalizeContext& context) {
  for (const int i : {0, 1, 2}) LINNET_RETURN_IF_ERROR(context.WantRank(i, 2));
  LINNET_ASSIGN_OR_RETURN(Lstm lstm, GetLstm(context, 4, false));
  lstm.cells = context.shape(1)[1];
  LINNET_RETURN_IF_ERROR(WantWeights(context, 3, context.shape(0)[1], lstm.cells, 4 * lstm.cells));
  const Emitted xh = EmitJoined(context, {context.input(0), context.input(2)}, 1, "xh");
  const Emitted gates = EmitMatMul(context, xh, context.input(3), context.input(7), "gates");
  return context.Replace(EmitLstmStep(context, lstm, gates, context.input(1), "").all());
}

// An output of all steps, `shape` = [steps, batch, cells], with zeros after the last step that
// runs.
Emitted EmitSequence(LegalizeContext& context, const std::vector<Emitted>& steps,
                     const Shape& shape, const std::string& name) {
  const auto count = static_cast<int64_t>(steps.size());
  Emitted all = EmitJoined(context, steps, 0, name + "/steps");
  all = EmitReshape(context, {count, shape[1], shape[2]}, all, name + "/sequence");
  return EmitPad(context, {0, 0, 0}, {shape[0] - count, 0, 0}, all, name + "/padded");
}

// (seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b). The inputs' share of the gates is one
// product for all steps.
template <bool kV2>
absl::Status BlockLstm(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(1, 3));
  LINNET_RETURN_IF_ERROR(context.WantRank(2, 2));
  LINNET_ASSIGN_OR_RETURN(Lstm lstm, GetLstm(context, 5, kV2));
  LINNET_ASSIGN_OR_RETURN(const int64_t steps, context.ConstantInt(0, "seq_len_max"));
  const Shape x = context.shape(1);
  lstm.cells = context.shape(2)[1];
  constexpr int64_t kLongest = 256;  // every step becomes a dozen ops
  if (steps < 1 || steps > x[0] || steps > kLongest)
    return Unsupported("{} steps of {}, want 1 to {}", steps, x[0], kLongest);
  LINNET_RETURN_IF_ERROR(WantWeights(context, 4, x[2], lstm.cells, 4 * lstm.cells));
  const Emitted weights_x = EmitSliceAlong(context, 0, 0, x[2], context.input(4), "wx");
  const Emitted weights_h = EmitSliceAlong(context, 0, x[2], lstm.cells, context.input(4), "wh");
  const Emitted rows = EmitReshape(context, {x[0] * x[1], x[2]}, context.input(1), "rows");
  const Emitted from_x = EmitMatMul(context, rows, weights_x, context.input(8), "gates_x");
  Emitted cs = context.input(2), h = context.input(3);
  std::vector<Emitted> sequences[7];
  for (int64_t t = 0; t < steps; ++t) {
    const std::string name = fmt::format("step_{}/", t);
    const Emitted part =
        EmitSlice(context, {t * x[1], 0}, {x[1], 4 * lstm.cells}, from_x, name + "gates_x");
    const Emitted from_h = EmitMatMul(context, h, weights_h, Output(), name + "gates_h");
    const Emitted gates = EmitBinary(context, BinaryKind::Add, part, from_h, name + "gates");
    const LstmState state = EmitLstmStep(context, lstm, gates, cs, name);
    const std::vector<Emitted> all = state.all();
    for (int i = 0; i < 7; ++i) sequences[i].push_back(all[i]);
    cs = state.cs;
    h = state.h;
  }
  std::vector<Emitted> outputs(7, Output());
  const Shape shape = {x[0], x[1], lstm.cells};
  for (int i = 0; i < 7; ++i) {
    if (context.IsUsed(i))
      outputs[i] = EmitSequence(context, sequences[i], shape, fmt::format("output_{}", i));
  }
  return context.Replace(outputs);
}

// (x, h_prev, w_ru, w_c, b_ru, b_c) -> r, u, c, h.
absl::Status GruBlockCell(LegalizeContext& context) {
  for (const int i : {0, 1}) LINNET_RETURN_IF_ERROR(context.WantRank(i, 2));
  const Output x = context.input(0), h = context.input(1);
  const int64_t cells = context.shape(1)[1];
  LINNET_RETURN_IF_ERROR(WantWeights(context, 2, context.shape(0)[1], cells, 2 * cells));
  LINNET_RETURN_IF_ERROR(WantWeights(context, 3, context.shape(0)[1], cells, cells));
  const Emitted xh = EmitJoined(context, {x, h}, 1, "xh");
  Emitted ru = EmitMatMul(context, xh, context.input(2), context.input(4), "ru/gates");
  ru = EmitUnary(context, UnaryKind::Sigmoid, ru, "ru");
  const Emitted r = EmitGate(context, ru, cells, 0, "r");
  const Emitted u = EmitGate(context, ru, cells, 1, "u");
  const Emitted reset = EmitBinary(context, BinaryKind::Mul, h, r, "reset");
  const Emitted xr = EmitJoined(context, {x, reset}, 1, "xr");
  Emitted c = EmitMatMul(context, xr, context.input(3), context.input(5), "c/gate");
  c = EmitUnary(context, UnaryKind::Tanh, c, "c");
  const Output one = context.AddScalar(DType::kFloat32, 1, "one");
  const Emitted fresh = EmitBinary(context, BinaryKind::Sub, one, u, "fresh");
  const Emitted added = EmitBinary(context, BinaryKind::Mul, fresh, c, "new");
  const Emitted kept = EmitBinary(context, BinaryKind::Mul, u, h, "old");
  const Emitted next = EmitBinary(context, BinaryKind::Add, added, kept, "h");
  return context.Replace({r, u, c, next});
}

constexpr char kCell[] = "FullyConnected, Slice, Binary, Unary";
constexpr char kSequence[] = "FullyConnected, Slice, Binary, Unary of each step; up to 256";

}  // namespace

std::span<const TfOp> RecurrentOps() {
  static constexpr TfOp kRows[] = {
      {"BlockLSTM", BlockLstm<false>, kSequence},
      {"BlockLSTMV2", BlockLstm<true>, kSequence},
      {"GRUBlockCell", GruBlockCell, kCell},
      {"LSTMBlockCell", LstmBlockCell, kCell},
  };
  return kRows;
}

}  // namespace linnet::converter
