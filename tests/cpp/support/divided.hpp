#pragma once

#include <initializer_list>
#include <set>
#include <string>

#include "conv2d/conv2d.hpp"
#include "support/failures.hpp"
#include "support/oracle.hpp"

namespace conv2d::test {

/// Runs every algorithm on each number of `threads` of `team`, however small the problem. Returns those that differ in
/// bits from one thread, and those that wrote outside their memory. `divided` collects "pass algorithm" of those that
/// were divided.
Failures failures_when_divided(const ConvDesc& d, const TensorValues& tensors, const Team& team,
                               std::set<std::string>& divided, std::initializer_list<int> threads = {2, 3});

/// A team without threads: its parts run on the calling thread, the last one first.
Team reversed_team();

}  // namespace conv2d::test
