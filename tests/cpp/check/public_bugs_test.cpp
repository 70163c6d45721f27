#include "check/public_bugs.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace conv2d_check;
using namespace conv2d_check::test;

namespace {

bool is_named(const Verdict& verdict, const std::string& words) {
  return std::ranges::find(verdict.names, words) != verdict.names.end() ||
         verdict.sentence.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("Wrong results of public reports are found, with their cause", "[evidence]") {
  CHECK(public_bugs().size() >= 20);
  for (const PublicBug& bug : public_bugs()) {
    const ArraysVerdict verdict = bug.file().judge();
    const Verdict& found = verdict_of(verdict, bug.tensor);
    INFO(bug.name << ": " << found.sentence);
    CHECK(verdict.verdict == FileVerdict::wrong);
    CHECK(found.judgement == bug.judgement);
    CHECK(is_named(found, bug.words));
    for (const TensorVerdict& other : verdict.layers.front().tensors) {
      const bool is_wrong_too = other.name == "dx" && std::string_view(bug.words) == "stride_forgotten";
      INFO(other.name << ": " << other.verdict.sentence);
      if (other.name != bug.tensor && !is_wrong_too) CHECK(other.verdict.judgement == Judgement::matches);
    }
  }
}

TEST_CASE("Right results of public reports are right", "[evidence]") {
  for (const File& file : right_files()) {
    const ArraysVerdict verdict = file.judge();
    INFO(to_json(verdict));
    CHECK(verdict.verdict == FileVerdict::right);
    CHECK(verdict.unused.empty());
  }
}
