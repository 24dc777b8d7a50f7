// Texture and surface functions: the instructions that they become for NVIDIA GPUs, and what happens elsewhere. Where
// ptxas is, it accepts them.
#include "command.h"
#include "nvidia.h"

#include <catch2/catch.hpp>

#include <regex>
#include <set>
#include <unistd.h>

using namespace hip::hipcc;

namespace {

// A kernel whose body is `body`, for one type of element T.
std::string kernel_of(const std::string& type, const std::string& body) {
  return "#include <hip/hip_runtime.h>\n"
         "typedef " +
         type +
         " T;\n"
         "__global__ void k(T* out, hipTextureObject_t o, hipSurfaceObject_t s, float4 p, float2 g, int i, int j) {\n" +
         body + "\n}\n";
}

constexpr const char* kTextures = R"(
  out[0] = tex1Dfetch<T>(o, i);
  out[1] = tex1D<T>(o, p.x);
  out[2] = tex2D<T>(o, p.x, p.y);
  out[3] = tex3D<T>(o, p.x, p.y, p.z);
  out[4] = tex1DLayered<T>(o, p.x, i);
  out[5] = tex2DLayered<T>(o, p.x, p.y, i);
  out[6] = texCubemap<T>(o, p.x, p.y, p.z);
  out[7] = texCubemapLayered<T>(o, p.x, p.y, p.z, i);
  out[8] = tex1DLod<T>(o, p.x, p.w);
  out[9] = tex2DLod<T>(o, p.x, p.y, p.w);
  out[10] = tex3DLod<T>(o, p.x, p.y, p.z, p.w);
  out[11] = tex1DLayeredLod<T>(o, p.x, i, p.w);
  out[12] = tex2DLayeredLod<T>(o, p.x, p.y, i, p.w);
  out[13] = texCubemapLod<T>(o, p.x, p.y, p.z, p.w);
  out[14] = texCubemapLayeredLod<T>(o, p.x, p.y, p.z, i, p.w);
  out[15] = tex1DGrad<T>(o, p.x, p.y, p.w);
  out[16] = tex2DGrad<T>(o, p.x, p.y, g, g);
  out[17] = tex3DGrad<T>(o, p.x, p.y, p.z, p, p);
  out[18] = tex1DLayeredGrad<T>(o, p.x, i, p.y, p.w);
  out[19] = tex2DLayeredGrad<T>(o, p.x, p.y, i, g, g);
  out[20] = texCubemapGrad<T>(o, p.x, p.y, p.z, p, p);
  out[21] = texCubemapLayeredGrad<T>(o, p.x, p.y, p.z, i, p, p);
  out[22] = tex2Dgather<T>(o, p.x, p.y, 0);
  out[23] = tex2Dgather<T>(o, p.x, p.y, 1);
  out[24] = tex2Dgather<T>(o, p.x, p.y, 2);
  out[25] = tex2Dgather<T>(o, p.x, p.y, 3);
  tex2D(&out[26], o, p.y, p.x);)";

constexpr const char* kSurfaces = R"(
  surf1Dread(&out[0], s, i);
  surf1Dwrite(out[1], s, i, hipBoundaryModeTrap);
  surf2Dread(&out[2], s, i, j, hipBoundaryModeClamp);
  surf2Dwrite(out[3], s, i, j);
  surf3Dread(&out[4], s, i, j, 7, hipBoundaryModeTrap);
  surf3Dwrite(out[5], s, i, j, 7, hipBoundaryModeClamp);
  surf1DLayeredread(&out[6], s, i, j);
  surf1DLayeredwrite(out[7], s, i, j);
  surf2DLayeredread(&out[8], s, i, j, 7, hipBoundaryModeClamp);
  surf2DLayeredwrite(out[9], s, i, j, 7, hipBoundaryModeTrap);
  surfCubemapread(&out[10], s, i, j, 3);
  surfCubemapwrite(out[11], s, i, j, 3);
  surfCubemapLayeredread(&out[12], s, i, j, 3, 2);
  surfCubemapLayeredwrite(out[13], s, i, j, 3, 2);)";

// Of the instructions that are named `pattern`, what the names say.
std::set<std::string> instructions(const std::string& ptx, const char* pattern) {
  const std::regex regex(pattern);
  std::set<std::string> names;
  for (std::sregex_iterator it(ptx.begin(), ptx.end(), regex), end; it != end; ++it) names.insert(it->str());
  return names;
}

class Compiled : public test::Folder {
public:
  Compiled(const std::string& source, const char* arch, const char* level) {
    write("a.hip", source);
    const test::Outcome outcome =
        test::hipcc(path(), std::string("--offload-arch=") + arch + " " + level +
                                " -S --offload-device-only -Wall -Werror a.hip -o a.ptx");
    INFO(outcome.output);
    REQUIRE(outcome.code == 0);
    ptx = read("a.ptx");
  }
  // Where ptxas is, and knows the architecture.
  void check_machine_code(const char* arch) const {
    const std::string program = "/usr/local/cuda/bin/ptxas";
    if (access(program.c_str(), X_OK) != 0) return;
    const test::Outcome outcome =
        test::shell(program + " -arch=" + arch + " " + *this / "a.ptx" + " -o " + *this / "a.cubin");
    INFO(outcome.output);
    CHECK(outcome.code == 0);
  }
  std::string ptx;
};

} // namespace

TEST_CASE("each texture function is its instruction, in the type of the element's channels") {
  const std::pair<const char*, const char*> types[] = {
      {"float4", "f32"}, {"char2", "s32"}, {"unsigned short", "u32"}, {"int1", "s32"}, {"uchar4", "u32"}};
  for (const auto& [type, channel] : types) {
    INFO(type);
    const Compiled code(kernel_of(type, kTextures), "sm_90", "-O2");
    std::set<std::string> expected = {std::string("tex.1d.v4.") + channel + ".s32"};
    for (const char* shape : {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"})
      for (const char* level : {"", "level.", "grad."})
        expected.insert(std::string("tex.") + level + shape + ".v4." + channel + ".f32");
    for (const char* channel_of_four : {"r", "g", "b", "a"})
      expected.insert(std::string("tld4.") + channel_of_four + ".2d.v4." + channel + ".f32");
    CHECK(instructions(code.ptx, "(tex|tld4)\\.[a-z0-9.]+") == expected);
    // Gradients and layers are operands of their own.
    CHECK(
        instructions(code.ptx, "tex\\.grad\\.2d[^;]*\\}\\], \\{%r[0-9]+, %r[0-9]+\\}, \\{%r[0-9]+, %r[0-9]+\\};").size() >=
        1);
    CHECK(instructions(code.ptx, "tex\\.a1d[^;]*\\[%rd[0-9]+, \\{%r[0-9]+, %r[0-9]+\\}\\];").size() >= 1);
    code.check_machine_code("sm_90");
  }
}

TEST_CASE("surfaces are moved in one piece, with the boundary mode that the call names") {
  const std::pair<const char*, const char*> types[] = {{"unsigned char", "b8"}, {"short", "b16"},    {"char2", "b16"},
                                                       {"float", "b32"},        {"uchar4", "b32"},   {"int2", "v2.b32"},
                                                       {"ushort4", "v2.b32"},   {"float4", "v4.b32"}};
  for (const auto& [type, size] : types) {
    INFO(type);
    const Compiled code(kernel_of(type, kSurfaces), "sm_90", "-O2");
    std::set<std::string> expected;
    for (const char* name : {"suld.b.1d.*.zero", "sust.b.1d.*.trap", "suld.b.2d.*.clamp", "sust.b.2d.*.zero",
                             "suld.b.3d.*.trap", "sust.b.3d.*.clamp", "suld.b.a1d.*.zero", "sust.b.a1d.*.zero",
                             "suld.b.a2d.*.clamp", "sust.b.a2d.*.trap", "suld.b.a2d.*.zero", "sust.b.a2d.*.zero"}) {
      std::string filled = name;
      filled.replace(filled.find('*'), 1, size);
      expected.insert(filled);
    }
    CHECK(instructions(code.ptx, "(suld|sust)\\.[a-z0-9.]+") == expected);
    code.check_machine_code("sm_90");
  }
}

TEST_CASE("texture functions compile without optimisation, and for the oldest architecture") {
  const Compiled plain(kernel_of("float4", std::string(kTextures) + kSurfaces), "sm_90", "-O0");
  CHECK(instructions(plain.ptx, "tex\\.acube\\.[a-z0-9.]+").size() == 1);
  plain.check_machine_code("sm_90");
  const Compiled old(kernel_of("short4", std::string(kTextures) + kSurfaces), "sm_70", "-O2");
  CHECK(instructions(old.ptx, "tex\\.grad\\.acube\\.[a-z0-9.]+").size() == 1);
}

TEST_CASE("types that are no elements have no texture functions") {
  for (const char* type : {"double", "float3", "long", "void*"}) {
    test::Folder folder;
    folder.write("a.hip", kernel_of(type, "out[0] = tex2D<T>(o, p.x, p.y);"));
    const test::Outcome outcome =
        test::hipcc(folder.path(), "--offload-arch=sm_90 -S --offload-device-only a.hip -o a.ptx");
    INFO(type << "\n" << outcome.output);
    CHECK(outcome.code != 0);
    CHECK(outcome.mentions("no matching function for call to 'tex2D'"));
  }
}

TEST_CASE("in code for AMD GPUs a texture function is an error, unless the program asks first") {
  for (const char* arch : {"gfx942", "gfx1100"}) {
    INFO(arch);
    test::Folder folder;
    folder.write("a.hip", kernel_of("float", "out[0] = tex2D<T>(o, p.x, p.y);\n surf2Dwrite(out[0], s, i, j);"));
    const std::string compile = std::string("--offload-arch=") + arch + " -c a.hip -o a.o";
    const test::Outcome refused = test::hipcc(folder.path(), compile);
    CHECK(refused.code != 0);
    CHECK(refused.mentions("'tex2D<float"));
    CHECK(refused.mentions("'surf2Dwrite<float"));
    CHECK(refused.mentions("__HIP_NO_IMAGE_SUPPORT"));
    // A template that nobody uses is none of the compiler's business.
    folder.write("a.hip", "#include <hip/hip_runtime.h>\n"
                          "template<class T> __device__ T at(hipTextureObject_t o, T x) { return tex1D<T>(o, x); }\n"
                          "__global__ void k(float* out) { out[0] = 1; }\n");
    const test::Outcome unused = test::hipcc(folder.path(), compile);
    INFO(unused.output);
    CHECK(unused.code == 0);
  }
}

// As docs/nvidia.md shows it.
TEST_CASE("one kernel with a path for images and one without, for both vendors") {
  test::Folder folder;
  folder.write("a.hip", R"(
#include <hip/hip_runtime.h>
__global__ void scale(float* out, hipTextureObject_t image, const float* plain, int width) {
  const int x = threadIdx.x, y = blockIdx.x;
#if !defined(__HIP_NO_IMAGE_SUPPORT)
  if (image) { out[y * width + x] = tex2D<float>(image, x + 0.5f, y + 0.5f); return; }
#endif
  out[y * width + x] = plain[y * width + x];
}
int main() {
  float host[64], *plain, *out;
  for (int i = 0; i < 64; ++i) host[i] = float(i);
  if (hipMalloc((void**)&plain, sizeof host) != hipSuccess || hipMalloc((void**)&out, sizeof host) != hipSuccess) return 2;
  if (hipMemcpy(plain, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess) return 3;
  scale<<<8, 8>>>(out, nullptr, plain, 8);
  if (hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost) != hipSuccess) return 4;
  for (int i = 0; i < 64; ++i) if (host[i] != float(i)) return 5;
}
)");
  const test::Outcome built =
      test::hipcc(folder.path(), "--offload-arch=gfx942,sm_75 -Wall -Werror a.hip -o a");
  INFO(built.output);
  REQUIRE(built.code == 0);
  CHECK(test::shell(folder / "a").code == 0);
}
