// SPDX-License-Identifier: Apache-2.0
// TensorFlow's audio front end: spectrograms, and mel-frequency cepstral coefficients (MFCC) as two
// matrix products.
#include <cmath>
#include <numbers>

#include "converter/legalize/context/building_blocks.h"
#include "converter/legalize/context/tf_op.h"
#include "runtime/ops/fourier.h"
#include "runtime/ops/gather.h"

namespace linnet::converter {
namespace {

// The periodic Hann window, which is TensorFlow's.
std::vector<float> HannWindow(int64_t size) {
  std::vector<float> values;
  for (int64_t i = 0; i < size; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size);
    values.push_back(static_cast<float>(0.5 - 0.5 * std::cos(angle)));
  }
  return values;
}

// [samples, channels] -> [channels, frames, bins]: frames of `window_size` samples, multiplied by a
// window and padded with zeros to a power of two.
absl::Status AudioSpectrogram(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 2));
  LINNET_ASSIGN_OR_RETURN(const int64_t window, context.Int("window_size", 0));
  LINNET_ASSIGN_OR_RETURN(const int64_t stride, context.Int("stride", 0));
  LINNET_ASSIGN_OR_RETURN(const bool squared, context.Bool("magnitude_squared", false));
  const int64_t samples = context.shape(0)[0], channels = context.shape(0)[1];
  if (window < 2 || stride < 1 || window > samples)
    return Invalid("a window of {} with stride {} over {} samples", window, stride, samples);
  const int64_t frames = 1 + (samples - window) / stride;
  if (SaturatingMul(frames, window) > kMostElements)
    return Unsupported("{} frames of {} samples are too many", frames, window);
  std::vector<int32_t> from;
  for (int64_t frame = 0; frame < frames; ++frame) {
    for (int64_t i = 0; i < window; ++i) from.push_back(static_cast<int32_t>(frame * stride + i));
  }
  Emitted x = EmitTranspose(context, {1, 0}, context.input(0), "channels");
  const Output indices =
      context.AddConstant(Constant::Of<int32_t>({frames, window}, std::move(from)), "indices");
  x = context.Emit(GatherAttrs{.axis = 1}, {x, indices}, "frames");
  const Output weights = context.AddVector(HannWindow(window), "window");
  x = EmitBinary(context, BinaryKind::Mul, x, weights, "weighted");
  FourierAttrs fourier{.kind = schema::FourierKind::RealForward, .length = 1};
  while (fourier.length < window) fourier.length *= 2;
  x = EmitPad(context, {0, 0, 0}, {0, 0, fourier.length - window}, x, "padded");
  x = context.Emit(fourier, {x}, "Fourier");
  x = EmitUnary(context, UnaryKind::Square, x, "squares");
  x = EmitReduce(context, ReduceKind::Sum, {3}, false, x, squared ? "" : "power");
  if (channels == 0) return Invalid("no channels");
  return context.Replace(squared ? x : EmitUnary(context, UnaryKind::Sqrt, x));
}

double Mel(double hertz) { return 1127.0 * std::log1p(hertz / 700.0); }

struct MelBands {
  int64_t bins, channels;
  double sample_rate, low, high;
};

// [bins, channels]: on the mel scale a triangle for each channel, from the peak of the channel
// before it to that of the channel after it. The bin at 0 Hz is left out.
Constant MelWeights(const MelBands& bands) {
  const double low = Mel(bands.low);
  const double spacing = (Mel(bands.high) - low) / static_cast<double>(bands.channels + 1);
  const double hertz = 0.5 * bands.sample_rate / static_cast<double>(bands.bins - 1);
  const auto first = static_cast<int64_t>(1.5 + bands.low / hertz);
  const auto last = static_cast<int64_t>(bands.high / hertz);
  const auto peak = [&](int64_t channel) {
    return low + spacing * static_cast<double>(channel + 1);
  };
  std::vector<float> weights(bands.bins * bands.channels, 0.0f);
  int64_t next = 0;  // the first channel whose peak is not below the bin
  for (int64_t bin = first; bin <= last && bin < bands.bins; ++bin) {
    const double mel = Mel(static_cast<double>(bin) * hertz);
    while (next < bands.channels && peak(next) < mel) ++next;
    const double falling = (peak(next) - mel) / (peak(next) - peak(next - 1));
    float* row = &weights[bin * bands.channels];
    if (next > 0) row[next - 1] = static_cast<float>(falling);
    if (next < bands.channels) row[next] = static_cast<float>(1 - falling);
  }
  return Constant::Of<float>({bands.bins, bands.channels}, std::move(weights));
}

// The matrix [channels, coefficients] of the discrete cosine transform.
Constant CosineWeights(int64_t channels, int64_t coefficients) {
  const double norm = std::sqrt(2.0 / static_cast<double>(channels));
  std::vector<float> weights;
  for (int64_t channel = 0; channel < channels; ++channel) {
    for (int64_t i = 0; i < coefficients; ++i) {
      const double angle = std::numbers::pi / static_cast<double>(channels) *
                           static_cast<double>(i) * (static_cast<double>(channel) + 0.5);
      weights.push_back(static_cast<float>(norm * std::cos(angle)));
    }
  }
  return Constant::Of<float>({channels, coefficients}, std::move(weights));
}

// The input is a spectrogram of squared magnitudes.
absl::Status Mfcc(LegalizeContext& context) {
  LINNET_RETURN_IF_ERROR(context.WantRank(0, 3));
  LINNET_ASSIGN_OR_RETURN(const int64_t rate, context.ConstantInt(1, "sample_rate"));
  LINNET_ASSIGN_OR_RETURN(const double high, context.Float("upper_frequency_limit", 4000.0f));
  LINNET_ASSIGN_OR_RETURN(const double low, context.Float("lower_frequency_limit", 20.0f));
  LINNET_ASSIGN_OR_RETURN(const int64_t channels, context.Int("filterbank_channel_count", 40));
  LINNET_ASSIGN_OR_RETURN(const int64_t coefficients, context.Int("dct_coefficient_count", 13));
  const int64_t bins = context.shape(0)[2];
  constexpr int64_t kMost = 1 << 12;
  if (rate < 1 || bins < 2 || channels < 1 || channels > kMost || coefficients < 1 ||
      coefficients > channels || SaturatingMul(bins, channels) > kMostElements || !(low >= 0) ||
      !(high > low))
    return Invalid("{} coefficients of {} channels from {} to {} Hz of {} bins at {} Hz",
                   coefficients, channels, low, high, bins, rate);
  const MelBands bands{bins, channels, static_cast<double>(rate), low, high};
  const Output mel = context.AddConstant(MelWeights(bands), "mel_weights");
  const Output cosines =
      context.AddConstant(CosineWeights(channels, coefficients), "cosine_weights");
  Emitted x = EmitUnary(context, UnaryKind::Sqrt, context.input(0), "magnitudes");
  x = EmitMatMul(context, x, mel, Output(), "mel");
  x = EmitBinary(context, BinaryKind::Maximum, x, 1e-12, "floor");
  x = EmitUnary(context, UnaryKind::Log, x, "log");
  return context.Replace(EmitMatMul(context, x, cosines, Output(), "coefficients"));
}

}  // namespace

std::span<const TfOp> AudioOps() {
  static constexpr TfOp kRows[] = {
      {"AudioSpectrogram", AudioSpectrogram, "Gather, Binary, Pad, Fourier, Unary, Reduce"},
      {"Mfcc", Mfcc, "Unary, FullyConnected, Binary; sample_rate known"},
  };
  return kRows;
}

}  // namespace linnet::converter
