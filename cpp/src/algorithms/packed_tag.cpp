#include "algorithms/packed_tag.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/errors.hpp"

namespace conv2d::algorithm {
namespace {

constexpr std::string_view kBegin = "w for ";

/// The text up to the first zero, which memory from elsewhere may lack.
std::string_view text_at(const char* text, std::size_t max_size) noexcept {
  const void* end = std::memchr(text, 0, max_size);
  return {text, end ? static_cast<std::size_t>(static_cast<const char*>(end) - text) : max_size};
}

}  // namespace

PackedTag::PackedTag(const Geometry& g, Pass pass, std::string_view algorithm,
                     std::string_view instruction_set) noexcept {
  const Message plan = text(kBegin, to_string(pass), " by ", algorithm, " on ", instruction_set);
  const std::string_view words = plan;
  std::copy_n(words.data(), std::min(words.size(), plan_.size()), plan_.data());
  const auto add = [&](std::int64_t number) {
    // A step of MurmurHash3's finalizer, which mixes every bit.
    hash_ = (hash_ ^ static_cast<std::uint64_t>(number)) * 0xff51afd7ed558ccdU;
    hash_ ^= hash_ >> 33;
  };
  for (const char letter : plan_) add(letter);
  for (const std::int64_t size : {static_cast<std::int64_t>(g.layout), static_cast<std::int64_t>(g.weights_layout), g.n,
                                  g.h, g.w, g.c, g.k, g.kh, g.kw, g.stride_h, g.stride_w, g.dilation_h, g.dilation_w,
                                  g.groups, g.padding.top, g.padding.bottom, g.padding.left, g.padding.right}) {
    add(size);
  }
}

void PackedTag::write(float* packed) const noexcept {
  static_assert(sizeof(PackedTag) == kFloats * sizeof(float));
  std::memcpy(packed, this, sizeof(PackedTag));
}

Status PackedTag::check(const float* packed) const noexcept {
  const char* const bytes = reinterpret_cast<const char*>(packed);
  std::uint64_t hash = 0;
  std::memcpy(&hash, bytes + plan_.size(), sizeof hash);
  if (hash == hash_) return {};
  const std::string_view found = text_at(bytes, plan_.size());
  return {ErrorCode::invalid_argument, "packed",
          text("packed holds ", found.starts_with(kBegin) ? found : "data that pack_weights did not write",
               ", but the plan needs ", text_at(plan_.data(), plan_.size()),
               " with its own geometry. Call pack_weights with this plan.")};
}

}  // namespace conv2d::algorithm
