#include "session/mistake_session.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "mistakes/mistake.hpp"
#include "support/matchers.hpp"
#include "support/oracle.hpp"

using namespace conv2d;
using namespace conv2d::session;
using namespace conv2d::test;

namespace {

constexpr ConvDesc kDesc{.h = 4, .w = 4, .c = 1, .k = 1, .kh = 3, .kw = 3, .padding = {1, 1, 1, 1}};

void put(MistakeSession& held, MistakeSlot slot, const std::vector<float>& values) {
  REQUIRE(held.reserve(slot, static_cast<std::int64_t>(values.size())).ok());
  std::ranges::copy(values, held.span(slot).begin());
}

int place_of(std::string_view name) {
  const auto all = mistakes::list();
  const auto found = std::ranges::find(all, name, &mistakes::Mistake::name);
  REQUIRE(found != all.end());
  return static_cast<int>(found - all.begin());
}

struct Held {
  Held() {
    Rng rng(41);
    t = integer_tensors(kDesc, *sizes_of(kDesc), rng);
    right = oracle(kDesc, *sizes_of(kDesc), t);
    REQUIRE(session.set_problem(kDesc).ok());
    put(session, MistakeSlot::x, t.x);
    put(session, MistakeSlot::w, t.w);
    put(session, MistakeSlot::b, t.b);
    put(session, MistakeSlot::dy, t.dy);
  }
  TensorValues t;
  Oracle right;
  MistakeSession session;
};

}  // namespace

TEST_CASE("without a problem nothing is said of mistakes", "[session][mistakes]") {
  MistakeSession held;
  CHECK(held.diagnose(Pass::forward, 0, 1, 0).status.field == "desc");
  CHECK(held.show(Pass::forward, 0).status.field == "desc");
  CHECK(held.explain(Pass::forward).status.field == "desc");
  CHECK(held.set_problem({.kh = 0}).code == ErrorCode::invalid_size);
  CHECK(held.reserve(MistakeSlot::x, -1).code == ErrorCode::invalid_argument);
}

TEST_CASE("a right number is right, a bug shows its own, and both are recognised", "[session][mistakes]") {
  Held held;
  const std::vector<double>& dx = held.right.dx.value;
  const Diagnosed right = held.session.diagnose(Pass::backward_data, 5, dx[5], 0);
  REQUIRE(right.status.ok());
  CHECK(right.right);
  CHECK(right.explanations.empty());
  CHECK(held.session.diagnose(Pass::backward_data, 16, 1, 0).status.field == "cell");

  const int padding = place_of("padding_forgotten");
  const Shown shown = held.session.show(Pass::backward_data, padding);
  REQUIRE(shown.status.ok());
  CHECK(shown.occasion);
  CHECK(shown.differs);
  CHECK(std::ranges::count(shown.alike, padding) == 1);
  const std::span<const float> wrong = held.session.span(MistakeSlot::wrong);
  std::vector<double> off(dx.size());
  std::size_t cell = 0;
  for (std::size_t i = 0; i < dx.size(); ++i) {
    off[i] = wrong[i] - dx[i];
    if (off[i] != 0) cell = i;
  }
  CHECK_THAT(held.session.span(MistakeSlot::difference), Equals(off));
  const Diagnosed wrongly = held.session.diagnose(Pass::backward_data, static_cast<std::int64_t>(cell), wrong[cell], 0);
  CHECK(!wrongly.right);
  CHECK(std::ranges::count(wrongly.explanations, padding) == 1);
  CHECK(held.session.show(Pass::backward_data, -1).status.field == "place");

  put(held.session, MistakeSlot::brought, {wrong.begin(), wrong.end()});
  const Explained explained = held.session.explain(Pass::backward_data);
  REQUIRE(explained.status.ok());
  CHECK(std::ranges::count(explained.mistakes, padding) == 1);

  put(held.session, MistakeSlot::measured, {dx.begin(), dx.end()});
  const CheckedBug checked = held.session.check();
  REQUIRE(checked.status.ok());
  CHECK(checked.failed == std::ranges::count_if(off, [](double value) { return value != 0; }));
  CHECK(held.session.reserve(MistakeSlot::measured, 3).ok());
  CHECK(held.session.check().status.code == ErrorCode::length_mismatch);
}

TEST_CASE("what was brought is held against what is right", "[session][mistakes]") {
  Held held;
  std::vector<float> brought{1, 2, 3.5F, -4}, right{1, 2, 3, -4}, magnitudes{1, 2, 3, 4};
  put(held.session, MistakeSlot::brought, brought);
  put(held.session, MistakeSlot::right, right);
  put(held.session, MistakeSlot::magnitudes, magnitudes);
  const HeldResult result = held.session.hold();
  REQUIRE(result.status.ok());
  CHECK(result.worst == 2);
  CHECK(result.not_finite == 0);
  REQUIRE(!result.within.empty());
  for (const int cells : result.within) CHECK(cells == 3);
  CHECK_THAT(held.session.span(MistakeSlot::difference), Equals(std::vector<double>{0, 0, 0.5, 0}));
  REQUIRE(held.session.drop_signs(MistakeSlot::brought).ok());
  CHECK(held.session.span(MistakeSlot::brought)[3] == 4);
  CHECK(held.session.rounding() > 0);
  REQUIRE(held.session.reserve(MistakeSlot::brought, 3).ok());
  CHECK(held.session.hold().status.code == ErrorCode::length_mismatch);
}
