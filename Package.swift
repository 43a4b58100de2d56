// swift-tools-version:5.9
// SPDX-License-Identifier: Apache-2.0
// Linnet for Swift: platform/apple/README.md.
import PackageDescription

#if canImport(Darwin)
// What toolchains/xcframework.sh writes.
let library = Target.binaryTarget(name: "CLinnet", path: "build/apple/CLinnet.xcframework")
#else
// What `cmake --install` installs.
let library = Target.systemLibrary(name: "CLinnet", path: "platform/apple/CLinnet", pkgConfig: "linnet")
#endif

let package = Package(
  name: "Linnet",
  platforms: [.iOS(.v15), .macOS(.v12)],
  products: [.library(name: "Linnet", targets: ["Linnet"])],
  targets: [
    library,
    .target(
      name: "Linnet", dependencies: ["CLinnet"], path: "platform/apple/Linnet", resources: [.copy("PrivacyInfo.xcprivacy")],
      swiftSettings: [.enableExperimentalFeature("StrictConcurrency")]),
    .executableTarget(name: "RunModel", dependencies: ["Linnet"], path: "tests/platform/apple/RunModel"),
    .testTarget(name: "LinnetTests", dependencies: ["Linnet", "CLinnet"], path: "tests/platform/apple/LinnetTests"),
  ]
)
