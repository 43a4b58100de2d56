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

// A session of a plan under test. What breaks a promise of linnet.h ends the process.
class TestSession {
 public:
  // good() is false where it cannot be had in little memory, or is too much work.
  TestSession(linnet_plan* plan, const char* signature, linnet_backend backend, int threads,
              bool own_block);
  ~TestSession();
  TestSession(const TestSession&) = delete;
  TestSession& operator=(const TestSession&) = delete;

  bool good() const { return good_; }
  linnet_session* get() const { return session_; }

  // Bytes of an input or output in the shape that it has now.
  size_t InputBytes(int32_t index) const;
  size_t OutputBytes(int32_t index) const;
  // Some ports to memory between canaries, others to the session's own.
  void Bind(Random& random);
  // All ports to the session's own memory, as at first.
  void Unbind();
  linnet_status Run(std::span<const Bytes> inputs);
  // A run that is cancelled before it begins.
  void RunCancelled();
  void Reset() { linnet_session_reset(session_); }
  // Of the last run, if it was good.
  Bytes Output(int32_t index) const;

 private:
  void Feed(std::span<const Bytes> inputs);
  void CheckMemory(std::span<const Bytes> inputs) const;

  linnet_session* session_ = nullptr;
  bool good_ = false, has_loop_ = false;
  std::vector<CanaryMemory> block_;                // none or one
  std::vector<std::vector<CanaryMemory>> inputs_;  // by input: none or one
  std::vector<std::vector<CanaryMemory>> outputs_;
};

// Ends the process with a word on which promise was broken.
[[noreturn]] void Broken(const std::string& what);

}  // namespace linnet::fuzz
