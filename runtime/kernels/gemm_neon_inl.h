// SPDX-License-Identifier: Apache-2.0
// Included by gemm_inl.h for 64-bit ARM: register tiles that multiply by one lane of a register, so
// that one load brings the elements of a row for two k's, and nothing is duplicated.

namespace linnet::LINNET_ISA {

// How a vector of a panel comes into its register. Cores that issue in order, two instructions at a
// time, stand still for two cycles at a load of 16 bytes, but begin a load of 8, or the insertion
// of 8 from a general register, together with a multiply-add. On other cores an insertion takes the
// place of a multiply-add.
enum class PanelLoad { kWhole, kHalves };

// Instructions stay in the order in which they are written here, because compilers do not reorder
// volatile assembly. In an order of their own, loads go to the top, and tiles out of the registers.
template <int kLane>
LINNET_INLINE void MulAddLane(Vec& acc, Vec b, Vec a) {
  __asm__ volatile("fmla %0.4s, %1.4s, %2.s[%c3]" : "+w"(acc) : "w"(b), "w"(a), "i"(kLane));
}
// Loads do not say what they read: whoever uses them must keep stores before them. Offsets are part
// of the instructions, which Clang does not make of a memory operand.
LINNET_INLINE void LoadPair(const float* row, int64_t bytes, Vec& to) {
  __asm__ volatile("ldr %d0, [%1, %2]" : "=w"(to) : "r"(row), "r"(bytes));
}
template <int kFloats>
LINNET_INLINE void LoadWhole(const float* p, Vec& to) {
  __asm__ volatile("ldr %q0, [%1, %c2]" : "=w"(to) : "r"(p), "i"(kFloats * sizeof(float)));
}
template <int kFloats>
LINNET_INLINE void LoadLow(const float* p, Vec& to) {
  __asm__ volatile("ldr %d0, [%1, %c2]" : "=w"(to) : "r"(p), "i"(kFloats * sizeof(float)));
}
template <int kFloats>
LINNET_INLINE void LoadHigh(const float* p, uint64_t& to) {
  __asm__ volatile("ldr %x0, [%1, %c2]" : "=r"(to) : "r"(p), "i"((kFloats + 2) * sizeof(float)));
}
LINNET_INLINE void InsertHigh(uint64_t high, Vec& to) {
  __asm__ volatile("ins %0.d[1], %x1" : "+w"(to) : "r"(high));
}

template <int64_t kFloats>
LINNET_INLINE void Prefetch(const float* p) {
  __asm__ volatile("prfm pldl1keep, [%0, %c1]" : : "r"(p), "i"(kFloats * sizeof(float)));
}
// Whatever makes the value is done here at the latest, and what it is made of not read before.
LINNET_INLINE void Hold(int64_t& value) { __asm__ volatile("" : "+r"(value)); }

// Calls body(0) to body(kCount - 1) with constants: only arrays with constant indices stay in
// registers, and loops are unrolled after compilers decide about that.
template <typename Body, int... kIndices>
LINNET_INLINE void RepeatFor(const Body& body, std::integer_sequence<int, kIndices...>) {
  (body(std::integral_constant<int, kIndices>()), ...);
}
template <int kCount, typename Body>
LINNET_INLINE void Repeat(const Body& body) {
  RepeatFor(body, std::make_integer_sequence<int, kCount>());
}
#define LINNET_BODY(i) [&](auto i) __attribute__((always_inline))

// The inner loop of a tile: two k's at a time. A group of vectors of the panels is multiplied by
// the rows while the next group is loaded into other registers. Groups go vector by vector, but the
// last group of a pair of k's row by row: so each row is loaded as soon as it is done. What is
// loaded when decides about cores that issue in order; a slot is the place after one multiply-add.
template <int kRows, int kVecs, PanelLoad kLoad>
struct LaneTile {
  static constexpr int kGroup = kRows <= 2 && kVecs >= 4 ? 4 : 2;
  static constexpr int kGroups = 2 * kVecs / kGroup;  // of a pair of k's
  static constexpr int kSlots = kGroup * kRows;       // of a group
  static constexpr int kPanels = kVecs > kPanelVecs ? kVecs / kPanelVecs : 1;
  static constexpr int kWidth = kVecs / kPanels * kLanes;
  static constexpr int kLines = 2 * kVecs * kLanes / kPanelCols;  // of the cache, in a pair
  static_assert(kGroups % 2 == 0, "a group's registers are the same in each pass");

  Vec acc[kRows][kVecs];
  Vec a[kRows];  // lanes 0 and 1: elements k and k + 1
  Vec b[2][kGroup];
  uint64_t high[kGroup];
  const float* panels[kPanels];  // at the pair that is being loaded

  // A vector comes in one piece, or by loads of its low and its high half and an insertion.
  static constexpr int kPieces = kLoad == PanelLoad::kWhole ? 1 : 3;
  // Where a piece of the next group is loaded: from kSlots on, in that group itself. In the last
  // group every second slot is of the load of a row; elsewhere insertions come after all loads.
  static constexpr int SlotOf(int piece, bool last_group) {
    if (kPieces == 1) return piece;
    if (last_group && kRows > 3) return 2 * piece;
    const int vec = piece / kPieces, part = piece % kPieces;
    const int order = part < 2 ? 2 * vec + part : 2 * kGroup + vec;
    return kRows > 3 ? order + 1 : order * kSlots / (kPieces * kGroup);
  }

  // Turn: which group of a pair.
  template <int kTurn, int kPiece>
  LINNET_INLINE void LoadPiece() {
    constexpr int kMoved = kPiece / kPieces;  // which vector of the group
    constexpr int kStep = kTurn * kGroup + kMoved, kVec = kStep % kVecs;
    constexpr int kFloats = kStep / kVecs * kWidth + kVec % kPanelVecs * kLanes;
    const float* from = panels[kVec / kPanelVecs];
    Vec& to = b[kTurn % 2][kMoved];
    if constexpr (kPieces == 1) {
      LoadWhole<kFloats>(from, to);
    } else if constexpr (kPiece % kPieces == 0) {
      LoadLow<kFloats>(from, to);
    } else if constexpr (kPiece % kPieces == 1) {
      LoadHigh<kFloats>(from, high[kMoved]);
    } else {
      InsertHigh(high[kMoved], to);
    }
  }

  // Pieces for group kTurn whose slot is kSlot, counted from the begin of the group before.
  template <int kTurn, int kSlot>
  LINNET_INLINE void LoadAtSlot() {
    Repeat<kPieces * kGroup>(LINNET_BODY(piece) {
      if constexpr (SlotOf(piece, kTurn == 0) == kSlot) LoadPiece<kTurn, piece>();
    });
  }

  template <int kTurn, int kSlot>
  LINNET_INLINE void MultiplyAtSlot() {
    constexpr bool kByRows = kTurn == kGroups - 1;
    constexpr int kRow = kByRows ? kSlot / kGroup : kSlot % kRows;
    constexpr int kMoved = kByRows ? kSlot % kGroup : kSlot / kRows;
    constexpr int kStep = kTurn * kGroup + kMoved;
    MulAddLane<kStep / kVecs>(acc[kRow][kStep % kVecs], b[kTurn % 2][kMoved], a[kRow]);
  }

  // All pairs of a tap. The last pass loads its own operands again instead of those after it.
  LINNET_INLINE void Pairs(int64_t pairs, const float* const (&rows)[kRows]) {
    int64_t bytes = 0, more;
    Repeat<kRows>(LINNET_BODY(i) { LoadPair(rows[i], bytes, a[i]); });
    Repeat<kPieces * kGroup>(LINNET_BODY(piece) { LoadPiece<0, piece>(); });
    do {
      Repeat<kGroups * kSlots>(LINNET_BODY(i) {
        constexpr int kTurn = i / kSlots, kSlot = i % kSlots;
        MultiplyAtSlot<kTurn, kSlot>();
        LoadAtSlot<kTurn, kSlot + kSlots>();
        LoadAtSlot<(kTurn + 1) % kGroups, kSlot>();
        if constexpr (kTurn == 0) CountAtSlot<kSlot>(pairs, more);
        if constexpr (kTurn < kLines && kSlot == kSlots - 1)
          Prefetch<kPrefetchBytes / 4 + kTurn % 2 * kPanelCols>(panels[kTurn / 2]);
        if constexpr (kTurn == kGroups - 2 && kSlot == kSlots - 1) Advance(more, bytes);
        if constexpr (kTurn == kGroups - 1 && kSlot % kGroup == kGroup - 1)
          LoadPair(rows[kSlot / kGroup], bytes, a[kSlot / kGroup]);
      });
    } while (more != 0);
  }

  // Whether there are `more` pairs.
  template <int kSlot>
  LINNET_INLINE static void CountAtSlot(int64_t& pairs, int64_t& more) {
    if constexpr (kSlot == kSlots / 2) {
      --pairs;
      Hold(pairs);
    }
    if constexpr (kSlot == kSlots - 2 + (kSlots < 5)) {
      more = pairs > 0 ? 1 : 0;
      Hold(more);
    }
  }

  // To the next pair, if there is one, before the last group loads from it.
  LINNET_INLINE void Advance(int64_t more, int64_t& bytes) {
    bytes += more * int64_t{2 * sizeof(float)};
    Hold(bytes);
    Repeat<kPanels>(LINNET_BODY(p) { panels[p] += more * 2 * kWidth; });
  }
};

// An odd last k, if there is one, goes the way of tiles without lanes.
template <int kRows, int kVecs, PanelLoad kLoad>
void TileByLanes(const GemmBlock& g, const TilePlace& at) {
  using Lanes = LaneTile<kRows, kVecs, kLoad>;
  __asm__ volatile("" : : : "memory");  // stores to what the tile reads
  Vec acc[kRows][kVecs];
  InitTile(g, at, acc);
  Lanes tile;
  Repeat<kRows * kVecs>(
      LINNET_BODY(i) { tile.acc[i / kVecs][i % kVecs] = acc[i / kVecs][i % kVecs]; });
  const float* b = g.PanelsFrom(at.offset);
  for (int64_t t = 0; t < g.taps; ++t) {
    if (g.tap_panels != nullptr) b = g.tap_panels[t] + g.tap_offset + at.offset;
    const float* rows[kRows];
    Repeat<kRows>(LINNET_BODY(i) { rows[i] = g.a[t * g.rows + at.row + i]; });
    Repeat<Lanes::kPanels>(LINNET_BODY(p) { tile.panels[p] = b + p * at.panel_stride; });
    if (g.depth > 1) tile.Pairs(g.depth / 2, rows);
    b += g.depth * Lanes::kWidth;
    if (g.depth % 2 == 0) continue;
    Repeat<kVecs>(LINNET_BODY(v) {
      const Vec last =
          Load<Vec>(b - Lanes::kWidth + v / kPanelVecs * at.panel_stride + v % kPanelVecs * kLanes);
      Repeat<kRows>(LINNET_BODY(i) {
        tile.acc[i][v] = MulAdd(Broadcast<Vec>(rows[i][g.depth - 1]), last, tile.acc[i][v]);
      });
    });
  }
  __asm__ volatile("" ::: "memory");  // who calls this may write next what was read here
  Repeat<kRows * kVecs>(
      LINNET_BODY(i) { acc[i / kVecs][i % kVecs] = tile.acc[i / kVecs][i % kVecs]; });
  StoreTile(g, at, acc);
}
#undef LINNET_BODY

// Low tiles wait for memory, however it is read.
template <int kRows, int kVecs>
LINNET_INLINE void Tile(const GemmBlock& g, const TilePlace& at) {
  if constexpr (kRows > 2) {
    if (at.in_order) return TileByLanes<kRows, kVecs, PanelLoad::kHalves>(g, at);
  }
  TileByLanes<kRows, kVecs, PanelLoad::kWhole>(g, at);
}

}  // namespace linnet::LINNET_ISA
