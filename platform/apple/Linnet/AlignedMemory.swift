// SPDX-License-Identifier: Apache-2.0

/// Memory at a multiple of 64, which is what Linnet uses without copies.
final class AlignedMemory {
  let buffer: UnsafeMutableRawBufferPointer

  /// Zeros; `spare` bytes behind `bytes` are there too, but not in `buffer`.
  init(bytes: Int, spare: Int = 0) {
    let whole = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes + spare, alignment: 64)
    whole.initializeMemory(as: UInt8.self, repeating: 0)
    buffer = UnsafeMutableRawBufferPointer(rebasing: whole[..<bytes])
  }

  convenience init(copying bytes: UnsafeRawBufferPointer) {
    self.init(bytes: bytes.count, spare: 1)  // so that there is an address even of nothing
    buffer.copyMemory(from: bytes)
  }

  deinit {
    buffer.baseAddress?.deallocate()
  }
}
