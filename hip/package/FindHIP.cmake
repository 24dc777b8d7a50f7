# find_package(HIP MODULE), with the folder of this file in CMAKE_MODULE_PATH: functions with which projects compile HIP by hipcc
# without CMake's language HIP or package hip's targets. Files that end with .hip or .cu, and those whose source property
# HIP_SOURCE_PROPERTY_FORMAT is set, are compiled by hipcc; all others by the project's compilers.
#
#   hip_add_executable(<target> [EXCLUDE_FROM_ALL] <source>... [<options>])
#   hip_add_library(<target> [STATIC|SHARED|MODULE] [EXCLUDE_FROM_ALL] <source>... [<options>])
#     <options>: HIPCC_OPTIONS <option>..., CLANG_OPTIONS <option>..., NVCC_OPTIONS <option>... (for hipcc; hipcc of the platform
#     amd; of nvidia). Options behind the name of a configuration in capitals (DEBUG, RELEASE, ...) are for that one alone.
#     Executables are linked by hipcc, and so are shared libraries with -fgpu-rdc; other libraries by the C++ compiler. Who links
#     to an installed library needs find_package(hip).
#   hip_include_directories(<folder>...): where hipcc looks for headers of all targets that are made afterwards
#   hip_prepare_target_commands(<target> OBJ <objects> <sources> <argument>...): what the two functions begin with. Gives the
#     variables <objects> and <sources> the object files that hipcc makes, and what from.
#   hip_reset_flags(): what follows is again as the cache has it
#
# Read when a target is made: HIP_HIPCC_FLAGS, HIP_CLANG_FLAGS, HIP_NVCC_FLAGS and each with _<CONFIGURATION>, lists or words with
# blanks between. hipcc gets the target's include folders and definitions, those of what it links to included, but none of
# CMAKE_CXX_FLAGS. A build without a configuration counts as Debug.
#
# Sets HIP_FOUND, HIP_ROOT_DIR, and what package hip sets: HIP_VERSION, HIP_PLATFORM, HIP_COMPILER, HIP_RUNTIME,
# HIP_HIPCC_EXECUTABLE, HIP_HIPCONFIG_EXECUTABLE and others.
cmake_policy(VERSION 3.21) # CMP0116: depfiles name what they are of as the generator does

get_filename_component(_hip_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(HIP_ROOT_DIR "${_hip_root}" CACHE PATH "The SDK that package HIP was found in" FORCE)
set(HIP_ROOT_DIR "${_hip_root}") # before a variable of the project's
find_package(hip CONFIG QUIET PATHS "${_hip_root}" NO_DEFAULT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HIP REQUIRED_VARS HIP_ROOT_DIR HIP_HIPCC_EXECUTABLE HIP_HIPCONFIG_EXECUTABLE
                                  VERSION_VAR HIP_VERSION)
if(NOT HIP_FOUND)
  return()
endif()
set(HIP_VERSION_STRING "${HIP_VERSION}")
# Functions may be called where these variables are not seen: in another folder, or after find_package in a function.
set_property(GLOBAL PROPERTY OMNIHIP_MODULE_PLATFORM "${HIP_PLATFORM}")

execute_process(COMMAND "${HIP_HIPCONFIG_EXECUTABLE}" -l OUTPUT_VARIABLE HIP_CLANG_PATH OUTPUT_STRIP_TRAILING_WHITESPACE)

# _hip_linker_language(<language> <command> [<set's words for the cache>]): a language of the linker alone, for which CMake asks
# nothing but variables, at the end of a target's folder. Without them its rules are empty, and build nothing without an error.
macro(_hip_linker_language language command)
  set(CMAKE_${language}_LINK_EXECUTABLE
    "${command} <CMAKE_CXX_LINK_FLAGS> <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>" ${ARGN})
  set(CMAKE_${language}_CREATE_SHARED_LIBRARY
    "${command} <LINK_FLAGS> -shared <SONAME_FLAG><TARGET_SONAME> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>" ${ARGN})
  set(CMAKE_${language}_CREATE_SHARED_MODULE "${CMAKE_${language}_CREATE_SHARED_LIBRARY}" ${ARGN})
  foreach(_hip_variable IN ITEMS
      @_ARCHIVE_CREATE @_ARCHIVE_APPEND @_ARCHIVE_FINISH @_LINKER_WRAPPER_FLAG @_LINKER_WRAPPER_FLAG_SEP
      SHARED_LIBRARY_SONAME_@_FLAG SHARED_LIBRARY_RUNTIME_@_FLAG SHARED_LIBRARY_RUNTIME_@_FLAG_SEP
      SHARED_LIBRARY_LINK_STATIC_@_FLAGS SHARED_LIBRARY_LINK_DYNAMIC_@_FLAGS
      EXECUTABLE_RUNTIME_@_FLAG EXECUTABLE_RUNTIME_@_FLAG_SEP EXECUTABLE_RPATH_LINK_@_FLAG EXE_EXPORTS_@_FLAG)
    string(REPLACE "@" "${language}" _hip_own "CMAKE_${_hip_variable}")
    string(REPLACE "@" "CXX" _hip_of_cxx "CMAKE_${_hip_variable}")
    set(${_hip_own} "${${_hip_of_cxx}}" ${ARGN})
  endforeach()
endmacro()
# Projects set LINKER_LANGUAGE HIP themselves, without CMake's language of that name.
get_property(_hip_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT "HIP" IN_LIST _hip_languages)
  _hip_linker_language(HIP "\"${HIP_HIPCC_EXECUTABLE}\"")
endif()

set(_hip_configurations DEBUG RELEASE RELWITHDEBINFO MINSIZEREL)
string(TOUPPER "${CMAKE_BUILD_TYPE}" _hip_configuration)
list(APPEND _hip_configurations ${_hip_configuration})
list(REMOVE_DUPLICATES _hip_configurations)
set_property(GLOBAL PROPERTY OMNIHIP_MODULE_CONFIGURATIONS "${_hip_configurations}")
foreach(_hip_kind IN ITEMS HIPCC CLANG NVCC)
  set(HIP_${_hip_kind}_FLAGS "" CACHE STRING "Options for hipcc, with semicolons between them")
  mark_as_advanced(HIP_${_hip_kind}_FLAGS)
  foreach(_hip_configuration IN LISTS _hip_configurations)
    set(HIP_${_hip_kind}_FLAGS_${_hip_configuration} "" CACHE STRING "Options for hipcc, with semicolons between them")
    mark_as_advanced(HIP_${_hip_kind}_FLAGS_${_hip_configuration})
  endforeach()
endforeach()

macro(hip_reset_flags) # to what the cache has
  get_property(_hip_configurations GLOBAL PROPERTY OMNIHIP_MODULE_CONFIGURATIONS)
  foreach(_hip_kind IN ITEMS HIPCC CLANG NVCC)
    unset(HIP_${_hip_kind}_FLAGS)
    foreach(_hip_configuration IN LISTS _hip_configurations)
      unset(HIP_${_hip_kind}_FLAGS_${_hip_configuration})
    endforeach()
  endforeach()
endmacro()

macro(hip_include_directories)
  list(APPEND HIP_HIPCC_INCLUDE_ARGS_USER ${ARGN})
endmacro()

# _hip_split(<variable> <option>...): the words of options, each of which may be several; with a quotation mark or a generator
# expression in it, it is one.
function(_hip_split variable)
  set(words)
  foreach(option IN LISTS ARGN)
    if(option MATCHES "[$]<|[\"']")
      list(APPEND words "${option}")
    else()
      separate_arguments(several UNIX_COMMAND "${option}")
      list(APPEND words ${several})
    endif()
  endforeach()
  set(${variable} "${words}" PARENT_SCOPE)
endfunction()

# _hip_parse(<argument>...): sets in the caller _hip_sources, _hip_keywords (for add_executable and add_library) and _hip_options,
# what hipcc gets, with generator expressions for the configuration.
function(_hip_parse)
  set(sources)
  set(keywords)
  set(options)
  set(kinds HIPCC CLANG)
  get_property(platform GLOBAL PROPERTY OMNIHIP_MODULE_PLATFORM)
  if(platform STREQUAL "nvidia")
    set(kinds HIPCC NVCC)
  endif()
  get_property(configurations GLOBAL PROPERTY OMNIHIP_MODULE_CONFIGURATIONS)
  foreach(configuration IN LISTS configurations)
    set(condition_${configuration} "$<CONFIG:${configuration}>")
  endforeach()
  set(condition_DEBUG "$<OR:$<CONFIG:DEBUG>,$<CONFIG:>>")

  foreach(kind IN LISTS kinds)
    _hip_split(flags ${HIP_${kind}_FLAGS})
    list(APPEND options ${flags})
    foreach(configuration IN LISTS configurations)
      _hip_split(flags ${HIP_${kind}_FLAGS_${configuration}})
      foreach(option IN LISTS flags)
        list(APPEND options "$<${condition_${configuration}}:${option}>")
      endforeach()
    endforeach()
  endforeach()

  set(kind "")
  set(configuration "")
  foreach(argument IN LISTS ARGN)
    if(argument MATCHES "^(HIPCC|CLANG|NVCC|HCC)_OPTIONS$")
      set(kind "${CMAKE_MATCH_1}")
      set(configuration "")
    elseif(argument MATCHES "^(EXCLUDE_FROM_ALL|STATIC|SHARED|MODULE)$")
      list(APPEND keywords "${argument}")
    elseif(NOT kind)
      list(APPEND sources "${argument}")
    elseif(argument IN_LIST configurations)
      set(configuration "${argument}")
    elseif(NOT kind IN_LIST kinds)
      continue()
    elseif(configuration)
      list(APPEND options "$<${condition_${configuration}}:${argument}>")
    else()
      list(APPEND options "${argument}")
    endif()
  endforeach()
  set(_hip_sources "${sources}" PARENT_SCOPE)
  set(_hip_keywords "${keywords}" PARENT_SCOPE)
  set(_hip_options "${options}" PARENT_SCOPE)
endfunction()

# The words of a command that begins with hipcc, for add_custom_command.
function(_hip_hipcc variable)
  get_filename_component(words "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../bin/hipcc" ABSOLUTE)
  get_property(platform GLOBAL PROPERTY OMNIHIP_MODULE_PLATFORM)
  if(platform STREQUAL "nvidia")
    set(words "${CMAKE_COMMAND}" -E env HIP_PLATFORM=nvidia "${words}")
  endif()
  set(${variable} "${words}" PARENT_SCOPE)
endfunction()

# Appends an option for each word, and none where a generator expression becomes empty.
function(_hip_options_of variable option)
  foreach(word IN LISTS ARGN)
    if(word MATCHES "[$]<")
      list(APPEND ${variable} "$<$<BOOL:${word}>:${option}${word}>")
    else()
      list(APPEND ${variable} "${option}${word}")
    endif()
  endforeach()
  set(${variable} "${${variable}}" PARENT_SCOPE)
endfunction()

function(hip_prepare_target_commands target format objects_variable sources_variable)
  if(NOT format STREQUAL "OBJ")
    message(FATAL_ERROR "hip_prepare_target_commands(${target} ${format}): there is no format but OBJ.")
  endif()
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several)
    message(FATAL_ERROR "Package HIP's functions do not work with ${CMAKE_GENERATOR}, which builds several configurations. "
                        "CMake's language HIP and package hip's targets do.")
  endif()
  _hip_parse(${ARGN})
  _hip_hipcc(hipcc)
  set(pic "$<$<BOOL:$<TARGET_PROPERTY:${target},POSITION_INDEPENDENT_CODE>>:-fPIC>")
  if("SHARED" IN_LIST _hip_keywords OR "MODULE" IN_LIST _hip_keywords OR CMAKE_POSITION_INDEPENDENT_CODE OR
     (BUILD_SHARED_LIBS AND NOT "STATIC" IN_LIST _hip_keywords))
    set(pic -fPIC)
  endif()
  list(APPEND _hip_options "${pic}")
  _hip_options_of(_hip_options -I ${HIP_HIPCC_INCLUDE_ARGS_USER})
  # An option for each element of the target's lists, and none for an empty one.
  set(of_target "$<TARGET_PROPERTY:${target},@>")
  set(list_options "$<$<BOOL:${of_target}>:-*$<JOIN:${of_target},;-*>>")
  string(REPLACE "@" INCLUDE_DIRECTORIES folder_options "${list_options}")
  string(REPLACE "*" I folder_options "${folder_options}")
  string(REPLACE "@" COMPILE_DEFINITIONS definition_options "${list_options}")
  string(REPLACE "*" D definition_options "${definition_options}")

  set(objects)
  set(sources)
  foreach(source IN LISTS _hip_sources)
    get_source_file_property(is_header "${source}" HEADER_FILE_ONLY)
    get_source_file_property(format_property "${source}" HIP_SOURCE_PROPERTY_FORMAT)
    if(is_header OR NOT (source MATCHES "\\.(cu|hip)$" OR format_property))
      continue()
    endif()
    get_filename_component(path "${source}" ABSOLUTE)
    if(NOT EXISTS "${path}") # then another command makes it
      get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
    endif()
    file(RELATIVE_PATH name "${CMAKE_CURRENT_SOURCE_DIR}" "${path}")
    string(REPLACE ".." "__" name "${name}")
    set(object "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/${name}_generated.o")
    get_filename_component(folder "${object}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    set(own_options)
    get_source_file_property(own_definitions "${source}" COMPILE_DEFINITIONS)
    if(own_definitions)
      _hip_options_of(own_options -D ${own_definitions})
    endif()
    get_source_file_property(own_folders "${source}" INCLUDE_DIRECTORIES)
    if(own_folders)
      _hip_options_of(own_options -I ${own_folders})
    endif()
    get_source_file_property(own_compile_options "${source}" COMPILE_OPTIONS)
    if(own_compile_options)
      list(APPEND own_options ${own_compile_options})
    endif()
    get_source_file_property(own_flags "${source}" COMPILE_FLAGS)
    if(own_flags)
      separate_arguments(own_flags UNIX_COMMAND "${own_flags}")
      list(APPEND own_options ${own_flags})
    endif()
    get_source_file_property(needs "${source}" OBJECT_DEPENDS)
    if(NOT needs)
      set(needs)
    endif()
    add_custom_command(OUTPUT "${object}"
      COMMAND ${hipcc} -c ${_hip_options} "${definition_options}" "${folder_options}" ${own_options} "${path}" -o "${object}"
              -MD -MT "${object}" -MF "${object}.d"
      DEPENDS "${path}" ${needs} DEPFILE "${object}.d"
      COMMENT "Building HIP object ${name} of ${target}"
      COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    list(APPEND objects "${object}")
    list(APPEND sources "${source}")
  endforeach()
  set(${objects_variable} "${objects}" PARENT_SCOPE)
  set(${sources_variable} "${sources}" PARENT_SCOPE)
endfunction()

# Links the target by hipcc, and its device code across files where the options say so.
function(_hip_link_by_hipcc target)
  _hip_hipcc(hipcc)
  list(JOIN hipcc "\" \"" hipcc)
  # In the cache: projects call hip_add_executable in functions, whose variables are not their folder's.
  _hip_linker_language(OMNIHIPCC "\"${hipcc}\"" CACHE INTERNAL "Of package HIP")
  set_property(TARGET ${target} PROPERTY LINKER_LANGUAGE OMNIHIPCC)
  if("-fgpu-rdc" IN_LIST ARGN)
    list(FILTER ARGN INCLUDE REGEX "^(-fgpu-rdc|--offload-arch=.*)$")
    set_property(TARGET ${target} APPEND PROPERTY LINK_OPTIONS ${ARGN})
  endif()
endfunction()

# _hip_add(<add_executable or add_library> <target> <argument>...): makes the target, and sets in the caller _hip_options.
function(_hip_add command target)
  hip_prepare_target_commands(${target} OBJ objects compiled ${ARGN})
  _hip_parse(${ARGN})
  list(REMOVE_ITEM _hip_sources "" ${compiled})
  cmake_language(CALL ${command} ${target} ${_hip_keywords} ${objects} ${_hip_sources})
  set_property(TARGET ${target} PROPERTY HIP_ARCHITECTURES OFF) # asked for where a project sets LINKER_LANGUAGE HIP
  set(_hip_options "${_hip_options}" PARENT_SCOPE)
endfunction()

function(hip_add_executable target)
  _hip_add(add_executable ${target} ${ARGN})
  _hip_link_by_hipcc(${target} ${_hip_options})
endfunction()

function(hip_add_library target)
  _hip_add(add_library ${target} ${ARGN})
  get_target_property(type ${target} TYPE)
  if("-fgpu-rdc" IN_LIST _hip_options AND NOT type STREQUAL "STATIC_LIBRARY")
    _hip_link_by_hipcc(${target} ${_hip_options})
  else()
    set_property(TARGET ${target} PROPERTY LINKER_LANGUAGE CXX)
  endif()
  if(NOT TARGET hip::host) # found in another folder
    find_package(hip CONFIG QUIET REQUIRED PATHS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../.." NO_DEFAULT_PATH)
  endif()
  # Not by target_link_libraries, whose two forms do not mix: the project may use either.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES hip::host)
  set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES hip::host)
endfunction()
