#include <algorithm>
#include <array>
#include <ostream>

#include "conv2d_check/samples.hpp"
#include "desc/geometry.hpp"

namespace conv2d_check {
namespace {

struct Property {
  const char* words;
  bool (*holds)(const ConvDesc&);
};

std::int64_t remainder_of(const ConvDesc& d) {
  const auto geometry = conv2d::resolve(d);
  return geometry.ok() ? std::max(geometry->remainder_h, geometry->remainder_w) : 0;
}

/// The simplest come first.
constexpr Property kProperties[] = {
    {"stride > 1", [](const ConvDesc& d) { return d.stride_h > 1 || d.stride_w > 1; }},
    {"padding", [](const ConvDesc& d) { return d.padding != conv2d::Padding{}; }},
    {"dilation > 1", [](const ConvDesc& d) { return d.dilation_h > 1 || d.dilation_w > 1; }},
    {"groups > 1", [](const ConvDesc& d) { return d.groups > 1; }},
    {"several images", [](const ConvDesc& d) { return d.n > 1; }},
    {"several channels in a group", [](const ConvDesc& d) { return d.c > d.groups; }},
    {"several filters in a group", [](const ConvDesc& d) { return d.k > d.groups; }},
    {"one channel in each group", [](const ConvDesc& d) { return d.c == d.groups; }},
    {"a depthwise layer", [](const ConvDesc& d) { return d.groups > 1 && d.c == d.groups; }},
    {"a kernel larger than 1x1", [](const ConvDesc& d) { return d.kh * d.kw > 1; }},
    {"an image that is not square", [](const ConvDesc& d) { return d.h != d.w; }},
    {"a kernel that is not square", [](const ConvDesc& d) { return d.kh != d.kw; }},
    {"a kernel of even size", [](const ConvDesc& d) { return d.kh % 2 == 0 || d.kw % 2 == 0; }},
    {"different strides of rows and columns", [](const ConvDesc& d) { return d.stride_h != d.stride_w; }},
    {"different dilations of rows and columns", [](const ConvDesc& d) { return d.dilation_h != d.dilation_w; }},
    {"padding that differs between the sides",
     [](const ConvDesc& d) {
       const auto& p = d.padding;
       return p.top != p.bottom || p.left != p.right || p.top != p.left;
     }},
    {"rows or columns that no window reads", [](const ConvDesc& d) { return remainder_of(d) > 0; }},
    {"filters that are no multiple of 4", [](const ConvDesc& d) { return d.k % 4 != 0; }},
    {"filters that are no multiple of 8", [](const ConvDesc& d) { return d.k % 8 != 0; }},
    {"channels that are no multiple of 4", [](const ConvDesc& d) { return d.c % 4 != 0; }},
    {"channels that are no multiple of 8", [](const ConvDesc& d) { return d.c % 8 != 0; }},
    {"more than 8 filters", [](const ConvDesc& d) { return d.k > 8; }},
    {"more than 8 channels", [](const ConvDesc& d) { return d.c > 8; }},
    {"a width that is no multiple of 4", [](const ConvDesc& d) { return d.w % 4 != 0; }},
    {"a width that is no multiple of 8", [](const ConvDesc& d) { return d.w % 8 != 0; }},
};

/// Share of right samples that a description may hold.
constexpr double kMostRight = 0.1;

}  // namespace

void Report::add(const Sample& sample, const Verdict& verdict) {
  pass_ = sample.pass;
  const bool is_right = static_cast<bool>(verdict);
  wrong_ += is_right ? 0 : 1;
  entries_.push_back({.desc = sample.desc, .name = sample.name, .sentence = verdict.sentence, .is_right = is_right});
}

std::string Report::sentence() const {
  const std::string name = conv2d::tensors_of(pass_).out;
  const std::int64_t count = std::ssize(entries_);
  if (count == 0) return "No " + name + " was judged.";
  if (wrong_ == 0) return "All " + std::to_string(count) + " " + name + " are right.";
  const Entry& simplest = *std::ranges::find(entries_, false, &Entry::is_right);
  const std::string example = " The simplest of them: " + simplest.name + ". " + simplest.sentence;
  if (wrong_ == count) return "All " + std::to_string(count) + " " + name + " are wrong." + example;
  std::string text =
      name + " is right for " + std::to_string(count - wrong_) + " of " + std::to_string(count) + " samples";
  // All wrong samples have the properties; of the descriptions with the fewest right samples, the simplest.
  const auto right_with = [&](const Property& one, const Property& other) {
    std::int64_t right = 0;
    for (const Entry& entry : entries_) {
      const bool holds = one.holds(entry.desc) && other.holds(entry.desc);
      if (!entry.is_right && !holds) return count;
      right += entry.is_right && holds ? 1 : 0;
    }
    return right;
  };
  std::int64_t fewest = count;
  std::string words;
  const auto consider = [&](std::int64_t right, const std::string& description) {
    if (right >= fewest) return;
    fewest = right;
    words = description;
  };
  for (const Property& one : kProperties) consider(right_with(one, one), one.words);
  for (const Property* one = std::begin(kProperties); one != std::end(kProperties); ++one)
    for (const Property* other = one + 1; other != std::end(kProperties); ++other)
      consider(right_with(*one, *other), std::string(one->words) + " and " + other->words);
  if (static_cast<double>(fewest) > kMostRight * static_cast<double>(count - wrong_))
    return text + ", and wrong for " + std::to_string(wrong_) + ", which have no property in common." + example;
  text += ". It is wrong with " + words;
  if (fewest > 0)
    text += " (in " + std::to_string(wrong_) + " of " + std::to_string(wrong_ + fewest) + " such samples)";
  return text + "." + example;
}

std::ostream& operator<<(std::ostream& out, const Report& report) { return out << report.sentence(); }

}  // namespace conv2d_check
