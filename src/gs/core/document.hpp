// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gs {

// One value of a YAML or JSON text, with the line it stands on. Scalars keep their text: what type
// a value should have is for its reader to say (read_fields.hpp).
struct Node {
  enum class Kind : uint8_t { Null, Bool, Number, String, Sequence, Map };

  Kind kind = Kind::Null;
  bool is_plain_yaml = false;  // an unquoted YAML scalar may also be read as a string
  int line = 0;                // from 1
  std::string scalar;
  std::vector<Node> items;                            // of a sequence
  std::vector<std::pair<std::string, Node>> entries;  // of a map, in the order of the file

  // Defaulted where Node is complete: clang asks early what a pair with a Node in it can do.
  Node();
  ~Node();
  Node(const Node&);
  Node(Node&&) noexcept;
  Node& operator=(const Node&);
  Node& operator=(Node&&) noexcept;

  const Node* find(std::string_view key) const;  // null when absent or not a map
  std::optional<bool> findBool() const;
  std::optional<double> findDouble() const;  // infinities and NaN are numbers in YAML (.inf, .nan)
  std::optional<int64_t> findInteger() const;
  std::optional<std::string> findString() const;
};

std::string_view toString(Node::Kind kind);  // "a number", for messages

// Something wrong with a document, said so that a person finds the place.
struct Problem {
  enum class Kind { Syntax, DuplicateKey, MissingKey, UnknownKey, WrongType, BadValue };

  Kind kind;
  std::string path;  // "cameras.front.intrinsics.fx"; empty for the document as a whole
  int line = 0;      // 0 when no line can be named
  std::string message;

  bool operator==(const Problem&) const = default;
};

// "line 12: cameras.front.fx: expected a number, found a string"
std::string toString(const Problem& problem);

enum class DocumentFormat { Json, Yaml };

// The tree of `text`, or nothing after a syntax error. Duplicate keys are reported and the first
// one is kept. Bounded: texts beyond kMaxYamlBytes / kMaxJsonBytes, nesting beyond kMaxDepth and
// more than kMaxNodes values (as a chain of YAML aliases can ask for) are syntax errors.
std::optional<Node> parseDocument(std::string_view text, DocumentFormat format,
                                  std::vector<Problem>& problems);

constexpr size_t kMaxYamlBytes = size_t{16} << 20;
constexpr size_t kMaxJsonBytes = size_t{512} << 20;
constexpr size_t kMaxNodes = 10'000'000;
constexpr int kMaxDepth = 100;

// The line of the value at a dotted path ("cameras.front.fx", "transforms[2].header"), or of the
// nearest value above it that exists: where a reader should look.
int lineOf(const Node& root, std::string_view path);

// By extension: .yaml and .yml are YAML, everything else (.json, .geojson) is JSON.
DocumentFormat formatOf(std::string_view path);

// Of the known words the one that `word` was probably meant to be; empty when none is near.
std::string nearestWord(std::string_view word, const std::vector<std::string>& known);

}  // namespace gs
