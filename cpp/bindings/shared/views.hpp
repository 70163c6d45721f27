#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <span>

namespace conv2d::bindings {

/// A named type, so that --emit-tsd writes it instead of `any`. Registered in bind_desc.cpp.
EMSCRIPTEN_DECLARE_VAL_TYPE(Float32View);

/// A view of the heap, valid until the next call.
template <class View, class T>
View view_of(std::span<T> span) {
  return View(emscripten::val(emscripten::typed_memory_view(span.size(), span.data())));
}

}  // namespace conv2d::bindings
