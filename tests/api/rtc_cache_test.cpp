// The cache of compiled programs on disk: what is found there, and what is not.
#include "testing.h"

#include <hip/hiprtc.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

// A folder for caches and headers, for the time of a case.
class CacheScope {
public:
  CacheScope() {
    std::string pattern = (fs::temp_directory_path() / "rtc-cache-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()));
    folder_ = pattern;
    if (const char* child = std::getenv("OMNIHIP_RTC_CHILD")) child_ = child;
    unsetenv("OMNIHIP_RTC_CHILD"); // whose results are not kept
    setenv("OMNIHIP_CACHE_DIR", pattern.c_str(), 1);
    setenv("OMNIHIP_CACHE", "1", 1);
  }
  ~CacheScope() {
    unsetenv("OMNIHIP_CACHE_DIR");
    if (!child_.empty()) setenv("OMNIHIP_RTC_CHILD", child_.c_str(), 1);
    setenv("OMNIHIP_CACHE", "0", 1);
    fs::remove_all(folder_);
  }
  const fs::path& folder() const { return folder_; }
  std::vector<fs::path> entries(const char* of = "rtc") const {
    std::vector<fs::path> all;
    std::error_code none;
    for (const auto& file : fs::directory_iterator(folder_ / of, none)) all.push_back(file.path());
    return all;
  }
  std::vector<fs::path> headers() const { return entries("rtc-headers"); }

private:
  fs::path folder_;
  std::string child_;
};

struct Compiled {
  hiprtcResult result;
  std::string log, name;
  std::vector<char> code;
};

Compiled compile(const std::string& source, std::vector<const char*> options = {}, const char* header = "") {
  hiprtcProgram program;
  const char* const name = "named.h";
  REQUIRE(hiprtcCreateProgram(&program, source.c_str(), "test.hip", 1, &header, &name) == HIPRTC_SUCCESS);
  REQUIRE(hiprtcAddNameExpression(program, "k<int>") == HIPRTC_SUCCESS);
  options.push_back("--gpu-architecture=gfx942");
  Compiled out;
  out.result = hiprtcCompileProgram(program, int(options.size()), options.data());
  size_t bytes = 0;
  (void)hiprtcGetProgramLogSize(program, &bytes);
  out.log.resize(bytes);
  if (bytes) (void)hiprtcGetProgramLog(program, out.log.data());
  if (out.result == HIPRTC_SUCCESS) {
    REQUIRE(hiprtcGetCodeSize(program, &bytes) == HIPRTC_SUCCESS);
    out.code.resize(bytes);
    REQUIRE(hiprtcGetCode(program, out.code.data()) == HIPRTC_SUCCESS);
    const char* lowered = nullptr;
    REQUIRE(hiprtcGetLoweredName(program, "k<int>", &lowered) == HIPRTC_SUCCESS);
    out.name = lowered;
  }
  REQUIRE(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
  return out;
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

void flip_bit(const fs::path& path, uintmax_t at) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(std::streamoff(at));
  const char flipped = char(file.get() ^ 1);
  file.seekp(std::streamoff(at));
  file.put(flipped);
}

bool compiler_is_loaded() {
  std::ifstream maps("/proc/self/maps");
  const std::string text(std::istreambuf_iterator<char>(maps), {});
  return text.find("libomnihip_compiler.so") != std::string::npos;
}

const char* const kKernel = "#include \"named.h\"\n#warning a warning\n"
                            "template <class T> __global__ void k(T* p) { *p = VALUE; }\n";

} // namespace

TEST_CASE("Alone: what one process compiled another finds, and loads no compiler", "[.found]") {
  const CacheScope cache;
  const pid_t child = fork();
  if (child == 0) _exit(compile(kKernel, {"-DVALUE=7"}).result == HIPRTC_SUCCESS ? 0 : 1);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  REQUIRE(cache.entries().size() == 1);
  const Compiled found = compile(kKernel, {"-DVALUE=7"});
  REQUIRE(found.result == HIPRTC_SUCCESS);
  CHECK_FALSE(compiler_is_loaded());
  CHECK(found.name == "_Z1kIiEvPT_");
  CHECK(found.log.find("a warning") != std::string::npos);
  setenv("OMNIHIP_CACHE", "0", 1);
  const Compiled fresh = compile(kKernel, {"-DVALUE=7"});
  CHECK(compiler_is_loaded());
  CHECK((fresh.code == found.code && fresh.log == found.log && fresh.name == found.name));
}

TEST_CASE("Each input of a compilation has an entry of its own") {
  const CacheScope cache;
  const Compiled first = compile(kKernel, {"-DVALUE=1"});
  REQUIRE(first.result == HIPRTC_SUCCESS);
  CHECK(cache.entries().size() == 1);
  CHECK((compile(kKernel, {"-DVALUE=1"}).code == first.code));
  CHECK(cache.entries().size() == 1);
  CHECK((compile(kKernel, {"-DVALUE=2"}).code != first.code)); // options
  CHECK(cache.entries().size() == 2);
  CHECK((compile(kKernel, {}, "#define VALUE 3\n").code != first.code)); // a named header
  CHECK((compile(kKernel, {}, "#define VALUE 4\n").code != first.code));
  CHECK(cache.entries().size() == 4);
  CHECK((compile(std::string(kKernel) + "__device__ int v = 1;", {"-DVALUE=1"}).code != first.code)); // the source
  CHECK(cache.entries().size() == 5);
  // A failure is not kept, nor is what tells the time.
  CHECK(compile("#error halt\n").result == HIPRTC_ERROR_COMPILATION);
  CHECK(compile(std::string(kKernel) + "__device__ const char* t = __TIME__;", {"-DVALUE=1"}).result == HIPRTC_SUCCESS);
  CHECK(cache.entries().size() == 5);
  setenv("OMNIHIP_CACHE", "0", 1);
  CHECK(compile(kKernel, {"-DVALUE=9"}).result == HIPRTC_SUCCESS);
  CHECK(cache.entries().size() == 5);
}

TEST_CASE("A file that was included and has changed is read again") {
  const CacheScope cache;
  const fs::path header = cache.folder() / "value.h";
  const std::string source = std::string("#include \"value.h\"\n") + kKernel;
  const std::string folder = "-I" + cache.folder().string();
  write(header, "#define VALUE 1\n");
  const Compiled first = compile(source, {folder.c_str()});
  INFO(first.log);
  REQUIRE(first.result == HIPRTC_SUCCESS);
  CHECK((compile(source, {folder.c_str()}).code == first.code));
  write(header, "#define VALUE 2\n");
  fs::last_write_time(header, fs::last_write_time(header) + std::chrono::seconds(5)); // clocks may be coarse
  const Compiled second = compile(source, {folder.c_str()});
  REQUIRE(second.result == HIPRTC_SUCCESS);
  CHECK((second.code != first.code));
  fs::remove(header);
  CHECK(compile(source, {folder.c_str()}).result == HIPRTC_ERROR_COMPILATION);
}

TEST_CASE("A damaged entry is as good as none") {
  const CacheScope cache;
  const Compiled first = compile(kKernel, {"-DVALUE=1"});
  REQUIRE(cache.entries().size() == 1);
  const fs::path entry = cache.entries()[0];
  const auto size = fs::file_size(entry);
  for (const uintmax_t at : {uintmax_t{0}, uintmax_t{30}, size / 2, size - 1}) {
    flip_bit(entry, at);
    CHECK((compile(kKernel, {"-DVALUE=1"}).code == first.code));
    CHECK(fs::file_size(entry) == size); // written anew
  }
  fs::resize_file(entry, size / 2);
  CHECK((compile(kKernel, {"-DVALUE=1"}).code == first.code));
}

TEST_CASE("HIP's headers are parsed once for options that the SDK has none for") {
  const std::string options[] = {"-std=c++14", "-mcumode"};
  const auto make = [&](int value, const std::string& more = "-DMORE") {
    const std::string macro = "-DVALUE=" + std::to_string(value);
    return compile(kKernel, {options[0].c_str(), options[1].c_str(), macro.c_str(), more.c_str()});
  };
  setenv("OMNIHIP_CACHE", "0", 1);
  const Compiled first = make(1), second = make(2);
  REQUIRE((first.result == HIPRTC_SUCCESS && first.code != second.code));
  const CacheScope cache;
  CHECK((make(1).code == first.code));
  REQUIRE(cache.headers().size() == 1);
  const fs::path header = cache.headers()[0];
  const auto written = fs::last_write_time(header);
  const auto size = fs::file_size(header);
  const Compiled found = make(2);
  CHECK((found.code == second.code && found.log == second.log));
  CHECK(cache.headers().size() == 1);
  CHECK(compile(kKernel, {"-DVALUE=1"}).result == HIPRTC_SUCCESS); // the SDK's
  CHECK(cache.headers().size() == 1);
  CHECK(compile(kKernel, {"-DVALUE=1", "-std=c++14"}).result == HIPRTC_SUCCESS);
  CHECK(cache.headers().size() == 2);
  // One that is damaged is made anew.
  flip_bit(header, size / 2);
  CHECK((make(3).result == HIPRTC_SUCCESS));
  CHECK(cache.headers().size() == 2);
  CHECK(fs::last_write_time(header) > written);
  CHECK(fs::file_size(header) == size);
}

TEST_CASE("Macros that HIP's headers ask for have headers of their own") {
  const std::string source = "template <class T> __global__ void k(T* p) { *p = sizeof(ptrdiff_t); }\n"
                             "static_assert(__hip_internal::is_same<ptrdiff_t, EXPECTED>::value, \"\");\n";
  const CacheScope cache;
  for (int round = 0; round < 2; ++round) {
    INFO("round " << round);
    for (const char* standard : {"-std=c++14", "-std=c++17"}) {
      CHECK(compile(source, {standard, "-DEXPECTED=long long", "-D__HIPRTC_PTRDIFF_T_IS_LONG_LONG__=1"}).result ==
            HIPRTC_SUCCESS);
      CHECK(compile(source, {standard, "-DEXPECTED=long", "-D__HIPRTC_PTRDIFF_T_IS_LONG_LONG__=0"}).result ==
            HIPRTC_SUCCESS);
    }
    fs::remove_all(cache.folder() / "rtc"); // but not the headers
    // Without a macro, and with each of two, for one standard; with each of two for that of the SDK's headers.
    CHECK(cache.headers().size() == 5);
  }
  const std::string asserts = "template <class T> __global__ void k(T* p) { assert(*p > 1); }\n";
  const size_t with = compile(asserts).code.size(), without = compile(asserts, {"-DNDEBUG"}).code.size();
  CHECK(without < with);
  CHECK(cache.headers().size() == 6);
}

TEST_CASE("Macros that are called as something in HIP's headers are the program's alone") {
  const std::string source = "template <class> __global__ void k(T* value) { *value = n + N; }\n";
  const std::vector<const char*> macros = {"-DT=float", "-Dn=4",       "-DN=64",   "-Dvalue=pointer",
                                           "-DOp=+",    "-Dmask(x)=x", "-DNDEBUG", "-Ufirst"};
  const CacheScope cache;
  setenv("OMNIHIP_CACHE", "0", 1);
  const Compiled first = compile(source, macros);
  INFO(first.log);
  REQUIRE(first.result == HIPRTC_SUCCESS);
  setenv("OMNIHIP_CACHE", "1", 1);
  for (int round = 0; round < 2; ++round) {
    CHECK((compile(source, macros).code == first.code));
    CHECK(cache.headers().size() == 1); // of NDEBUG
    fs::remove_all(cache.folder() / "rtc");
  }
}

TEST_CASE("A program's folders have no part in HIP's headers, and its warnings neither") {
  const CacheScope cache;
  fs::create_directories(cache.folder() / "hip/detail");
  write(cache.folder() / "hip/detail/warp.h", "#error not HIP's\n");
  write(cache.folder() / "hip/hip_fp16.h", "#error not HIP's\n");
  const std::string folder = "-I" + cache.folder().string();
  const std::string source = "template <class T> __global__ void k(T* p) { *p = 1; }\n";
  const Compiled made = compile(source, {"-std=c++14", folder.c_str(), "-Wall", "-Werror", "-Wundef"});
  INFO(made.log);
  REQUIRE(made.result == HIPRTC_SUCCESS);
  CHECK(cache.headers().size() == 1);
  CHECK((compile(source, {"-std=c++14"}).code == made.code));
  CHECK(cache.headers().size() == 1);
}

TEST_CASE("The cache keeps below its limit") {
  const CacheScope cache;
  setenv("OMNIHIP_CACHE_MB", "1", 1);
  const std::string padding(200000, ' ');
  for (int i = 0; i < 8; ++i)
    CHECK(compile(kKernel + padding, {("-DVALUE=" + std::to_string(i)).c_str()}).result == HIPRTC_SUCCESS);
  unsetenv("OMNIHIP_CACHE_MB");
  uintmax_t total = 0;
  for (const fs::path& entry : cache.entries()) total += fs::file_size(entry);
  CHECK(total <= (1u << 20));
  CHECK(total > (1u << 18));
}
