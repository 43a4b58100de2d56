// SPDX-License-Identifier: Apache-2.0
#include "runtime/strips/strip_chain.h"

#include <algorithm>

#include "runtime/core/checked.h"
#include "runtime/core/region.h"

namespace linnet {
namespace {

// Kernels may read so many bytes behind a tensor.
constexpr int64_t kTail = 64;

// The first row of input 0 under row `row` of the output. REQUIRES: row < part.rows.
int64_t FirstUnder(const StripPart& part, int64_t row) {
  return std::clamp<int64_t>(row * part.window.stride - part.window.pad, 0, part.in_rows);
}

int64_t EndUnder(const StripPart& part, int64_t last_row) {
  const int64_t end = last_row * part.window.stride - part.window.pad + part.window.size;
  return std::clamp<int64_t>(end, 0, part.in_rows);
}

int64_t RoundDown(int64_t row, int64_t multiple) { return row / multiple * multiple; }

}  // namespace

RowRange RowsUnder(const StripPart& part, RowRange out) {
  if (out.size() <= 0) return {};
  return {FirstUnder(part, out.begin), EndUnder(part, out.end - 1)};
}

int32_t StripChain::PartOf(int32_t tensor) const {
  for (int32_t i = 0; i < num_parts_; ++i)
    if (room_[i].tensor == tensor) return i;
  return -1;
}

const char* StripChain::Add(const OpInstance& op, std::span<const int32_t> inputs, int32_t output) {
  if (num_parts_ == std::ssize(room_)) return "more steps than strips can have";
  StripPart part{.tensor = output};
  if (!FindRowWindow(op, &part.window)) return "cannot run in strips";
  const Shape& out = op.output(0).shape;
  const int64_t in_rows = op.input(0).shape.rank() > 1 ? op.input(0).shape[1] : 0;
  if (std::max(in_rows, out[1]) > INT32_MAX / 4 || part.window.stride > INT32_MAX ||
      part.window.size > INT32_MAX)
    return "too many rows for strips";
  if (num_parts_ > 0 && out[0] != pictures_) return "strips want equally many pictures";
  if (PartOf(output) >= 0) return "writes a tensor twice in strips";
  part.rows = static_cast<int32_t>(out[1]);
  part.in_rows = part.rows;
  part.row_bytes = op.output(0).bytes() / (out[0] * out[1]);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool has_rows = UseOf(op, static_cast<int>(i)) == RowUse::kRows;
    if (i == 0 && has_rows) part.in_rows = static_cast<int32_t>(op.input(0).shape[1]);
    const int32_t source = PartOf(inputs[i]);
    if (source < 0) continue;
    if (!has_rows) return "reads all of a tensor that is made in strips";
    if (part.num_sources == kMaxStripSources)
      return "reads too many tensors that are made in strips";
    part.sources[part.num_sources++] = {static_cast<int32_t>(i), source};
  }
  pictures_ = out[0];
  room_[static_cast<size_t>(num_parts_++)] = part;
  return nullptr;
}

const char* StripChain::Finish(int64_t rows) {
  if (num_parts_ < 2) return "strips want at least two steps";
  rows_ = rows;
  const int64_t multiple = last().window.multiple;
  if (rows < 1 || rows > last().rows || (rows % multiple != 0 && rows != last().rows))
    return "strips have a number of rows that the last step cannot make";
  if (strips() > kMaxStrips) return "too many strips";
  uint64_t is_read = 0;
  for (const StripPart& part : parts())
    for (int32_t i = 0; i < part.num_sources; ++i) is_read |= uint64_t{1} << part.sources[i].part;
  if (is_read != (uint64_t{1} << (num_parts_ - 1)) - 1)
    return "want each step but the last to be read by a later one of the same strips";
  FindMemory();
  return memory_bytes_ > kMaxStripBytes ? "strips need too much memory" : nullptr;
}

void StripChain::FindMemory() {
  for (StripPart& part : room_) part.memory_rows = 0;
  ForEachStripPart(*this, [&](int i, const StripWalk& walk) {
    room_[i].memory_rows = std::max(room_[i].memory_rows, walk.Made(i).end - walk.Kept(i));
  });
  int64_t at = 0;
  for (int32_t i = 0; i + 1 < num_parts_; ++i) {
    room_[i].memory_offset = at;
    const int64_t bytes = SaturatingMul(room_[i].memory_rows, room_[i].row_bytes);
    at = std::min(SaturatingAdd(at, SaturatingAdd(bytes, kTail)), kMaxStripBytes + 1);
    at = AlignUp(at, kHostAlignment);
  }
  memory_bytes_ = at;
}

bool StripChain::MayOverwrite(uint64_t readers) const {
  StripWalk walk(*this);
  walk.Start(0);
  for (int64_t strip = 0; strip < strips(); ++strip) {
    walk.Next();
    for (int32_t i = 0; i < num_parts_; ++i) {
      if ((readers >> i & 1) == 0 || walk.Made(i).end >= room_[i].rows) continue;
      if (FirstUnder(room_[i], walk.Made(i).end) < StripRows(strip).end) return false;
    }
  }
  return true;
}

bool StripChain::OverwritesOnlyOwnRows(uint64_t readers) const {
  if (readers == 0) return true;  // as for most chains of a session
  StripWalk walk(*this);
  for (int64_t strip = 0; strip < strips(); ++strip) {
    // As the first strip of a thread, which makes most rows.
    walk.Start(strip);
    walk.Next();
    const RowRange own = StripRows(strip);
    for (int32_t i = 0; i < num_parts_; ++i) {
      const RowRange made = walk.Made(i);
      if ((readers >> i & 1) == 0 || made.size() <= 0) continue;
      // Input 0 is read under a window, the others in the rows of the output.
      const RowRange under = RowsUnder(room_[i], made);
      if (std::min(made.begin, under.begin) < own.begin || std::max(made.end, under.end) > own.end)
        return false;
    }
  }
  return true;
}

RowRange StripChain::StripRows(int64_t strip) const {
  return {strip * rows_, std::min<int64_t>((strip + 1) * rows_, last().rows)};
}

void StripWalk::Start(int64_t strip) {
  strip_ = strip;
  const std::span<const StripPart> parts = chain_.parts();
  const auto last = static_cast<int>(parts.size()) - 1;
  for (int i = 0; i < last; ++i) made_[i] = {parts[i].rows, parts[i].rows};
  made_[last] = {chain_.StripRows(strip).begin, chain_.StripRows(strip).begin};
  for (int reader = last; reader >= 0; --reader) {
    const StripPart& part = parts[reader];
    const int64_t row = std::min<int64_t>(made_[reader].begin, part.rows - 1);
    for (int32_t k = 0; k < part.num_sources; ++k) {
      const int32_t source = part.sources[k].part;
      const int64_t first = RoundDown(FirstUnder(part, row), parts[source].window.multiple);
      if (first < made_[source].begin) made_[source] = {first, first};
    }
  }
}

void StripWalk::Next() {
  const std::span<const StripPart> parts = chain_.parts();
  const auto last = static_cast<int>(parts.size()) - 1;
  for (int i = 0; i <= last; ++i) {
    made_[i].begin = made_[i].end;
    kept_[i] = made_[i].end;
  }
  made_[last].end = chain_.StripRows(strip_++).end;
  for (int reader = last; reader >= 0; --reader) {
    const StripPart& part = parts[reader];
    const RowRange made = made_[reader];
    for (int32_t k = 0; k < part.num_sources; ++k) {
      const int32_t source = part.sources[k].part;
      if (made.begin < part.rows)
        kept_[source] = std::min(kept_[source], FirstUnder(part, made.begin));
      if (made.size() <= 0) continue;
      const int64_t multiple = parts[source].window.multiple;
      const int64_t end = CeilDiv(EndUnder(part, made.end - 1), multiple) * multiple;
      made_[source].end = std::max(made_[source].end, std::min<int64_t>(end, parts[source].rows));
    }
  }
}

}  // namespace linnet
