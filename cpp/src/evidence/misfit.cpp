#include <algorithm>

#include "desc/geometry.hpp"
#include "evidence/judged.hpp"

namespace conv2d_check {
namespace {

/// In the order of an activation of the file, without axes that it does not have.
Dims in_order(std::string_view order, std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
  Dims shape;
  for (const char letter : order) {
    shape.push_back(letter == 'N' ? n : letter == 'C' ? c : letter == 'H' ? h : w);
  }
  return shape;
}

std::string lines(std::int64_t count, bool is_row) {
  return std::to_string(count) + (is_row ? " row" : " column") + (count == 1 ? "" : "s");
}

/// Rows or columns that no window reads, in x without its padding.
std::int64_t unread(std::int64_t remainder, std::int64_t after) { return std::max<std::int64_t>(0, remainder - after); }

std::string because_of_remainder(const Geometry& g, std::int64_t rows, std::int64_t columns) {
  const std::int64_t unread_rows = unread(g.remainder_h, g.padding.bottom),
                     unread_columns = unread(g.remainder_w, g.padding.right);
  if (rows != g.h - unread_rows || columns != g.w - unread_columns || unread_rows + unread_columns == 0) return "";
  std::string more;
  if (unread_rows > 0) more = lines(unread_rows, true);
  if (unread_columns > 0) more += (more.empty() ? "" : " and ") + lines(unread_columns, false);
  return " x has " + more +
         " more that no window reads, the remainder of the stride. The gradient there is 0: dx keeps the size of x.";
}

std::string because_of_crop(const Geometry& g, std::int64_t rows, std::int64_t columns) {
  const conv2d::Padding& pad = g.padding;
  const std::int64_t all_rows = pad.top + pad.bottom, all_columns = pad.left + pad.right;
  if (all_rows + all_columns > 0 && rows == g.h + all_rows && columns == g.w + all_columns) {
    return " This is the size of the padded x: crop the padding from dx.";
  }
  const bool is_read_part = all_rows + all_columns > 0 && rows == g.h + all_rows - g.remainder_h &&
                            columns == g.w + all_columns - g.remainder_w;
  if (is_read_part)
    return " This is the part of the padded x that windows read: crop the padding, and add the remainder.";
  if (rows == 0 || columns == 0) return " dx is empty: a slice [pad:-pad] with pad = 0 keeps no row.";
  if (rows == g.oh && columns == g.ow) return " This is the size of y.";
  if (all_rows + all_columns > 0 && rows == g.h - all_rows && columns == g.w - all_columns)
    return " The padding was cropped twice.";
  return "";
}

}  // namespace

Dims wanted_shape(const Known& known, const Tensors& tensors, Role role) {
  const Reading& r = known.reading;
  const auto geometry = conv2d::resolve(known.desc);
  const std::int64_t oh = geometry.ok() ? geometry.value().oh : r.oh, ow = geometry.ok() ? geometry.value().ow : r.ow;
  const Dims image = in_order(r.x_order, r.n, r.c, r.h, r.w), output = in_order(r.x_order, r.n, r.k, oh, ow);
  // The roles of a transposed convolution: its y has the shape of the convolution's x.
  switch (role) {
    case Role::x:
    case Role::dx: {
      const Tensor* x = tensors[Role::x];
      return x != nullptr ? x->shape : known.is_transposed ? output : image;
    }
    case Role::y:
    case Role::dy: {
      // A y without an axis of one channel has one less than x.
      const Dims shape = known.is_transposed ? image : output;
      const Tensor* other = tensors[role == Role::y ? Role::dy : Role::y];
      return other != nullptr && is_shape(other->shape, shape) ? other->shape : shape;
    }
    case Role::w:
    case Role::dw: {
      const Tensor* w = tensors[tensors.has(Role::w) ? Role::w : Role::dw];
      return w != nullptr ? w->shape : Dims{};
    }
    default:
      return {known.is_transposed ? r.c : r.k};
  }
}

std::string misfit_sentence(const Known& known, const Tensors& tensors, Role role, const Dims& wanted) {
  const std::string name(to_string(role));
  const Dims& shape = tensors[role]->shape;
  const Role like = role == Role::dx ? Role::x : role == Role::dw ? Role::w : Role::y;
  std::string sentence = name + " is " + to_string(shape) + ", but must be " + to_string(wanted);
  if (role == Role::db) {
    return sentence + ": one sum for each of " + std::to_string(wanted.front()) +
           (known.is_transposed ? " channels of y." : " filters.");
  }
  sentence += role == Role::y ? " with this geometry." : ", as " + std::string(to_string(like)) + ".";
  Dims sorted = squeezed(shape), expected = squeezed(wanted);
  std::ranges::sort(sorted);
  std::ranges::sort(expected);
  if (sorted == expected) return sentence + " The axes are in another order.";
  const auto geometry = conv2d::resolve(known.desc);
  if (role != Role::dx || known.is_transposed || !geometry.ok() || shape.size() != known.reading.x_order.size())
    return sentence;
  const std::string& order = known.reading.x_order;
  const auto size = [&](char letter) {
    const std::size_t at = order.find(letter);
    return at == std::string::npos ? std::int64_t{1} : shape[at];
  };
  const std::int64_t rows = size('H'), columns = known.reading.is_1d ? size('L') : size('W');
  const std::string remainder = because_of_remainder(geometry.value(), rows, columns);
  return sentence + (remainder.empty() ? because_of_crop(geometry.value(), rows, columns) : remainder);
}

}  // namespace conv2d_check
