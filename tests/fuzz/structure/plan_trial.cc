// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/structure/plan_trial.h"

#include <algorithm>
#include <cfenv>
#include <cstring>
#include <memory>
#include <optional>

#include "runtime/core/encoding.h"
#include "tests/fuzz/structure/compare_outputs.h"
#include "tests/fuzz/structure/plan_editor.h"
#include "tests/fuzz/structure/test_session.h"

namespace linnet::fuzz {
namespace {

constexpr double kNudge = 1e-5;
constexpr float kCalmest = 1e-3f, kCalmestMost = 1e3f;

enum class Values : uint8_t { kCalm, kHostile };

struct PlanCloser {
  void operator()(linnet_plan* plan) const { linnet_plan_close(plan); }
};
using PlanPointer = std::unique_ptr<linnet_plan, PlanCloser>;

PlanPointer Open(std::span<const uint8_t> file) {
  linnet_plan* plan = nullptr;
  linnet_error error{};
  const linnet_status status =
      linnet_plan_open_memory(file.data(), file.size(), nullptr, &plan, &error);
  if (status == LINNET_INTERNAL) Broken(error.text);
  return PlanPointer(status == LINNET_OK ? plan : nullptr);
}

uint64_t Hash(std::span<const uint8_t> file) {
  uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (const uint8_t byte : file) hash = (hash ^ byte) * 0x100000001B3u;
  return hash;
}

template <typename T>
void Nudge(Bytes& bytes, Random& random) {
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    value *= static_cast<T>(1 + (random.OneIn(2) ? kNudge : -kNudge));
    std::memcpy(bytes.data() + at, &value, sizeof(T));
  }
}

void NudgeFloats(schema::DType dtype, Bytes& bytes, Random& random) {
  if (dtype == schema::DType::Float32) Nudge<float>(bytes, random);
  if (dtype == schema::DType::Float64) Nudge<double>(bytes, random);
}

// Encoded weights must not decode to infinite, NaN or huge values.
bool DecodesToCalm(const schema::WeightT& weight, const Bytes& bytes) {
  if (weight.encoding == schema::Encoding::Plain || weight.encoding == schema::Encoding::Panels16)
    return true;  // TwinOf looks at each number
  const int64_t width = DTypeBytes(StoredDType(DType::kFloat32, weight.encoding));
  std::vector<float> values(bytes.size() / static_cast<size_t>(width));
  const schema::Affine affine = weight.affine ? *weight.affine : schema::Affine();
  DecodeElements(weight.encoding, affine, bytes.data(), static_cast<int64_t>(values.size()),
                 values.data());
  return std::ranges::all_of(values, [](float value) { return std::abs(value) <= kCalmestMost; });
}

// A copy of the plan whose constants differ a little; nothing when they are not ordinary numbers.
std::optional<Bytes> TwinOf(std::span<const uint8_t> file, Random& random) {
  std::optional<PlanFile> twin = ReadPlanFile(file);
  if (!twin) return std::nullopt;
  std::vector<schema::DType> dtypes(twin->weights.size(), schema::DType::Invalid);
  const auto note = [&](int32_t weight, schema::DType dtype) {
    if (weight < 0 || weight >= static_cast<int32_t>(dtypes.size())) return;
    const schema::Encoding encoding = twin->plan.weights[weight]->encoding;
    if (encoding == schema::Encoding::Plain || encoding == schema::Encoding::Panels16)
      dtypes[weight] = dtype;
  };
  for (const auto& program : twin->plan.programs)
    for (const auto& tensor : program->tensors) note(tensor->weight, tensor->dtype);
  for (const auto& state : twin->plan.states) note(state->initial, state->dtype);
  for (size_t i = 0; i < dtypes.size(); ++i) {
    if (!DecodesToCalm(*twin->plan.weights[i], twin->weights[i])) return std::nullopt;
    NudgeFloats(dtypes[i], twin->weights[i], random);
    if (dtypes[i] != schema::DType::Float32) continue;
    for (size_t at = 0; at + sizeof(float) <= twin->weights[i].size(); at += sizeof(float)) {
      float value;
      std::memcpy(&value, twin->weights[i].data() + at, sizeof(value));
      if (value != 0 && !(std::abs(value) >= kCalmest && std::abs(value) <= kCalmestMost))
        return std::nullopt;
    }
  }
  return WritePlanFile(*twin);
}

template <typename T>
void Put(T value, Bytes& bytes) {
  const auto* begin = reinterpret_cast<const uint8_t*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof(value));
}

void PutValue(linnet_dtype dtype, Values values, Random& random, Bytes& bytes) {
  const bool hostile = values == Values::kHostile && random.OneIn(2);
  const double real = hostile ? random.Real() : static_cast<double>(random.Below(4000)) / 1000 - 2;
  const int64_t number = hostile ? random.Number() : static_cast<int64_t>(random.Below(4));
  switch (dtype) {
    case LINNET_FLOAT32:
      return Put(static_cast<float>(real), bytes);
    case LINNET_FLOAT64:
      return Put(real, bytes);
    case LINNET_FLOAT16:
      return Put(static_cast<uint16_t>(hostile ? random.Next() : 0x3800 + random.Below(1024)),
                 bytes);
    case LINNET_BOOL:
      return Put(static_cast<uint8_t>(random.Below(2)), bytes);
    case LINNET_INT64:
      return Put(number, bytes);
    case LINNET_INT32:
      return Put(static_cast<int32_t>(std::clamp<int64_t>(number, INT32_MIN, INT32_MAX)), bytes);
    case LINNET_INT16:
    case LINNET_UINT16:
      return Put(static_cast<uint16_t>(number), bytes);
    default:
      return Put(static_cast<uint8_t>(number), bytes);
  }
}

class Trial {
 public:
  // `strips`: some steps run in strips, of which one thread uses memory of the plan and others do
  // not.
  Trial(linnet_plan* plan, linnet_plan* twin, uint64_t seed, bool strips)
      : random_(seed),
        signature_(linnet_plan_signature(
            plan, static_cast<int32_t>(
                      random_.Below(static_cast<size_t>(linnet_plan_num_signatures(plan)))))),
        portable_(plan, signature_, LINNET_BACKEND_PORTABLE, Threads(), random_.OneIn(4)),
        other_(plan, signature_, LINNET_BACKEND_CPU, Threads(), random_.OneIn(4)),
        is_comparable_(!strips || most_threads_ == 1) {
    if (twin != nullptr)
      twin_ = std::make_unique<TestSession>(twin, signature_, LINNET_BACKEND_PORTABLE, 1, false);
  }

  void Run() {
    // Backends may need different amounts of memory, and one of them more than is allowed.
    if (!portable_.good() || !other_.good()) return;
    if (twin_ != nullptr && !twin_->good()) twin_.reset();
    RunAll(Values::kCalm);
    ChangeShapes();
    BindAll();
    RunAll(Values::kHostile);
    if (random_.OneIn(4)) {
      portable_.RunCancelled();
      other_.RunCancelled();
    }
    ResetAll();
    ChangeShapes();
    random_.OneIn(2) ? BindAll() : UnbindAll();
    RunAll(Values::kCalm);
    RunAll(Values::kCalm);
  }

 private:
  int Threads() {
    const int threads = random_.OneIn(8) ? 2 + static_cast<int>(random_.Below(3)) : 1;
    most_threads_ = std::max(most_threads_, threads);
    return threads;
  }

  void BindAll() {
    portable_.Bind(random_);
    other_.Bind(random_);
    is_bound_ = true;
  }

  void UnbindAll() {
    portable_.Unbind();
    other_.Unbind();
    is_bound_ = false;
  }

  void ResetAll() {
    was_calm_ = true;
    portable_.Reset();
    other_.Reset();
    if (twin_ != nullptr) twin_->Reset();
  }

  void ChangeShapes() {
    for (int32_t i = 0; i < linnet_session_num_inputs(portable_.get()); ++i) {
      const linnet_tensor_info& info = *linnet_session_input_info(portable_.get(), i);
      int64_t dims[LINNET_MAX_RANK];
      for (int32_t d = 0; d < info.rank; ++d)
        dims[d] = (info.varies >> d & 1) != 0
                      ? static_cast<int64_t>(random_.Below(static_cast<size_t>(info.dims[d]) + 1))
                      : info.dims[d];
      const linnet_status status =
          linnet_session_set_input_shape(portable_.get(), i, dims, info.rank);
      if (linnet_session_set_input_shape(other_.get(), i, dims, info.rank) != status)
        Broken("a shape fits one backend only");
      if (twin_ != nullptr) linnet_session_set_input_shape(twin_->get(), i, dims, info.rank);
    }
  }

  void RunAll(Values values) {
    std::vector<Bytes> inputs, near;
    for (int32_t i = 0; i < linnet_session_num_inputs(portable_.get()); ++i) {
      const linnet_dtype dtype = linnet_session_input_info(portable_.get(), i)->dtype;
      Bytes bytes;
      while (bytes.size() < portable_.InputBytes(i)) PutValue(dtype, values, random_, bytes);
      near.push_back(bytes);
      NudgeFloats(static_cast<schema::DType>(dtype), near.back(), random_);
      inputs.push_back(std::move(bytes));
    }
    const linnet_status ours = portable_.Run(inputs), theirs = other_.Run(inputs);
    // XNNPACK's operators may turn NaN into a bound (backends/xnnpack/README.md). Where a later
    // step selects or counts, the outputs do not show that there was a NaN.
    std::feclearexcept(FE_INVALID);
    const linnet_status twins = twin_ != nullptr ? twin_->Run(near) : LINNET_INTERNAL;
    const bool made_nan = std::fetestexcept(FE_INVALID) != 0;
    Touch(portable_, ours);
    Touch(other_, theirs);
    if (values == Values::kHostile || !was_calm_) return;
    // After a cancelled loop the states of the backends differ, and after a NaN they may.
    was_calm_ = ours != LINNET_CANCELLED && theirs != LINNET_CANCELLED && !made_nan;
    if (was_calm_ && twins == ours) Compare(ours, theirs);
  }

  static void Touch(const TestSession& session, linnet_status status) {
    for (int32_t i = 0; status == LINNET_OK && i < linnet_session_num_outputs(session.get()); ++i)
      session.Output(i);
  }

  void Compare(linnet_status ours, linnet_status theirs) const {
    // In a hostile plan a step may write to memory that another step reads. Bound memory lies
    // elsewhere, and is different for each session.
    if (is_bound_ || !is_comparable_) return;
    if (ours != theirs)
      Broken(std::string("portable says ") + linnet_status_name(ours) + " (" +
             linnet_session_last_error(portable_.get())->text + "), XNNPACK " +
             linnet_status_name(theirs) + " (" + linnet_session_last_error(other_.get())->text +
             ")");
    for (int32_t i = 0; ours == LINNET_OK && i < linnet_session_num_outputs(portable_.get()); ++i) {
      const std::string problem =
          GrossDifference(linnet_session_output_info(portable_.get(), i)->dtype,
                          portable_.Output(i), twin_->Output(i), other_.Output(i));
      if (!problem.empty()) Broken("XNNPACK's output " + std::to_string(i) + ": " + problem);
    }
  }

  Random random_;
  int most_threads_ = 1;
  const char* signature_;
  TestSession portable_, other_;
  const bool is_comparable_;
  std::unique_ptr<TestSession> twin_;
  bool was_calm_ = true;
  bool is_bound_ = false;
};

}  // namespace

void TryPlan(std::span<const uint8_t> file) {
  const PlanPointer plan = Open(file);
  if (plan == nullptr) return;
  const uint64_t seed = Hash(file);
  Random random(seed);
  const std::optional<Bytes> twin_file = TwinOf(file, random);
  const PlanPointer twin = twin_file ? Open(*twin_file) : nullptr;
  const std::optional<PlanFile> parts = ReadPlanFile(file);
  const bool strips = parts && std::ranges::any_of(parts->plan.programs, [](const auto& program) {
                        return !program->strips.empty();
                      });
  Trial(plan.get(), twin.get(), seed, strips).Run();
}

}  // namespace linnet::fuzz
