// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernels/reduce.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "runtime/kernels/column_sums.h"
#include "runtime/kernels/independent_loops.h"
#include "runtime/kernels/reduce_axes.h"
#include "runtime/kernels/row_reductions.h"

// The loops over the tensor are common to all kinds and dtypes; only the four functions of a
// Reducer are compiled per kind and dtype.
namespace linnet::kernels {
namespace {

constexpr int64_t kGrain = 1 << 12;                // input elements worth a thread
constexpr int64_t kColumns = 256;                  // neighbouring outputs reduced together
constexpr int64_t kMostAtOnce = kWorkPerQuestion;  // neighbours added to one output
constexpr int64_t kRowsAtOnce = kMostAtOnce / kColumns;
constexpr int64_t kLeastColumns = 32;  // worth a thread, of each row that several threads read

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
  // Adds one element of each row to each of `columns` outputs. Rows are `stride` elements apart.
  void (*add_rows)(Accumulators* a, const void* in, int64_t rows, int64_t stride, int64_t columns);
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
  static void AddRows(Accumulators* a, const void* in, int64_t rows, int64_t stride,
                      int64_t columns) {
    const T* row = static_cast<const T*>(in);
    T* values = a->as<T>();
    for (int64_t r = 0; r < rows; ++r, row += stride) {
      LINNET_VECTORIZE
      for (int64_t c = 0; c < columns; ++c) values[c] = Op::Join(values[c], row[c]);
    }
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
  static constexpr Reducer kReducer = {Start, AddRows, AddRun, Finish};
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
    LINNET_VECTORIZE
    for (int64_t c = 0; c < columns; ++c) {
      a->totals[c] += run[c];
      run[c] = 0.0f;
    }
    a->rows = 0;
  }
  static void AddRows(Accumulators* a, const void* in, int64_t rows, int64_t stride,
                      int64_t columns) {
    const float* row = static_cast<const float*>(in);
    for (int64_t now; rows > 0; rows -= now, row += now * stride) {
      now = std::min<int64_t>(rows, kSumRows - a->rows);
      kernels::AddRows(row, now, stride, columns, a->as<float>());
      a->rows += static_cast<int>(now);
      if (a->rows == kSumRows) Flush(a, columns);
    }
  }
  static void AddRun(Accumulators* a, const void* run, int64_t count) {
    a->totals[0] += Sum(static_cast<const float*>(run), count, Identity());
  }
  // Not inline: one copy serves sums and means.
  [[gnu::noinline]] static void FinishTimes(double factor, Accumulators* a, int64_t columns,
                                            void* out) {
    const float* run = a->as<float>();
    auto* sums = static_cast<float*>(out);
    LINNET_VECTORIZE
    for (int64_t c = 0; c < columns; ++c)
      sums[c] = static_cast<float>((a->totals[c] + run[c]) * factor);
  }
  static void Finish(Accumulators* a, int64_t columns, int64_t, void* out) {
    FinishTimes(1, a, columns, out);
  }
  // The mean of nothing is NaN, as in TensorFlow.
  static void FinishMean(Accumulators* a, int64_t columns, int64_t count, void* out) {
    FinishTimes(1 / static_cast<double>(count), a, columns, out);
  }
  static constexpr Reducer kReducer = {Start, AddRows, AddRun, Finish};
  static constexpr Reducer kMeanReducer = {Start, AddRows, AddRun, FinishMean};
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
  static constexpr Reducer kReducer = {Base::Start, Base::AddRows, Base::AddRun, Finish};
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
  const int last = std::max(job.reduced.rank - 1, 0);
  const int64_t run = job.reduced.rank == 0 ? 1 : job.reduced.dims[last];
  const int64_t stride = job.reduced.rank == 0 ? 0 : job.reduced.strides[last];
  const int64_t runs = run == 0 ? 0 : job.count / run;
  const int walked = runs == 0 ? 0 : last;  // no axis where one has no elements
  Accumulators accumulators;
  Odometer kept(job.kept, job.kept.rank - 1, begin / width);
  for (int64_t column = begin % width; begin < end;) {
    if (questions.Stop(kColumns)) return;
    const int64_t columns = std::min({width - column, end - begin, kColumns});
    job.reducer->start(&accumulators, columns);
    Odometer reduced(job.reduced, walked, 0);
    for (int64_t r = 0; r < runs; ++r, reduced.Next()) {
      const int64_t offset = kept.offset() + column + reduced.offset();
      for (int64_t done = 0; done < run; done += kRowsAtOnce) {
        const int64_t rows = std::min(run - done, kRowsAtOnce);
        if (questions.Stop(rows * columns)) return;
        job.reducer->add_rows(&accumulators, job.in + (offset + done * stride) * job.element_bytes,
                              rows, stride, columns);
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

// Whether rows of floats are added to one: the axes are all those before the last from some on.
// Does not depend on extents, because scratch memory must be enough for smaller ones too.
bool AddsRows(ReduceKind kind, DType dtype, const Shape& shape, const Shape& axes) {
  return dtype == DType::kFloat32 && (kind == ReduceKind::kSum || kind == ReduceKind::kMean) &&
         axes.rank() > 0 && axes.back() == shape.rank() - 2 &&
         axes[0] == shape.rank() - 1 - axes.rank();
}

}  // namespace

int64_t ReduceScratch(ReduceKind kind, DType dtype, const Shape& shape, const Shape& axes) {
  if (!AddsRows(kind, dtype, shape, axes)) return 0;
  return ColumnSumsScratch(shape.Product(axes[0], shape.rank() - 1), shape.back());
}

void Reduce(ReduceKind kind, DType dtype, const void* in, const Shape& shape, const Shape& axes,
            void* out, void* scratch, const Parallel& parallel) {
  Job job;
  job.reducer = FindReducer(kind, dtype);
  job.in = static_cast<const uint8_t*>(in);
  job.out = static_cast<uint8_t*>(out);
  job.element_bytes = DTypeBytes(dtype);
  MergeAxes(shape, axes, &job);
  if (AddsRows(kind, dtype, shape, axes) && shape.Product(0, axes[0]) == 1 &&
      ColumnSumBlocks(job.count, shape.back()) > 1) {
    const double divisor = kind == ReduceKind::kMean ? static_cast<double>(job.count) : 1.0;
    SumColumns(
        {static_cast<const float*>(in), job.count, shape.back(), static_cast<float*>(out), divisor},
        scratch, parallel);
    return;
  }
  const int64_t grain = std::max(CeilDiv(kGrain, std::max<int64_t>(job.count, 1)),
                                 job.inner_kept ? kLeastColumns : int64_t{1});
  ParallelRanges(parallel, job.kept.count(), grain, [&](int64_t begin, int64_t end) {
    Questions questions(parallel);
    (job.inner_kept ? ReduceColumns : ReduceRows)(job, begin, end, questions);
  });
}

}  // namespace linnet::kernels
