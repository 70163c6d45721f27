#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <span>

namespace conv2d::bindings {

/// Named, so that --emit-tsd writes it instead of `any`; bind_desc.cpp registers it.
EMSCRIPTEN_DECLARE_VAL_TYPE(Float32View);

/// An array as a view of the heap, which is good until the next call.
template <class View, class T>
View view_of(std::span<T> span) {
  return View(emscripten::val(emscripten::typed_memory_view(span.size(), span.data())));
}

}  // namespace conv2d::bindings
