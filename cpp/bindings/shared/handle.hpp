#pragma once

#include <cstdint>

#include "shared/sizes.hpp"

namespace conv2d::bindings {

/// A session in JavaScript: its address. To bind a class instead costs the page's first download 2 kB, for classes that
/// inherit, are shared or overloaded, of which there are none.
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

/// How what a member takes comes across the boundary: as it is, but for counts.
template <class T>
struct Crossing {
  using Type = T;
  static T in(Type value) { return value; }
};
template <>
struct Crossing<std::int64_t> {
  using Type = double;
  static std::int64_t in(double value) { return to_count(value); }
};

/// A member of a session as a function of a handle and what the member takes.
template <auto Member>
struct Call;
template <class Session, class Value, class... Taken, Value (Session::*Member)(Taken...)>
struct Call<Member> {
  static Value of(Handle handle, typename Crossing<Taken>::Type... taken) {
    return (session_at<Session>(handle).*Member)(Crossing<Taken>::in(taken)...);
  }
};
template <class Session, class Value, class... Taken, Value (Session::*Member)(Taken...) const>
struct Call<Member> {
  static Value of(Handle handle, typename Crossing<Taken>::Type... taken) {
    return (session_at<Session>(handle).*Member)(Crossing<Taken>::in(taken)...);
  }
};

}  // namespace conv2d::bindings
