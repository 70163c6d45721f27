#pragma once

#include <cstdint>
#include <string>

namespace conv2d::test {

/// An environment variable, empty if unset. Under Node: of the process that runs the module.
std::string environment(const char* name);

/// The seed of the property tests: CONV2D_SEED, or a random one for every process. Run i uses seed + i.
std::uint64_t property_seed();

/// The number of problems per property test: CONV2D_PROPERTY_RUNS, or 2000.
std::int64_t property_runs();

}  // namespace conv2d::test
