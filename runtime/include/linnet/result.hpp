// SPDX-License-Identifier: Apache-2.0
//
// result.hpp: how functions of linnet.hpp return what may have failed. Include linnet.hpp, which
// includes this file. C++17.
#ifndef LINNET_RESULT_HPP_
#define LINNET_RESULT_HPP_

#include <utility>
#include <variant>

#include "linnet/types.h"

namespace linnet {
inline namespace v0 {

using Error = linnet_error;

// A value, or the error that explains why there is none.
template <typename T>
class Result {
 public:
  // Functions return either.
  Result(T value) : state_(std::move(value)) {}  // NOLINT: implicit on purpose
  Result(const Error& error) : state_(error) {}  // NOLINT
  // Whether there is a value; then * and -> give it, else error() says why there is none.
  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return *std::get_if<0>(&state_); }  // REQUIRES: has a value
  T* operator->() { return std::get_if<0>(&state_); }
  const Error& error() const { return *std::get_if<1>(&state_); }  // REQUIRES: has no value

 private:
  std::variant<T, Error> state_;
};

}  // namespace v0
}  // namespace linnet

#endif  // LINNET_RESULT_HPP_
