#pragma once

#include <emscripten/bind.h>

#include <cstdint>
#include <type_traits>

#include "shared/sizes.hpp"

namespace conv2d::bindings {

template <class Struct, auto Member>
static double get_count(const Struct& object) {
  return static_cast<double>(object.*Member);
}

/// Does nothing for constant members: those structs are output only.
template <class Struct, auto Member>
static void set_count(Struct& object, double value) {
  if constexpr (std::is_assignable_v<decltype((object.*Member)), std::int64_t>) object.*Member = to_count(value);
}

/// A value_object field for a 64-bit count.
template <auto Member, class Struct>
static void count_field(emscripten::value_object<Struct>& object, const char* name) {
  object.field(name, &get_count<Struct, Member>, &set_count<Struct, Member>);
}

}  // namespace conv2d::bindings
