#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "conv2d/conv2d.hpp"
#include "support/environment.hpp"
#include "support/golden.hpp"
#include "support/json.hpp"
#include "support/kernel_sets.hpp"
#include "support/run.hpp"

// The choices of plans with packed weights: tests/problems/choices.json has a row for each problem, with the algorithms
// of forward, backward_data and backward_weights by instruction set. A change of the cost model shows here which
// choices it changes. They were not measured: CONV2D_CHOICES=write writes them, for the sets of this machine.

using namespace conv2d;
using namespace conv2d::test;

namespace {

constexpr Pass kChosenPasses[]{Pass::forward, Pass::backward_data, Pass::backward_weights};

std::int64_t size_in(const Json& desc, const char* name, std::int64_t otherwise) {
  const Json* value = desc.find(name);
  return value ? value->as_int() : otherwise;
}

ConvDesc desc_of(const Json& row) {
  const Json& d = row.at("desc");
  const auto size = [&d](const char* name) { return size_in(d, name, 1); };
  const std::int64_t padding = size_in(d, "padding", 0);
  return {.layout = d.find("layout") ? Layout::nchw : Layout::nhwc,
          .n = size("n"),
          .h = size("h"),
          .w = size("w"),
          .c = size("c"),
          .k = size("k"),
          .kh = size("kh"),
          .kw = size("kw"),
          .stride_h = size("stride_h"),
          .stride_w = size("stride_w"),
          .dilation_h = size("dilation_h"),
          .dilation_w = size("dilation_w"),
          .groups = size("groups"),
          .padding = {padding, padding, padding, padding}};
}

/// The algorithms of the three passes, separated by spaces.
std::string choices(const ConvDesc& d, std::string_view set) {
  std::string all;
  for (const Pass pass : kChosenPasses) {
    const Plan planned = plan(d, pass, {.packed_weights = true, .instruction_set = set}).value();
    all.append(all.empty() ? "" : " ").append(planned.algorithm());
  }
  return all;
}

/// The row as JSON, with the choices of these sets in place of its own.
std::string with_choices(const Json& row, const std::set<std::string>& sets) {
  std::ostringstream text;
  text << R"(  {"name": ")" << row.at("name").as_string() << R"(", "desc": {)";
  const char* comma = "";
  for (const auto& [name, value] : row.at("desc").members()) {
    text << comma << '"' << name << "\": ";
    if (value.is_string()) {
      text << '"' << value.as_string() << '"';
    } else {
      text << value.as_int();
    }
    comma = ", ";
  }
  text << '}';
  for (const auto& [set, chosen] : row.members()) {
    if (set == "name" || set == "desc" || sets.contains(set)) continue;
    text << ",\n    \"" << set << "\": \"" << chosen.as_string() << '"';
  }
  for (const std::string& set : sets) text << ",\n    \"" << set << "\": \"" << choices(desc_of(row), set) << '"';
  text << '}';
  return text.str();
}

}  // namespace

TEST_CASE("plans choose the algorithms of the table") {
  const Json table = Json::read(choices_path());
  std::set<std::string> sets;
  for (const auto& set : kernel_sets()) sets.emplace(set);
  if (!environment("CONV2D_CHOICES").empty()) {
    std::string all;
    for (const Json& row : table.items()) all.append(all.empty() ? "[\n" : ",\n").append(with_choices(row, sets));
    std::ofstream(choices_path()) << all << "\n]\n";
    return;
  }
  int compared = 0;
  for (const Json& row : table.items()) {
    for (const std::string& set : sets) {
      const Json* expected = row.find(set);
      if (!expected) continue;
      CAPTURE(row.at("name").as_string(), set);
      CHECK(choices(desc_of(row), set) == expected->as_string());
      ++compared;
    }
  }
  // The table has the sets of x86-64.
  CHECK((compared > 0) == sets.contains("sse2"));
}
