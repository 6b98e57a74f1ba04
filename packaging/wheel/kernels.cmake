# How llama.cpp's kernels are compiled, and ours beside them (CMAKE_PROJECT_INCLUDE has CMake read
# this in each project). `make performance ARGS=compiled` measures what both are worth.
if(NOT PROJECT_NAME STREQUAL "ggml" OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  return()
endif()

# The kernels that multiply four rows at once hold more values than the processor has registers.
# GCC's usual order of instructions on x86 spills many of them: scheduled with an eye on the
# registers before these are given out, and without putting expressions together again where their
# value is used, such a product takes a fifth less time (GCC 12; Clang's code is as quick as that by
# itself).
foreach(language IN ITEMS C CXX)
  if(CMAKE_${language}_COMPILER_ID STREQUAL "GNU")
    foreach(option IN ITEMS -fschedule-insns -fsched-pressure -fno-tree-ter)
      add_compile_options("$<$<COMPILE_LANGUAGE:${language}>:${option}>")
    endforeach()
  endif()
endforeach()

# narrow.cpp goes into every variant of the CPU backend, in front of the function that ggml
# asks first about an operation. Its kernels fit the registers: scheduled like that they are slower.
function(foreword_add_narrow)
  get_property(targets DIRECTORY src PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(target MATCHES "^ggml-cpu" AND type MATCHES "^(SHARED|MODULE)_LIBRARY$")
      target_sources(${target} PRIVATE "${FOREWORD_NARROW}")
      target_link_options(${target} PRIVATE "LINKER:--wrap=ggml_cpu_extra_compute_forward")
      # Optimized across files, a call is bound before the linker can lead it elsewhere.
      set_property(SOURCE "${CMAKE_CURRENT_SOURCE_DIR}/src/ggml-cpu/traits.cpp"
        TARGET_DIRECTORY ${target} PROPERTY COMPILE_OPTIONS -fno-lto)
      if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        set_source_files_properties("${FOREWORD_NARROW}" TARGET_DIRECTORY ${target}
          PROPERTIES COMPILE_OPTIONS "-fno-schedule-insns;-fno-sched-pressure")
      endif()
    endif()
  endforeach()
endfunction()

# The linker's --wrap is GNU's and LLVM's for ELF; calls can be put off since CMake 3.19.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_VERSION VERSION_GREATER_EQUAL 3.19)
  set(FOREWORD_NARROW "${CMAKE_CURRENT_LIST_DIR}/narrow.cpp")
  cmake_language(DEFER CALL foreword_add_narrow)
endif()
