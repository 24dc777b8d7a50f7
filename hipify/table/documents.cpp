// Rows of the table to Markdown and CSV.
#include "table/documents.h"

#include <algorithm>

namespace hip::hipify {
namespace {

std::string quoted(std::string_view text) {
  if (text.find_first_of(",\"") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string code(std::string_view text) { return text.empty() ? "" : "`" + std::string(text) + "`"; }

// What HIP has for the name; "no": nothing, and "-": the name is dropped.
std::string counterpart(const Row& row) {
  if (!row.has_hip()) return "no";
  if (row.hip.empty()) return "-";
  return code(row.hip) + (row.flags & kExperimental ? " (experimental)" : "");
}

void append_markdown(std::string& out, const Row& row) {
  const std::string_view advice = row.has_hip() ? std::string_view() : advice_for(row.cuda);
  std::string by_hand;
  for (char c : advice) {
    if (c == '|' || c == '<' || c == '*' || c == '_') by_hand += '\\';
    by_hand += c;
  }
  for (const std::string& cell :
       {code(row.cuda), version_text(row.cuda_added), version_text(row.cuda_deprecated), version_text(row.cuda_removed),
        counterpart(row), row.has_hip() ? version_text(row.hip_added) : "",
        row.has_hip() ? version_text(row.hip_deprecated) : "", row.has_roc() ? code(row.roc) : "", by_hand})
    out.append("|").append(cell);
  out += "|\n";
}

void append_csv(std::string& out, const Row& row) {
  const std::string_view advice = row.has_hip() ? std::string_view() : advice_for(row.cuda);
  bool first = true;
  for (std::string_view field :
       {row.cuda, kind_name(row.kind), row.cuda_added, row.cuda_deprecated, row.cuda_removed,
        row.has_hip() ? row.hip : std::string_view(), row.has_hip() ? row.hip_added : std::string_view(),
        row.has_hip() ? row.hip_deprecated : std::string_view(), row.has_roc() ? row.roc : std::string_view(),
        std::string_view(row.flags & kExperimental ? "yes" : ""), advice}) {
    out.append(first ? "" : ",").append(quoted(field));
    first = false;
  }
  out += "\n";
}

} // namespace

std::string document_name(Api api, DocumentFormat format) {
  std::string name(api_name(api));
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name + (format == DocumentFormat::Csv ? ".csv" : ".md");
}

std::string document(Api api, DocumentFormat format) {
  const bool csv = format == DocumentFormat::Csv;
  std::string out =
      csv ? std::string("cuda,kind,since,deprecated,removed,hip,hip_since,hip_deprecated,roc,experimental,by_hand\n")
          : "# " + std::string(api_name(api)) +
                ": CUDA's names and HIP's\n\nMade by `hipify-perl -md` from hipify/table; not edited by hand. The "
                "first three "
                "versions are CUDA's, the other two HIP's.\n\"7.0 or earlier\": it is in 7.0, and nothing is known of "
                "those before.\n";
  for (size_t kind = 0; kind < kKindCount; ++kind) {
    bool any = false;
    for (size_t i = 0; i < row_count(); ++i) {
      const Row one = row(i);
      if (one.api != api || one.kind != static_cast<Kind>(kind)) continue;
      if (!csv && !any)
        out += "\n## " + std::string(kind_name(one.kind)) +
               "\n\n|CUDA|since|deprecated|removed|HIP|since|deprecated|`-roc`|by "
               "hand|\n|---|---|---|---|---|---|---|---|---|\n";
      any = true;
      csv ? append_csv(out, one) : append_markdown(out, one);
    }
  }
  return out;
}

} // namespace hip::hipify
