// SPDX-License-Identifier: Apache-2.0
import Foundation
import Linnet
import XCTest

/// What does not fit throws, says why, and leaves everything usable.
final class ErrorTests: XCTestCase {
  func testFilesThatAreNoPlans() throws {
    let path = NSTemporaryDirectory() + "\(UUID().uuidString)ä😀.linnet"
    let none = failure { _ = try Plan(path: path) }
    XCTAssertEqual(none.status, .io)
    XCTAssertEqual(none.status.description, "LINNET_IO")
    XCTAssertNil(none.step)
    XCTAssertTrue(none.text.contains("cannot open the file"), none.text)
    XCTAssertEqual(none.localizedDescription, none.text)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let data = try Plans.bytes("sum")
    try data.write(to: URL(fileURLWithPath: path))
    _ = try Plan(path: path)  // a name beyond ASCII
    try data.prefix(data.count / 2).write(to: URL(fileURLWithPath: path))
    XCTAssertEqual(failure { _ = try Plan(path: path) }.status, .invalidPlan)
    XCTAssertTrue(failure { _ = try Plan(path: "a\0b") }.text.contains("zero"))
    XCTAssertEqual(failure { _ = try Plan(contentsOf: URL(string: "https://example.org/a.linnet")!) }.status, .invalidArgument)
    XCTAssertEqual(failure { _ = try Plan(fileDescriptor: -1) }.status, .invalidArgument)
    XCTAssertEqual(failure { _ = try Plan(Data()) }.status, .invalidPlan)
    XCTAssertEqual(failure { _ = try Plan([UInt8](repeating: 0, count: 64)) }.status, .invalidPlan)
  }

  func testArraysOfAnotherSizeOrType() throws {
    let session = try Session(Plans.open("sum"))
    XCTAssertEqual(
      failure { try session.setInput(0, [Float](repeating: 0, count: 4)) }.text,
      "input 0, x float32[3], has 3 elements now, and was given 4")
    XCTAssertEqual(
      failure { try session.setInput(0, [Int32](repeating: 0, count: 3)) }.text,
      "input 0, x float32[3], has other elements than int32")
    XCTAssertEqual(failure { try session.setInput(0, [Float]()) }.status, .invalidArgument)
    XCTAssertEqual(failure { _ = try session.output(0, as: Double.self) }.status, .invalidArgument)
    try session.setInput(0, [Float](repeating: 0, count: 3))
    try session.setInput(1, [Int32(0)])
    try session.run()
  }

  func testIndicesAndNames() throws {
    let session = try Session(Plans.open("sum"))
    for index in [-1, 3, Int.max, Int.min] {
      for code: () throws -> Void in [
        { try session.setInput(index, [Float](repeating: 0, count: 3)) }, { _ = try session.output(index, as: Float.self) },
        { _ = try session.shape(ofInput: index) }, { _ = try session.shape(ofOutput: index) },
        { try session.setShape(ofInput: index, to: [3]) }, { try session.unbindInput(index) }, { try session.unbindOutput(index) },
        { try session.withUnsafeInputBytes(index) { _ in } }, { try session.withUnsafeOutputBytes(index) { _ in } },
      ] {
        XCTAssertEqual(failure(code).status, .invalidArgument)
      }
    }
    XCTAssertTrue(failure { _ = try session.index(ofInput: "y") }.text.contains("there is no input 'y'; there are [x float32[3]"))
    XCTAssertEqual(failure { _ = try session.index(ofOutput: "x") }.status, .invalidArgument)
    XCTAssertEqual(try session.index(ofInput: "x:0"), 0)
  }

  func testMemoryThatCannotBeBound() throws {
    let session = try Session(Plans.open("sum"))
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 28, alignment: 64)
    defer { memory.deallocate() }
    let short = UnsafeMutableRawBufferPointer(rebasing: memory[..<11])
    XCTAssertEqual(failure { try session.bindInput(0, to: UnsafeRawBufferPointer(short)) }.status, .invalidArgument)
    XCTAssertEqual(failure { try session.bindOutput(0, to: short) }.status, .invalidArgument)
    XCTAssertEqual(failure { try session.bindOutput(0, to: memory, rowBytes: -1) }.status, .invalidArgument)
    XCTAssertEqual(
      failure { try session.bindInput(0, to: UnsafeRawBufferPointer(start: nil, count: 0)) }.text, "there is no memory to bind")
    try session.bindInput(0, to: UnsafeRawBufferPointer(memory))
    XCTAssertTrue(failure { try session.setInput(0, [Float](repeating: 0, count: 3)) }.text.contains("is bound"))
    try session.unbindInput(0)
    try session.setInput(0, [Float](repeating: 0, count: 3))
  }

  func testShapesOutOfBounds() throws {
    let session = try Session(Plans.open("varying"))
    for shape in [[9, 3], [-1, 3], [2, 4], [Int.max, 3], [], [Int](repeating: 1, count: 40)] {
      XCTAssertEqual(failure { try session.setShape(ofInput: 0, to: shape) }.status, .invalidArgument)
    }
    XCTAssertEqual(try session.shape(ofInput: 0), [8, 3])
  }

  func testRunsThatFailNameTheStep() async throws {
    let session = try Session(Plans.open("sum"))
    try session.setInput(0, [Float](repeating: 0, count: 3))
    try session.setInput(1, [Int32(3)])
    let failed = failure { try session.run() }
    XCTAssertEqual(failed.status, .badIndex)
    XCTAssertEqual(failed.step, 1)
    XCTAssertTrue(failed.text.contains("picked"), failed.text)
    try session.setInput(1, [Int32(3)])
    do {
      try await session.run()
      XCTFail("nothing was thrown")
    } catch {
      XCTAssertEqual(error as? LinnetError, failed)
    }
    try session.setInput(0, [Float](repeating: 0, count: 3))
    try session.setInput(1, [Int32(2)])
    try await session.run()
  }

  func testSessionsThatCannotBe() throws {
    let plan = try Plans.open("small")
    XCTAssertTrue(failure { _ = try Session(plan, signature: "train") }.text.contains("it has [\"serving_default\"]"))
    for threads in [-1, Int.max] {
      XCTAssertEqual(failure { _ = try Session(plan, threads: threads) }.status, .invalidArgument)
    }
    XCTAssertEqual(failure { _ = try Session(plan, maxBytes: -1) }.status, .invalidArgument)
    XCTAssertEqual(failure { _ = try Session(plan, maxBytes: 100) }.status, .noMemory)
    XCTAssertEqual(failure { _ = try Session(plan, backend: .vulkan) }.status, .unsupported)
  }
}
