#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "evidence/search.hpp"

/// What the judgement of a file computes once. Arrays without names can be the tensors of a layer in many ways, which
/// ask for the same again.
namespace conv2d_check {

/// Tensors that are computed from those of the file, and results of searches. Tensors are known by their addresses,
/// which stay.
class Store {
 public:
  /// How a tensor is computed from others.
  enum class Derived { without_bias, channels_last, channels_second };

  /// Candidates that give the values of a result, and how many were tried.
  struct Found {
    std::vector<Candidate> candidates{};
    std::int64_t tried = 0;
  };

  /// What a search depends on: the result, whether its bias is free, the tensors that it reads, the shapes of x, w and
  /// y, and the arguments.
  using SearchKey = std::tuple<Role, bool, std::array<const Tensor*, kRoles>, Dims, Dims, Dims, std::string>;

  Tensor& add(Tensor tensor = {}) { return tensors_.emplace_back(std::move(tensor)); }

  /// A tensor with one value everywhere.
  const Tensor* constant(const Dims& shape, float value) {
    const auto [at, is_new] = constants_.try_emplace({shape, value});
    if (is_new) {
      Tensor& tensor = add();
      tensor.shape = shape;
      tensor.values.assign(static_cast<std::size_t>(count_of(shape)), value);
      tensor.elements = Elements(std::span<const float>(tensor.values));
      at->second = &tensor;
    }
    return at->second;
  }

  /// make(): the tensor; its elements refer to its own memory. `second`: the other one that it is computed from.
  template <class Make>
  const Tensor* derived(Derived how, const Tensor& first, const Tensor* second, Make make) {
    const auto [at, is_new] = derived_.try_emplace({how, &first, second});
    if (is_new) at->second = &add(make());
    return at->second;
  }

  template <class Search>
  const Found& found(const SearchKey& key, Search search) {
    const auto [at, is_new] = found_.try_emplace(key);
    if (is_new) at->second = search();
    return at->second;
  }

 private:
  std::deque<Tensor> tensors_;
  std::map<std::pair<Dims, float>, const Tensor*> constants_;
  std::map<std::tuple<Derived, const Tensor*, const Tensor*>, const Tensor*> derived_;
  std::map<SearchKey, Found> found_;
};

}  // namespace conv2d_check
