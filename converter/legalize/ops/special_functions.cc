// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/ops/special_functions.h"

#include <limits>
#include <numbers>
#include <span>

#include "converter/legalize/context/building_blocks.h"

// The polynomials are those of Abramowitz and Stegun, Handbook of Mathematical Functions, 9.4.1 to
// 9.4.6 and 9.8.1 to 9.8.8, with errors of a few units of the last place of a float: one for x up
// to a limit, one for what remains above it once the function's growth and oscillation are divided
// out.
namespace linnet::converter {
namespace {

using Coefficients = std::span<const double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLimitOfI = 3.75, kLimitOfK = 2, kLimitOfJ = 3;

// I0(x) and I1(x) / x in (x / 3.75)^2, and sqrt(x) exp(-x) times either in 3.75 / x.
constexpr double kSmallI0[] = {1, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 0.0360768, 0.0045813};
constexpr double kLargeI0[] = {0.39894228,  0.01328592, 0.00225319,  -0.00157565, 0.00916281,
                               -0.02057706, 0.02635537, -0.01647633, 0.00392377};
constexpr double kSmallI1[] = {0.5,        0.87890594, 0.51498869, 0.15084934,
                               0.02658733, 0.00301532, 0.00032411};
constexpr double kLargeI1[] = {0.39894228, -0.03988024, -0.00362018, 0.00163801, -0.01031555,
                               0.02282967, -0.02895312, 0.01787654,  -0.00420059};
// K0(x) + log(x / 2) I0(x) and x (K1(x) - log(x / 2) I1(x)) in (x / 2)^2, and sqrt(x) exp(x) times
// either in 2 / x.
constexpr double kSmallK0[] = {-0.57721566, 0.42278420, 0.23069756, 0.03488590,
                               0.00262698,  0.00010750, 0.00000740};
constexpr double kLargeK0[] = {1.25331414, -0.07832358, 0.02189568, -0.01062446,
                               0.00587872, -0.00251540, 0.00053208};
constexpr double kSmallK1[] = {1,           0.15443144,  -0.67278579, -0.18156897,
                               -0.01919402, -0.00110404, -0.00004686};
constexpr double kLargeK1[] = {1.25331414,  0.23498619, -0.03655620, 0.01504268,
                               -0.00780353, 0.00325614, -0.00068245};
// J0(x), J1(x) / x, Y0(x) - (2 / pi) log(x / 2) J0(x) and x (Y1(x) - (2 / pi) log(x / 2) J1(x)) in
// (x / 3)^2; of order 0 and 1 the amplitude, which sqrt(x) divides, and the phase less x in 3 / x.
constexpr double kSmallJ0[] = {1,         -2.2499997, 1.2656208, -0.3163866,
                               0.0444479, -0.0039444, 0.0002100};
constexpr double kSmallJ1[] = {0.5,        -0.56249985, 0.21093573, -0.03954289,
                               0.00443319, -0.00031761, 0.00001109};
constexpr double kSmallY0[] = {0.36746691,  0.60559366, -0.74350384, 0.25300117,
                               -0.04261214, 0.00427916, -0.00024846};
constexpr double kSmallY1[] = {-0.6366198, 0.2212091,  2.1682709, -1.3164827,
                               0.3123951,  -0.0400976, 0.0027873};
constexpr double kAmplitude0[] = {0.79788456, -0.00000077, -0.00552740, -0.00009512,
                                  0.00137237, -0.00072805, 0.00014476};
constexpr double kPhase0[] = {-0.78539816, -0.04166397, -0.00003954, 0.00262573,
                              -0.00054125, -0.00029333, 0.00013558};
constexpr double kAmplitude1[] = {0.79788456,  0.00000156, 0.01659667, 0.00017105,
                                  -0.00249511, 0.00113653, -0.00020033};
constexpr double kPhase1[] = {-2.35619449, 0.12499612, 0.00005650, -0.00637879,
                              0.00074348,  0.00079824, -0.00029166};

// The sum of coefficients[i] x^i.
Emitted EmitPolynomial(LegalizeContext& context, Coefficients coefficients, const Emitted& x,
                       const char* name) {
  Emitted sum =
      EmitBinary(context, BinaryKind::Mul, x, coefficients.back(), fmt::format("{}_last", name));
  for (size_t i = coefficients.size() - 1; i-- > 0;) {
    sum = EmitBinary(context, BinaryKind::Add, sum, coefficients[i], fmt::format("{}_{}", name, i));
    if (i > 0) sum = EmitBinary(context, BinaryKind::Mul, sum, x, fmt::format("{}_power", name));
  }
  return sum;
}

// The argument of a function whose formula changes at `limit`. Each formula gets arguments only
// from its own side, so that what the Select drops is neither infinite nor NaN.
struct Argument {
  Emitted x, size;       // size: |x|
  Emitted small, large;  // |x| where it is below the limit, or above
  Emitted is_small;
  double limit = 0;
};

Argument SplitAt(LegalizeContext& context, double limit) {
  Argument argument;
  argument.x = context.input(0);
  argument.limit = limit;
  argument.size = EmitUnary(context, UnaryKind::Abs, argument.x, "Abs");
  argument.small = EmitBinary(context, BinaryKind::Minimum, argument.size, limit, "small");
  argument.large = EmitBinary(context, BinaryKind::Maximum, argument.size, limit, "large");
  const Output end = context.AddScalar(DType::kFloat32, limit, "limit");
  argument.is_small = EmitCompare(context, CompareKind::Less, argument.size, end, "is_small");
  return argument;
}

// The polynomial in (x / limit)^2.
Emitted EmitSmall(LegalizeContext& context, Coefficients coefficients, const Emitted& x,
                  double limit, const char* name) {
  Emitted share = EmitBinary(context, BinaryKind::Mul, x, 1 / limit, "share");
  share = EmitUnary(context, UnaryKind::Square, share, "square");
  return EmitPolynomial(context, coefficients, share, name);
}

// The polynomial in limit / x.
Emitted EmitLarge(LegalizeContext& context, Coefficients coefficients, const Argument& argument,
                  const char* name) {
  Emitted share = EmitUnary(context, UnaryKind::Reciprocal, argument.large, "inverse");
  share = EmitBinary(context, BinaryKind::Mul, share, argument.limit, "inverse_share");
  return EmitPolynomial(context, coefficients, share, name);
}

// The same, divided by sqrt(x).
Emitted EmitDamped(LegalizeContext& context, Coefficients coefficients, const Argument& argument,
                   const char* name) {
  const Emitted share = EmitLarge(context, coefficients, argument, name);
  const Emitted root = EmitUnary(context, UnaryKind::Rsqrt, argument.large, "root");
  return EmitBinary(context, BinaryKind::Mul, share, root, "damped");
}

Emitted EmitExp(LegalizeContext& context, const Emitted& x, bool negative, const char* name) {
  const Emitted power = negative ? EmitUnary(context, UnaryKind::Neg, x, "Neg") : x;
  return EmitUnary(context, UnaryKind::Exp, power, name);
}

// A function of odd order has the sign of its argument.
Emitted EmitWithSign(LegalizeContext& context, const Argument& argument, const Emitted& y) {
  const Emitted sign = EmitUnary(context, UnaryKind::Sign, argument.x, "sign");
  return EmitBinary(context, BinaryKind::Mul, y, sign, "signed");
}

// I0 or I1 of arguments up to 3.75.
Emitted EmitSmallI(LegalizeContext& context, bool first, const Emitted& x) {
  const Emitted y =
      EmitSmall(context, first ? Coefficients(kSmallI1) : kSmallI0, x, kLimitOfI, "small_i");
  return first ? EmitBinary(context, BinaryKind::Mul, y, x, "small_i1") : y;
}

absl::Status ModifiedFirst(LegalizeContext& context, bool first, bool scaled) {
  LINNET_RETURN_IF_ERROR(context.WantFloats(0));
  const Argument argument = SplitAt(context, kLimitOfI);
  Emitted small = EmitSmallI(context, first, argument.small);
  Emitted large =
      EmitDamped(context, first ? Coefficients(kLargeI1) : kLargeI0, argument, "large_i");
  const Emitted& grown = scaled ? argument.small : argument.large;
  const Emitted exp = EmitExp(context, grown, scaled, "Exp");
  Emitted& scaled_part = scaled ? small : large;
  scaled_part = EmitBinary(context, BinaryKind::Mul, scaled_part, exp, "scaled");
  const Emitted y = EmitSelect(context, argument.is_small, small, large, first ? "size" : "");
  return context.Replace(first ? EmitWithSign(context, argument, y) : y);
}

// log(x / 2) times y.
Emitted EmitLogTimes(LegalizeContext& context, const Argument& argument, const Emitted& y,
                     double factor) {
  Emitted log = EmitBinary(context, BinaryKind::Mul, argument.small, 0.5, "half");
  log = EmitUnary(context, UnaryKind::Log, log, "Log");
  log = EmitBinary(context, BinaryKind::Mul, log, factor, "log_factor");
  return EmitBinary(context, BinaryKind::Mul, log, y, "log_part");
}

// y, but `end` where x lies below 0, as `below` compares them: there the function is not real, or
// not finite.
Emitted EmitEnd(LegalizeContext& context, const Argument& argument, CompareKind below, double end,
                const Emitted& y) {
  const Output zero = context.AddScalar(DType::kFloat32, 0, "zero");
  const Emitted is_below = EmitCompare(context, below, argument.x, zero, "is_below");
  return EmitSelect(context, is_below, context.AddScalar(DType::kFloat32, end, "end"), y);
}

absl::Status ModifiedSecond(LegalizeContext& context, bool first, bool scaled) {
  LINNET_RETURN_IF_ERROR(context.WantFloats(0));
  const Argument argument = SplitAt(context, kLimitOfK);
  const Emitted i = EmitSmallI(context, first, argument.small);
  const Emitted log_part = EmitLogTimes(context, argument, i, first ? 1 : -1);
  Emitted rest = EmitSmall(context, first ? Coefficients(kSmallK1) : kSmallK0, argument.small,
                           kLimitOfK, "small_k");
  if (first) rest = EmitBinary(context, BinaryKind::Div, rest, argument.small, "small_k1");
  Emitted small = EmitBinary(context, BinaryKind::Add, log_part, rest, "small_sum");
  Emitted large =
      EmitDamped(context, first ? Coefficients(kLargeK1) : kLargeK0, argument, "large_k");
  const Emitted& grown = scaled ? argument.small : argument.large;
  const Emitted exp = EmitExp(context, grown, !scaled, "Exp");
  Emitted& scaled_part = scaled ? small : large;
  scaled_part = EmitBinary(context, BinaryKind::Mul, scaled_part, exp, "scaled");
  const Emitted y = EmitSelect(context, argument.is_small, small, large, "of_size");
  return context.Replace(EmitEnd(context, argument, CompareKind::LessEqual, kInfinity, y));
}

// amplitude(x) cos(phase(x)) / sqrt(x), or sin for Y.
Emitted EmitWave(LegalizeContext& context, bool first, UnaryKind wave, const Argument& argument) {
  const Emitted amplitude =
      EmitDamped(context, first ? Coefficients(kAmplitude1) : kAmplitude0, argument, "amplitude");
  Emitted phase = EmitLarge(context, first ? Coefficients(kPhase1) : kPhase0, argument, "phase");
  phase = EmitBinary(context, BinaryKind::Add, phase, argument.large, "angle");
  phase = EmitUnary(context, wave, phase, "wave");
  return EmitBinary(context, BinaryKind::Mul, amplitude, phase, "large_part");
}

// J0 or J1 of arguments up to 3.
Emitted EmitSmallJ(LegalizeContext& context, bool first, const Emitted& x) {
  const Emitted y =
      EmitSmall(context, first ? Coefficients(kSmallJ1) : kSmallJ0, x, kLimitOfJ, "small_j");
  return first ? EmitBinary(context, BinaryKind::Mul, y, x, "small_j1") : y;
}

absl::Status UnmodifiedFirst(LegalizeContext& context, bool first) {
  LINNET_RETURN_IF_ERROR(context.WantFloats(0));
  const Argument argument = SplitAt(context, kLimitOfJ);
  const Emitted small = EmitSmallJ(context, first, argument.small);
  const Emitted large = EmitWave(context, first, UnaryKind::Cos, argument);
  const Emitted y = EmitSelect(context, argument.is_small, small, large, first ? "size" : "");
  return context.Replace(first ? EmitWithSign(context, argument, y) : y);
}

absl::Status UnmodifiedSecond(LegalizeContext& context, bool first) {
  LINNET_RETURN_IF_ERROR(context.WantFloats(0));
  const Argument argument = SplitAt(context, kLimitOfJ);
  const Emitted j = EmitSmallJ(context, first, argument.small);
  const Emitted log_part = EmitLogTimes(context, argument, j, 2 / std::numbers::pi);
  Emitted rest = EmitSmall(context, first ? Coefficients(kSmallY1) : kSmallY0, argument.small,
                           kLimitOfJ, "small_y");
  if (first) rest = EmitBinary(context, BinaryKind::Div, rest, argument.small, "small_y1");
  const Emitted small = EmitBinary(context, BinaryKind::Add, log_part, rest, "small_sum");
  const Emitted large = EmitWave(context, first, UnaryKind::Sin, argument);
  const Emitted y = EmitSelect(context, argument.is_small, small, large, "of_size");
  return context.Replace(EmitEnd(context, argument, CompareKind::Less, -kInfinity, y));
}

}  // namespace

absl::Status BesselI0(LegalizeContext& context) { return ModifiedFirst(context, false, false); }
absl::Status BesselI0e(LegalizeContext& context) { return ModifiedFirst(context, false, true); }
absl::Status BesselI1(LegalizeContext& context) { return ModifiedFirst(context, true, false); }
absl::Status BesselI1e(LegalizeContext& context) { return ModifiedFirst(context, true, true); }
absl::Status BesselJ0(LegalizeContext& context) { return UnmodifiedFirst(context, false); }
absl::Status BesselJ1(LegalizeContext& context) { return UnmodifiedFirst(context, true); }
absl::Status BesselK0(LegalizeContext& context) { return ModifiedSecond(context, false, false); }
absl::Status BesselK0e(LegalizeContext& context) { return ModifiedSecond(context, false, true); }
absl::Status BesselK1(LegalizeContext& context) { return ModifiedSecond(context, true, false); }
absl::Status BesselK1e(LegalizeContext& context) { return ModifiedSecond(context, true, true); }
absl::Status BesselY0(LegalizeContext& context) { return UnmodifiedSecond(context, false); }
absl::Status BesselY1(LegalizeContext& context) { return UnmodifiedSecond(context, true); }

}  // namespace linnet::converter
