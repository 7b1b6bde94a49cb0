// SPDX-License-Identifier: Apache-2.0
#include "gs/core/document.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "gs/core/document_builder.hpp"

namespace gs {

Node::Node() = default;
Node::~Node() = default;
Node::Node(const Node&) = default;
Node::Node(Node&&) noexcept = default;
Node& Node::operator=(const Node&) = default;
Node& Node::operator=(Node&&) noexcept = default;

const Node* Node::find(std::string_view key) const {
  for (const auto& [name, node] : entries)
    if (name == key) return &node;
  return nullptr;
}

std::optional<bool> Node::findBool() const {
  if (kind != Kind::Bool) return std::nullopt;
  return scalar.front() == 't' || scalar.front() == 'T';
}

std::optional<double> Node::findDouble() const {
  if (kind != Kind::Number) return std::nullopt;
  std::string_view text = scalar;
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  if (text == ".inf" || text == ".Inf" || text == ".INF") {
    value = std::numeric_limits<double>::infinity();
  } else if (text == ".nan" || text == ".NaN" || text == ".NAN") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) return std::nullopt;
    if (failure == std::errc::result_out_of_range)  // 1e999 is not infinity, it is a mistake
      return std::nullopt;
  }
  return is_negative ? -value : value;
}

std::optional<int64_t> Node::findInteger() const {
  if (kind != Kind::Number) return std::nullopt;
  std::string_view text = scalar;
  if (text.starts_with('+')) text.remove_prefix(1);
  int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::string> Node::findString() const {
  const bool is_scalar = kind == Kind::Bool || kind == Kind::Number;
  if (kind == Kind::String || (is_scalar && is_plain_yaml)) return scalar;
  return std::nullopt;
}

std::string_view toString(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::Null: return "nothing";
    case Node::Kind::Bool: return "true or false";
    case Node::Kind::Number: return "a number";
    case Node::Kind::String: return "a string";
    case Node::Kind::Sequence: return "a list";
    case Node::Kind::Map: return "a map";
  }
  return "";
}

std::string toString(const Problem& problem) {
  std::string text;
  if (problem.line > 0) text += "line " + std::to_string(problem.line) + ": ";
  if (!problem.path.empty()) text += problem.path + ": ";
  return text + problem.message;
}

std::optional<Node> parseDocument(std::string_view text, DocumentFormat format,
                                  std::vector<Problem>& problems) {
  const size_t limit = format == DocumentFormat::Json ? kMaxJsonBytes : kMaxYamlBytes;
  if (text.size() > limit) {
    problems.push_back({Problem::Kind::Syntax, "", 0,
                        "the file is larger than " + std::to_string(limit >> 20) + " MiB"});
    return std::nullopt;
  }
  return format == DocumentFormat::Json ? detail::parseJson(text, problems)
                                        : detail::parseYaml(text, problems);
}

int lineOf(const Node& root, std::string_view path) {
  const Node* node = &root;
  while (!path.empty()) {
    const size_t end = std::min(path.find_first_of(".["), path.size());
    const Node* child = nullptr;
    if (path.front() == '[') {
      size_t index = 0;
      const auto [close, failure] =
          std::from_chars(path.data() + 1, path.data() + path.size(), index);
      if (failure == std::errc() && index < node->items.size()) child = &node->items[index];
      path.remove_prefix(std::min(path.find(']'), path.size() - 1) + 1);
    } else {
      child = node->find(path.substr(0, end));
      path.remove_prefix(end);
    }
    if (child == nullptr) break;
    node = child;
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  return node->line;
}

DocumentFormat formatOf(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml") ? DocumentFormat::Yaml
                                                           : DocumentFormat::Json;
}

std::string nearestWord(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > 64) return {};
  std::string best;
  size_t best_distance = word.size() / 3 + 2;  // farther than this is another word, not a typo
  for (const std::string& candidate : known) {
    // Levenshtein distance, one row at a time.
    std::vector<size_t> row(candidate.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= word.size(); ++i) {
      size_t diagonal = row[0];
      row[0] = i;
      for (size_t j = 1; j <= candidate.size(); ++j) {
        const size_t substitute = diagonal + (word[i - 1] == candidate[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  return best;
}

namespace detail {

bool DocumentBuilder::count(size_t nodes) {
  node_count_ += nodes;
  if (node_count_ <= kMaxNodes) return true;
  failure = "more than " + std::to_string(kMaxNodes) + " values";
  return false;
}

bool DocumentBuilder::open(Node::Kind kind, int line) {
  if (open_.size() >= static_cast<size_t>(kMaxDepth)) {
    failure = "nested deeper than " + std::to_string(kMaxDepth) + " levels";
    return false;
  }
  Level level;
  level.node.kind = kind;
  level.node.line = line;
  open_.push_back(std::move(level));
  return count(1);
}

bool DocumentBuilder::close() {
  Node node = std::move(open_.back().node);
  open_.pop_back();
  return place(std::move(node));
}

bool DocumentBuilder::key(std::string text, int line) {
  Level& level = open_.back();
  level.is_duplicate = !level.seen.insert(text).second;
  if (level.is_duplicate)
    problems_.push_back({Problem::Kind::DuplicateKey, text, line, "the key stands here twice"});
  level.key = std::move(text);
  level.has_key = true;
  return true;
}

bool DocumentBuilder::add(Node node) {
  const size_t nodes = node.items.empty() && node.entries.empty() ? 1 : nodeCount(node);
  return count(nodes) && place(std::move(node));
}

bool DocumentBuilder::wantsKey() const {
  return !open_.empty() && open_.back().node.kind == Node::Kind::Map && !open_.back().has_key;
}

bool DocumentBuilder::place(Node node) {
  if (open_.empty()) {
    root_ = std::move(node);
    has_root_ = true;
    return true;
  }
  Level& level = open_.back();
  if (level.node.kind == Node::Kind::Sequence) {
    level.node.items.push_back(std::move(node));
  } else {
    if (!level.is_duplicate) level.node.entries.emplace_back(std::move(level.key), std::move(node));
    level.has_key = false;
  }
  return true;
}

size_t nodeCount(const Node& node) {
  size_t total = 1;
  for (const Node& item : node.items) total += nodeCount(item);
  for (const auto& [key, value] : node.entries) total += nodeCount(value);
  return total;
}

}  // namespace detail
}  // namespace gs
