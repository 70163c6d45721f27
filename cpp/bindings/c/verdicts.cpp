#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "c/calls.hpp"
#include "c/structures.hpp"
#include "conv2d_check/check.hpp"

/// Verdicts of the C API.

struct conv2d_verdict {
  conv2d_check::Verdict verdict;
  std::vector<const char*> names;  // of `verdict`
};

namespace conv2d::c {
namespace {

using conv2d_check::Elements;
using conv2d_check::Judgement;
using conv2d_check::Layer;

static_assert(CONV2D_DOES_NOT_FIT == static_cast<int>(Judgement::does_not_fit));
static_assert(CONV2D_AVERAGE_POOL == static_cast<int>(Layer::average_pool));
static_assert(CONV2D_BFLOAT16 == static_cast<int>(Elements::Type::bfloat16));

/// Sizes of the structures in the first version.
constexpr std::size_t kFirstJudged = offsetof(conv2d_judged, reserved) + sizeof(std::int32_t);
constexpr std::size_t kFirstVerdict = offsetof(conv2d_verdict_info, in_sequence) + sizeof(std::int32_t);

Status judge(const conv2d_desc* desc, std::int32_t pass, const conv2d_judged* judged, conv2d_verdict** verdict) {
  if (!verdict) return missing("verdict");
  ConvDesc own_desc;
  conv2d_judged own = conv2d_nothing_judged();
  conv2d_check::Operands operands;
  Elements result;
  Status status = first_error(
      [&] { return to_desc(desc, own_desc); }, [&] { return check_number("pass", pass, CONV2D_BACKWARD_BIAS); },
      [&] { return read_structure(judged, "judged", kFirstJudged, own); },
      [&] { return check_number("layer", own.layer, CONV2D_AVERAGE_POOL); },
      [&] { return check_number("reserved", own.reserved, 0); }, [&] { return to_elements(own.x, "x", operands.x); },
      [&] { return to_elements(own.w, "w", operands.w); }, [&] { return to_elements(own.b, "b", operands.b); },
      [&] { return to_elements(own.dy, "dy", operands.dy); },
      [&] { return to_elements(own.result, "result", result); });
  if (!status.ok()) return status;
  auto made = std::make_unique<conv2d_verdict>();
  made->verdict = conv2d_check::judge(own_desc, static_cast<Pass>(pass), operands, result,
                                      {.layer = static_cast<Layer>(own.layer),
                                       .count_include_pad = own.count_include_pad != 0,
                                       .is_text = own.is_text != 0,
                                       .learning_rate = own.learning_rate});
  for (const std::string& name : made->verdict.names) made->names.push_back(name.c_str());
  *verdict = made.release();
  return {};
}

conv2d_verdict_info to_info(const conv2d_verdict& verdict) noexcept {
  const conv2d_check::Verdict& v = verdict.verdict;
  conv2d_verdict_info info = conv2d_empty_verdict_info();
  info.sentence = v.sentence.c_str();
  info.format = v.format.c_str();
  info.factor_reason = v.factor_reason.c_str();
  info.where = v.where.c_str();
  info.relation = v.relation.c_str();
  info.reason = v.reason.c_str();
  info.names = verdict.names.data();
  info.name_count = static_cast<std::int64_t>(verdict.names.size());
  info.factor = v.factor;
  info.cells = v.cells;
  info.differing = v.differing;
  info.worst = v.worst;
  info.yours = v.yours;
  info.right = v.right;
  info.judgement = static_cast<std::int32_t>(v.judgement);
  info.in_sequence = v.in_sequence ? 1 : 0;
  return info;
}

}  // namespace

Status to_elements(const conv2d_elements& given, std::string_view name, Elements& elements) noexcept {
  if (Status status = check_number(name, given.type, CONV2D_BFLOAT16); !status.ok()) return status;
  if (given.type == CONV2D_FLOAT32) {
    std::span<const float> floats;
    Status status = to_span(static_cast<const float*>(given.data), given.count, name, floats);
    elements = floats;
    return status;
  }
  std::span<const std::uint16_t> bits;
  Status status = to_span(static_cast<const std::uint16_t*>(given.data), given.count, name, bits);
  elements = given.type == CONV2D_FLOAT16 ? Elements::float16(bits) : Elements::bfloat16(bits);
  return status;
}

}  // namespace conv2d::c

using namespace conv2d;

int32_t conv2d_judge(const conv2d_desc* desc, int32_t pass, const conv2d_judged* judged, conv2d_verdict** verdict,
                     conv2d_status* status) {
  return c::guarded(status, [=] { return c::judge(desc, pass, judged, verdict); });
}

int32_t conv2d_get_verdict_info(const conv2d_verdict* verdict, conv2d_verdict_info* info, conv2d_status* status) {
  return c::guarded(status, [=]() -> Status {
    if (!verdict) return c::missing("verdict");
    return c::write_structure(c::to_info(*verdict), "info", c::kFirstVerdict, info);
  });
}

void conv2d_destroy_verdict(conv2d_verdict* verdict) { delete verdict; }
