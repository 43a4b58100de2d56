// SPDX-License-Identifier: Apache-2.0
import Foundation
import Linnet
import XCTest

/// Objects that go in any order, several tasks and threads, and memory.
final class LifetimeTests: XCTestCase {
  private static let sessions = 20_000
  private static let mostGrowthKB = 4096  // 200 bytes a session

  func testSessionsKeepTheirPlan() throws {
    var plan: Plan? = try Plans.open("sum")
    weak var watched = plan
    var session: Session? = try Session(plan!)
    plan = nil
    XCTAssertNotNil(watched)
    try session!.setInput(0, [Float](repeating: 0, count: 3))
    try session!.setInput(1, [Int32(0)])
    try session!.run()
    session = nil
    XCTAssertNil(watched)
  }

  func testOwnersAreKeptAsLongAsTheirMemoryIsUsed() throws {
    final class Owner {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)
      deinit { memory.deallocate() }
    }
    let data = try Plans.bytes("sum")
    var owner: Owner? = Owner()
    weak var watched = owner
    owner!.memory.copyBytes(from: data)
    var plan: Plan? = try Plan(unsafeBytes: UnsafeRawBufferPointer(rebasing: owner!.memory[..<data.count]), owner: owner)
    owner = nil
    XCTAssertNotNil(watched)
    var session: Session? = try Session(plan!)
    plan = nil
    XCTAssertNotNil(watched)
    var bound: Owner? = Owner()
    weak var watchedBound = bound
    try session!.bindInput(0, to: UnsafeRawBufferPointer(bound!.memory), owner: bound)
    bound = nil
    XCTAssertNotNil(watchedBound)
    try session!.unbindInput(0)
    XCTAssertNil(watchedBound)
    session = nil
    XCTAssertNil(watched)
  }

  func testTwoTasksWithASessionEach() async throws {
    let plan = try Plans.open("loop")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (limit, rounds) in [(Float(10), Int32(2)), (1000, 9)] {
        group.addTask {
          let session = try Session(plan)
          for _ in 0..<1000 {
            try Plans.setLimit(session, limit)
            try await session.run()
            let found = try session.output(0, as: Int32.self)[0]
            guard found == rounds else { return XCTFail("\(found) rounds, not \(rounds)") }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  func testTasksAndThreadsShareASession() async throws {
    let session = try Session(Plans.open("loop"))
    try Plans.setLimit(session, 10)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for isAsync in [true, false, true, false] {
        group.addTask {
          for _ in 0..<500 {
            try Plans.setLimit(session, 10)
            if isAsync { try await session.run() } else { try Self.runOnThisThread(session) }
            _ = try session.output(1, as: Float.self)
          }
        }
      }
      try await group.waitForAll()
    }
    XCTAssertEqual(try Plans.rounds(session, limit: 10), 2)
  }

  private static func runOnThisThread(_ session: Session) throws { try session.run() }

  func testManySessionsTakeNoMemory() throws {
    try create(Self.sessions / 10)
    let before = try residentKB()
    try create(Self.sessions)
    let growth = try residentKB() - before
    print("\(Self.sessions) sessions: resident memory grew by \(growth) KB")
    XCTAssertLessThanOrEqual(growth, Self.mostGrowthKB)
  }

  /// Each with its plan, a run, a failed run and a refused argument.
  private func create(_ count: Int) throws {
    for i in 0..<count {
      try autoreleased {
        let session = try Session(Plans.open("sum"))
        try session.setInput(0, [Float](repeating: 0, count: 3))
        try session.setInput(1, [Int32(i % 4)])
        XCTAssertEqual((try? session.run()) == nil, i % 4 == 3)
        XCTAssertNil(try? session.output(0, as: Int8.self))
      }
    }
  }

  private func autoreleased(_ code: () throws -> Void) rethrows {
    #if canImport(ObjectiveC)
    try autoreleasepool(invoking: code)
    #else
    try code()
    #endif
  }

  private func residentKB() throws -> Int {
    #if os(Linux)
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try XCTUnwrap(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try XCTUnwrap(Int(line.filter(\.isNumber)))
    #else
    throw XCTSkip("resident memory is read from Linux's /proc")
    #endif
  }
}
