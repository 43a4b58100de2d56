// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/gpu_trust.h"

#include "runtime/api/backend_table.h"
#include "runtime/core/format.h"
#include "runtime/session/self_test.h"
#include "runtime/threads/clock.h"

namespace linnet::api {
namespace {

constexpr uint32_t kLibrary =
    LINNET_VERSION_MAJOR << 20 | LINNET_VERSION_MINOR << 10 | LINNET_VERSION_PATCH;

// False where there is no GPU.
bool FindKey(const linnet_plan& plan, int signature, CacheKey* key) {
  const DeviceBackend* gpu = FindDevice(kVulkanVariant);
  if (gpu == nullptr || !gpu->GetKey(&key->device)) return false;
  __builtin_memcpy(key->plan, plan.verified.view.header.hash, sizeof(key->plan));
  key->signature = static_cast<uint32_t>(signature);
  key->library = kLibrary;
  return true;
}

// Why the GPU must not be used, null when nothing is known against it.
const char* WhyDistrusted(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAttempting:
      return "an earlier process ended while it began to use the GPU: its driver may crash";
    case Verdict::kFailed:
      return "the GPU failed the self-test in an earlier process";
    case Verdict::kLost:
      return "the GPU stopped working in an earlier process";
    case Verdict::kUntestable:
      return "an earlier process could not test the GPU with this plan";
    case Verdict::kNone:
    case Verdict::kPassed:
    case Verdict::kPassedFast:
      return nullptr;
  }
  return nullptr;
}

// What a session's driver has compiled; null when the session does not run on the GPU.
const PackedWeights* CompiledOf(const linnet_session& session) {
  if (session.weights->backend != LINNET_BACKEND_VULKAN || session.host.load() != nullptr)
    return nullptr;
  const PreparedWeights& weights = session.weights->prepared;
  return weights.packed_weights(weights.FindDevice(1));
}

// As linnet_session_cache, for a verdict and what the driver compiled, if anything.
int64_t WriteCache(const CacheKey& key, Verdict verdict, const PackedWeights* compiled, void* to,
                   size_t capacity) {
  const int64_t driver = compiled == nullptr ? 0 : compiled->SaveCache(nullptr, 0);
  const int64_t bytes = DeviceCacheBytes(driver);
  if (to == nullptr || capacity < static_cast<size_t>(bytes)) return bytes;
  auto* blob = static_cast<std::byte*>(to);
  const int64_t written = driver == 0 ? 0 : compiled->SaveCache(blob + kDriverDataOffset, driver);
  const int64_t total = DeviceCacheBytes(written);
  WriteDeviceCache(key, verdict, {blob, static_cast<size_t>(total)});
  return total;
}

// Hands the blob to the application's callback. Where there is no memory for what the driver
// compiled, without that: a mark of an attempt that has ended must not stay.
void Store(linnet_plan* plan, const CacheKey& key, Verdict verdict, const PackedWeights* compiled,
           void (*store)(void*, const void*, size_t), void* context) {
  const int64_t bytes = WriteCache(key, verdict, compiled, nullptr, 0);
  void* blob = compiled == nullptr ? nullptr : plan->allocator.Allocate(bytes, kHostAlignment);
  if (blob != nullptr) {
    const int64_t written = WriteCache(key, verdict, compiled, blob, static_cast<size_t>(bytes));
    if (written <= bytes) store(context, blob, static_cast<size_t>(written));
    plan->allocator.Release(blob, bytes);
    if (written <= bytes) return;  // else the driver has compiled more in the meantime
  }
  std::byte verdict_only[DeviceCacheBytes(0)];
  WriteCache(key, verdict, nullptr, verdict_only, sizeof(verdict_only));
  store(context, verdict_only, sizeof(verdict_only));
}

}  // namespace

GpuAttempt::GpuAttempt(linnet_plan* plan, const linnet_session_options& options, int signature)
    : plan_(plan),
      options_(options),
      signature_(signature),
      lock_(plan->trusting),
      trust_(plan->trust[signature]) {}

void GpuAttempt::Read() {
  CacheKey key;
  if (options_.cache == nullptr || !FindKey(*plan_, signature_, &key)) return;
  const Status status = ReadDeviceCache(
      {static_cast<const std::byte*>(options_.cache), options_.cache_bytes}, key, &cache_);
  if (!status.ok()) {
    why_refused_ = status.what();
    return;
  }
  // What this process knows is newer.
  if (trust_.verdict != Verdict::kNone) return;
  trust_.verdict = cache_.verdict;
  trust_.from_cache = true;
}

bool GpuAttempt::PrefersSpeed() const {
  const DeviceBackend* gpu = FindDevice(kVulkanVariant);
  const int program = plan_->FindVariant(signature_, Variant::kVulkan);
  if (gpu == nullptr || program < 0) return false;
  bool prefers = false;
  for (const PlanSpace& space : plan_->verified.view.programs[program].spaces.subspan(1))
    prefers |= gpu->PrefersSpeed(space.layout);
  return prefers;
}

bool GpuAttempt::TryPrecise(const Status& status) {
  if (status.ok() || precise_ || WhyDistrusted(trust_.verdict) != nullptr ||
      status.code() == StatusCode::kNoMemory || status.code() == StatusCode::kDeviceLost)
    return false;
  precise_ = true;
  return true;
}

Status GpuAttempt::Begin(Diagnostic* diagnostic) {
  Read();
  precise_ = trust_.verdict == Verdict::kPassed || !PrefersSpeed();
  if (const char* why = WhyDistrusted(trust_.verdict)) {
    diagnostic->Format("%s", trust_.why.text() != nullptr ? trust_.why.text() : why);
    return {StatusCode::kUnsupported, why};
  }
  CacheKey key;
  if (stores() && FindKey(*plan_, signature_, &key))
    Store(plan_, key, Verdict::kAttempting, nullptr, options_.store_cache, options_.store_context);
  return {};
}

Status GpuAttempt::Test(linnet_session* session, Diagnostic* diagnostic) {
  const Verdict passed = precise_ ? Verdict::kPassed : Verdict::kPassedFast;
  if (trust_.verdict == passed || (options_.flags & LINNET_SESSION_NO_SELF_TEST) != 0) return {};
  const ProgramChoice choice = HostInstead({.signature = signature_}, {}, {});
  const int64_t start = NowNs();
  std::optional<Region> region;
  linnet_weights* weights = nullptr;
  Interpreter* host = nullptr;
  const Status status = CreateHostProgram(session, choice, &region, &weights, &host);
  Verdict verdict = Verdict::kNone;
  if (status.ok()) {
    Region scratch(plan_->allocator);
    verdict = RunSelfTest(*session->first, *host, scratch, diagnostic);
  } else {
    diagnostic->Format("the GPU cannot be tested against the CPU: %s", status.what());
  }
  if (host != nullptr) host->~Interpreter();
  region.reset();
  if (weights != nullptr) ReleaseSharedWeights(weights);
  const bool is_final = verdict != Verdict::kNone && (verdict != Verdict::kFailed || precise_);
  if (is_final)
    trust_ = {.verdict = verdict == Verdict::kPassed ? passed : verdict, .stored = trust_.stored};
  if (verdict != Verdict::kPassed) {
    if (is_final) trust_.why.Set(diagnostic->text);
    return status.ok() ? Status(StatusCode::kUnsupported, "the GPU failed the self-test") : status;
  }
  char text[96];
  FormatText(text, sizeof(text), "the GPU passed the self-test in %lld ms",
             static_cast<long long>((NowNs() - start) / 1'000'000));
  Log(*session, LINNET_LOG_INFO, text);
  return {};
}

void GpuAttempt::End(const linnet_session* session) {
  CacheKey key;
  if (!stores() || !FindKey(*plan_, signature_, &key)) return;
  Store(plan_, key, trust_.verdict, session == nullptr ? nullptr : CompiledOf(*session),
        options_.store_cache, options_.store_context);
  trust_.stored = session != nullptr || trust_.verdict != Verdict::kNone;
}

linnet_self_test GpuAttempt::self_test() const {
  switch (trust_.verdict) {
    case Verdict::kPassed:
    case Verdict::kPassedFast:
      return trust_.from_cache ? LINNET_SELF_TEST_CACHED : LINNET_SELF_TEST_PASSED;
    case Verdict::kFailed:
    case Verdict::kUntestable:
      return LINNET_SELF_TEST_FAILED;
    default:
      return LINNET_SELF_TEST_NONE;
  }
}

void RecordLoss(linnet_session* session) {
  linnet_plan* const plan = session->plan;
  const int signature = session->weights->signature;
  const Lock lock(plan->trusting);
  plan->trust[signature] = {.verdict = Verdict::kLost, .stored = true};
  CacheKey key;
  if (session->store_cache != nullptr && FindKey(*plan, signature, &key))
    Store(plan, key, Verdict::kLost, nullptr, session->store_cache, session->store_context);
}

}  // namespace linnet::api

extern "C" int64_t linnet_session_cache(const linnet_session* session, void* buffer,
                                        size_t capacity) {
  using linnet::Verdict;
  if (session == nullptr || session->submitted) return -1;
  linnet_plan* const plan = session->plan;
  if (plan->trust == nullptr) return 0;
  const int signature = session->weights->signature;
  const linnet::Lock lock(plan->trusting);
  const Verdict verdict = plan->trust[signature].verdict;
  const linnet::PackedWeights* const compiled = linnet::api::CompiledOf(*session);
  linnet::CacheKey key;
  const bool knows_more = compiled != nullptr || linnet::api::WhyDistrusted(verdict) != nullptr;
  if (!knows_more || !linnet::api::FindKey(*plan, signature, &key)) return 0;
  return linnet::api::WriteCache(key, verdict, compiled, buffer, capacity);
}
