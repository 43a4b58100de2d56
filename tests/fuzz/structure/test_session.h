// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "linnet/linnet.h"
#include "tests/fuzz/structure/canary.h"
#include "tests/fuzz/structure/random.h"

namespace linnet::fuzz {

using Bytes = std::vector<uint8_t>;

// A session of a plan under test. Ends the process when a guarantee of linnet.h is broken.
class TestSession {
 public:
  // good() is false when the session would need too much memory or work.
  TestSession(linnet_plan* plan, const char* signature, linnet_backend backend, int threads,
              bool own_block);
  ~TestSession();
  TestSession(const TestSession&) = delete;
  TestSession& operator=(const TestSession&) = delete;

  bool good() const { return good_; }
  linnet_session* get() const { return session_; }

  // The bytes of an input or output in its current shape.
  size_t InputBytes(int32_t index) const;
  size_t OutputBytes(int32_t index) const;
  // Binds some ports to memory between canaries, the others to the session's own.
  void Bind(Random& random);
  // Binds all ports to the session's own memory, as at the start.
  void Unbind();
  linnet_status Run(std::span<const Bytes> inputs);
  // A run that is cancelled before it begins.
  void RunCancelled();
  void Reset() { linnet_session_reset(session_); }
  // Output of the last run, if that succeeded.
  Bytes Output(int32_t index) const;

 private:
  void Feed(std::span<const Bytes> inputs);
  void CheckMemory(std::span<const Bytes> inputs) const;

  linnet_session* session_ = nullptr;
  bool good_ = false, has_loop_ = false;
  std::vector<CanaryMemory> block_;                // at most one
  std::vector<std::vector<CanaryMemory>> inputs_;  // at most one per input
  std::vector<std::vector<CanaryMemory>> outputs_;
};

// Ends the process and says which guarantee was broken.
[[noreturn]] void Broken(const std::string& what);

}  // namespace linnet::fuzz
