// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "runtime/core/parallel.h"

// Stockham's self-sorting algorithm: each stage splits off one factor of the length and writes its
// results in order, from one pair of buffers to the other.
namespace linnet::kernels {

struct Complex {
  float re, im;
};

// Real and imaginary parts in separate arrays, so that inner loops vectorise.
struct Split {
  float* re;
  float* im;
  Complex at(int64_t i) const { return {re[i], im[i]}; }
  void set(int64_t i, Complex z) const { re[i] = z.re, im[i] = z.im; }
};

inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
inline Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
inline Complex TimesMinusI(Complex a) { return {a.im, -a.re}; }
inline Complex Conjugate(Complex a) { return {a.re, -a.im}; }

// exp(-2 pi i k / n) for a length n that divides the length of the table.
struct Angles {
  const float* table;
  int64_t step;  // table's length / n
  Complex at(int64_t k) const { return {table[2 * k * step], table[2 * k * step + 1]}; }
};

// The time of a stage with a radix other than 2 and 4 is proportional to the radix.
int64_t LargestPrimeFactor(int64_t n);

// Transforms n numbers in x; the result is in x or y. Checks whether to stop; the result is then
// undefined.
Split Transform(int64_t n, Angles angles, Split x, Split y, Questions& questions);

}  // namespace linnet::kernels
