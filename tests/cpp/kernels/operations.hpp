#pragma once

#include <cstddef>

/// The operations of simd/batch.hpp as functions, so that one test covers every instruction set: the files
/// operations_<isa>.cpp are compiled with its flags, the tests are not.
namespace conv2d::test {

inline constexpr int kMostSums = 9;

struct Operations {
  int lanes = 0;
  void (*copy)(const float* from, float* to) = nullptr;  ///< a load and a store
  void (*broadcast)(float value, float* to) = nullptr;
  void (*add)(const float* a, const float* b, float* to) = nullptr;
  void (*subtract)(const float* a, const float* b, float* to) = nullptr;
  void (*multiply)(const float* a, const float* b, float* to) = nullptr;
  void (*divide)(const float* a, const float* b, float* to) = nullptr;
  /// to = a.value or b.value, where = a.where or b.where: Chosen of batch.hpp.
  void (*greater_or_nan)(const float* a, const float* a_where, const float* b, const float* b_where, float* to,
                         float* where) = nullptr;
  void (*clamped)(const float* values, float lowest, float highest, float* to) = nullptr;
  void (*multiply_add)(const float* a, const float* b, const float* c, float* to) = nullptr;
  void (*copy_first)(const float* from, std::ptrdiff_t count, float* to) = nullptr;
  void (*sums[kMostSums])(const float* registers, float* to) = {};  ///< [count - 1]
};

}  // namespace conv2d::test
