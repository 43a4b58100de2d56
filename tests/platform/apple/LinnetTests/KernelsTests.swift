// SPDX-License-Identifier: Apache-2.0
import Foundation
import Linnet
import XCTest

/// Sessions that are given a profile of kernels: that which `linnet-run --measure-kernels` wrote of the plan "large" with one thread. CTest
/// measures it and says where it is.
final class KernelsTests: XCTestCase {
  private var measured = Data()

  override func setUpWithError() throws {
    guard let path = ProcessInfo.processInfo.environment["LINNET_KERNELS"] else { throw XCTSkip("there is no LINNET_KERNELS") }
    measured = try Data(contentsOf: URL(fileURLWithPath: path))
  }

  func testWhatWasMeasuredHereIsTaken() throws {
    let wanted = try output()
    let given = try output(kernels: measured)
    XCTAssertEqual(given.count, wanted.count)
    for (one, other) in zip(given, wanted) { XCTAssertEqual(one, other, accuracy: 1e-4) }
  }

  func testDamagedOnesAreRefused() throws {
    for damaged in [Data(), Data("no profile".utf8)] {
      try checkRefused(.invalidArgument, "the kernel profile, line 1: it must begin as a kernel profile does", kernels: damaged)
    }
    let lines = measured.filter { $0 == UInt8(ascii: "\n") }.count
    try checkRefused(
      .invalidArgument, "the kernel profile, line \(lines): it must end with the number of its steps", kernels: measured + Data([0]))
  }

  func testItIsOfSoManyThreads() throws {
    let text =
      "the kernel profile was made with threads 1, and this is threads 2: measure again (linnet-run --measure-kernels)"
    try checkRefused(.unsupported, text, threads: 2, kernels: measured)
  }

  private func output(threads: Int = 1, kernels: Data? = nil) throws -> [Float] {
    let session = try Session(Plans.open("large"), threads: threads, kernels: kernels)
    try session.setInput(0, (0..<session.inputs[0].bytes / 4).map { Float($0 % 17) * 0.1 - 0.5 })
    try session.run()
    return try session.output(0)
  }

  /// Without a choice of kernels nobody looks at the profile.
  private func checkRefused(_ status: LinnetError.Status, _ text: String, threads: Int = 1, kernels: Data) throws {
    guard LinnetLibrary.cpuKernels != "none" else {
      _ = try output(threads: threads, kernels: kernels)
      return
    }
    let refused = failure { _ = try output(threads: threads, kernels: kernels) }
    XCTAssertEqual(refused.status, status)
    XCTAssertEqual(refused.text, text)
  }
}
