# Makes Emscripten's loader call Module.startWorker instead of `new Worker`. The loader uses its own file name, which the site's
# build renames, and a plain string, which a strict Trusted Types policy rejects. The caller can also terminate the workers.
get_filename_component(name "${LOADER}" NAME)
set(by_name "new Worker(new URL(\"${name}\",import.meta.url),")
file(READ "${LOADER}" text)
string(REGEX REPLACE "new Worker\\( *new URL\\( *\"${name}\" *, *import.meta.url *\\) *," "Module.startWorker(" patched "${text}")
if(patched STREQUAL text)
  message(FATAL_ERROR "${LOADER} no longer starts its workers with ${by_name}")
endif()
file(WRITE "${LOADER}" "${patched}")
