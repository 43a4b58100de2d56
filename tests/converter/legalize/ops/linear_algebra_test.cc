// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

// Its rows have to change places.
TEST(LegalizeLinearAlgebra, ConstantMatricesAreInvertedAtConversion) {
  ExpectRewritten(Legalize, R"(
    b = arg f32[2,1]
    x = tf.MatrixSolve(const f32[2,2] {0, 2, 4, 0}, b)
    out = ret(x))",
                  R"(
    b = arg f32[2,1]
    x = BatchMatMul(const f32[2,2] {0, 0.25, 0.5, 0}, b)
    out = ret(x))");
}

TEST(LegalizeLinearAlgebra, ConstantTrianglesAreInvertedAtConversion) {
  ExpectRewritten(Legalize, R"(
    b = arg f32[2,1]
    x = tf.MatrixTriangularSolve(const f32[2,2] {2, 7, 2, 4}, b) {lower: true, adjoint: false}
    out = ret(x))",
                  R"(
    b = arg f32[2,1]
    x = BatchMatMul(const f32[2,2] {0.5, 0, -0.25, 0.25}, b)
    out = ret(x))");
}

// Each column becomes ops, so a graph of a few bytes could ask for a plan of any size.
TEST(LegalizeLinearAlgebra, LargeMatricesAreRefused) {
  EXPECT_EQ(ErrorOf(Legalize, R"(
    a = arg f32[128,128]
    x = tf.Cholesky(a)
    out = ret(x))"),
            "");
  for (const char* op : {"Cholesky(a)", "MatrixSolve(a, a)", "MatrixDeterminant(a)"}) {
    const std::string error = ErrorOf(Legalize, std::string(R"(
    a = arg f32[129,129]
    x = tf.)") + op + R"(
    out = ret(x))");
    EXPECT_NE(error.find("128x128 is the most; compute it in the app"), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace linnet::converter
