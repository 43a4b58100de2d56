// SPDX-License-Identifier: Apache-2.0
import CLinnet
import Foundation
import XCTest

@testable import Linnet

/// A cancellation ends the run that it is meant for, at any time, and no other.
final class CancellationTests: XCTestCase {
  /// How the task's run ended.
  private enum End { case finished, taskCancelled, sessionCancelled }

  private func end(of task: Task<Void, any Error>) async throws -> End {
    do {
      try await task.value
      return .finished
    } catch is CancellationError {
      return .taskCancelled
    } catch let error as LinnetError where error.status == .cancelled {
      XCTAssertFalse(error.text.isEmpty)
      return .sessionCancelled
    }
  }

  /// Cancelled a little later each time: before, at and after the beginning of the run.
  func testCancellingTheTaskEndsTheRun() async throws {
    let session = try Session(Plans.open("loop"))
    for round in 0..<100 {
      try Plans.makeEndless(session)
      let task = Task { try await session.run() }
      if round > 0 { try await Task.sleep(nanoseconds: UInt64(round) * 20_000) }
      task.cancel()
      let end = try await end(of: task)
      XCTAssertEqual(end, .taskCancelled)
      XCTAssertEqual(try Plans.rounds(session, limit: 10), 2)  // the next run is not cancelled
    }
  }

  /// Runs that end by themselves at about the time of the cancellation.
  func testACancellationThatComesTooLateHarmsNobody() async throws {
    let session = try Session(Plans.open("loop"))
    var ends: [End: Int] = [:]
    for round in 0..<2000 {
      try Plans.setLimit(session, 1000)
      let task = Task { try await session.run() }
      for _ in 0..<(round % 50) { await Task.yield() }
      task.cancel()
      ends[try await end(of: task), default: 0] += 1
      XCTAssertEqual(try Plans.rounds(session, limit: 10), 2)
    }
    XCTAssertNil(ends[.sessionCancelled])
    print("2000 runs that were cancelled at about their end: \(ends)")
  }

  /// The worst moment: the run is over, and its caller does not know yet. In C, the next run would be cancelled.
  func testACancellationBetweenTheEndAndTheNews() throws {
    let session = try Session(Plans.open("loop"))
    let late = Late()
    let runs = Runs(session.handle) { handle in
      defer { late.cancel?() }
      return linnet_session_run(handle)
    }
    late.cancel = { runs.cancelCurrent() }
    try Plans.setLimit(session, 10)
    try runs.perform(Run())
    late.cancel = nil
    for _ in 0..<2 {
      try Plans.setLimit(session, 1000)
      try runs.perform(Run())
      XCTAssertEqual(try session.output(0, as: Int32.self), [9])
    }
  }

  private final class Late: @unchecked Sendable {
    var cancel: (() -> Void)?
  }

  /// A thread cancels without pause while runs begin and end.
  func testCancellingAllTheTime() async throws {
    let session = try Session(Plans.open("loop"))
    let canceller = Task.detached {
      while !Task.isCancelled { session.cancel() }
    }
    var cancelled = 0
    for _ in 0..<2000 {
      try Plans.setLimit(session, 1000)
      let task = Task { try await session.run() }
      let end = try await end(of: task)
      XCTAssertNotEqual(end, .taskCancelled)
      cancelled += end == .sessionCancelled ? 1 : 0
    }
    canceller.cancel()
    await canceller.value
    XCTAssertEqual(try Plans.rounds(session, limit: 10), 2)  // nothing is left of all that
    print("of 2000 runs \(cancelled) were cancelled")
  }

  func testATaskThatIsCancelledAlreadyDoesNotRun() async throws {
    let session = try Session(Plans.open("sum"))
    try session.setInput(0, [Float](repeating: 1, count: 3))
    try session.setInput(1, [Int32(0)])
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await session.run()
    }
    task.cancel()
    let end = try await end(of: task)
    XCTAssertEqual(end, .taskCancelled)
    try await session.run()
    XCTAssertEqual(try session.output(0, as: Float.self)[0], 2)  // the state has grown once
  }

  /// A task that waits for its turn ends at once, though the run before it goes on.
  func testAWaitingTaskNeedNotWait() async throws {
    let session = try Session(Plans.open("loop"))
    try Plans.makeEndless(session)
    let first = Task { try await session.run() }
    try await Task.sleep(nanoseconds: 20_000_000)
    let second = Task { try await session.run() }
    try await Task.sleep(nanoseconds: 20_000_000)
    second.cancel()
    let end2 = try await end(of: second)
    XCTAssertEqual(end2, .taskCancelled)
    session.cancel()
    let end1 = try await end(of: first)
    XCTAssertEqual(end1, .sessionCancelled)
    XCTAssertEqual(try Plans.rounds(session, limit: 10), 2)
  }

  func testAThreadThatRunsIsCancelledByAnother() throws {
    let session = try Session(Plans.open("loop"))
    session.cancel()  // nothing runs, so nothing happens
    XCTAssertEqual(try Plans.rounds(session, limit: 10), 2)
    try Plans.makeEndless(session)
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.02) { session.cancel() }
    XCTAssertEqual(failure { try session.run() }.status, .cancelled)
    XCTAssertEqual(try Plans.rounds(session, limit: 10), 2)
  }

  /// A run in progress keeps its session and its plan.
  func testNothingElseNeedKeepTheSession() async throws {
    var session: Session? = try Session(Plans.open("loop"))
    try Plans.makeEndless(session!)
    let task = Task { [session] in try await session!.run() }
    session = nil
    try await Task.sleep(nanoseconds: 20_000_000)
    task.cancel()
    let end = try await end(of: task)
    XCTAssertEqual(end, .taskCancelled)
  }
}
