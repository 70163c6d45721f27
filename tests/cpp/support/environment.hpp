#pragma once

#include <cstdint>
#include <string>

namespace conv2d::test {

/// An environment variable, empty when unset; under Node, of the process that runs the module.
std::string environment(const char* name);

/// The seed of the property tests: CONV2D_SEED, or a new one for every process. Run i uses seed + i.
std::uint64_t property_seed();

/// How many problems a property test draws: CONV2D_PROPERTY_RUNS, or what the build can do in seconds.
std::int64_t property_runs();

}  // namespace conv2d::test
