#include "cases/case_file.hpp"

#include <algorithm>
#include <span>

namespace conv2d::test {

namespace {

/// The file is well-formed but no ConvDesc can express it: a wrong rank, an unknown word, a number beyond 64 bits.
class Inexpressible : public JsonError {
  using JsonError::JsonError;
};

std::vector<std::int64_t> integers(const Json& array) {
  std::vector<std::int64_t> values;
  for (const Json& item : array.items()) {
    try {
      values.push_back(item.as_int());
    } catch (const JsonError& error) {
      throw Inexpressible(error.what());
    }
  }
  return values;
}

std::vector<double> numbers(const Json& array) {
  std::vector<double> values;
  for (const Json& item : array.items()) values.push_back(item.as_double());
  return values;
}

template <std::size_t N>
std::array<std::int64_t, N> tuple(const Json& array, const std::string& what) {
  const std::vector<std::int64_t> values = integers(array);
  if (values.size() != N) {
    throw Inexpressible(what + " has " + std::to_string(values.size()) + " numbers instead of " + std::to_string(N));
  }
  std::array<std::int64_t, N> out{};
  std::ranges::copy(values, out.begin());
  return out;
}

std::array<std::int64_t, 4> shape(const Json& json, const std::string& field) {
  return tuple<4>(json.at(field), field);
}

Padding sides(const Json& array) {
  const auto p = tuple<4>(array, "padding");
  return {.top = p[0], .bottom = p[1], .left = p[2], .right = p[3]};
}

Layout layout_of(const Json& json) {
  const std::string& name = json.at("layout").as_string();
  if (name == "NHWC") return Layout::nhwc;
  if (name == "NCHW") return Layout::nchw;
  throw Inexpressible("unknown layout " + name);
}

void read_padding(const Json& json, ConvDesc& d) {
  const Json& padding = json.at("padding");
  if (!padding.is_string()) {
    d.padding = sides(padding);
  } else if (padding.as_string() == "SAME") {
    d.padding_mode = PaddingMode::same;
  } else if (padding.as_string() == "VALID") {
    d.padding_mode = PaddingMode::valid;
  } else {
    throw Inexpressible("unknown padding " + padding.as_string());
  }
}

ConvDesc desc_of(const Json& json) {
  ConvDesc d{.layout = layout_of(json), .groups = json.at("groups").as_int()};
  const auto x = shape(json, "x_shape"), w = shape(json, "w_shape");
  const auto stride = tuple<2>(json.at("stride"), "stride"), dilation = tuple<2>(json.at("dilation"), "dilation");
  const bool nhwc = d.layout == Layout::nhwc;
  d.n = x[0];
  d.h = x[nhwc ? 1 : 2];
  d.w = x[nhwc ? 2 : 3];
  d.c = x[nhwc ? 3 : 1];
  d.kh = w[nhwc ? 0 : 2];
  d.kw = w[nhwc ? 1 : 3];
  d.k = w[nhwc ? 3 : 0];
  d.stride_h = stride[0];
  d.stride_w = stride[1];
  d.dilation_h = dilation[0];
  d.dilation_w = dilation[1];
  read_padding(json, d);
  return d;
}

std::int64_t count(const std::array<std::int64_t, 4>& s) {
  // The generator computed every case with data, so these products are small.
  return s[0] * s[1] * s[2] * s[3];
}

/// An input: flat, row-major numbers, or generated values. Null: no tensor.
std::vector<float> read_input(const Json& json, const std::string& field, std::int64_t size) {
  const Json& data = json.at(field);
  std::vector<float> values;
  if (data.is_null()) return values;
  if (data.is_object()) {
    if (data.at("gen").as_string() != "lcg") throw JsonError("unknown generator " + data.at("gen").as_string());
    Lcg lcg(static_cast<std::uint32_t>(data.at("seed").as_int()));
    for (std::int64_t i = 0; i < size; ++i) values.push_back(static_cast<float>(lcg.next()));
  } else {
    for (const double v : numbers(data)) values.push_back(static_cast<float>(v));
  }
  if (std::ssize(values) != size) throw JsonError(field + " has not as many elements as its shape");
  return values;
}

ExpectedTensor read_expected(const Json& json, const std::string& field) {
  ExpectedTensor expected{.atol = json.at("atol_each").at(field).as_double(), .rtol = json.at("rtol").as_double()};
  const Json& data = json.at(field);
  if (!data.is_object()) {
    expected.values = numbers(data);
    return expected;
  }
  expected.digest = ExpectedTensor::Digest{.n = data.at("n").as_int(),
                                           .sum = data.at("sum").as_double(),
                                           .abs_sum = data.at("abs_sum").as_double(),
                                           .dot = data.at("dot").as_double(),
                                           .tol = data.at("tol").as_double(),
                                           .dot_seed = static_cast<std::uint32_t>(data.at("dot_seed").as_int()),
                                           .idx = integers(data.at("idx")),
                                           .val = numbers(data.at("val"))};
  const auto& [n, sum, abs_sum, dot, tol, dot_seed, idx, val] = *expected.digest;
  const auto inside = [n = n](std::int64_t i) { return i >= 0 && i < n; };
  if (idx.size() != val.size() || !std::ranges::all_of(idx, inside))
    throw JsonError("idx and val of " + field + " do not fit");
  return expected;
}

bool flag(const Json& json, const char* field) {
  const Json* value = json.find(field);
  return value != nullptr && value->as_bool();
}

Pass pass_of(const std::string& name) {
  if (name == "forward") return Pass::forward;
  if (name == "backward_data") return Pass::backward_data;
  if (name == "backward_weights") return Pass::backward_weights;
  throw JsonError("unknown op " + name);
}

}  // namespace

bool is_invalid_case(const Json& json) { return flag(json, "invalid"); }

ValidCase read_valid_case(const Json& json) {
  ValidCase c{.desc = desc_of(json),
              .w_shape = shape(json, "w_shape"),
              .y_shape = shape(json, "y_shape"),
              .pads = sides(json.at("pads")),
              .may_reject = flag(json, "may_reject")};
  c.tensors = {.x = read_input(json, "x", count(shape(json, "x_shape"))),
               .w = read_input(json, "w", count(c.w_shape)),
               .b = read_input(json, "b", c.desc.k),
               .dy = read_input(json, "dy", count(c.y_shape))};
  c.expected = {read_expected(json, "y"), read_expected(json, "dx"), read_expected(json, "dw"),
                read_expected(json, "db")};
  for (const Json& tag : json.at("tags").items()) c.exact |= tag.as_string() == "exact-f32";
  return c;
}

InvalidCase read_invalid_case(const Json& json) {
  InvalidCase c{.op = pass_of(json.at("op").as_string()),
                .must_reject = json.at("must_reject").as_bool(),
                .no_alloc = flag(json, "no_alloc")};
  try {
    if (const Json* b = json.find("b_shape"); b != nullptr && !b->is_null()) {
      c.b_length = tuple<1>(*b, "b_shape")[0];
      // For the library an empty b means no bias, which differs from a bias of zero elements.
      if (*c.b_length <= 0) throw Inexpressible("a bias without elements");
    }
    c.desc = desc_of(json);
    c.w_shape = shape(json, "w_shape");
    if (const Json* dy = json.find("dy_shape"); dy != nullptr && !dy->is_null()) c.dy_shape = tuple<4>(*dy, "dy_shape");
  } catch (const Inexpressible&) {
    c.desc.reset();
  }
  return c;
}

}  // namespace conv2d::test
