// comgr/metadata.h - metadata as comgr gives it out: a tree of texts, maps by sorted keys, and lists. Numbers are
// decimal texts, truth values 1 and 0.
#pragma once

#include "runtime/base/status.h"
#include "runtime/codeobject/bytes.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hip::comgr {

struct MetadataNode;
using Metadata = std::shared_ptr<const MetadataNode>;

struct MetadataNode {
  enum class Kind { Null, Text, Map, List } kind = Kind::Null;
  std::string text;
  std::map<std::string, Metadata> map;
  std::vector<Metadata> list;
};

Metadata metadata_text(std::string text);
// Error: InvalidImage when the bytes are not one MessagePack value whose maps have texts as keys.
Result<Metadata> metadata_from_msgpack(codeobject::Bytes bytes);
// What the metadata notes of one file tell together: the kernels of all of them in their order, and each printf format
// once. Of the rest the first note that has it is right. Error: InvalidImage, also for notes of different versions.
Result<Metadata> metadata_from_notes(std::span<const codeobject::Bytes> notes);

} // namespace hip::comgr
