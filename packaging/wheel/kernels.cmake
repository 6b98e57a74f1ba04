# How GCC compiles llama.cpp's kernels (CMAKE_PROJECT_INCLUDE has CMake read this in each project).
#
# The kernels that multiply four rows at once, those of a target pass, hold more values than the
# processor has registers. GCC's usual order of instructions on x86 spills many of them: scheduled
# with an eye on the registers before these are given out, and without putting expressions together
# again where their value is used, a pass over four tokens takes a fifth less time (GCC 12; Clang's
# code is as quick as that by itself). `make performance ARGS=compiled` measures it.
if(PROJECT_NAME STREQUAL "ggml" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  foreach(language IN ITEMS C CXX)
    if(CMAKE_${language}_COMPILER_ID STREQUAL "GNU")
      foreach(option IN ITEMS -fschedule-insns -fsched-pressure -fno-tree-ter)
        add_compile_options("$<$<COMPILE_LANGUAGE:${language}>:${option}>")
      endforeach()
    endif()
  endforeach()
endif()
