// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/random.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "runtime/kernels/range.h"

namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 10;  // groups worth a thread; for a group see kGroup
constexpr int kWordsPerBlock = 4;
// Words that TensorFlow reserves for each number of a truncated normal distribution, because some
// are rejected.
constexpr uint64_t kWordsPerTruncated = 256;

// A uniform number in [0, 1) from kWords words.
struct HalfUnit {
  using Real = float;
  static constexpr int kWords = 1;
  static float Of(const uint32_t* words) { return static_cast<float>(words[0] & 0x3FF) * 0x1p-10f; }
};
struct FloatUnit {
  using Real = float;
  static constexpr int kWords = 1;
  static float Of(const uint32_t* words) {
    return static_cast<float>(words[0] & 0x7FFFFF) * 0x1p-23f;
  }
};
struct DoubleUnit {
  using Real = double;
  static constexpr int kWords = 2;
  static double Of(const uint32_t* words) {
    const uint64_t mantissa = uint64_t{words[0] & 0xFFFFF} << 32 | words[1];
    return static_cast<double>(mantissa) * 0x1p-52;
  }
};

// Two normal numbers from two uniform ones (Box and Muller).
template <typename Unit>
std::pair<typename Unit::Real, typename Unit::Real> Normals(const uint32_t* words) {
  using Real = typename Unit::Real;
  constexpr double kTwoPi = 6.283185307179586;
  const Real radius =
      std::sqrt(Real{-2} * std::log(std::max(Unit::Of(words), static_cast<Real>(1e-7))));
  const auto angle = static_cast<Real>(kTwoPi * Unit::Of(words + Unit::kWords));
  return {std::sin(angle) * radius, std::cos(angle) * radius};
}

// A group is the numbers that one block gives. A group of truncated normal numbers has equally
// many.
template <typename Unit>
constexpr int kGroup = kWordsPerBlock / Unit::kWords;

template <typename Unit>
void UniformGroup(const Philox& philox, uint64_t group, float* out) {
  const Philox::Block words = philox.At(group);
  for (int i = 0; i < kGroup<Unit>; ++i)
    out[i] = static_cast<float>(Unit::Of(&words[i * Unit::kWords]));
}

template <typename Unit>
void NormalGroup(const Philox& philox, uint64_t group, float* out) {
  const Philox::Block words = philox.At(group);
  for (int i = 0; i < kGroup<Unit>; i += 2) {
    const auto [first, second] = Normals<Unit>(&words[i * Unit::kWords]);
    out[i] = static_cast<float>(first);
    out[i + 1] = static_cast<float>(second);
  }
}

template <typename Unit>
void TruncatedNormalGroup(const Philox& philox, uint64_t group, float* out) {
  uint64_t block = group * kGroup<Unit> * (kWordsPerTruncated / kWordsPerBlock);
  for (int found = 0; found < kGroup<Unit>; ++block) {
    const Philox::Block words = philox.At(block);
    for (int i = 0; i < kGroup<Unit>; i += 2) {
      const auto [first, second] = Normals<Unit>(&words[i * Unit::kWords]);
      for (const auto number : {first, second})
        if (std::abs(number) < 2 && found < kGroup<Unit>) out[found++] = static_cast<float>(number);
    }
  }
}

// Fills `count` numbers; the last group may be incomplete.
template <int kSize, typename T, typename Fill>
void FillGroups(int64_t count, T* out, const Parallel& parallel, const Fill& fill) {
  ParallelFor(parallel, CeilDiv(count, kSize), kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group) {
      T numbers[kSize];
      fill(static_cast<uint64_t>(group), numbers);
      std::copy_n(numbers, std::min<int64_t>(kSize, count - group * kSize), out + group * kSize);
    }
  });
}

template <typename Unit>
void Reals(RealKind kind, const Philox& philox, int64_t count, float* out,
           const Parallel& parallel) {
  void (*const group)(const Philox&, uint64_t, float*) =
      kind == RealKind::kUniform  ? UniformGroup<Unit>
      : kind == RealKind::kNormal ? NormalGroup<Unit>
                                  : TruncatedNormalGroup<Unit>;
  FillGroups<kGroup<Unit>>(count, out, parallel,
                           [&](uint64_t i, float* numbers) { group(philox, i, numbers); });
}

uint64_t TwoWords(const uint32_t* words) { return words[0] | uint64_t{words[1]} << 32; }

}  // namespace

void RandomReals(RealKind kind, DType drawn_as, const Philox& philox, int64_t count, float* out,
                 const Parallel& parallel) {
  if (drawn_as == DType::kFloat64)
    Reals<DoubleUnit>(kind, philox, count, out, parallel);
  else if (drawn_as == DType::kFloat16 && kind == RealKind::kUniform)
    Reals<HalfUnit>(kind, philox, count, out, parallel);
  else
    Reals<FloatUnit>(kind, philox, count, out, parallel);
}

void RandomIntegers(const Philox& philox, int32_t min, uint32_t range, int64_t count, int32_t* out,
                    const Parallel& parallel) {
  FillGroups<kWordsPerBlock>(count, out, parallel, [&](uint64_t group, int32_t* numbers) {
    for (const uint32_t word : philox.At(group))
      *numbers++ =
          static_cast<int32_t>(static_cast<uint32_t>(min) + (range == 0 ? word : word % range));
  });
}

void RandomIntegers(const Philox& philox, int64_t min, uint64_t range, int64_t count, int64_t* out,
                    const Parallel& parallel) {
  FillGroups<2>(count, out, parallel, [&](uint64_t group, int64_t* numbers) {
    const Philox::Block words = philox.At(group);
    for (int i = 0; i < 2; ++i) {
      const uint64_t word = TwoWords(&words[2 * i]);
      numbers[i] =
          static_cast<int64_t>(static_cast<uint64_t>(min) + (range == 0 ? word : word % range));
    }
  });
}

void RandomPermutation(const Philox& philox, int64_t count, int32_t* out,
                       const Parallel& parallel) {
  Questions questions(parallel);
  Range<int32_t>(0, 1, count, out, parallel);
  Philox::Block words = {};
  for (int64_t i = 0; i + 1 < count && !questions.Stop(32); ++i) {
    const auto [block, word] = std::lldiv(i, kWordsPerBlock);
    if (word == 0) words = philox.At(static_cast<uint64_t>(block));
    std::swap(out[i], out[i + words[static_cast<size_t>(word)] % static_cast<uint32_t>(count - i)]);
  }
}

void RandomClasses(const Philox& philox, const float* logits, int64_t rows, int64_t classes,
                   int64_t samples, double* cumulative, int64_t* out, const Parallel& parallel) {
  Questions questions(parallel);
  uint64_t drawn = 0;
  for (int64_t row = 0; row < rows && !questions.Stop(1); ++row, logits += classes) {
    float max = std::numeric_limits<float>::lowest();
    for (int64_t i = 0; i < classes && !questions.Stop(4); ++i)
      if (std::isfinite(logits[i])) max = std::max(max, logits[i]);
    double sum = 0;
    for (int64_t i = 0; i < classes && !questions.Stop(16); ++i) {
      if (std::isfinite(logits[i])) sum += std::exp(double{logits[i]} - double{max});
      cumulative[i] = sum;
    }
    for (int64_t sample = 0; sample < samples && !questions.Stop(128); ++sample, ++drawn) {
      const Philox::Block words = philox.At(drawn / 2);
      const double wanted = DoubleUnit::Of(&words[drawn % 2 * 2]) * sum;
      *out++ = std::upper_bound(cumulative, cumulative + classes, wanted) - cumulative;
    }
  }
}

}  // namespace linnet::kernels
