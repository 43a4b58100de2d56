// SPDX-License-Identifier: Apache-2.0
import CLinnet
import Dispatch
import Foundation

/// What runs a session.
public enum Backend: Int32, Sendable {
  /// The GPU where the plan was converted for it, the library can use it and there is one, else the CPU.
  case auto = 0
  /// XNNPACK for the steps that it supports, where the library has it, else portable kernels.
  case cpu = 1
  /// Portable kernels only.
  case portable = 2
  /// The GPU, and the CPU for the steps that are placed there or where no GPU can be used.
  case vulkan = 3
}

/// Runs a plan. Sessions of one plan run in parallel. Any thread or task may use a session; calls wait for each other, and for a run in
/// progress, but for ``cancel()``. Code that is given to one of the `withUnsafe…` functions must not call its session. A session gives its
/// memory back when the last reference to it is gone.
///
/// What does not fit, and what the runtime refuses, throws a ``LinnetError``.
public final class Session: @unchecked Sendable {
  // Unchecked: `handle`, `inputPorts` and `outputPorts` are used on `turn` only.
  public let plan: Plan
  public let signature: Signature
  public var inputs: [TensorInfo] { signature.inputs }
  public var outputs: [TensorInfo] { signature.outputs }

  let handle: OpaquePointer
  let turn = DispatchQueue(label: "linnet.session")
  var inputPorts: Ports
  var outputPorts: Ports
  private let runs: Runs

  /// Allocates everything that runs will need, so that they allocate nothing.
  ///
  /// - Parameters:
  ///   - signature: the entry point of the model; nil: the first
  ///   - threads: how many a run uses, with the one that it runs on
  ///   - maxBytes: for untrusted plans, which may describe tensors of any size: the session, and the weights that are prepared for it, may
  ///     each take this many bytes. 0: no limit
  ///   - kernels: the bytes of a profile that `linnet-run --measure-kernels` wrote on this machine with as many threads: which of the CPU's
  ///     kernels runs a step faster. nil: the library's own rules. A damaged profile is refused, and so is one that was measured on another
  ///     machine or with other threads; a library whose ``LinnetLibrary/cpuKernels`` are "none" has no choice and does not look at it
  public init(
    _ plan: Plan, signature: String? = nil, backend: Backend = .auto, threads: Int = 1, maxBytes: Int = 0, kernels: Data? = nil
  ) throws {
    self.plan = plan
    self.signature = try plan.signature(named: signature)
    guard let threads = Int32(exactly: threads), threads >= 0, maxBytes >= 0 else {
      throw LinnetError.invalid("threads and maxBytes must not be negative, and threads not beyond 32 bits")
    }
    var options = linnet_session_options()
    options.struct_size = MemoryLayout<linnet_session_options>.size
    options.backend = backend.rawValue
    options.threads = threads
    options.max_bytes = maxBytes
    let profile = kernels.map { $0.withUnsafeBytes { AlignedMemory(copying: $0) } }
    options.kernels = UnsafeRawPointer(profile?.buffer.baseAddress)
    options.kernels_bytes = profile?.buffer.count ?? 0
    var created: OpaquePointer?
    var error = linnet_error()
    _ = self.signature.name.withCString { name in
      options.signature = name
      return withExtendedLifetime(profile) { linnet_session_create(plan.handle, &options, &created, &error) }
    }
    guard let created else { throw LinnetError(error) }
    handle = created
    runs = Runs(created)
    inputPorts = Ports(kind: "input", infos: self.signature.inputs, shapeOf: linnet_session_input_shape)
    outputPorts = Ports(kind: "output", infos: self.signature.outputs, shapeOf: linnet_session_output_shape)
  }

  deinit {
    linnet_session_destroy(handle)
  }

  /// Runs the plan once, on this thread and `threads` - 1 others, and returns when the outputs can be read.
  public func run() throws {
    try inTurn { try runs.perform(Run()) }
  }

  /// Runs the plan once, on a thread that is not one of those of Swift's tasks. When the task is cancelled, the run ends early: before the
  /// next step of the plan, and within milliseconds inside a step. It then throws `CancellationError`, and the outputs are undefined; the
  /// session can still be used.
  public func run() async throws {
    let run = Run()
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          if runs.wait(for: run, continuation) {
            turn.async { self.runs.performForTask(run) }
          }
        }
      } onCancel: {
        runs.cancel(run)
      }
    } catch let error as LinnetError where error.status == .cancelled && Task.isCancelled {
      throw CancellationError()
    }
  }

  /// Makes the run in progress throw a ``LinnetError`` with the status `cancelled`. Does nothing when there is none. Never waits.
  public func cancel() {
    runs.cancelCurrent()
  }

  /// Gives the model's variables the values that they have in a new session, for example when the next stream begins.
  public func reset() {
    inTurn { linnet_session_reset(handle) }
  }

  /// What runs it: never `auto`.
  public var backend: Backend {
    inTurn { Backend(rawValue: backendInfo().backend) ?? .cpu }
  }

  /// Why the GPU does not run it, in one sentence; nil when it does.
  public var whyNotGPU: String? {
    inTurn { backendInfo().why_not_gpu.map { String(cString: $0) } }
  }

  private func backendInfo() -> linnet_backend_info {
    var info = linnet_backend_info()
    info.struct_size = MemoryLayout<linnet_backend_info>.size
    _ = linnet_session_backend(handle, &info)
    return info
  }

  /// Waits for everybody else who uses the session. Whoever already has it would wait for himself: that is an error of the program.
  func inTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    dispatchPrecondition(condition: .notOnQueue(turn))
    return try turn.sync(execute: body)
  }
}
