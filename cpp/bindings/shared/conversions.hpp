#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "conv2d/message.hpp"

/// How values pass between C++ and JavaScript: 64-bit counts as doubles, exact up to 2^53, which exceeds the module's
/// memory; arrays as views of the heap; sessions as handles.
namespace conv2d::bindings {

/// Rounds towards zero and saturates. NaN becomes the smallest value, which all size checks reject. Not inlined: each
/// of a dozen calls would add 100 bytes to the first download.
std::int64_t to_count(double value) noexcept;

/// How a value passes between C++ and JavaScript: counts as doubles, texts as copies, everything else unchanged.
template <class T>
struct Passed {
  using Type = T;
  static T in(Type value) { return value; }
  static const T& out(const T& value) { return value; }
};
template <>
struct Passed<std::int64_t> {
  using Type = double;
  static std::int64_t in(double value) { return to_count(value); }
  static double out(std::int64_t value) { return static_cast<double>(value); }
};
/// A text that is output only.
template <class Text>
struct PassedText {
  using Type = std::string;
  static Text in(const std::string&) { return {}; }
  static std::string out(const Text& text) { return std::string(std::string_view(text)); }
};
template <>
struct Passed<std::string_view> : PassedText<std::string_view> {};
template <>
struct Passed<Message> : PassedText<Message> {};

/// Registers a member of type `Value`, `offset` bytes into the object. All members of a type share a getter and a
/// setter: with one pair for each, as value_object::field makes, the first download would be 1 kB larger.
template <class Value>
[[gnu::noinline]] void add_field(emscripten::internal::TYPEID object, const char* name, std::uintptr_t offset) {
  using namespace emscripten::internal;
  using Type = typename Passed<Value>::Type;
  using Binding = BindingType<Type>;
  using Wire = typename Binding::WireType;
  Wire (*const get)(std::uintptr_t, const char*) = [](std::uintptr_t at, const char* from) -> Wire {
    return Binding::toWireType(Passed<Value>::out(*reinterpret_cast<const Value*>(from + at)), rvp::default_tag{});
  };
  void (*const set)(std::uintptr_t, char*, Wire) = [](std::uintptr_t at, char* to, Wire value) {
    *reinterpret_cast<Value*>(to + at) = Passed<Value>::in(Binding::fromWireType(value));
  };
  void* const context = reinterpret_cast<void*>(offset);
  _embind_register_value_object_field(object, name, TypeID<Type>::get(), getSignature(get),
                                      reinterpret_cast<GenericFunction>(get), context, TypeID<Type>::get(),
                                      getSignature(set), reinterpret_cast<GenericFunction>(set), context);
}

/// A value_object field. Members that are constant, and texts, are output only.
template <auto Member, class Struct>
static void field(emscripten::value_object<Struct>&, const char* name) {
  using Value = std::remove_reference_t<decltype(std::declval<Struct&>().*Member)>;
  Value Struct::*const member = Member;
  add_field<std::remove_const_t<Value>>(emscripten::internal::TypeID<Struct>::get(), name,
                                        std::bit_cast<std::uintptr_t>(member));
}

/// The sizes that a description and a geometry have by the same names.
template <class Struct>
static void size_fields(emscripten::value_object<Struct>& object) {
  field<&Struct::n>(object, "n");
  field<&Struct::h>(object, "h");
  field<&Struct::w>(object, "w");
  field<&Struct::c>(object, "c");
  field<&Struct::k>(object, "k");
  field<&Struct::kh>(object, "kh");
  field<&Struct::kw>(object, "kw");
  field<&Struct::stride_h>(object, "stride_h");
  field<&Struct::stride_w>(object, "stride_w");
  field<&Struct::dilation_h>(object, "dilation_h");
  field<&Struct::dilation_w>(object, "dilation_w");
  field<&Struct::groups>(object, "groups");
}

/// Enumerators have their C++ names, so that tsc checks the names that the page uses. `last` is the last of them.
template <class Enum>
static void bind_enum(const char* name, Enum last) {
  emscripten::enum_<Enum> bound(name);
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    bound.value(to_string(static_cast<Enum>(i)).data(), static_cast<Enum>(i));  // the names are literals
  }
}

/// A named type, so that --emit-tsd writes it instead of `any`. Registered in bind_desc.cpp.
EMSCRIPTEN_DECLARE_VAL_TYPE(Float32View);

/// A view of the heap, valid until the next call.
template <class View, class T>
View view_of(std::span<T> span) {
  return View(emscripten::val(emscripten::typed_memory_view(span.size(), span.data())));
}

/// A session in JavaScript: its address. Binding a class with Embind instead would add 2 kB to the first download, for
/// inheritance, shared pointers and overloads that are not used here.
using Handle = std::uintptr_t;

template <class Session>
static Session& session_at(Handle handle) {
  return *reinterpret_cast<Session*>(handle);
}

template <class Session>
static Handle open_session() {
  return reinterpret_cast<Handle>(new Session);
}

template <class Session>
static void close_session(Handle handle) {
  delete &session_at<Session>(handle);
}

/// A member function of a session, as a function of a handle and the member's parameters.
template <auto Member>
struct Call;
template <class Session, class Value, class... Args, Value (Session::*Member)(Args...)>
struct Call<Member> {
  static Value of(Handle handle, typename Passed<Args>::Type... args) {
    return (session_at<Session>(handle).*Member)(Passed<Args>::in(args)...);
  }
};
template <class Session, class Value, class... Args, Value (Session::*Member)(Args...) const>
struct Call<Member> {
  static Value of(Handle handle, typename Passed<Args>::Type... args) {
    return (session_at<Session>(handle).*Member)(Passed<Args>::in(args)...);
  }
};

}  // namespace conv2d::bindings
