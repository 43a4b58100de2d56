// SPDX-License-Identifier: Apache-2.0
//
// span.hpp: how linnet.hpp shows elements and shapes of tensors. Include linnet.hpp, which includes
// this.
#ifndef LINNET_SPAN_HPP_
#define LINNET_SPAN_HPP_

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "linnet/types.h"

namespace linnet {
inline namespace v0 {

// A view of contiguous elements that it does not own, like C++20's std::span. The two convert to
// each other.
template <typename T>
class Span {
 public:
  // Empty, or a view of elements that live elsewhere.
  constexpr Span() = default;
  constexpr Span(T* data, size_t size) : data_(data), size_(size) {}
  template <size_t n>
  constexpr Span(T (&array)[n]) : data_(array), size_(n) {}  // NOLINT: implicit on purpose
  // From anything with data() and size(), such as a vector, an array or a string.
  template <typename Container,
            typename = std::enable_if_t<
                std::is_convertible_v<decltype(std::declval<Container&>().data()), T*> &&
                std::is_convertible_v<decltype(std::declval<Container&>().size()), size_t>>>
  constexpr Span(Container&& container)  // NOLINT
      : data_(container.data()), size_(container.size()) {}

  constexpr T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }
  constexpr T& operator[](size_t i) const { return data_[i]; }  // REQUIRES: i < size()

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
};

// A shape; its rank is -1 when there is no such tensor.
struct Dims {
  int64_t values[LINNET_MAX_RANK] = {};
  int32_t rank = 0;
  Span<const int64_t> dims() const { return {values, rank < 0 ? 0 : static_cast<size_t>(rank)}; }
};

// True when T is the element type of tensors with this dtype. Float16 elements are seen as
// uint16_t, bool elements as bool or uint8_t.
template <typename T>
constexpr bool Holds(linnet_dtype dtype) {
  using E = std::remove_const_t<T>;
  switch (dtype) {
    case LINNET_FLOAT32:
      return std::is_same_v<E, float>;
    case LINNET_FLOAT64:
      return std::is_same_v<E, double>;
    case LINNET_INT8:
      return std::is_same_v<E, int8_t>;
    case LINNET_UINT8:
      return std::is_same_v<E, uint8_t>;
    case LINNET_INT16:
      return std::is_same_v<E, int16_t>;
    case LINNET_FLOAT16:
    case LINNET_UINT16:
      return std::is_same_v<E, uint16_t>;
    case LINNET_INT32:
      return std::is_same_v<E, int32_t>;
    case LINNET_INT64:
      return std::is_same_v<E, int64_t>;
    case LINNET_BOOL:
      return std::is_same_v<E, bool> || std::is_same_v<E, uint8_t>;
  }
  return false;
}

}  // namespace v0
}  // namespace linnet

#endif  // LINNET_SPAN_HPP_
