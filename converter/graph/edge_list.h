// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <iterator>

namespace linnet::converter {

struct Edge;

// The neighbours of an edge in one of the two lists that it is in.
struct EdgeLinks {
  Edge* previous = nullptr;
  Edge* next = nullptr;
};

// The edges at one end of a node, in the order in which they were added: a list that is doubly
// linked through `links`, so that any edge is removed in constant time. A node may have thousands.
template <EdgeLinks Edge::*links>
class EdgeList {
 public:
  class Iterator {
   public:
    using value_type = Edge*;
    using difference_type = std::ptrdiff_t;
    using reference = Edge*;
    using iterator_category = std::forward_iterator_tag;

    Iterator() = default;
    explicit Iterator(Edge* edge) : edge_(edge) {}
    Edge* operator*() const { return edge_; }
    Iterator& operator++() {
      edge_ = (edge_->*links).next;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    Edge* edge_ = nullptr;
  };

  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(); }
  bool empty() const { return first_ == nullptr; }
  size_t size() const { return size_; }
  // REQUIRES: !empty().
  Edge* front() const { return first_; }
  Edge* back() const { return last_; }

  void Append(Edge* edge) {
    edge->*links = {last_, nullptr};
    (last_ == nullptr ? first_ : (last_->*links).next) = edge;
    last_ = edge;
    ++size_;
  }
  // REQUIRES: `edge` is in this list.
  void Remove(const Edge* edge) {
    const auto [previous, next] = edge->*links;
    (previous == nullptr ? first_ : (previous->*links).next) = next;
    (next == nullptr ? last_ : (next->*links).previous) = previous;
    --size_;
  }

 private:
  Edge* first_ = nullptr;
  Edge* last_ = nullptr;
  size_t size_ = 0;
};

}  // namespace linnet::converter
