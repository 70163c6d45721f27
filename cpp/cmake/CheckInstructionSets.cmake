# Code that was compiled for one instruction set must not serve another: a function that two objects define (an inline one or
# a template that is not over Arch) is kept once by the linker, from whichever object comes first, and with AVX-512 in it
# would stop a processor without. Called as cmake -DNM=... -DOBJECTS=a.o,b.o -P: fails when two of the objects define a
# symbol of the same name.
cmake_minimum_required(VERSION 3.24)
string(REPLACE "," ";" OBJECTS "${OBJECTS}")
set(seen "")
set(shared "")
foreach(object IN LISTS OBJECTS)
  execute_process(COMMAND "${NM}" --extern-only --defined-only --format=posix "${object}"
    OUTPUT_VARIABLE lines RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${NM} ${object} failed")
  endif()
  string(REGEX MATCHALL "[^\n]+" lines "${lines}")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^[^ ]+" symbol "${line}")
    # DW.ref.*: an address of the C++ run time; _ZTS, _ZTI: names of types, which clang writes for its sanitizers. No code.
    if(symbol IN_LIST seen AND NOT symbol MATCHES "^(DW\\.ref\\.|_ZT[SI])")
      list(APPEND shared "${symbol}")
    endif()
    list(APPEND seen "${symbol}")
  endforeach()
endforeach()
if(NOT seen)
  message(FATAL_ERROR "no symbols in ${OBJECTS}")
endif()
if(shared)
  list(REMOVE_DUPLICATES shared)
  list(JOIN shared "\n  " shared)
  message(FATAL_ERROR "compiled for more than one instruction set, so that one would serve another's processor:\n  ${shared}")
endif()
