// SPDX-License-Identifier: Apache-2.0
import Foundation
import Linnet
import XCTest

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))  // there is no Float16

/// Each type of elements, by tests/platform/android/types.pbtxt: inputs [2, 3] of which the outputs are the transposes. CTest converts it and
/// says where the plan is.
final class TypesTests: XCTestCase {
  private var session: Session!

  override func setUpWithError() throws {
    guard let path = ProcessInfo.processInfo.environment["LINNET_TYPES_PLAN"] else { throw XCTSkip("there is no LINNET_TYPES_PLAN") }
    session = try Session(Plan(path: path))
  }

  func testEveryTypeGoesThroughArraysAndViews() throws {
    var missing = Set(DType.allCases)
    for (index, info) in session.inputs.enumerated() {
      XCTAssertEqual(info.bytes, 6 * info.dtype.bytes)
      try session.withUnsafeInputBytes(index) { XCTAssertEqual($0.count, info.bytes) }
      try setInput(index)
      missing.remove(info.dtype)
    }
    XCTAssertEqual(missing, [])
    try session.run()
    for index in session.outputs.indices { try checkOutput(index) }
  }

  func testEveryOtherTypeIsRefused() throws {
    for index in session.inputs.indices {
      XCTAssertEqual(refusals(index), Self.types.count - 1)
    }
  }

  private static let types: [any TensorElement.Type] = [
    Float.self, Double.self, Int32.self, Int64.self, UInt8.self, Int8.self, Bool.self, Int16.self, UInt16.self, Float16.self,
  ]

  private func refusals(_ index: Int) -> Int {
    func isRefused<Element: TensorElement>(_ type: Element.Type) -> Bool {
      let input: Void? = try? session.withUnsafeInput(index, as: type) { _ in }
      let output: Void? = try? session.withUnsafeOutput(index, as: type) { _ in }
      XCTAssertEqual(input == nil, output == nil)
      return input == nil
    }
    return Self.types.filter { isRefused($0) }.count
  }

  /// Six different elements; of bool, two.
  private func setInput(_ index: Int) throws {
    switch session.inputs[index].dtype {
    case .float32: try session.setInput(index, Self.numbers(Float.self))
    case .float64: try session.setInput(index, Self.numbers(Double.self))
    case .float16: try session.setInput(index, Self.numbers(Float16.self))
    case .int32: try session.setInput(index, Self.numbers(Int32.self))
    case .int64: try session.setInput(index, Self.numbers(Int64.self))
    case .uint8: try session.setInput(index, Self.numbers(UInt8.self))
    case .int8: try session.setInput(index, Self.numbers(Int8.self))
    case .int16: try session.setInput(index, Self.numbers(Int16.self))
    case .uint16: try session.setInput(index, Self.numbers(UInt16.self))
    case .bool: try session.setInput(index, Self.truths)
    }
  }

  private func checkOutput(_ index: Int) throws {
    switch session.outputs[index].dtype {
    case .float32: XCTAssertEqual(try session.output(index), Self.transposed(Self.numbers(Float.self)))
    case .float64: XCTAssertEqual(try session.output(index), Self.transposed(Self.numbers(Double.self)))
    case .float16: XCTAssertEqual(try session.output(index), Self.transposed(Self.numbers(Float16.self)))
    case .int32: XCTAssertEqual(try session.output(index), Self.transposed(Self.numbers(Int32.self)))
    case .int64: XCTAssertEqual(try session.output(index), Self.transposed(Self.numbers(Int64.self)))
    case .uint8: XCTAssertEqual(try session.output(index), Self.transposed(Self.numbers(UInt8.self)))
    case .int8: XCTAssertEqual(try session.output(index), Self.transposed(Self.numbers(Int8.self)))
    case .int16: XCTAssertEqual(try session.output(index), Self.transposed(Self.numbers(Int16.self)))
    case .uint16: XCTAssertEqual(try session.output(index), Self.transposed(Self.numbers(UInt16.self)))
    case .bool: XCTAssertEqual(try session.output(index), Self.transposed(Self.truths))
    }
  }

  private static let truths = (0..<6).map { $0 % 3 == 0 }

  /// Large integers, so that a wrong width or sign shows.
  private static func numbers<Element: Numeric>(_ type: Element.Type) -> [Element] {
    let integers = [Int.max, 1 << 31 - 1, 65_535, 32_767, 255, 127].lazy.filter { Element(exactly: $0) != nil }
    let largest = type is any BinaryInteger.Type ? integers.first! : 100
    return (0..<6).map { Element(exactly: largest - $0)! }
  }

  private static func transposed<Element>(_ values: [Element]) -> [Element] { [0, 3, 1, 4, 2, 5].map { values[$0] } }
}

#endif
