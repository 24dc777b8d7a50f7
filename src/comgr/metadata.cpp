#include "comgr/metadata.h"

#include "runtime/codeobject/msgpack.h"

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

} // namespace hip::comgr
