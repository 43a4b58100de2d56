// SPDX-License-Identifier: Apache-2.0
// Random chains, run row by row: what a part reads is there, and nothing is made twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "runtime/core/region.h"
#include "tests/runtime/strips/test_chain.h"

namespace linnet {
namespace {

using Random = std::minstd_rand;
int Below(Random& random, int end) {
  return static_cast<int>(random() % static_cast<unsigned>(end));
}

StepPtr RandomConv(const TensorType& in, Random& random) {
  Conv2DAttrs attrs = {.stride_h = 1 + Below(random, 3), .dilation_h = 1 + Below(random, 3)};
  if (Below(random, 2) == 0) {
    attrs.same = true;
  } else {
    attrs.pad_top = Below(random, 4);
    attrs.pad_bottom = Below(random, 4);
  }
  const int64_t kernel = 1 + Below(random, 5);
  if (in.shape[1] + attrs.pad_top + attrs.pad_bottom <= (kernel - 1) * attrs.dilation_h)
    attrs = {.same = true};
  return Conv(in, kernel, attrs);
}

StepPtr RandomWindow(const TensorType& in, Random& random) {
  const int stride = 1 + Below(random, 2);
  switch (Below(random, 4)) {
    case 0:
      return Conv(in, 3, {.same = true, .winograd = 2 + 2 * Below(random, 2)}, 3);
    case 1:
      return Depthwise(in, 2 + Below(random, 4), {.stride_h = stride, .same = true});
    case 2:
      return Pool(in, {.window_h = 1 + Below(random, 3), .stride_h = stride, .same = true});
    default:
      return RandomConv(in, random);
  }
}

// A tensor of the same type as the last one, made before it or from outside.
int32_t Residual(const TestChain& net, const TensorType& x, Random& random) {
  std::vector<int32_t> candidates;
  for (int32_t i = 0; i < net.last(); ++i)
    if (net.type(i) == net.type(net.last())) candidates.push_back(i);
  if (x == net.type(net.last())) candidates.push_back(kX);
  if (candidates.empty()) return net.last();
  return candidates[static_cast<size_t>(Below(random, static_cast<int>(candidates.size())))];
}

void AddRandomPart(const TensorType& x, Random& random, TestChain* net) {
  const bool is_first = net->last() < 0;
  const int32_t in = is_first ? kX : net->last();
  const TensorType& type = is_first ? x : net->type(in);
  const int choice = is_first ? 5 : Below(random, 8);
  if (choice == 0) {
    net->MustAdd(Add(type, F32({type.shape[0], 1, 1, 2})), {in});
  } else if (choice == 1) {
    net->MustAdd(Linear(type), {in});
  } else if (choice <= 3) {
    const int32_t other = Residual(*net, x, random);
    if (choice == 3 && other != kX) {  // a branch
      const int32_t branch = net->MustAdd(Relu(type), {other});
      net->MustAdd(Add(type, type), {branch, in});
    } else {
      net->MustAdd(Add(type, type), {in, other});
    }
  } else {
    (void)net->Add(RandomWindow(type, random), {in});  // some cannot be cut
  }
}

void BuildRandom(Random& random, TestChain* net) {
  const TensorType x = F32({1 + Below(random, 2), 1 + Below(random, 40), 3, 2});
  const int parts = 2 + Below(random, 9);
  while (net->last() + 1 < parts) AddRandomPart(x, random, net);
}

// By definition: the rows of input `input` under row `row` of the output of a step.
std::set<int64_t> RowsRead(const TestStep& step, int input, int64_t row) {
  if (UseOf(step.op(), input) != RowUse::kRows) return {};
  RowWindow window;
  EXPECT_TRUE(FindRowWindow(step.op(), &window));
  std::set<int64_t> rows;
  for (int64_t k = 0; k < window.size; ++k) {
    const int64_t under = row * window.stride - window.pad + k;
    if (under >= 0 && under < step.op().input(input).shape[1]) rows.insert(under);
  }
  return rows;
}

std::set<int64_t> RowsRead(const TestStep& step, int input, RowRange made) {
  std::set<int64_t> rows;
  for (int64_t row = made.begin; row < made.end; ++row) rows.merge(RowsRead(step, input, row));
  return rows;
}

bool Contains(const std::set<int64_t>& rows, const std::set<int64_t>& all) {
  return std::includes(rows.begin(), rows.end(), all.begin(), all.end());
}

// The memory of a slot, as the rows that it has of each part.
class Replay {
 public:
  explicit Replay(const TestChain& net)
      : net_(net), rows_(net.chain().parts().size()), ends_(rows_.size(), -1) {}

  void RunPart(const StripWalk& walk, int i) {
    const StripPart& part = net_.chain().parts()[static_cast<size_t>(i)];
    const RowRange made = walk.Made(i);
    ExpectInBounds(part, made);
    int64_t& end = ends_[static_cast<size_t>(i)];
    EXPECT_TRUE(end < 0 || made.begin == end) << "part " << i;
    end = made.end;
    if (made.size() <= 0) return;
    for (int k = 0; k < net_.step(i).op().num_inputs(); ++k) {
      const int32_t source = net_.chain().PartOf(net_.inputs(i)[static_cast<size_t>(k)]);
      if (source < 0) continue;
      EXPECT_LT(source, i);
      EXPECT_TRUE(Contains(rows_[static_cast<size_t>(source)], RowsRead(net_.step(i), k, made)))
          << "part " << i << " reads what is not there of part " << source;
    }
    Keep(part, made, walk.Kept(i), &rows_[static_cast<size_t>(i)]);
    if (i == net_.last()) rows_[static_cast<size_t>(i)].clear();
  }

 private:
  void ExpectInBounds(const StripPart& part, RowRange made) {
    EXPECT_GE(made.begin, 0);
    EXPECT_LE(made.begin, made.end);
    EXPECT_LE(made.end, part.rows);
    if (made.size() <= 0) return;
    EXPECT_EQ(made.begin % part.window.multiple, 0);
    EXPECT_TRUE(made.end % part.window.multiple == 0 || made.end == part.rows);
    const RowRange under = RowsUnder(part, made);
    EXPECT_GE(under.begin, 0);
    EXPECT_LT(under.begin, under.end);
    EXPECT_LE(under.end, part.in_rows);
  }

  void Keep(const StripPart& part, RowRange made, int64_t kept, std::set<int64_t>* rows) {
    rows->erase(rows->begin(), rows->lower_bound(kept));
    for (int64_t row = made.begin; row < made.end; ++row) {
      EXPECT_FALSE(rows->contains(row)) << "made twice";
      rows->insert(row);
    }
    EXPECT_LE(made.end - kept, part.memory_rows);
  }

  const TestChain& net_;
  std::vector<std::set<int64_t>> rows_;
  std::vector<int64_t> ends_;
};

void RunFrom(const TestChain& net, int64_t start) {
  StripWalk walk(net.chain());
  walk.Start(start);
  Replay replay(net);
  for (int64_t strip = start; strip < net.chain().strips(); ++strip) {
    walk.Next();
    EXPECT_EQ(walk.Made(net.last()).begin, net.chain().StripRows(strip).begin);
    EXPECT_EQ(walk.Made(net.last()).end, net.chain().StripRows(strip).end);
    for (int i = 0; i <= net.last(); ++i) replay.RunPart(walk, i);
  }
}

// ForEachStripPart, which is linear, meets all numbers of rows that occur anywhere.
void ExpectNoOtherSizes(const TestChain& net) {
  std::set<std::pair<int, int64_t>> met;
  ForEachStripPart(net.chain(), [&](int i, const StripWalk& walk) {
    met.insert({i, walk.Made(i).size()});
  });
  StripWalk walk(net.chain());
  for (int64_t start = 0; start < net.chain().strips(); ++start) {
    walk.Start(start);
    for (int64_t strip = start; strip < net.chain().strips(); ++strip) {
      walk.Next();
      for (int i = 0; i <= net.last(); ++i)
        EXPECT_TRUE(met.contains({i, walk.Made(i).size()})) << "part " << i << " from " << start;
    }
  }
}

bool Reads(const TestChain& net, int32_t part, int32_t tensor) {
  const std::vector<int32_t>& inputs = net.inputs(part);
  return std::find(inputs.begin(), inputs.end(), tensor) != inputs.end();
}

// Rows of the tensor that a strip reads, or will, although the last part has written them before.
bool ReadsOverwritten(const TestChain& net, int32_t tensor) {
  StripWalk walk(net.chain());
  walk.Start(0);
  int64_t written = 0;
  for (int64_t strip = 0; strip < net.chain().strips(); ++strip) {
    walk.Next();
    for (int i = 0; i <= net.last(); ++i) {
      for (size_t k = 0; k < net.inputs(i).size(); ++k) {
        if (net.inputs(i)[k] != tensor) continue;
        const auto rows = RowsRead(net.step(i), static_cast<int>(k), walk.Made(i));
        if (!rows.empty() && *rows.begin() < written) return true;
      }
    }
    written = net.chain().StripRows(strip).end;
  }
  return false;
}

// Whether a strip reads a row of `tensor` that another one writes in its place.
bool ReadsRowsOfOthers(const TestChain& net, int32_t tensor) {
  for (int64_t strip = 0; strip < net.chain().strips(); ++strip) {
    StripWalk walk(net.chain());
    walk.Start(strip);
    walk.Next();
    const RowRange own = net.chain().StripRows(strip);
    for (int32_t i = 0; i <= net.last(); ++i) {
      for (size_t k = 0; k < net.inputs(i).size(); ++k) {
        if (net.inputs(i)[k] != tensor) continue;
        const auto rows = RowsRead(net.step(i), static_cast<int>(k), walk.Made(i));
        if (!rows.empty() && (*rows.begin() < own.begin || *rows.rbegin() >= own.end)) return true;
      }
    }
  }
  return false;
}

// Rows that are never made are not read either, which MayOverwrite does not know.
bool MakesAll(const TestChain& net, int32_t part) {
  StripWalk walk(net.chain());
  walk.Start(0);
  for (int64_t strip = 0; strip < net.chain().strips(); ++strip) walk.Next();
  return walk.Made(part).end == net.chain().parts()[static_cast<size_t>(part)].rows;
}

// Returns whether there was something to check, and whether the answer was yes.
struct Checked {
  int yes = 0, no = 0, only_own = 0;
};
void ExpectMayOverwrite(const TestChain& net, Checked* checked) {
  uint64_t readers = 0;
  bool all = true;
  for (int32_t i = 0; i <= net.last(); ++i) {
    if (!Reads(net, i, kX)) continue;
    readers |= uint64_t{1} << i;
    all &= MakesAll(net, i);
  }
  const bool may = net.chain().MayOverwrite(readers);
  EXPECT_FALSE(may && ReadsOverwritten(net, kX));
  EXPECT_FALSE(!may && all && !ReadsOverwritten(net, kX));
  ++(may ? checked->yes : checked->no);
  const bool only_own = net.chain().OverwritesOnlyOwnRows(readers);
  EXPECT_FALSE(only_own && ReadsRowsOfOthers(net, kX));
  checked->only_own += only_own && readers != 0;
}

TEST(StripReplay, ReadsOnlyWhatIsThere) {
  Random random(1);
  int finished = 0;
  Checked overwrites;
  for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("chain " + std::to_string(i));
    TestChain net;
    BuildRandom(random, &net);
    const int64_t rows = 1 + Below(random, net.chain().last().rows);
    if (net.chain().Finish(rows) != nullptr) continue;
    ++finished;
    for (int64_t start = 0; start < net.chain().strips(); ++start) RunFrom(net, start);
    ExpectNoOtherSizes(net);
    ExpectMayOverwrite(net, &overwrites);
  }
  EXPECT_GT(finished, 1000);
  EXPECT_GT(overwrites.yes, 100);
  EXPECT_GT(overwrites.no, 100);
  EXPECT_GT(overwrites.only_own, 100);
}

}  // namespace
}  // namespace linnet
