#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>
#include <vector>

#include "engines/windows/strided_matmul.hpp"
#include "engines/windows/window_plan.hpp"
#include "support/abort_message.hpp"
#include "support/environment.hpp"
#include "support/matchers.hpp"
#include "support/random_problem.hpp"
#include "support/run.hpp"

using namespace conv2d;
using namespace conv2d::test;
using engine::StridedMatmul;

namespace {

/// Without threads there is only one part.
constexpr int kMostParts = kThreads ? 4 : 1;

/// How often each float of the output is written.
using Writes = std::map<std::int64_t, int>;

void count_writes(const StridedMatmul& p, Writes& writes) {
  for (std::int64_t n = 0; n < p.n; ++n)
    for (std::int64_t i = 0; i < p.rows.windows; ++i)
      for (std::int64_t j = 0; j < p.cols.windows; ++j)
        for (std::int64_t column = 0; column < p.groups * p.out_channels; ++column)
          ++writes[p.out.at(n, i, j) + column];
}

Failure wrong_parts(const StridedMatmul& whole, int parts) {
  Writes expected, got;
  count_writes(whole, expected);
  const engine::Division division = engine::best_division(whole, parts);
  for (int i = 0; i < parts; ++i) count_writes(engine::part_of(whole, division, {i, parts}), got);
  if (got != expected) return std::to_string(parts) + " parts do not write what the whole writes, each float once";
  return std::nullopt;
}

Failure wrong_blocks(const StridedMatmul& p) {
  const engine::BlockShape shape = engine::BlockShape::of(p);
  std::map<std::int64_t, int> windows;
  for (std::int64_t b = 0; b < shape.blocks(p); ++b) {
    const engine::WindowBlock block = shape.at(p, b);
    if (block.count() > engine::kBlockWindows) return "a block has too many windows";
    for (std::int64_t n = block.n.begin; n < block.n.end; ++n)
      for (std::int64_t i = block.i.begin; i < block.i.end; ++i)
        for (std::int64_t j = block.j.begin; j < block.j.end; ++j)
          ++windows[(n * p.rows.windows + i) * p.cols.windows + j];
  }
  const auto once = [](const auto& window) { return window.second == 1; };
  const bool all = static_cast<std::int64_t>(windows.size()) == p.n * p.rows.windows * p.cols.windows;
  if (!all || !std::all_of(windows.begin(), windows.end(), once)) return "blocks do not have each window once";
  return std::nullopt;
}

/// The products of both passes.
std::vector<StridedMatmul> products_of(const Geometry& g, const micro_kernels::KernelSet& kernels) {
  std::vector<StridedMatmul> all = engine::products_of(g, kernels, Pass::forward);
  for (const StridedMatmul& phase : engine::products_of(g, kernels, Pass::backward_data)) all.push_back(phase);
  return all;
}

}  // namespace

TEST_CASE("blocks contain every window once, and parts write every float once", "[engines]") {
  Failures failures;
  for (std::int64_t run = 0; run < (property_runs() + 19) / 20; ++run) {
    Rng rng(property_seed() + static_cast<std::uint64_t>(run));
    ConvDesc d = random_desc(rng);
    d.layout = Layout::nhwc;
    const Geometry g = resolve(d).value();
    for (const micro_kernels::CompiledSet& set : micro_kernels::compiled_sets()) {
      for (const StridedMatmul& product : products_of(g, *set.kernels)) {
        failures.add(wrong_blocks(product), to_string(d), set.kernels->instruction_set);
        for (int parts = 1; parts <= kMostParts; ++parts) {
          failures.add(wrong_parts(product, parts), to_string(d), set.kernels->instruction_set);
        }
      }
    }
  }
  CHECK_THAT(failures, NoFailure());
}

TEST_CASE("the tiles of a panel cover all rows with little overlap", "[engines]") {
  for (const micro_kernels::CompiledSet& set : micro_kernels::compiled_sets()) {
    for (std::ptrdiff_t vectors = 1; vectors <= micro_kernels::kMaxTileVectors; ++vectors) {
      for (std::ptrdiff_t rows = 1; rows <= engine::kBlockWindows; ++rows) {
        const engine::WindowCover cover(*set.kernels, rows, vectors);
        CAPTURE(set.kernels->instruction_set, vectors, rows);
        CHECK(cover.done() >= rows);
        CHECK(cover.done() - rows < cover.main_rows);
        CHECK(cover.main_tiles >= 0);
      }
    }
  }
}

TEST_CASE("panels contain every register of the columns once, and a single register only if there is no other",
          "[engines]") {
  for (const micro_kernels::CompiledSet& set : micro_kernels::compiled_sets()) {
    for (std::int64_t columns = 1; columns <= 200; ++columns) {
      const engine::Panels panels(*set.kernels, columns);
      CAPTURE(set.kernels->instruction_set, columns);
      std::int64_t vectors = 0;
      for (std::int64_t panel = 0; panel < panels.count; ++panel) {
        CHECK(panels.first_column(panel) == vectors * panels.lanes);
        CHECK((panels.vectors_of(panel) > 1 || panels.vectors == 1));
        CHECK(panels.vectors_of(panel) * panels.lanes <= panels.widest());
        vectors += panels.vectors_of(panel);
      }
      CHECK(vectors == panels.vectors);
      CHECK(vectors * panels.lanes >= columns);
      CHECK((vectors - 1) * panels.lanes < columns);
    }
  }
}

#ifdef CONV2D_TEST_PROCESSES

TEST_CASE("a product that adds to the output of another must be divided as that one", "[engines]") {
  const micro_kernels::KernelSet& kernels = *micro_kernels::select({});
  const auto product = [&](std::int64_t rows, std::int64_t columns, engine::InitialSums initial) {
    return StridedMatmul{.kernels = &kernels,
                         .n = 1,
                         .rows = {.windows = rows, .taps = 1, .size = rows},
                         .cols = {.windows = 1, .taps = 1, .size = 1},
                         .channels = 8,
                         .out_channels = columns,
                         .weights = {.channel = columns, .column = 1},
                         .weights_vary = true,
                         .initial_sums = initial,
                         .out = {.row = columns}};
  };
  const auto prepare = [&](const StridedMatmul& first, const StridedMatmul& second) {
    const engine::WindowOperands operands = engine::window_operands(Pass::forward);
    static_cast<void>(engine::prepare_products({first, second}, operands, {.kernels = &kernels, .parts = 2}));
  };
  const StridedMatmul by_rows = product(64, 1, engine::InitialSums::bias_of_columns);
  const StridedMatmul by_columns = product(1, 256, engine::InitialSums::output);
  REQUIRE(engine::best_division(by_rows, 2) == engine::Division::rows);
  REQUIRE(engine::best_division(by_columns, 2) == engine::Division::columns);
  CHECK_THAT(precondition_failure("whole.initial_sums != InitialSums::output", [&] { prepare(by_rows, by_columns); }),
             NoFailure());
  StridedMatmul adds = by_rows;
  adds.initial_sums = engine::InitialSums::output;
  CHECK(abort_message([&] { prepare(by_rows, adds); }) == std::nullopt);
}

#endif
