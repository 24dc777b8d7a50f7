// Bundles against clang's own tool, and their place in an object.
#include "bundle.h"
#include "command.h"
#include "options.h"
#include "toolchain.h"

#include <catch2/catch.hpp>

using namespace hip::hipcc;

namespace {
std::string tool(const char* name) { return find_clang_dir(OMNIHIP_SDK_DIR) + "/" + name; }
} // namespace

TEST_CASE("a bundle is the one that clang-offload-bundler writes") {
  test::Folder folder;
  folder.write("a.co", std::string(5000, 'a'));
  folder.write("b.co", std::string(4096, 'b'));
  folder.write("c.co", "c");
  write_bundle({{"gfx942", folder / "a.co"}, {"gfx90a:sramecc+:xnack-", folder / "b.co"}, {"gfx1100", folder / "c.co"}},
               folder / "own");
  test::Outcome reference =
      test::shell("cd " + folder.path() + " && " + tool("clang-offload-bundler") +
                  " -type=o -bundle-align=4096 -targets=host-x86_64-unknown-linux-gnu,hipv4-amdgcn-amd-amdhsa--gfx942,"
                  "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-,hipv4-amdgcn-amd-amdhsa--gfx1100 "
                  "-input=/dev/null -input=a.co -input=b.co -input=c.co -output=reference");
  INFO(reference.output);
  REQUIRE(reference.code == 0);
  CHECK(folder.read("own") == folder.read("reference"));
}

TEST_CASE("a missing code object is an error that names it") {
  test::Folder folder;
  CHECK_THROWS_WITH(write_bundle({{"gfx942", folder / "absent.co"}}, folder / "out"), Catch::Contains("absent.co"));
}

TEST_CASE("the bundle takes the place of section .hip_fatbin and the object still links") {
  test::Folder folder;
  folder.write("part.s",
               "  .section .hip_fatbin,\"a\"\n  .p2align 12\n  .ascii \"" + std::string(kPlaceholder) +
                   "\"\n  .section .hipFatBinSegment,\"aw\"\n  .globl wrapper\nwrapper:\n  .quad .hip_fatbin\n"
                   "  .section .note.GNU-stack,\"\",@progbits\n");
  folder.write("main.c", "#include <stdio.h>\nextern const char* wrapper;\nint main(void) { puts(wrapper); "
                         "return (unsigned long)wrapper % 4096 != 0; }\n");
  REQUIRE(test::shell("cd " + folder.path() + " && " + tool("clang") + " -c part.s main.c").code == 0);
  std::string payload = "a payload longer than what stood here: " + std::string(10000, 'x');
  folder.write("bundle", payload + '\0');
  embed_bundle(folder / "bundle", folder / "part.o", folder / "part.o");
  test::Outcome run = test::shell("cd " + folder.path() + " && " + tool("clang") + " part.o main.o -o p && ./p");
  CHECK(run.code == 0);
  CHECK(run.output == payload + "\n");
}

TEST_CASE("objects without device code stay as they are; what is no object is refused") {
  test::Folder folder;
  folder.write("plain.c", "int f(void) { return 1; }\n");
  REQUIRE(test::shell("cd " + folder.path() + " && " + tool("clang") + " -c plain.c").code == 0);
  folder.write("bundle", "x");
  std::string before = folder.read("plain.o");
  embed_bundle(folder / "bundle", folder / "plain.o", folder / "plain.o");
  CHECK(folder.read("plain.o") == before);
  embed_bundle(folder / "bundle", folder / "plain.o", folder / "copy.o");
  CHECK(folder.read("copy.o") == before);

  folder.write("text.o", "this is text, long enough to hold an ELF header if it were one, which it is not at all");
  CHECK_THROWS_AS(embed_bundle(folder / "bundle", folder / "text.o", folder / "text.o"), DriverError);
  for (size_t size : {size_t(0), size_t(3), size_t(40), size_t(64), before.size() / 2}) {
    INFO(size);
    folder.write("cut.o", before.substr(0, size));
    CHECK_THROWS_AS(embed_bundle(folder / "bundle", folder / "cut.o", folder / "new.o"), DriverError);
    CHECK_FALSE(folder.has("new.o"));
  }
}

TEST_CASE("an object with its bundle takes the place of an older file as a whole") {
  test::Folder folder;
  folder.write("part.s",
               "  .section .hip_fatbin,\"a\"\n  .p2align 12\n  .ascii \"" + std::string(kPlaceholder) + "\"\n");
  REQUIRE(test::shell("cd " + folder.path() + " && " + tool("clang") + " -c part.s").code == 0);
  const std::string before = folder.read("part.o");
  folder.write("bundle", "the bundle");
  folder.write("old.o", "old");
  // Who has opened the old file goes on reading that.
  REQUIRE(test::shell("ln " + (folder / "old.o") + " " + (folder / "opened")).code == 0);
  embed_bundle(folder / "bundle", folder / "part.o", folder / "old.o");
  CHECK(folder.read("opened") == "old");
  CHECK(folder.read("old.o").ends_with("the bundle"));
  CHECK(folder.read("part.o") == before);
  CHECK(test::shell("ls " + folder.path()).output == "bundle\nold.o\nopened\npart.o\npart.s\n");
}
