// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gs/core/read_fields.hpp"
#include "gs/core/write_fields.hpp"

namespace gs {

std::string joinPath(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

void ProblemList::add(Problem::Kind kind, const std::string& path, int line, std::string message) {
  problems_.push_back({kind, path, line, std::move(message)});
}

void ProblemList::wrongType(const std::string& path, const Node& node, std::string_view expected) {
  std::string found(toString(node.kind));
  if (node.kind == Node::Kind::Sequence)
    found = "a list of " + std::to_string(node.items.size()) + " values";
  else if (!node.scalar.empty() && node.scalar.size() <= 40) found = "'" + node.scalar + "'";
  add(Problem::Kind::WrongType, path, node.line,
      "expected " + std::string(expected) + ", found " + found);
}

void ProblemList::unknownKey(const std::string& path, int line, std::string_view key,
                             const std::vector<std::string>& known) {
  const std::string nearest = nearestWord(key, known);
  add(Problem::Kind::UnknownKey, joinPath(path, key), line,
      nearest.empty() ? "unknown key" : "unknown key; did you mean '" + nearest + "'?");
}

void ProblemList::notAWord(const std::string& path, const Node& node,
                           const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "'" : ", '") + word + "'";
  wrongType(path, node, "one of " + list);
}

std::string toText(const nlohmann::ordered_json& json) {
  // replace: a damaged file name or key must not turn a message about it into a crash.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

namespace {

std::string scalarText(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

bool isPlainKey(const std::string& key) {
  if (key.empty()) return false;
  for (const char c : key)
    if (!(std::isalnum(static_cast<unsigned char>(c)) || c == '_')) return false;
  return std::isalpha(static_cast<unsigned char>(key.front())) && key != "null" && key != "true" &&
         key != "false" && key != "y" && key != "n" && key != "yes" && key != "no" && key != "on" &&
         key != "off";
}

bool isFlat(const nlohmann::ordered_json& list) {
  return std::none_of(list.begin(), list.end(),
                      [](const auto& item) { return item.is_structured(); });
}

std::string flowList(const nlohmann::ordered_json& list) {
  std::string text = "[";
  for (const auto& item : list) text += (text.size() > 1 ? ", " : "") + scalarText(item);
  return text + "]";
}

// `value` below or behind its key; strings are always quoted, so that "no" and "1.0" stay strings.
void appendYaml(std::string& out, const nlohmann::ordered_json& value, size_t indent) {
  const std::string margin(indent, ' ');
  if (value.is_object() && !value.empty()) {
    out += '\n';
    for (const auto& [key, child] : value.items()) {
      out += margin + (isPlainKey(key) ? key : scalarText(key)) + ":";
      appendYaml(out, child, indent + 2);
    }
  } else if (value.is_array() && !isFlat(value)) {
    out += '\n';
    for (const auto& child : value) {
      std::string item;
      appendYaml(item, child, indent + 2);
      // "\n    a: 1" becomes "  - a: 1": the dash takes the place of the first margin.
      if (item.front() == '\n') item = item.substr(indent + 3);
      else item = item.substr(1);
      out += margin + "- " + item;
    }
  } else {
    out += ' ' + (value.is_array() ? flowList(value) : scalarText(value)) + '\n';
  }
}

}  // namespace

std::string toYamlText(const nlohmann::ordered_json& json) {
  std::string text;
  appendYaml(text, json, 0);
  return text.substr(1);
}

}  // namespace gs
