#pragma once

#include <set>
#include <string>

#include "conv2d/conv2d.hpp"
#include "support/failures.hpp"
#include "support/oracle.hpp"

namespace conv2d::test {

/// Every algorithm, however small the problem, divided among 2 and 3 threads on `team`: those whose results have
/// other bits than with one thread, or that wrote where they must not. `divided` collects "pass algorithm" of those
/// that were really divided.
Failures failures_when_divided(const ConvDesc& d, const TensorValues& tensors, const Team& team,
                               std::set<std::string>& divided);

/// A team of threads that only seem to be there: its shares run on the calling thread, the last one first.
Team backwards_team();

}  // namespace conv2d::test
