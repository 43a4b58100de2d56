# SPDX-License-Identifier: Apache-2.0
# Programs that contain plans, or only the ops that their plans use. Needs the static archive (-DBUILD_SHARED_LIBS=OFF), C++ as a
# language of the project, and `linnet`, which runs while the program is built: the one of this build, else LINNET_PROGRAM, which is
# found beside the installed library or in PATH, also when the program is built for another machine.
#
#   linnet_add_model(TARGET PLAN... [BACKENDS NAME...] [SINGLE_THREADED] [PLAIN_WEIGHTS])
#     Puts the plans into the program TARGET, writes a header for each (movenet.linnet: movenet.h), which TARGET can include, and
#     links Linnet with no other ops than theirs. May be called several times.
#   linnet_add_runtime(NAME PLANS PLAN... [BACKENDS NAME...] [SINGLE_THREADED] [PLAIN_WEIGHTS])
#     Makes the library NAME: Linnet with no other ops than those of the plans, which stay files. Programs link NAME itself, not
#     through libraries of their own, because the tables of ops have to be an object file of the program.
#
# BACKENDS: those that may be linked (default: all that the library has); the portable one always is. One for GPUs is linked only
# if a plan was converted for it. Plans may be made by the build itself.
# SINGLE_THREADED: no session may have more than one thread. If Linnet was built with LINNET_LTO and the program has the same compiler, the
# linker also leaves out what these plans never reach: threads, loops, extents that vary.
# PLAIN_WEIGHTS: no weights are packed; portable kernels, the only ones then, read them where they lie in the plan.

if(NOT TARGET linnet-converter)
  find_program(LINNET_PROGRAM linnet HINTS ${LINNET_PREFIX}/bin DOC "Linnet's converter, for linnet_add_model")
  mark_as_advanced(LINNET_PROGRAM)
endif()

function(linnet_add_model target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "SINGLE_THREADED;PLAIN_WEIGHTS" "" "BACKENDS")
  if(NOT ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "linnet_add_model(${target} PLAN...): no plan is named")
  endif()
  _linnet_embed_tools(linnet)
  _linnet_embed_options(options ${ARG_SINGLE_THREADED} ${ARG_PLAIN_WEIGHTS} ${ARG_BACKENDS})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/linnet_${target})
  foreach(plan IN LISTS ARG_UNPARSED_ARGUMENTS)
    get_filename_component(plan ${plan} ABSOLUTE)
    _linnet_symbol(name ${plan})
    add_custom_command(OUTPUT ${folder}/${name}.h ${folder}/${name}.cc
      COMMAND ${linnet} embed ${plan} -o ${folder} --write plans ${options}
      DEPENDS ${plan} ${linnet} COMMENT "Embedding ${plan}" VERBATIM)
    # The assembler reads the plan, which compilers do not notice.
    set_source_files_properties(${folder}/${name}.cc PROPERTIES OBJECT_DEPENDS ${plan} SKIP_UNITY_BUILD_INCLUSION ON)
    target_sources(${target} PRIVATE ${folder}/${name}.cc ${folder}/${name}.h)
    set_property(TARGET ${target} APPEND PROPERTY LINNET_PLANS ${plan})
  endforeach()
  target_include_directories(${target} PRIVATE ${folder})
  get_target_property(has_ops ${target} LINNET_OPS)
  if(NOT has_ops)
    set_target_properties(${target} PROPERTIES LINNET_OPS TRUE)
    _linnet_link_ops(${target} ${folder} PRIVATE ${options})
  endif()
endfunction()

function(linnet_add_runtime name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "SINGLE_THREADED;PLAIN_WEIGHTS" "" "PLANS;BACKENDS")
  if(NOT ARG_PLANS OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "want linnet_add_runtime(${name} PLANS PLAN... [BACKENDS NAME...] [SINGLE_THREADED] [PLAIN_WEIGHTS])")
  endif()
  _linnet_embed_options(options ${ARG_SINGLE_THREADED} ${ARG_PLAIN_WEIGHTS} ${ARG_BACKENDS})
  add_library(${name} OBJECT)
  foreach(plan IN LISTS ARG_PLANS)
    get_filename_component(plan ${plan} ABSOLUTE)
    set_property(TARGET ${name} APPEND PROPERTY LINNET_PLANS ${plan})
  endforeach()
  _linnet_link_ops(${name} ${CMAKE_CURRENT_BINARY_DIR}/linnet_${name} PUBLIC ${options})
endfunction()

# Links TARGET with Linnet, and with the tables of its plans' ops.
function(_linnet_link_ops target folder visibility)
  _linnet_embed_tools(linnet)
  set(plans $<TARGET_PROPERTY:${target},LINNET_PLANS>)
  add_custom_command(OUTPUT ${folder}/linked_ops.cc
    COMMAND ${linnet} embed ${plans} -o ${folder} --write ops ${ARGN}
    DEPENDS ${plans} ${linnet} COMMENT "Finding the ops of ${target}" COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties(${folder}/linked_ops.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${folder}/linked_ops.cc)
  target_link_libraries(${target} ${visibility} linnet::linnet)
  _linnet_optimise_at_link(${target} ${folder}/linked_ops.cc ${visibility})
  if(APPLE)
    target_link_options(${target} ${visibility} LINKER:-dead_strip)
  else()
    target_link_options(${target} ${visibility} LINKER:--gc-sections)
  endif()
endfunction()

# Lets GCC optimise the archive's objects together with the tables in SOURCE; or keeps another release of GCC from trying it.
function(_linnet_optimise_at_link target source visibility)
  get_target_property(compiler linnet::linnet LINNET_LTO_COMPILER)
  if(NOT compiler)
    return()
  endif()
  if(compiler STREQUAL "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "-flto=auto;-ffat-lto-objects")
    # As one partition, and what is not reached even then, the linker can still leave out.
    target_link_options(${target} ${visibility} -flto=auto -flto-partition=one -ffunction-sections -fdata-sections)
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    message(STATUS "Linnet's archive was made by ${compiler}: its objects are linked as they are, which makes larger programs")
    target_link_options(${target} ${visibility} -fno-lto)
  endif()
endfunction()

# Sets OUT to what runs `linnet`: a target or a path.
function(_linnet_embed_tools out)
  get_target_property(library linnet::linnet ALIASED_TARGET)
  if(NOT library)
    set(library linnet::linnet)
  endif()
  get_target_property(type ${library} TYPE)
  if(NOT type STREQUAL STATIC_LIBRARY)
    message(FATAL_ERROR "linking only the ops of some plans needs Linnet's static archive: build Linnet with -DBUILD_SHARED_LIBS=OFF")
  endif()
  if(NOT CMAKE_CXX_COMPILER)
    message(FATAL_ERROR "linnet_add_model and linnet_add_runtime write C++ sources: add CXX to the languages of the project")
  endif()
  if(TARGET linnet-converter)
    set(${out} linnet-converter PARENT_SCOPE)
  elseif(LINNET_PROGRAM)
    set(${out} ${LINNET_PROGRAM} PARENT_SCOPE)
  else()
    message(FATAL_ERROR "`linnet` was not found: install it, or name it with -DLINNET_PROGRAM=PATH")
  endif()
endfunction()

# Sets OUT to options of `linnet embed`: `--backend NAME` for those of the given names, by default all, that the library has.
function(_linnet_embed_options out single_threaded plain_weights)
  get_target_property(built linnet::linnet LINNET_BACKENDS)
  set(wanted ${built})
  if(ARGN)
    set(wanted ${ARGN})
  endif()
  set(options "")
  if(single_threaded)
    set(options --single-threaded)
  endif()
  if(plain_weights)
    list(APPEND options --plain-weights)
    if(NOT ARGN)
      set(wanted portable)
    endif()
  endif()
  foreach(name IN LISTS wanted)
    if(NOT name IN_LIST built)
      message(FATAL_ERROR "Linnet was built without the backend ${name}; it has ${built}")
    endif()
    list(APPEND options --backend ${name})
  endforeach()
  set(${out} ${options} PARENT_SCOPE)
endfunction()

# Sets OUT to the name that `linnet embed` gives to the files of a plan.
function(_linnet_symbol out plan)
  get_filename_component(symbol ${plan} NAME)
  string(REGEX REPLACE "\\.linnet$" "" symbol ${symbol})
  string(TOLOWER ${symbol} symbol)
  string(REGEX REPLACE "[^a-z0-9]+" "_" symbol ${symbol})
  string(REGEX REPLACE "^_+|_+$" "" symbol "${symbol}")
  if(NOT symbol MATCHES "^[a-z]")
    set(symbol plan_${symbol})
  endif()
  set(${out} ${symbol} PARENT_SCOPE)
endfunction()
