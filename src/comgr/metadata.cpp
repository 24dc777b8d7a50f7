#include "comgr/metadata.h"

#include "runtime/codeobject/msgpack.h"

#include <algorithm>
#include <set>

namespace hip::comgr {
namespace {

using codeobject::MsgPackReader;
constexpr int kDeepest = 64; // the compiler nests four levels

Status damaged(const MsgPackReader& reader) {
  return error(ErrorCode::InvalidImage, "The metadata is damaged at byte {}.", reader.offset());
}

Result<Metadata> read(MsgPackReader& reader, int depth) {
  using Type = MsgPackReader::Type;
  const auto token = reader.next();
  if (!token || depth > kDeepest) return damaged(reader);
  auto node = std::make_shared<MetadataNode>();
  node->kind = MetadataNode::Kind::Text;
  switch (token->type) {
  case Type::Nil:
    node->kind = MetadataNode::Kind::Null;
    break;
  case Type::Bool:
    node->text = token->flag ? "1" : "0";
    break;
  case Type::UInt:
    node->text = std::to_string(token->number);
    break;
  case Type::Int:
    node->text = std::to_string(static_cast<int64_t>(token->number));
    break;
  case Type::Float:
    node->text = std::to_string(token->real);
    break;
  case Type::Text:
  case Type::Binary:
  case Type::Extension:
    node->text = codeobject::as_text(token->payload);
    break;
  case Type::Array:
    node->kind = MetadataNode::Kind::List;
    for (uint32_t i = 0; i < token->count; ++i) {
      RT_TRY_ASSIGN(Metadata element, read(reader, depth + 1));
      node->list.push_back(std::move(element));
    }
    break;
  case Type::Map:
    node->kind = MetadataNode::Kind::Map;
    for (uint32_t i = 0; i < token->count; ++i) {
      RT_TRY_ASSIGN(const Metadata key, read(reader, depth + 1));
      if (key->kind != MetadataNode::Kind::Text) return damaged(reader);
      RT_TRY_ASSIGN(Metadata value, read(reader, depth + 1));
      node->map.insert_or_assign(key->text, std::move(value));
    }
    break;
  }
  return Metadata(std::move(node));
}

constexpr std::string_view kVersion = "amdhsa.version", kKernels = "amdhsa.kernels", kPrintf = "amdhsa.printf";

// Of flat lists, as versions are.
bool is_same_list(const MetadataNode& a, const MetadataNode& b) {
  const auto text = [](const Metadata& element) -> const std::string& { return element->text; };
  return a.kind == b.kind && std::ranges::equal(a.list, b.list, {}, text, text);
}

} // namespace

Metadata metadata_text(std::string text) {
  auto node = std::make_shared<MetadataNode>();
  node->kind = MetadataNode::Kind::Text;
  node->text = std::move(text);
  return node;
}

Result<Metadata> metadata_from_msgpack(codeobject::Bytes bytes) {
  MsgPackReader reader(bytes);
  return read(reader, 0);
}

Result<Metadata> metadata_from_notes(std::span<const codeobject::Bytes> notes) {
  if (notes.size() == 1) return metadata_from_msgpack(notes.front());
  auto whole = std::make_shared<MetadataNode>();
  whole->kind = MetadataNode::Kind::Map;
  std::shared_ptr<MetadataNode> kernels, formats; // lists of `whole`
  std::set<std::string_view> known_formats;
  for (const codeobject::Bytes note : notes) {
    RT_TRY_ASSIGN(const Metadata part, metadata_from_msgpack(note));
    if (part->kind != MetadataNode::Kind::Map) return error(ErrorCode::InvalidImage, "A metadata note is no map.");
    for (const auto& [key, value] : part->map) {
      if (key != kKernels && key != kPrintf) {
        const auto [known, is_new] = whole->map.emplace(key, value);
        if (!is_new && key == kVersion && !is_same_list(*known->second, *value))
          return error(ErrorCode::InvalidImage, "The metadata notes have different versions.");
        continue;
      }
      if (value->kind != MetadataNode::Kind::List)
        return error(ErrorCode::InvalidImage, "The metadata's \"{}\" is no list.", key);
      std::shared_ptr<MetadataNode>& list = key == kKernels ? kernels : formats;
      if (!list) {
        list = std::make_shared<MetadataNode>();
        list->kind = MetadataNode::Kind::List;
        whole->map.emplace(key, list);
      }
      for (const Metadata& element : value->list)
        if (key == kKernels || known_formats.insert(element->text).second) list->list.push_back(element);
    }
  }
  return Metadata(std::move(whole));
}

} // namespace hip::comgr
