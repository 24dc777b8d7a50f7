// hipify/exact/parse_job.h - the process that compiles: hipify-clang starts itself once per source, so that a crash of
// the parser ends that process and nothing else.
#pragma once

#include <string>
#include <vector>

namespace hip::hipify {

// The first word of such a process's command line. What follows: the folders of CUDA's headers, each with "-f"; "-r
// FILE", which names files that are read from elsewhere, each name and place with a zero behind it; "-p FILE" where it
// compiles a header, whose tree goes to FILE for other compilations to begin with; then for each compilation "--" and
// the words of clang's driver, beginning with its path.
constexpr const char* kParseJob = "--hipify-parse-job";
// The descriptor that the knowledge is written to, as text.
constexpr int kKnowledgeDescriptor = 3;

int run_parse_job(const std::vector<std::string>& words);

} // namespace hip::hipify
