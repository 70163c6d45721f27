# Code compiled for one instruction set must not run on other processors. When two objects define the same function (an inline
# function, or a template that is not over Arch), the linker keeps the first one; with AVX-512 code in it, it would crash
# processors without AVX-512. Called as cmake -DNM=... -DSETS=sse2|avx2 -DOBJECTS=FILE -P, where FILE has one object per line.
# Fails when an object of a NAME_<set>.cpp defines a symbol that an object for another set, or for none, also defines.
cmake_minimum_required(VERSION 3.24)
file(STRINGS "${OBJECTS}" objects)

# "object: symbol type" for each defined symbol of the objects: the lines of nm with -A in POSIX format.
function(read_symbols lines)
  execute_process(COMMAND "${NM}" -A --extern-only --defined-only --format=posix ${ARGN}
    OUTPUT_VARIABLE output RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${NM} failed for ${ARGN}")
  endif()
  string(REGEX MATCHALL "[^\n]+: [^ \n]+ [A-Za-z]" output "${output}")
  set(${lines} "${output}" PARENT_SCOPE)
endfunction()

set(for_sets "${objects}")
list(FILTER for_sets INCLUDE REGEX "_(${SETS})\\.cpp\\.[a-z]+$")
if(NOT for_sets)
  message(FATAL_ERROR "no object of ${SETS} in ${OBJECTS}")
endif()
read_symbols(lines ${for_sets})
set(names "")
set(names_by_set "")
set(shared "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^.*: ([^ ]+) .*$" "\\1" name "${line}")
  string(REGEX REPLACE "^.*_(${SETS})\\.cpp\\.[a-z]+.*: [^ ]+ .*$" "\\1:${name}" name_by_set "${line}")
  # Not code: DW.ref.* is an address of the C++ run time; _ZTS and _ZTI are type names, which clang writes for its sanitizers;
  # __clang_call_terminate has only two calls.
  if(name MATCHES "^(DW\\.ref\\.|_+ZT[SI]|__clang_call_terminate$)")
    continue()
  elseif(name_by_set IN_LIST names_by_set)
    continue()  # two objects for the same set
  elseif(name IN_LIST names)
    list(APPEND shared "${name}")
  endif()
  list(APPEND names "${name}")
  list(APPEND names_by_set "${name_by_set}")
endforeach()
list(REMOVE_ITEM objects ${for_sets})
if(objects)
  read_symbols(lines ${objects})
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^.*: ([^ ]+) .*$" "\\1" name "${line}")
    if(name IN_LIST names)
      list(APPEND shared "${name}")
    endif()
  endforeach()
endif()
if(shared)
  list(REMOVE_DUPLICATES shared)
  list(JOIN shared "\n  " shared)
  message(FATAL_ERROR "Compiled for one instruction set, but linked for every processor. Make it a template over Arch:\n  ${shared}")
endif()
