// The exact form as a program: options, files that are not inputs, and what is wrong with inputs.
#include "folder.h"

#include <catch2/catch.hpp>
#include <sys/stat.h>

namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

const std::string kInclude = "#include <hip/hip_runtime.h>\n";

} // namespace

TEST_CASE("exact: headers that are not inputs, the system's and CUDA's among them, are read and stay") {
  Folder folder;
  const std::string own = "#pragma once\n#include <cuda_runtime.h>\ninline cudaError_t own() { return cudaSuccess; }\n";
  const std::string system =
      "#define SYSTEM_FREE(p) cudaFree(p)\nnamespace sys { inline int cudaMalloc() { return 1; } }\n";
  folder.write("inc/own.h", own);
  folder.write("sys/lib.h", system);
  folder.write("a.cu", "#include <vector>\n#include <lib.h>\n#include \"own.h\"\n"
                       "int f(void* p) { return own() + SYSTEM_FREE(p) + sys::cudaMalloc(); }\n");
  CHECK(folder.run("hipify-clang a.cu -inplace -Iinc -strict -- -isystem sys") == 0);
  CHECK(folder.err.empty());
  CHECK(folder.read("a.cu") == kInclude + "#include <vector>\n#include <lib.h>\n#include \"own.h\"\n"
                                          "int f(void* p) { return own() + SYSTEM_FREE(p) + sys::cudaMalloc(); }\n");
  CHECK(folder.read("inc/own.h") == own);
  CHECK(folder.read("sys/lib.h") == system);
  CHECK(folder.files() == "a.cu a.cu.prehip inc/own.h sys/lib.h");
}

TEST_CASE("exact: a file, in place, in place again, and without a copy") {
  Folder folder;
  const std::string source = "namespace n { int cudaFree; }\ncudaError_t f() { return cudaFree(&n::cudaFree); }\n";
  const std::string result =
      kInclude + "namespace n { int cudaFree; }\nhipError_t f() { return hipFree(&n::cudaFree); }\n";
  folder.write("a.cu", source);
  CHECK(folder.run("hipify-clang a.cu -o b.cu") == 0);
  CHECK(folder.read("b.cu") == result);
  CHECK(folder.read("a.cu") == source);
  CHECK(folder.run("hipify-clang a.cu -inplace") == 0);
  CHECK(folder.read("a.cu") == result);
  CHECK(folder.read("a.cu.prehip") == source);
  // Once more: the copy is converted, and clang reads it in the place of the converted file.
  CHECK(folder.run("hipify-clang a.cu -inplace -fail-on-warnings") == 0);
  CHECK(folder.read("a.cu") == result);
  folder.write("c.cu", source);
  CHECK(folder.run("hipify-clang c.cu -inplace -no-backup") == 0);
  CHECK(folder.read("c.cu") == result);
  CHECK(folder.files() == "a.cu a.cu.prehip b.cu c.cu");
  CHECK(folder.run("hipify-clang a.cu -o a.cu") == 1);
  CHECK(folder.read("a.cu") == result);
}

TEST_CASE("exact: statistics count what is CUDA's") {
  Folder folder;
  const std::string source = "namespace n { int cudaFree(int x) { return x; } }\nint cudaSuccess();\n"
                             "cudaError_t e = cudaFree(nullptr);\nint x = n::cudaFree(1);\n";
  folder.write("a.cu", source.substr(0, source.find("int cudaSuccess")) + source.substr(source.find("cudaError_t")));
  CHECK(folder.run("hipify-clang -examine a.cu") == 0);
  CHECK(folder.out.empty());
  CHECK(folder.run("hipify-clang -no-output -print-stats-csv -o-stats s.csv -report r.md a.cu") == 0);
  CHECK_THAT(folder.read("s.csv"),
             Contains("a.cu,converted,cudaFree,hipFree,1\n") && Contains("a.cu,converted,cudaError_t,hipError_t,1\n"));
  CHECK(folder.run("hipify-perl -no-output -print-stats-csv -o-stats q.csv a.cu") == 0);
  CHECK_THAT(folder.read("q.csv"), Contains("a.cu,converted,cudaFree,hipFree,3\n")); // the quick form takes them all
  CHECK(folder.files() == "a.cu q.csv r.md s.csv");
}

TEST_CASE("exact: launches with blanks in their brackets are understood") {
  Folder folder;
  folder.write("a.cu", "namespace n { int cudaFree; }\n__global__ void k(int* p, int v) { *p = v; }\n"
                       "void f(int* p) { using n::cudaFree; k << <1, 32 >> > (p, cudaFree); k<< <1, 2>> >(p, 0); }\n");
  CHECK(folder.run("hipify-clang a.cu -strict -fail-on-warnings") == 0);
  CHECK(folder.err.empty());
  CHECK(folder.out == kInclude +
                          "namespace n { int cudaFree; }\n__global__ void k(int* p, int v) { *p = v; }\n"
                          "void f(int* p) { using n::cudaFree; k <<<1, 32 >>> (p, cudaFree); k<<<1, 2>>>(p, 0); }\n");
  CHECK(folder.run("hipify-clang - -strict <a.cu") == 0);
  CHECK_THAT(folder.out, Contains("k <<<1, 32 >>> (p, cudaFree)"));
}

TEST_CASE("exact: textures, libraries and old C are no errors of the source") {
  Folder folder;
  folder.write("a.cu", "__global__ void k(cudaTextureObject_t t, float* f) { *f = tex2D<float>(t, 1, 2); }\n");
  folder.write("b.cpp",
               "#include <cublas_v2.h>\n#include <nvtx3/nvToolsExt.h>\n"
               "int f() { cublasHandle_t h; cublasStatus_t one, two; one = cublasCreate(&h); return one + two; }\n");
  folder.write("c.c",
               "#include <cuda_runtime_api.h>\nf(p) int* p; { int* q = 1; puts(\"x\"); return cudaFree(p) + *q; }\n");
  CHECK(folder.run("hipify-clang a.cu -strict -fail-on-warnings -no-output") == 0);
  CHECK(folder.err.empty());
  CHECK(folder.run("hipify-clang b.cpp -strict") == 0);
  CHECK_THAT(folder.err, !Contains("errors in this source"));
  CHECK_THAT(folder.out, Contains("hipblasStatus_t one, two; one = hipblasCreate(&h)"));
  CHECK(folder.run("hipify-clang c.c -strict -- -std=gnu89") == 0);
  CHECK(folder.err.empty());
  CHECK_THAT(folder.out, Contains("return hipFree(p) + *q;"));
}

TEST_CASE("exact: a file is known by those that include it, whatever it is called") {
  Folder folder;
  folder.write("main.cu", "typedef int number;\nnamespace n { number cudaFree; }\n#include \"work.cu\"\n");
  folder.write("work.cu", "number f(void* p) { using n::cudaFree; return cudaFree; }\ncudaError_t e;\n");
  CHECK(folder.run("hipify-clang main.cu work.cu -o-dir out -strict -fail-on-warnings") == 0);
  CHECK(folder.err.empty());
  CHECK(folder.read("out/work.cu") ==
        kInclude + "number f(void* p) { using n::cudaFree; return cudaFree; }\nhipError_t e;\n");
  // Alone it does not compile.
  CHECK(folder.run("hipify-clang work.cu -strict") == 1);
  CHECK_THAT(folder.err,
             Contains("'work.cu' does not compile (") && Contains("work.cu:1:1: unknown type name 'number'"));
}

TEST_CASE("exact: faults are named by file, line and column") {
  Folder folder;
  folder.write("a.cu", "int f() {\n  return cudaSuccess;\n}\n  int g() { return }\n");
  folder.write("own.h", "struct S {\n int x\n};\ncudaError_t e;\n");
  folder.write("b.cu", "#include \"own.h\"\ncudaError_t f();\n");
  CHECK(folder.run("hipify-clang a.cu -no-output") == 0);
  CHECK_THAT(folder.err,
             Contains("a.cu:4:20: warning:") && Contains("clang finds 1 error in this source, this first: "));
  CHECK(folder.run("hipify-clang a.cu -no-output -strict") == 1);
  CHECK_THAT(folder.err, Contains("hipify: error: 'a.cu' does not compile (1 error; ") && Contains("a.cu:4:20: "));
  CHECK(folder.run("hipify-clang b.cu -no-output -strict") == 1);
  CHECK_THAT(folder.err, Contains("'b.cu' does not compile") && Contains("own.h:2:7: expected ';'"));

  CHECK(folder.run("hipify-clang missing.cu") == 1);
  CHECK_THAT(folder.err, Contains("hipify: error: ") && Contains("missing.cu"));
  CHECK(folder.out.empty());
  fs::create_symlink("nowhere", folder / "dangling.cu");
  CHECK(folder.run("hipify-clang dangling.cu -inplace") == 1);
  CHECK_THAT(folder.err, Contains("dangling.cu"));
  folder.write("secret.cu", "cudaError_t e;\n");
  ::chmod((folder / "secret.cu").c_str(), 0);
  if (::geteuid() != 0) { // root reads everything
    CHECK(folder.run("hipify-clang secret.cu -no-output") == 1);
    CHECK_THAT(folder.err, Contains("secret.cu") && Contains("ermission"));
  }
  // The others are converted.
  folder.write("good.cu", "cudaError_t e;\n");
  CHECK(folder.run("hipify-clang missing.cu good.cu -o-dir out") == 1);
  CHECK(folder.read("out/good.cu") == kInclude + "hipError_t e;\n");
  CHECK(folder.run("hipify-clang good.cu -no-such-option") == 2);
  CHECK(folder.run("hipify-clang -p nowhere") == 2);
}
