// SPDX-License-Identifier: Apache-2.0
import Foundation
import Linnet
import XCTest

/// The small plans of tests/golden/plans.
enum Plans {
  static func path(_ name: String) -> String {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    return root.appendingPathComponent("tests/golden/plans/\(name).linnet").path
  }

  static func open(_ name: String) throws -> Plan { try Plan(path: path(name)) }

  static func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

  /// Inputs of "loop" with which a run ends only when it is cancelled: zeros stay zeros however often they are doubled.
  static func makeEndless(_ session: Session) throws {
    try session.setInput(0, [Float](repeating: 0, count: 3))
    try session.setInput(1, [Float(1)])
  }

  /// How often "loop" doubles ones until they reach the limit.
  static func rounds(_ session: Session, limit: Float) throws -> Int32 {
    try setLimit(session, limit)
    try session.run()
    return try session.output(0)[0]
  }

  static func setLimit(_ session: Session, _ limit: Float) throws {
    try session.setInput(0, [Float](repeating: 1, count: 3))
    try session.setInput(1, [limit])
  }
}

/// The error that the code throws, which has to be one of Linnet's.
func failure(_ code: () throws -> Void, line: UInt = #line) -> LinnetError {
  do {
    try code()
    XCTFail("nothing was thrown", line: line)
  } catch let error as LinnetError {
    return error
  } catch {
    XCTFail("\(error) was thrown", line: line)
  }
  return LinnetError.none
}

extension LinnetError {
  /// No failure of a test compares equal to it.
  static let none: LinnetError = {
    do {
      _ = try Plan(path: "/there/is/no/such/file")
      fatalError("a file that does not exist was opened")
    } catch {
      return error as! LinnetError
    }
  }()
}
