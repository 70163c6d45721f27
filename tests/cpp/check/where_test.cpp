#include "verdict/where.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "check/planted_faults.hpp"

using namespace conv2d_check;
using namespace conv2d_check::test;
using conv2d::Layout;

TEST_CASE("each planted fault has its rule and its relation", "[where]") {
  std::uint64_t seed = 1;
  for (const Fault& fault : faults()) {
    INFO(fault.name);
    Planted planted(fault.desc, fault.pass, seed++);
    fault.plant(planted);
    const auto found = planted.where();
    if (fault.where != nullptr) CHECK((found ? found->where : "no rule") == fault.where);
    if (fault.relation != nullptr) CHECK(planted.relation() == fault.relation);
  }
  CHECK(faults().size() >= 40);
}

TEST_CASE("most planted faults have their rule for small integers, too, in which cells are right by chance",
          "[where]") {
  std::size_t rules = 0, relations = 0;
  std::uint64_t seed = 1;
  for (const Fault& fault : faults()) {
    Planted planted(fault.desc, fault.pass, seed++, 3);
    fault.plant(planted);
    const auto found = planted.where();
    const bool has_rule = fault.where == nullptr || (found && found->where == fault.where);
    const bool has_relation = fault.relation == nullptr || planted.relation() == fault.relation;
    if (!has_rule) UNSCOPED_INFO(fault.name << ": " << (found ? found->where : "no rule"));
    if (!has_relation) UNSCOPED_INFO(fault.name << ": " << planted.relation());
    rules += has_rule ? 1U : 0U;
    relations += has_relation ? 1U : 0U;
  }
  // Without a bias in a filter, or for numbers of bfloat16, the fault does not show.
  CHECK(rules + 5 >= faults().size());
  CHECK(relations + 1 >= faults().size());
}

TEST_CASE("scattered cells have no rule", "[where]") {
  std::uint64_t seed = 100;
  for (const ConvDesc* desc : {&kPlain, &kGroups, &kRemainder, &kSparse}) {
    for (const Pass pass : {kY, kDx, kDw}) {
      for (const std::int64_t per_mille : {2, 10, 50, 200, 500}) {
        Planted planted(*desc, pass, seed++);
        std::size_t changed = 0;
        for (double& value : planted.yours) {
          if (planted.rng.between(1, 1000) > per_mille) continue;
          value += 1 + planted.rng.real();
          ++changed;
        }
        if (changed < 3) continue;
        INFO(changed << " of " << planted.yours.size() << ", seed " << seed - 1);
        const auto found = planted.where();
        CHECK((found ? found->where : "no rule") == "no rule");
        CHECK(planted.relation().empty());
      }
    }
  }
}

TEST_CASE("right results have no rule", "[where]") {
  for (const Pass pass : {kY, kDx, kDw, kDb}) CHECK_FALSE(Planted(kPlain, pass, 7).where());
}

TEST_CASE("rules hold for results of many sizes", "[where]") {
  Rng rng(77);
  for (int run = 0; run < 300; ++run) {
    ConvDesc desc{.layout = rng.one_in(2) ? Layout::nchw : Layout::nhwc,
                  .n = rng.between(1, 4),
                  .h = rng.between(5, 34),
                  .w = rng.between(5, 34),
                  .c = rng.between(1, 9),
                  .k = rng.between(1, 19),
                  .kh = rng.between(1, 5),
                  .kw = rng.between(1, 5),
                  .stride_h = rng.between(1, 3),
                  .stride_w = rng.between(1, 3)};
    desc.padding = {rng.between(0, 2), rng.between(0, 2), rng.between(0, 2), rng.between(0, 2)};
    const Pass pass = std::vector{kY, kDx, kDw}[static_cast<std::size_t>(rng.between(0, 2))];
    Planted planted(desc, pass, static_cast<std::uint64_t>(run) + 1000);
    // One or two axes with at least 6 indices: a tail after blocks of `block`, or one remainder by `block`.
    CellIndex block{};
    std::vector<std::string> words;
    const bool is_tail = rng.one_in(2);
    for (std::size_t a = 0; a < 4; ++a) {
      const ResultAxis& axis = planted.axes[a];
      if (axis.size < 6 || words.size() == 2 || rng.one_in(2)) continue;
      block[a] = rng.between(3, axis.size / 2);
      const std::int64_t tail = axis.size % block[a];
      if (is_tail && tail == 0) {
        block[a] = 0;
      } else if (is_tail) {
        words.push_back(tail == 1   ? axis.one + " " + std::to_string(axis.size - 1) + " (the last"
                        : tail <= 3 ? "the last " + std::to_string(tail) + " " + axis.many
                                    : axis.many + " from " + std::to_string(axis.size - tail) + " on");
      } else {
        words.push_back("every " + ordinal(block[a]) + " " + axis.one + " from 1 on");
      }
    }
    if (words.empty()) continue;
    planted.change(
        [&](const CellIndex& at) {
          for (std::size_t a = 0; a < 4; ++a) {
            if (block[a] == 0) continue;
            const std::int64_t size = planted.axes[a].size;
            if (is_tail ? at[a] < size - size % block[a] : at[a] % block[a] != 1) return false;
          }
          return true;
        },
        [&](std::size_t) { return planted.rng.real() + 100; });
    const auto found = planted.where();
    INFO("run " << run << ": " << (found ? found->where : "no rule"));
    for (const std::string& part : words) UNSCOPED_INFO(part);
    for (const std::string& part : words) CHECK((found && found->where.find(part) != std::string::npos));
  }
}

TEST_CASE("zeros of a max pooling do not hide a rule", "[where]") {
  const ConvDesc desc{
      .n = 2, .h = 24, .w = 24, .c = 5, .k = 5, .kh = 2, .kw = 2, .stride_h = 2, .stride_w = 2, .groups = 5};
  Planted planted(desc, kDx, 5);
  planted.problem.layer = conv2d_check::Layer::max_pool;
  planted.axes = axes_of(planted.problem, kDx);
  planted.right = exact(planted.problem, kDx);
  planted.yours = planted.right.values;
  planted.change([](const CellIndex& at) { return at[1] >= 16; }, zero);
  const auto found = planted.where();
  REQUIRE(found);
  CHECK(found->where == "rows from 16 on");
  CHECK(found->relation == "0");
}

TEST_CASE("errors a little above the tolerance have no relation", "[where]") {
  for (const Pass pass : {kY, kDx, kDw, kDb}) {
    for (const std::int64_t integers : {0, 3}) {
      Planted planted(kPlain, pass, 9, integers);
      for (std::size_t i = 0; i < planted.yours.size(); ++i)
        planted.yours[i] = planted.right.values[i] + (1.1 + 0.8 * std::abs(planted.rng.real())) * planted.tolerance[i];
      CHECK(planted.relation().empty());
    }
  }
}

TEST_CASE("a few wrong cells of a small result have a rule only where they are adjacent", "[where]") {
  const ConvDesc small{.n = 1, .h = 6, .w = 6, .c = 2, .k = 3, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}};
  Planted two(small, kY, 3);
  two.change([](const CellIndex& at) { return at[3] == 1 && at[1] == 2 && (at[2] == 3 || at[2] == 4); }, not_a_number);
  REQUIRE(two.where());
  CHECK(two.where()->where == "row 2, columns 3 to 4 and filter 1");
  Planted apart(small, kY, 3);
  apart.change(
      [](const CellIndex& at) {
        return at == CellIndex{0, 1, 2, 0} || at == CellIndex{0, 4, 3, 2};
      },
      not_a_number);
  CHECK_FALSE(apart.where());
  CHECK(apart.relation() == "NaN");
}

TEST_CASE("results without cells, with one cell, and without operands have no rule", "[where]") {
  for (const Pass pass : {kY, kDx, kDw, kDb}) {
    Planted one(ConvDesc{}, pass, 3);
    one.change(everywhere, not_a_number);
    CHECK_FALSE(one.where());
    CHECK(one.relation() == "NaN");
    Planted none(ConvDesc{.n = 0, .h = 4, .w = 4, .kh = 3, .kw = 3}, pass, 3);
    if (!none.yours.empty()) none.yours[0] = 1;
    CHECK((!none.where() || pass == kDw));
  }
}
