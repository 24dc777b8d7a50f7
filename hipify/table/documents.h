// hipify/table/documents.h - the table as documents, one for each interface: what a name becomes, since when both have
// it, and what to do by hand where HIP has none.
#pragma once

#include "table/table.h"

#include <string>

namespace hip::hipify {

enum class DocumentFormat { Markdown, Csv };

std::string document_name(Api api, DocumentFormat format); // "cublas.md"
std::string document(Api api, DocumentFormat format);

} // namespace hip::hipify
