// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "runtime/strips/row_use.h"

namespace linnet {

// Steps that run together, strip by strip: for each few rows of the last one's output, the parts
// (as the steps are called here) make what rows of their own outputs are needed, one after the
// other. The tensors between them never exist as wholes. Each has a window of rows in memory, from
// the first that is read again to the last that was made.

inline constexpr int kMaxStripParts = 64;
inline constexpr int kMaxStripSources = 3;  // of one part
// Of one chain and picture. Whoever opens a plan walks through all strips, so this bounds the time
// that a plan of a few bytes can take.
inline constexpr int64_t kMaxStrips = 512;
inline constexpr int64_t kMaxStripBytes = int64_t{1} << 46;  // of one slot

// An input of a part that an earlier part makes.
struct StripSource {
  int32_t input = 0, part = 0;
};

struct StripPart {
  RowWindow window;
  int32_t rows = 0;     // of a picture of the output
  int32_t in_rows = 0;  // of a picture of input 0
  int32_t tensor = -1;  // output
  int32_t num_sources = 0;
  StripSource sources[kMaxStripSources];
  int64_t row_bytes = 0;  // of the output
  // Of its output, in the memory of a slot: the last part's lies elsewhere.
  int64_t memory_offset = 0;
  int64_t memory_rows = 0;
};

// Rows [begin, end) of a picture.
struct RowRange {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};

// Rows of input 0 (or of a source) that the part reads for these of its output.
RowRange RowsUnder(const StripPart& part, RowRange out);

class StripChain {
 public:
  StripChain() = default;
  // `room`: memory for its parts, at most kMaxStripParts.
  explicit StripChain(std::span<StripPart> room) : room_(room) {}

  // Adds the next step, which reads and writes these tensors of a plan. Null, or what is wrong.
  const char* Add(const OpInstance& op, std::span<const int32_t> inputs, int32_t output);
  // After the last Add: `rows` rows of the last output are made at a time. Null, or what is wrong.
  const char* Finish(int64_t rows);

  std::span<const StripPart> parts() const { return room_.first(static_cast<size_t>(num_parts_)); }
  const StripPart& last() const { return room_[static_cast<size_t>(num_parts_) - 1]; }
  // The part that makes a tensor, or -1.
  int32_t PartOf(int32_t tensor) const;
  int64_t pictures() const { return pictures_; }
  int64_t rows() const { return rows_; }
  int64_t strips() const { return CeilDiv(int64_t{last().rows}, rows_); }
  RowRange StripRows(int64_t strip) const;
  // True when the last output may be written over a tensor of the same type that the parts of
  // `readers` (bit i: part i) read by rows: no strip reads rows that one before has overwritten. Of
  // the parts, the last may be among them if its op can run in place. One strip must run after
  // the other then, from the first on.
  bool MayOverwrite(uint64_t readers) const;
  // True when, moreover, no strip reads rows of that tensor that another one overwrites, as when it
  // is added to the last output. Strips may run in any order then, and at the same time.
  bool OverwritesOnlyOwnRows(uint64_t readers) const;
  // Of one slot, for the tensors between the parts.
  int64_t memory_bytes() const { return memory_bytes_; }

 private:
  void FindMemory();

  std::span<StripPart> room_;
  int32_t num_parts_ = 0;
  int64_t pictures_ = 0;
  int64_t rows_ = 0;
  int64_t memory_bytes_ = 0;
};

// Goes through strips that follow each other, of one picture.
class StripWalk {
 public:
  explicit StripWalk(const StripChain& chain) : chain_(chain) {}

  // Begins before any strip.
  void Start(int64_t strip);
  // Goes to the strip behind the last one, the first one after Start.
  void Next();

  // What part `i` makes in this strip; may be empty.
  RowRange Made(int i) const { return {made_[i].begin, made_[i].end}; }
  // Of what it made, the first row that is still read.
  int64_t Kept(int i) const { return kept_[i]; }

 private:
  const StripChain& chain_;
  int64_t strip_ = 0;
  RowRange made_[kMaxStripParts];
  int64_t kept_[kMaxStripParts];
};

// The first strip of a thread when all of `threads` begin with equally many that follow each other.
constexpr int64_t FirstStripOf(int64_t thread, int64_t threads, int64_t strips) {
  return strips * thread / threads;
}

// Calls visit(part, walk) for all rows that a part ever makes at once, wherever strips begin to
// follow each other. Time is linear in strips x parts.
template <typename Visit>
void ForEachStripPart(const StripChain& chain, const Visit& visit) {
  StripWalk walk(chain);
  const auto visit_parts = [&] {
    for (int i = 0; i < static_cast<int>(chain.parts().size()); ++i) visit(i, walk);
  };
  walk.Start(0);
  for (int64_t strip = 0; strip < chain.strips(); ++strip) {
    walk.Next();
    visit_parts();
  }
  for (int64_t strip = 1; strip < chain.strips(); ++strip) {
    walk.Start(strip);
    walk.Next();
    visit_parts();
  }
}

}  // namespace linnet
