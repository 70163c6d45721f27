#pragma once

#include <cstdint>

#include "shared/sizes.hpp"

namespace conv2d::bindings {

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
