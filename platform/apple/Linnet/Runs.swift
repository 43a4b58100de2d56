// SPDX-License-Identifier: Apache-2.0
import CLinnet
import Foundation

/// One run, from the call that asks for it to its end. Guarded by the lock of ``Runs``, hence unchecked.
final class Run: @unchecked Sendable {
  fileprivate var isCancelled = false
  fileprivate var continuation: CheckedContinuation<Void, any Error>?  // of the task that waits for it
}

/// Stands between the runs of a session and those who cancel them, so that one cancellation ends the run that it is meant for, and no
/// other. In C, a cancellation that comes too late would end the next run.
final class Runs: @unchecked Sendable {
  private let session: OpaquePointer
  private let start: @Sendable (OpaquePointer) -> linnet_status
  private let lock = NSLock()
  private var current: Run?
  private var isAsked = false  // to cancel the current run
  private var isLate = false  // the session was asked after its run had ended: its next run ends at once

  /// `start` runs the session; tests have one that is cancelled too late.
  init(_ session: OpaquePointer, start: @escaping @Sendable (OpaquePointer) -> linnet_status = { linnet_session_run($0) }) {
    self.session = session
    self.start = start
  }

  /// Runs the session, on the thread that has it for itself. Does nothing when the run was cancelled before.
  func perform(_ run: Run) throws {
    if lock.withLock({ isLate }) {
      _ = linnet_session_run(session)  // ends before its first step, and takes the cancellation with it
      lock.withLock { isLate = false }
    }
    let begins = lock.withLock {
      current = run.isCancelled ? nil : run
      return !run.isCancelled
    }
    guard begins else { throw CancellationError() }
    let status = start(session)
    lock.withLock {
      isLate = isAsked && status != Int32(LINNET_CANCELLED)
      isAsked = false
      current = nil
    }
    guard status == Int32(LINNET_OK) else { throw LinnetError(linnet_session_last_error(session).pointee) }
  }

  /// Cancels the run, also before it begins.
  func cancel(_ run: Run) {
    let waiting: CheckedContinuation<Void, any Error>? = lock.withLock {
      run.isCancelled = true
      if current === run {
        ask()
        return nil
      }
      defer { run.continuation = nil }
      return run.continuation
    }
    waiting?.resume(throwing: CancellationError())
  }

  /// Cancels the run in progress, if there is one.
  func cancelCurrent() {
    lock.withLock {
      if current != nil { ask() }
    }
  }

  private func ask() {
    if !isAsked {
      isAsked = true
      linnet_session_cancel(session)
    }
  }

  /// Keeps the task until the run ends. False: the run was cancelled already, and the task is told so.
  func wait(for run: Run, _ continuation: CheckedContinuation<Void, any Error>) -> Bool {
    let waits = lock.withLock {
      if !run.isCancelled { run.continuation = continuation }
      return !run.isCancelled
    }
    if !waits { continuation.resume(throwing: CancellationError()) }
    return waits
  }

  /// Performs the run and tells the task how it ended, unless that was told already.
  func performForTask(_ run: Run) {
    let result = Result { try perform(run) }
    let waiting = lock.withLock {
      defer { run.continuation = nil }
      return run.continuation
    }
    waiting?.resume(with: result)
  }
}
