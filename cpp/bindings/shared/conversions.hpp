#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

/// How values pass between C++ and JavaScript: 64-bit counts as doubles, exact up to 2^53, which exceeds the module's
/// memory; arrays as views of the heap; sessions as handles.
namespace conv2d::bindings {

/// Rounds towards zero and saturates. NaN becomes the smallest value, which all size checks reject. Not inlined: each
/// of a dozen calls would add 100 bytes to the first download.
std::int64_t to_count(double value) noexcept;

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

/// The sizes that a description and a geometry have by the same names.
template <class Struct>
static void size_fields(emscripten::value_object<Struct>& object) {
  count_field<&Struct::n>(object, "n");
  count_field<&Struct::h>(object, "h");
  count_field<&Struct::w>(object, "w");
  count_field<&Struct::c>(object, "c");
  count_field<&Struct::k>(object, "k");
  count_field<&Struct::kh>(object, "kh");
  count_field<&Struct::kw>(object, "kw");
  count_field<&Struct::stride_h>(object, "stride_h");
  count_field<&Struct::stride_w>(object, "stride_w");
  count_field<&Struct::dilation_h>(object, "dilation_h");
  count_field<&Struct::dilation_w>(object, "dilation_w");
  count_field<&Struct::groups>(object, "groups");
}

/// For members that are output only.
template <class Struct, class Value>
static void set_nothing(Struct&, Value) {}

template <class Struct, auto Member>
static std::string get_text(const Struct& object) {
  return std::string(std::string_view(object.*Member));
}

/// A value_object field for a text that is output only.
template <auto Member, class Struct>
static void text_field(emscripten::value_object<Struct>& object, const char* name) {
  object.field(name, &get_text<Struct, Member>, &set_nothing<Struct, const std::string&>);
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
/// As Float32View; registered in checks/bind_checks.cpp.
EMSCRIPTEN_DECLARE_VAL_TYPE(CheckCells);
EMSCRIPTEN_DECLARE_VAL_TYPE(CheckTable);

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

/// How a parameter is passed from JavaScript: counts as doubles, everything else unchanged.
template <class T>
struct Passed {
  using Type = T;
  static T in(Type value) { return value; }
};
template <>
struct Passed<std::int64_t> {
  using Type = double;
  static std::int64_t in(double value) { return to_count(value); }
};

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
