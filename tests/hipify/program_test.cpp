// The built program on real files: outputs, faults, exit codes, scripts.
#include "folder.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>

namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kSource = "cudaMalloc(&p, n);\n";
constexpr const char* kConverted = "hipMalloc(&p, n);\n";

} // namespace

TEST_CASE("one file to standard output, to a file, and from standard input") {
  Folder folder;
  folder.write("a.cpp", kSource);
  CHECK(folder.run("hipify-perl a.cpp") == 0);
  CHECK(folder.out == kConverted);
  CHECK(folder.err.empty());
  CHECK(folder.run("hipify a.cpp -o b.cpp") == 0);
  CHECK(folder.read("b.cpp") == kConverted);
  CHECK(folder.out.empty());
  CHECK(folder.run("hipify-perl - <a.cpp") == 0);
  CHECK(folder.out == std::string("#include <hip/hip_runtime.h>\n") + kConverted); // as a .cu file
  CHECK(folder.files() == "a.cpp b.cpp");
}

TEST_CASE("the table is written as documents") {
  Folder folder;
  CHECK(folder.run("hipify-perl -md -o-dir=t") == 0);
  CHECK(folder.files() == "t/cub.md t/cublas.md t/cucomplex.md t/cudnn.md t/cufft.md t/curand.md t/cusolver.md "
                          "t/cusparse.md t/cutensor.md t/driver.md t/nccl.md t/nvrtc.md t/nvtx.md t/runtime.md");
  CHECK_THAT(folder.read("t/driver.md"), Contains("|`cuInit`|"));
  CHECK(folder.run("hipify-perl -csv") == 0);
  CHECK_THAT(folder.read("nvrtc.csv"), Contains("\nnvrtcCreateProgram,NVRTC functions,"));
  folder.write("file", "");
  CHECK(folder.run("hipify-perl -md -o-dir=file/t") == 2);
  CHECK_THAT(folder.err, Contains("cannot be made"));
}

TEST_CASE("in place, with the original kept, again and again") {
  Folder folder;
  folder.write("a.cpp", kSource);
  fs::permissions(folder / "a.cpp", fs::perms(0640));
  CHECK(folder.run("hipify-perl -inplace a.cpp") == 0);
  CHECK(folder.read("a.cpp") == kConverted);
  CHECK(folder.read("a.cpp.prehip") == kSource);
  CHECK(fs::status(folder / "a.cpp").permissions() == fs::perms(0640));
  folder.write("a.cpp", "changed since");
  CHECK(folder.run("hipify-perl -inplace a.cpp") == 0);
  CHECK(folder.read("a.cpp") == kConverted);
  CHECK(folder.read("a.cpp.prehip") == kSource);
  CHECK(folder.files() == "a.cpp a.cpp.prehip");
}

TEST_CASE("in place without a copy, and where there is nothing to do") {
  Folder folder;
  folder.write("a.cpp", kSource);
  folder.write("b.cpp", "int main() {}\n");
  const auto before = fs::last_write_time(folder / "b.cpp");
  CHECK(folder.run("hipify-perl -inplace -no-backup a.cpp") == 0);
  CHECK(folder.run("hipify-perl -inplace b.cpp") == 0);
  CHECK(folder.read("a.cpp") == kConverted);
  CHECK(fs::last_write_time(folder / "b.cpp") == before);
  CHECK(folder.files() == "a.cpp b.cpp");
}

TEST_CASE("a link is followed, not replaced") {
  Folder folder;
  folder.write("real/a.cpp", kSource);
  fs::create_symlink("real/a.cpp", folder / "a.cpp");
  CHECK(folder.run("hipify-perl -inplace -no-backup a.cpp") == 0);
  CHECK(fs::is_symlink(folder / "a.cpp"));
  CHECK(folder.read("real/a.cpp") == kConverted);
}

TEST_CASE("folders") {
  Folder folder;
  folder.write("src/a.cu", "#include \"sub/b.cuh\"\ncudaCheck(cudaFree(p));\n");
  folder.write("src/sub/b.cuh", "#define cudaCheck(x) x\ncudaError_t e;\n");
  folder.write("src/sub/c.txt", "cudaFree");
  folder.write("src/.git/d.cu", "cudaFree");
  folder.write("src/skip/e.cu", "cudaFree");
  folder.write("src/f.H", "cudaFree");
  CHECK(folder.run("hipify-perl src -o-dir out -exclude-dirs=skip -exclude-files=f.H -j 2") == 0);
  CHECK(folder.err == "hipify: 'src/f.H' is excluded\nhipify: 'src/skip/e.cu' is excluded\n");
  CHECK(folder.read("out/a.cu") == "#include <hip/hip_runtime.h>\n#include \"sub/b.cuh\"\ncudaCheck(hipFree(p));\n");
  CHECK(folder.read("out/sub/b.cuh") == "#define cudaCheck(x) x\nhipError_t e;\n");
  CHECK_FALSE(fs::exists(folder / "out/skip/e.cu"));
  CHECK_FALSE(fs::exists(folder / "out/f.H"));
  CHECK_FALSE(fs::exists(folder / "out/sub/c.txt"));
  CHECK_FALSE(fs::exists(folder / "out/d.cu"));
  CHECK(folder.run("hipify-perl src") == 2); // where to?
  CHECK_THAT(folder.err, Contains("'src' is a folder"));
}

TEST_CASE("files of a compilation database") {
  Folder folder;
  folder.write("src/a.cpp", kSource);
  folder.write("build/compile_commands.json", "[{\"directory\": \"" + (folder / "src").string() +
                                                  "\", \"command\": \"c++ a.cpp\", \"file\": \"a.cpp\"}]");
  CHECK(folder.run("hipify-perl -p build -o-dir out") == 0);
  CHECK(folder.read("out/a.cpp") == kConverted);
  CHECK(folder.run("hipify-perl build/compile_commands.json -inplace") == 0);
  CHECK(folder.read("src/a.cpp") == kConverted);
  folder.write("build/compile_commands.json", "[");
  CHECK(folder.run("hipify-perl -p build -o-dir out") == 2);
}

TEST_CASE("statistics and the report") {
  Folder folder;
  folder.write("a.cpp", std::string(kSource) + "cudaNewer();\n");
  folder.write("b.cpp", kSource);
  CHECK(folder.run("hipify-perl -examine a.cpp b.cpp") == 0);
  CHECK(folder.out.empty());
  CHECK_THAT(folder.err, Contains("file 'a.cpp' statistics") && Contains("file 'GLOBAL' statistics") &&
                             Contains("a.cpp:2:1: warning: 'cudaNewer'"));
  CHECK(folder.run("hipify-perl -no-output -quiet-warnings -print-stats-csv -o-stats s.csv -report=r.md a.cpp b.cpp") ==
        0);
  CHECK(folder.err.empty());
  CHECK_THAT(folder.read("s.csv"), Contains("b.cpp,converted,cudaMalloc,hipMalloc,1\n"));
  CHECK_THAT(folder.read("r.md"), Contains("| 2:1 | `cudaNewer` | unknown |"));
  CHECK(folder.files() == "a.cpp b.cpp r.md s.csv");
}

TEST_CASE("exit codes") {
  Folder folder;
  folder.write("a.cpp", kSource);
  folder.write("b.cpp", "cudaNewer();\n");
  CHECK(folder.run("hipify-perl -fail-on-warnings a.cpp") == 0);
  CHECK(folder.run("hipify-perl b.cpp") == 0);
  CHECK(folder.run("hipify-perl -fail-on-warnings b.cpp") == 3);
  CHECK(folder.run("hipify-perl") == 2);
  CHECK(folder.run("hipify-perl -nonsense") == 2);
  // One file fails, the other is converted all the same.
  CHECK(folder.run("hipify-perl none.cpp a.cpp -o-dir out") == 1);
  CHECK_THAT(folder.err, Contains("hipify: error: 'none.cpp' cannot be opened: No such file"));
  CHECK(folder.read("out/a.cpp") == kConverted);
}

TEST_CASE("what is no text is refused and unchanged") {
  Folder folder;
  const std::string utf16("\xff\xfe"
                          "c\0u\0",
                          6),
      utf32("\xff\xfe\0\0c\0\0\0", 8),
      binary("\x7f"
             "ELF\0\1",
             6);
  folder.write("a.cu", utf16);
  folder.write("b.cu", utf32);
  folder.write("c.cu", binary);
  CHECK(folder.run("hipify-perl -inplace a.cu b.cu c.cu") == 1);
  CHECK_THAT(folder.err, Contains("'a.cu' is in UTF-16; convert it to UTF-8 first"));
  CHECK_THAT(folder.err, Contains("'b.cu' is in UTF-32"));
  CHECK_THAT(folder.err, Contains("'c.cu' is no text: byte 4 is zero"));
  CHECK(folder.read("a.cu") == utf16);
  CHECK(folder.read("b.cu") == utf32);
  CHECK(folder.read("c.cu") == binary);
  CHECK(folder.files() == "a.cu b.cu c.cu");
}

TEST_CASE("the input is not overwritten unless asked") {
  Folder folder;
  folder.write("a.cpp", kSource);
  fs::create_hard_link(folder / "a.cpp", folder / "b.cpp");
  CHECK(folder.run("hipify-perl a.cpp -o a.cpp") == 1);
  CHECK_THAT(folder.err, Contains("is the input itself"));
  CHECK(folder.run("hipify-perl a.cpp -o b.cpp") == 1);
  CHECK(folder.run("hipify-perl a.cpp -o-dir .") == 1);
  CHECK(folder.read("a.cpp") == kSource);
  folder.write("x/c.cpp", kSource);
  folder.write("y/c.cpp", "cudaFree(p);\n");
  CHECK(folder.run("hipify-perl x/c.cpp y/c.cpp -o-dir out") == 1); // two of one name
  CHECK_THAT(folder.err, Contains("is that of 'x/c.cpp' already"));
  CHECK(folder.read("out/c.cpp") == kConverted);
  CHECK(folder.run("hipify-perl x/c.cpp y/c.cpp -o both.cpp") == 2);
}

TEST_CASE("read-only files and full disks") {
  Folder folder;
  folder.write("a.cpp", kSource);
  fs::permissions(folder / "a.cpp", fs::perms(0444));
  CHECK(folder.run("hipify-perl -inplace a.cpp") == 1);
  CHECK_THAT(folder.err, Contains("'a.cpp' is read-only"));
  CHECK(folder.files() == "a.cpp");
  CHECK(folder.run("hipify-perl a.cpp -o b.cpp") == 0); // the copy can be written
  CHECK(folder.read("b.cpp") == kConverted);
  CHECK(folder.run("hipify-perl a.cpp -o none/x/c.cpp") == 0);
  CHECK(folder.read("none/x/c.cpp") == kConverted);
  CHECK(folder.run("hipify-perl a.cpp -o a.cpp/c.cpp") == 1);
  if (fs::exists("/dev/full")) {
    CHECK(folder.run("hipify-perl a.cpp -o /dev/full") == 1);
    CHECK_THAT(folder.err, Contains("No space left"));
    folder.write("d.cpp", kSource);
    CHECK(std::system(
              ("cd '" + (folder / "").string() + "' && '" OMNIHIP_SDK_DIR "/bin/hipify-perl' d.cpp >/dev/full 2>&1")
                  .c_str()) != 0);
  }
  // A limit on the size of files is the nearest to a full disk: the source stays, and no half file.
  folder.write("e.cpp", std::string(100000, ' ') + kSource);
  const std::string before = folder.read("e.cpp");
  const std::string command = "cd '" + (folder / "").string() +
                              "' && (trap '' XFSZ; ulimit -f 8; exec '" OMNIHIP_SDK_DIR
                              "/bin/hipify-perl' -inplace e.cpp) 2>/dev/null";
  CHECK(std::system(command.c_str()) != 0);
  CHECK(folder.read("e.cpp") == before);
  CHECK_FALSE(fs::exists(folder / "e.cpp.prehip"));
  CHECK_THAT(folder.files(), !Contains("hipify-"));
}

TEST_CASE("requests") {
  Folder folder;
  CHECK(folder.run("hipify-perl --version") == 0);
  CHECK_THAT(folder.out, Contains("HIP version "));
  CHECK(folder.run("hipify-perl -versions") == 0);
  CHECK_THAT(folder.out, Contains("CUDA version "));
  CHECK(folder.run("hipify-perl -help") == 0);
  CHECK_THAT(folder.out, Contains("-hip-kernel-execution-syntax") && Contains("Exit codes"));
}

TEST_CASE("the scripts") {
  Folder folder;
  folder.write("src/a.cpp", kSource);
  CHECK(folder.run("hipexamine-perl.sh src") == 0);
  CHECK_THAT(folder.err, Contains("CONVERTED refs count: 1"));
  CHECK(folder.run("hipexamine.sh src -- -std=c++17") == 0);
  CHECK_THAT(folder.err, Contains("CONVERTED refs count: 1"));
  CHECK(folder.read("src/a.cpp") == kSource);
  CHECK(folder.run("hipconvertinplace-perl.sh src -quiet-warnings") == 0);
  CHECK(folder.read("src/a.cpp") == kConverted);
  CHECK(folder.run("hipconvertinplace.sh src") == 0);
  CHECK(folder.read("src/a.cpp") == kConverted);
  CHECK(folder.run("hipexamine.sh") == 2);
  if (std::system("perl -e 1 2>/dev/null") != 0) return;
  folder.write("b.cpp", kSource); // Perl starts AMD's hipify-perl, and starts this one
  const std::string by_perl =
      "cd '" + (folder / "").string() + "' && perl '" OMNIHIP_SDK_DIR "/bin/hipify-perl' b.cpp >b.out";
  CHECK(std::system(by_perl.c_str()) == 0);
  CHECK(folder.read("b.out") == kConverted);
}
