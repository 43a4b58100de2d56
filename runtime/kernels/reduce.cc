// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/reduce.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "runtime/kernels/independent_loops.h"
#include "runtime/kernels/row_reductions.h"

// The loops over the tensor are common to all kinds and dtypes; only the four functions of a
// Reducer are compiled per kind and dtype.
namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 14;                // input elements worth a thread
constexpr int64_t kColumns = 256;                  // neighbouring outputs reduced together
constexpr int64_t kMostAtOnce = kWorkPerQuestion;  // neighbours added to one output
constexpr int kSumRows = 32;  // rows summed in float before the sum goes to double

struct Accumulators {
  alignas(64) uint8_t values[kColumns * 8];  // elements of the reduction's type
  double totals[kColumns];                   // sums of floats: moved here from `values`
  int rows = 0;                              // sums of floats: rows in `values`

  template <typename T>
  T* as() {
    return reinterpret_cast<T*>(values);
  }
};

struct Reducer {
  void (*start)(Accumulators* a, int64_t columns);
  // Adds one element to each of `columns` outputs.
  void (*add_row)(Accumulators* a, const void* row, int64_t columns);
  // Adds `count` elements to output 0.
  void (*add_run)(Accumulators* a, const void* run, int64_t count);
  // `count`: elements per output.
  void (*finish)(Accumulators* a, int64_t columns, int64_t count, void* out);
};

// Kinds that combine two elements into one.
template <typename Op>
struct Fold {
  using T = typename Op::Type;

  static void Start(Accumulators* a, int64_t columns) {
    for (int64_t c = 0; c < columns; ++c) a->as<T>()[c] = Op::kNeutral;
  }
  static void AddRow(Accumulators* a, const void* row, int64_t columns) {
    const T* in = static_cast<const T*>(row);
    T* values = a->as<T>();
    LINNET_VECTORIZE
    for (int64_t c = 0; c < columns; ++c) values[c] = Op::Join(values[c], in[c]);
  }
  static void AddRun(Accumulators* a, const void* run, int64_t count) {
    const T* in = static_cast<const T*>(run);
    T value = a->as<T>()[0];
    if constexpr (std::is_floating_point_v<T>) {
      const auto join = [](auto x, auto y) { return Op::Join(x, y); };
      value = Op::Join(value, FoldRow(in, count, Op::kNeutral, Identity(), join));
    } else {  // vectorised without help
      for (int64_t i = 0; i < count; ++i) value = Op::Join(value, in[i]);
    }
    a->as<T>()[0] = value;
  }
  static void Finish(Accumulators* a, int64_t columns, int64_t, void* out) {
    std::memcpy(out, a->values, columns * sizeof(T));
  }
  static constexpr Reducer kReducer = {Start, AddRow, AddRun, Finish};
};

template <typename T>
struct IntegerSum {
  using Type = T;
  using Unsigned = std::make_unsigned_t<T>;
  static constexpr T kNeutral = 0;
  static T Join(T a, T b) {
    return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
  }
};

template <typename T>
struct Product {
  using Type = T;
  static constexpr T kNeutral = 1;
  template <typename V>  // T or a vector of T
  static V Join(V a, V b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a * b;
    } else {
      using Unsigned = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
    }
  }
};

template <typename T, bool kMax>
struct Extreme {
  using Type = T;
  using Limits = std::numeric_limits<T>;
  static constexpr T kLowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  static constexpr T kHighest = Limits::has_infinity ? Limits::infinity() : Limits::max();
  static constexpr T kNeutral = kMax ? kLowest : kHighest;
  // Propagates NaN from either operand: the comparison is false for NaN in b, and `a` is tested.
  template <typename V>  // T or a vector of T
  static V Join(V a, V b) {
    if constexpr (kMax)
      return ((a > b) | (a != a)) ? a : b;
    else
      return ((a < b) | (a != a)) ? a : b;
  }
};

// Sum of floats: in float over short runs, in double over the runs.
struct FloatSum {
  static void Start(Accumulators* a, int64_t columns) {
    std::memset(a->values, 0, columns * sizeof(float));
    std::memset(a->totals, 0, columns * sizeof(double));
    a->rows = 0;
  }
  static void Flush(Accumulators* a, int64_t columns) {
    float* run = a->as<float>();
    for (int64_t c = 0; c < columns; ++c) {
      a->totals[c] += run[c];
      run[c] = 0.0f;
    }
    a->rows = 0;
  }
  static void AddRow(Accumulators* a, const void* row, int64_t columns) {
    const float* in = static_cast<const float*>(row);
    float* run = a->as<float>();
    LINNET_VECTORIZE
    for (int64_t c = 0; c < columns; ++c) run[c] += in[c];
    if (++a->rows == kSumRows) Flush(a, columns);
  }
  static void AddRun(Accumulators* a, const void* run, int64_t count) {
    a->totals[0] += Sum(static_cast<const float*>(run), count, Identity());
  }
  static void Finish(Accumulators* a, int64_t columns, int64_t, void* out) {
    Flush(a, columns);
    for (int64_t c = 0; c < columns; ++c)
      static_cast<float*>(out)[c] = static_cast<float>(a->totals[c]);
  }
  static void FinishMean(Accumulators* a, int64_t columns, int64_t count, void* out) {
    Flush(a, columns);
    const double n = static_cast<double>(count);
    for (int64_t c = 0; c < columns; ++c)
      static_cast<float*>(out)[c] = static_cast<float>(a->totals[c] / n);
  }
  static constexpr Reducer kReducer = {Start, AddRow, AddRun, Finish};
  static constexpr Reducer kMeanReducer = {Start, AddRow, AddRun, FinishMean};
};

template <typename T>
struct IntegerMean {
  using Base = Fold<IntegerSum<T>>;
  static void Finish(Accumulators* a, int64_t columns, int64_t count, void* out) {
    for (int64_t c = 0; c < columns; ++c) {
      const T sum = a->as<T>()[c];
      static_cast<T*>(out)[c] = count == 0 ? 0 : static_cast<T>(sum / count);
    }
  }
  static constexpr Reducer kReducer = {Base::Start, Base::AddRow, Base::AddRun, Finish};
};

// The input's dimensions, outermost first: without extents of 1, and with neighbours merged that
// are both kept or both reduced.
struct Axes {
  int rank = 0;
  int64_t dims[kMaxRank];
  int64_t strides[kMaxRank];  // in elements

  void Append(int64_t dim, int64_t stride) {
    dims[rank] = dim;
    strides[rank++] = stride;
  }
  void Reverse() {
    std::reverse(dims, dims + rank);
    std::reverse(strides, strides + rank);
  }
  int64_t count() const {
    int64_t n = 1;
    for (int axis = 0; axis < rank; ++axis) n *= dims[axis];
    return n;
  }
};

struct Job {
  const Reducer* reducer;
  const uint8_t* in;
  uint8_t* out;
  int64_t element_bytes;
  Axes kept, reduced;
  bool inner_kept = false;
  int64_t count = 1;  // elements per output
};

void MergeAxes(const Shape& shape, const Shape& axes, Job* job) {
  int64_t stride = 1;
  Axes* previous = nullptr;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {  // innermost first
    if (shape[axis] == 1) continue;
    const bool reduce = std::find(axes.begin(), axes.end(), axis) != axes.end();
    Axes* group = reduce ? &job->reduced : &job->kept;
    if (previous == nullptr) job->inner_kept = !reduce;
    if (group == previous)
      group->dims[group->rank - 1] *= shape[axis];
    else
      group->Append(shape[axis], stride);
    stride *= shape[axis];
    previous = group;
  }
  job->kept.Reverse();
  job->reduced.Reverse();
  job->count = job->reduced.count();
}

// Steps through the outermost `rank` axes in row-major order and tracks the element offset.
class Odometer {
 public:
  Odometer(const Axes& axes, int rank, int64_t position) : axes_(axes), rank_(rank) {
    for (int axis = rank - 1; axis >= 0; --axis) {
      index_[axis] = position % axes.dims[axis];
      position /= axes.dims[axis];
      offset_ += index_[axis] * axes.strides[axis];
    }
  }
  int64_t offset() const { return offset_; }
  void Next() {  // wraps to the start after the end
    for (int axis = rank_ - 1; axis >= 0; --axis) {
      offset_ += axes_.strides[axis];
      if (++index_[axis] < axes_.dims[axis]) return;
      offset_ -= axes_.strides[axis] * axes_.dims[axis];
      index_[axis] = 0;
    }
  }

 private:
  const Axes& axes_;
  int rank_;
  int64_t index_[kMaxRank] = {};
  int64_t offset_ = 0;
};

// Outputs [begin, end) when the innermost axis is reduced (or no axis is left).
void ReduceRows(const Job& job, int64_t begin, int64_t end, Questions& questions) {
  const int walked = std::max(job.reduced.rank - 1, 0);
  const int64_t run = job.reduced.rank == 0 ? 1 : job.reduced.dims[walked];
  const int64_t runs = run == 0 ? 0 : job.count / run;
  Accumulators accumulators;
  Odometer kept(job.kept, job.kept.rank, begin);
  if (runs == 0) {
    for (int64_t o = begin; o < end && !questions.Stop(4); ++o) {
      job.reducer->start(&accumulators, 1);
      job.reducer->finish(&accumulators, 1, 0, job.out + o * job.element_bytes);
    }
    return;
  }
  Odometer reduced(job.reduced, walked, 0);
  for (int64_t o = begin; o < end; ++o, kept.Next()) {
    job.reducer->start(&accumulators, 1);
    for (int64_t r = 0; r < runs; ++r, reduced.Next()) {
      const int64_t offset = kept.offset() + reduced.offset();
      for (int64_t done = 0; done < run; done += kMostAtOnce) {
        const int64_t count = std::min(run - done, kMostAtOnce);
        if (questions.Stop(count)) return;
        job.reducer->add_run(&accumulators, job.in + (offset + done) * job.element_bytes, count);
      }
    }
    job.reducer->finish(&accumulators, 1, job.count, job.out + o * job.element_bytes);
  }
}

// Outputs [begin, end) when the innermost axis is kept: rows are combined column by column.
void ReduceColumns(const Job& job, int64_t begin, int64_t end, Questions& questions) {
  const int64_t width = job.kept.dims[job.kept.rank - 1];
  Accumulators accumulators;
  Odometer kept(job.kept, job.kept.rank - 1, begin / width);
  for (int64_t column = begin % width; begin < end;) {
    if (questions.Stop(kColumns)) return;
    const int64_t columns = std::min({width - column, end - begin, kColumns});
    job.reducer->start(&accumulators, columns);
    if (job.count > 0) {
      Odometer reduced(job.reduced, job.reduced.rank, 0);
      for (int64_t r = 0; r < job.count; ++r, reduced.Next()) {
        if (questions.Stop(columns)) return;
        const int64_t offset = kept.offset() + column + reduced.offset();
        job.reducer->add_row(&accumulators, job.in + offset * job.element_bytes, columns);
      }
    }
    job.reducer->finish(&accumulators, columns, job.count, job.out + begin * job.element_bytes);
    begin += columns;
    column += columns;
    if (column == width) {
      column = 0;
      kept.Next();
    }
  }
}

template <typename T>
const Reducer* FindExtreme(ReduceKind kind) {
  return kind == ReduceKind::kMax ? &Fold<Extreme<T, true>>::kReducer
                                  : &Fold<Extreme<T, false>>::kReducer;
}

template <typename T>
const Reducer* FindInteger(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::kSum:
      return &Fold<IntegerSum<T>>::kReducer;
    case ReduceKind::kMean:
      return &IntegerMean<T>::kReducer;
    case ReduceKind::kProd:
      return &Fold<Product<T>>::kReducer;
    default:
      return FindExtreme<T>(kind);
  }
}

const Reducer* FindFloat(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::kSum:
      return &FloatSum::kReducer;
    case ReduceKind::kMean:
      return &FloatSum::kMeanReducer;
    case ReduceKind::kProd:
      return &Fold<Product<float>>::kReducer;
    default:
      return FindExtreme<float>(kind);
  }
}

// Bools are 0 or 1, so min is "all" and max is "any", also for empty reductions.
struct BoolAll {
  using Type = uint8_t;
  static constexpr uint8_t kNeutral = 1;
  static uint8_t Join(uint8_t a, uint8_t b) { return a & b; }
};
struct BoolAny {
  using Type = uint8_t;
  static constexpr uint8_t kNeutral = 0;
  static uint8_t Join(uint8_t a, uint8_t b) { return a | b; }
};

const Reducer* FindReducer(ReduceKind kind, DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return FindFloat(kind);
    case DType::kInt32:
      return FindInteger<int32_t>(kind);
    case DType::kInt64:
      return FindInteger<int64_t>(kind);
    case DType::kUint8:
      return FindExtreme<uint8_t>(kind);
    case DType::kInt8:
      return FindExtreme<int8_t>(kind);
    default:
      return kind == ReduceKind::kMax ? &Fold<BoolAny>::kReducer : &Fold<BoolAll>::kReducer;
  }
}

}  // namespace

void Reduce(ReduceKind kind, DType dtype, const void* in, const Shape& shape, const Shape& axes,
            void* out, const Parallel& parallel) {
  Job job;
  job.reducer = FindReducer(kind, dtype);
  job.in = static_cast<const uint8_t*>(in);
  job.out = static_cast<uint8_t*>(out);
  job.element_bytes = DTypeBytes(dtype);
  MergeAxes(shape, axes, &job);
  const int64_t grain = CeilDiv(kGrain, std::max<int64_t>(job.count, 1));
  ParallelRanges(parallel, job.kept.count(), grain, [&](int64_t begin, int64_t end) {
    Questions questions(parallel);
    (job.inner_kept ? ReduceColumns : ReduceRows)(job, begin, end, questions);
  });
}

}  // namespace linnet::kernels
