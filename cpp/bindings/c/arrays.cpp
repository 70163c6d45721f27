#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "c/calls.hpp"
#include "c/structures.hpp"
#include "conv2d_check/arrays.hpp"

/// Verdicts on the arrays of a file, of the C API.

struct conv2d_arrays_verdict {
  std::string sentence, json;
  std::int32_t verdict;
};

namespace conv2d::c {
namespace {

static_assert(CONV2D_RIGHT == static_cast<int>(conv2d_check::FileVerdict::right));
static_assert(CONV2D_WRONG == static_cast<int>(conv2d_check::FileVerdict::wrong));
static_assert(CONV2D_UNDECIDED == static_cast<int>(conv2d_check::FileVerdict::cannot_tell));

/// Sizes of the structures in the first version.
constexpr std::size_t kFirstArrays = offsetof(conv2d_judged_arrays, file) + sizeof(const char*);
constexpr std::size_t kFirstArraysInfo = offsetof(conv2d_arrays_info, reserved) + sizeof(std::int32_t);

std::string text_of(const char* text) { return text ? text : ""; }

Status add(const conv2d_array& given, std::vector<conv2d_check::Array>& arrays) {
  conv2d_check::Array array{.name = text_of(given.name), .is_text = given.is_text != 0};
  std::span<const std::int64_t> shape;
  Status status = first_error([&] { return check_number("reserved", given.reserved, 0); },
                              [&] { return to_span(given.shape, given.axes, "shape", shape); },
                              [&] { return to_elements(given.values, "values", array.values); });
  array.shape.assign(shape.begin(), shape.end());
  arrays.push_back(std::move(array));
  return status;
}

Status add(const conv2d_argument& given, std::vector<conv2d_check::Argument>& arguments) {
  std::span<const std::int64_t> values;
  Status status = to_span(given.values, given.count, "values", values);
  arguments.push_back(
      {.name = text_of(given.name), .values = {values.begin(), values.end()}, .text = text_of(given.text)});
  return status;
}

template <class Given, class Own>
Status add_all(const Given* given, std::int64_t count, std::string_view name, std::vector<Own>& own) {
  std::span<const Given> all;
  Status status = to_span(given, count, name, all);
  for (const Given& one : all) {
    if (!status.ok()) break;
    status = add(one, own);
  }
  return status;
}

Status judge(const conv2d_judged_arrays* judged, conv2d_arrays_verdict** verdict) {
  if (!verdict) return missing("verdict");
  conv2d_judged_arrays own = conv2d_no_judged_arrays();
  std::vector<conv2d_check::Array> arrays;
  conv2d_check::ArraysOptions options;
  Status status =
      first_error([&] { return read_structure(judged, "judged", kFirstArrays, own); },
                  [&] { return add_all(own.arrays, own.array_count, "arrays", arrays); },
                  [&] { return add_all(own.arguments, own.argument_count, "arguments", options.arguments); });
  if (!status.ok()) return status;
  options.learning_rate = own.learning_rate;
  const conv2d_check::ArraysVerdict made = conv2d_check::judge_arrays(arrays, options);
  *verdict = new conv2d_arrays_verdict{made.sentence, conv2d_check::to_json(made, text_of(own.file)),
                                       static_cast<std::int32_t>(made.verdict)};
  return {};
}

}  // namespace
}  // namespace conv2d::c

using namespace conv2d;

int32_t conv2d_judge_arrays(const conv2d_judged_arrays* judged, conv2d_arrays_verdict** verdict,
                            conv2d_status* status) {
  return c::guarded(status, [=] { return c::judge(judged, verdict); });
}

int32_t conv2d_get_arrays_info(const conv2d_arrays_verdict* verdict, conv2d_arrays_info* info, conv2d_status* status) {
  return c::guarded(status, [=]() -> Status {
    if (!verdict) return c::missing("verdict");
    const conv2d_arrays_info own{sizeof(conv2d_arrays_info), verdict->sentence.c_str(), verdict->json.c_str(),
                                 verdict->verdict, 0};
    return c::write_structure(own, "info", c::kFirstArraysInfo, info);
  });
}

void conv2d_destroy_arrays_verdict(conv2d_arrays_verdict* verdict) { delete verdict; }
