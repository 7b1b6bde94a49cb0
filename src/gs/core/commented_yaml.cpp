// SPDX-License-Identifier: Apache-2.0
#include "gs/core/commented_yaml.hpp"

#include <algorithm>

namespace gs::detail {

std::string CommentedYamlWriter::valueText(const nlohmann::ordered_json& value) {
  // A map fits on one line as JSON, which is YAML too.
  std::string text = value.is_object() ? value.dump() : toYamlText(value);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

void CommentedYamlWriter::addExample(const char* name, const FieldTraits& traits) {
  const char* const example = traits.example == nullptr ? "null" : traits.example;
  addLine("# " + std::string(name) + ": " + example, traits.comment, "");
}

void CommentedYamlWriter::addLine(std::string line, const char* comment, const std::string& words) {
  constexpr size_t kCommentColumn = 34;  // comments stand in one column where the values allow it
  line.insert(0, indent_, ' ');
  std::string remark = comment == nullptr ? "" : comment;
  if (!words.empty()) remark += (remark.empty() ? "" : ": ") + words;
  if (!remark.empty()) {
    line.resize(std::max(line.size() + 2, kCommentColumn), ' ');
    line += "# " + remark;
  }
  text_ += line + '\n';
}

}  // namespace gs::detail
