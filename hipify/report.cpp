// Findings to text.
#include "report.h"

#include <set>

namespace hip::hipify {
namespace {

std::string place(const FileResult& file, const Finding& finding) {
  return file.name + ":" + std::to_string(finding.line) + ":" + std::to_string(finding.column);
}

std::string_view warning_name(Finding::Kind kind) {
  switch (kind) {
  case Finding::Kind::Unsupported:
    return "unsupported";
  case Finding::Kind::Experimental:
    return "experimental";
  case Finding::Kind::Unknown:
    return "unknown";
  default:
    return "look";
  }
}

// A cell of a Markdown table, as code.
std::string code(std::string_view text) {
  if (text.empty()) return "";
  std::string out = "`";
  for (char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' || c == '\r' || c == '`' ? ' ' : c;
  }
  return out + "`";
}

std::string cell(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '_') out += '\\';
    out += c;
  }
  return out;
}

std::string number(size_t value) { return std::to_string(value); }

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

void append_lines(std::string& out, const std::set<uint32_t>& lines) {
  bool first = true;
  for (uint32_t line : lines) {
    out.append(first ? "" : ", ").append(number(line));
    first = false;
  }
}

// The table of what is left to do in a file.
void report_warnings(std::string& out, const FileResult& file) {
  std::string rows;
  for (const Finding& finding : file.conversion.findings) {
    if (!finding.is_warning()) continue;
    rows += "| " + number(finding.line) + ":" + number(finding.column) + " | " + code(finding.name) + " | " +
            std::string(warning_name(finding.kind)) + " | " + cell(finding.message) + " |\n";
  }
  if (!rows.empty()) out += "\nLeft to do:\n\n| place | name | kind | what |\n|---|---|---|---|\n" + rows;
}

// What was replaced, a row per name with its lines; then what was rewritten otherwise.
void report_conversions(std::string& out, const FileResult& file) {
  struct Place {
    std::string api;
    std::string note;
    size_t count = 0;
    std::set<uint32_t> lines;
  };
  std::map<std::pair<std::string, std::string>, Place> places;
  std::string rewritten;
  size_t launches = 0;
  for (const Finding& finding : file.conversion.findings) {
    if (finding.kind == Finding::Kind::Converted) {
      Place& entry = places[{finding.name, finding.replacement}];
      entry.api = finding.has_row
                      ? std::string(api_name(finding.row_api)) + ", " + std::string(kind_name(finding.row_kind))
                      : "";
      if (!finding.message.empty()) entry.note = finding.message;
      ++entry.count;
      entry.lines.insert(finding.line);
    } else if (finding.kind == Finding::Kind::Rewritten) {
      rewritten += "| " + number(finding.line) + " | " + code(finding.name) + " | " + cell(finding.message) + " |\n";
    } else if (finding.kind == Finding::Kind::Launch) {
      ++launches;
    }
  }
  if (!places.empty())
    out += "\nConverted:\n\n| CUDA | HIP | of | times | lines | note |\n|---|---|---|---:|---|---|\n";
  for (const auto& [names, entry] : places) {
    out += "| " + code(names.first) + " | " + (names.second.empty() ? "–" : code(names.second)) + " | " + entry.api +
           " | " + number(entry.count) + " | ";
    append_lines(out, entry.lines);
    out += " | " + cell(entry.note) + " |\n";
  }
  if (!rewritten.empty()) out += "\nRewritten:\n\n| line | what | how |\n|---|---|---|\n" + rewritten;
  if (launches) out += "\nKernel launches: " + number(launches) + ".\n";
}

// What part of the program builds, as far as names tell: a name without a counterpart is still there when it is
// compiled.
std::string building_report(const std::vector<FileResult>& files) {
  size_t whole = 0, looks = 0, waits = 0;
  for (const FileResult& file : files) {
    bool look = false, wait = !file.error.empty();
    for (const Finding& finding : file.conversion.findings) {
      look |= finding.is_warning();
      wait |= finding.is_warning() && finding.kind != Finding::Kind::Look;
    }
    ++(wait ? waits : look ? looks : whole);
  }
  return "\nOf " + number(files.size()) + (files.size() == 1 ? " file " : " files ") + number(whole) +
         " should build as converted, " + number(looks) + " have places to look at, and " + number(waits) +
         " name what HIP does not have, or were not converted.\n";
}

} // namespace

void Counts::add(const Conversion& conversion) {
  lines += conversion.lines;
  for (const Finding& finding : conversion.findings) {
    warnings += finding.is_warning();
    launches += finding.kind == Finding::Kind::Launch;
    rewritten += finding.kind == Finding::Kind::Rewritten;
    const bool same = finding.kind == Finding::Kind::Same;
    if (finding.kind != Finding::Kind::Converted && !same) continue;
    ++references;
    unchanged += same;
    ++by_kind[std::string(kind_name(finding.row_kind))];
    ++by_api[std::string(api_name(finding.row_api))];
    if (!same) ++converted[finding.name][finding.replacement];
  }
}

std::string warnings_text(const FileResult& file) {
  std::string out;
  for (const Finding& finding : file.conversion.findings) {
    if (!finding.is_warning()) continue;
    out += place(file, finding) + ": warning: " + (finding.name.empty() ? "" : "'" + finding.name + "' ") +
           (finding.kind == Finding::Kind::Look ? "needs a look: " : "") + finding.message + " [" +
           std::string(warning_name(finding.kind)) + "]\n";
  }
  return out;
}

std::string statistics_text(const std::string& name, const Counts& counts) {
  std::string out = "\n[HIPIFY] info: file '" + name + "' statistics:\n";
  out += "  CONVERTED refs count: " + number(counts.references) + "\n";
  out += "  UNCHANGED refs count: " + number(counts.unchanged) + "\n";
  out += "  KERNEL launches: " + number(counts.launches) + "\n";
  out += "  REWRITTEN calls: " + number(counts.rewritten) + "\n";
  out += "  TOTAL lines of code: " + number(counts.lines) + "\n";
  out += "  WARNINGS: " + number(counts.warnings) + "\n";
  out += "[HIPIFY] info: CONVERTED refs by type:\n";
  for (const auto& [kind, count] : counts.by_kind) out += "  " + kind + ": " + number(count) + "\n";
  out += "[HIPIFY] info: CONVERTED refs by API:\n";
  for (const auto& [api, count] : counts.by_api) out += "  " + api + ": " + number(count) + "\n";
  out += "[HIPIFY] info: CONVERTED refs by names:\n";
  for (const auto& [cuda, targets] : counts.converted) {
    for (const auto& [hip, count] : targets) out += "  " + cuda + " => " + hip + ": " + number(count) + "\n";
  }
  return out;
}

std::string statistics_csv(const std::vector<FileResult>& files) {
  std::string out = "file,what,cuda,hip,count\n";
  for (const FileResult& file : files) {
    if (!file.error.empty()) continue;
    Counts counts;
    counts.add(file.conversion);
    const std::string name = csv_field(file.name);
    const auto line = [&](const char* what, size_t count) { out += name + "," + what + ",,," + number(count) + "\n"; };
    line("lines", counts.lines);
    line("references", counts.references);
    line("unchanged", counts.unchanged);
    line("launches", counts.launches);
    line("rewritten", counts.rewritten);
    line("warnings", counts.warnings);
    for (const auto& [cuda, targets] : counts.converted) {
      for (const auto& [hip, count] : targets)
        out += name + ",converted," + csv_field(cuda) + "," + csv_field(hip) + "," + number(count) + "\n";
    }
  }
  return out;
}

std::string markdown_report(const std::vector<FileResult>& files) {
  std::string out =
      "# Conversion from CUDA to HIP\n\n| file | lines | converted | launches | rewritten | left to do |\n"
      "|---|---:|---:|---:|---:|---:|\n";
  Counts total;
  for (const FileResult& file : files) {
    if (!file.error.empty()) {
      out += "| " + code(file.name) + " | not converted: " + cell(file.error) + " | | | | |\n";
      continue;
    }
    Counts counts;
    counts.add(file.conversion);
    total.add(file.conversion);
    out += "| " + code(file.name) + " | " + number(counts.lines) + " | " +
           number(counts.references - counts.unchanged) + " | " + number(counts.launches) + " | " +
           number(counts.rewritten) + " | " + number(counts.warnings) + " |\n";
  }
  out += "| all | " + number(total.lines) + " | " + number(total.references - total.unchanged) + " | " +
         number(total.launches) + " | " + number(total.rewritten) + " | " + number(total.warnings) + " |\n";
  out += building_report(files);
  for (const FileResult& file : files) {
    if (!file.error.empty()) continue;
    std::string section;
    report_warnings(section, file);
    report_conversions(section, file);
    if (!section.empty()) out += "\n## " + cell(file.name) + "\n" + section;
  }
  return out;
}

} // namespace hip::hipify
