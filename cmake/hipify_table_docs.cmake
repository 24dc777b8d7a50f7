# cmake -DTABLE=<cuda2hip.tsv> -DOUT=<file.md> [-DCHECK=ON] -P hipify_table_docs.cmake: how many names of each interface of CUDA
# the porting tool converts, from the rows of its table. Nobody edits the result by hand; target hipify_table_docs makes
# docs/hipify-table.md anew, and with CHECK the script fails when the file is not what the rows say.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/generated.cmake")
need_arguments(hipify_table_docs.cmake TABLE OUT)

# counts <variable> <regular expression>: rows of the table that match it.
function(counts variable expression)
  file(STRINGS "${TABLE}" rows REGEX "${expression}")
  list(LENGTH rows count)
  set(${variable} ${count} PARENT_SCOPE)
endfunction()

# Columns: cuda, hip, roc, kind, api, flags, then six versions.
set(start "^[^\t]+\t[^\t]*\t[^\t]*\t")
set(text "# CUDA's names and HIP's\n\nHow many names of each interface the porting tool ([porting.md](porting.md)) converts, and to which names of\n")
string(APPEND text "HIP's or ROCm's libraries (`-roc`). The rest is warned of.\n")
string(APPEND text "Made from hipify/table/cuda2hip.tsv by the target `hipify_table_docs`; not edited by hand.\n\n")
string(APPEND text "| interface | names | to HIP | to roc libraries | without counterpart in HIP |\n|---|---:|---:|---:|---:|\n")
set(all_names 0)
set(all_hip 0)
set(all_roc 0)
set(all_missing 0)
foreach(api IN ITEMS runtime driver NVRTC cuComplex cuBLAS cuDNN cuFFT cuRAND cuSOLVER cuSPARSE CUB cuTENSOR NCCL NVTX)
  counts(names "${start}[a-z_]+\t${api}\t")
  counts(missing "${start}[a-z_]+\t${api}\t[^\t]*no-hip")
  counts(with_roc "^[^\t]+\t[^\t]*\t[^\t]+\t[a-z_]+\t${api}\t")
  counts(no_roc "^[^\t]+\t[^\t]*\t[^\t]+\t[a-z_]+\t${api}\t[^\t]*no-roc")
  math(EXPR hip "${names} - ${missing}")
  math(EXPR roc "${with_roc} - ${no_roc}")
  string(APPEND text "| ${api} | ${names} | ${hip} | ${roc} | ${missing} |\n")
  math(EXPR all_names "${all_names} + ${names}")
  math(EXPR all_hip "${all_hip} + ${hip}")
  math(EXPR all_roc "${all_roc} + ${roc}")
  math(EXPR all_missing "${all_missing} + ${missing}")
endforeach()
string(APPEND text "| all | ${all_names} | ${all_hip} | ${all_roc} | ${all_missing} |\n")

string(APPEND text "\n| kind of name | names | to HIP |\n|---|---:|---:|\n")
foreach(kind IN ITEMS runtime_fn driver_fn rtc_fn lib_fn device_fn lib_device_fn complex_fn type device_type enum_value macro include)
  counts(names "${start}${kind}\t")
  counts(missing "${start}${kind}\t[A-Za-z]+\t[^\t]*no-hip")
  math(EXPR hip "${names} - ${missing}")
  string(APPEND text "| ${kind} | ${names} | ${hip} |\n")
endforeach()

write_or_check("${OUT}" "${text}" "${TABLE}" hipify_table_docs)
