// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gs/core/document.hpp"
#include "gs/core/fields.hpp"

namespace gs {

// Collects what is wrong while a document is read into a struct; nothing is thrown, so that all
// problems are reported at once.
class ProblemList {
 public:
  explicit ProblemList(std::vector<Problem>& problems) : problems_(problems) {}

  void add(Problem::Kind kind, const std::string& path, int line, std::string message);
  void wrongType(const std::string& path, const Node& node, std::string_view expected);
  void unknownKey(const std::string& path, int line, std::string_view key,
                  const std::vector<std::string>& known);
  void notAWord(const std::string& path, const Node& node, const std::vector<std::string>& words);

 private:
  std::vector<Problem>& problems_;
};

std::string joinPath(const std::string& path, std::string_view key);

template <typename T>
void readValue(const Node& node, T& value, const std::string& path, ProblemList& problems);

namespace detail {

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};
template <typename T>
struct IsArray : std::false_type {};
template <typename T, size_t N>
struct IsArray<std::array<T, N>> : std::true_type {};
template <typename T>
struct IsMap : std::false_type {};
template <typename T>
struct IsMap<std::map<std::string, T>> : std::true_type {};

// The visitor that fields() is called with: one struct from one map.
class StructReader {
 public:
  StructReader(const Node& node, const std::string& path, ProblemList& problems)
      : node_(node), path_(path), problems_(problems) {}

  template <typename T>
  void operator()(const char* name, T& value, FieldTraits traits = {}) {
    known_.emplace_back(name);
    const Node* child = node_.find(name);
    if (traits.alias != nullptr) {
      known_.emplace_back(traits.alias);
      if (child == nullptr) child = node_.find(traits.alias);
    }
    if (child != nullptr) readValue(*child, value, joinPath(path_, name), problems_);
    else if (traits.is_required)
      problems_.add(Problem::Kind::MissingKey, joinPath(path_, name), node_.line,
                    "required, but not there" + requiredKeysIn(value));
  }

  void reportUnknownKeys() {
    int reported = 0;  // a file that is something else entirely needs no list of all its keys
    for (const auto& [key, child] : node_.entries) {
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
      if (++reported > 20) return;
      problems_.unknownKey(path_, child.line, key, known_);
    }
  }

 private:
  // Of a missing section, what it must hold: to be told one key after the other is tiresome.
  template <typename T>
  static std::string requiredKeysIn(T& section) {
    std::string keys;
    if constexpr (HasFields<T>) {
      T::fields(section, [&keys](const char* name, const auto&, FieldTraits traits = {}) {
        if (traits.is_required) keys += (keys.empty() ? ", with " : ", ") + std::string(name);
      });
    }
    return keys;
  }

  const Node& node_;
  const std::string& path_;
  ProblemList& problems_;
  std::vector<std::string> known_;
};

template <typename T>
void readInteger(const Node& node, T& value, const std::string& path, ProblemList& problems) {
  const auto found = node.findInteger();
  if (!found) return problems.wrongType(path, node, "a whole number");
  using Limits = std::numeric_limits<T>;
  if (std::cmp_less(*found, Limits::min()) || std::cmp_greater(*found, Limits::max()))
    return problems.add(Problem::Kind::BadValue, path, node.line,
                        std::to_string(*found) + " is out of range");
  value = static_cast<T>(*found);
}

template <typename List>
void readItems(const Node& node, List& list, const std::string& path, ProblemList& problems) {
  for (size_t i = 0; i < node.items.size(); ++i)
    readValue(node.items[i], list[i], path + "[" + std::to_string(i) + "]", problems);
}

// In YAML a section whose keys are all commented out reads as null; it is an empty section.
inline bool isMapOrEmptySection(const Node& node) {
  return node.kind == Node::Kind::Map || (node.kind == Node::Kind::Null && node.is_plain_yaml);
}

template <HasWords T>
void readWord(const Node& node, T& value, const std::string& path, ProblemList& problems) {
  std::vector<std::string> words;
  for (const auto& [known, word] : enumWords(std::type_identity<T>())) {
    if (node.findString() == word) {
      value = known;
      return;
    }
    words.emplace_back(word);
  }
  problems.notAWord(path, node, words);
}

}  // namespace detail

template <typename T>
void readValue(const Node& node, T& value, const std::string& path, ProblemList& problems) {
  if constexpr (std::is_same_v<T, bool>) {
    if (const auto found = node.findBool()) value = *found;
    else problems.wrongType(path, node, "true or false");
  } else if constexpr (std::is_integral_v<T>) {
    detail::readInteger(node, value, path, problems);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (const auto found = node.findDouble()) value = static_cast<T>(*found);
    else problems.wrongType(path, node, "a number");
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (const auto found = node.findString()) value = *found;
    else problems.wrongType(path, node, "a string");
  } else if constexpr (HasWords<T>) {
    detail::readWord(node, value, path, problems);
  } else if constexpr (detail::IsOptional<T>::value) {
    if (node.kind == Node::Kind::Null) {
      value.reset();
    } else {
      value = typename T::value_type();  // not emplace(): clang 14 does not see nested defaults
      readValue(node, *value, path, problems);
    }
  } else if constexpr (detail::IsVector<T>::value) {
    if (node.kind != Node::Kind::Sequence) return problems.wrongType(path, node, "a list");
    value.assign(node.items.size(), {});
    detail::readItems(node, value, path, problems);
  } else if constexpr (detail::IsArray<T>::value) {
    if (node.kind != Node::Kind::Sequence || node.items.size() != value.size())
      return problems.wrongType(path, node,
                                "a list of " + std::to_string(value.size()) + " values");
    detail::readItems(node, value, path, problems);
  } else if constexpr (detail::IsMap<T>::value) {
    if (!detail::isMapOrEmptySection(node)) return problems.wrongType(path, node, "a map");
    value.clear();
    for (const auto& [key, child] : node.entries)
      readValue(child, value[key], joinPath(path, key), problems);
  } else {
    static_assert(HasFields<T>, "this type cannot be read from a document");
    if (!detail::isMapOrEmptySection(node)) return problems.wrongType(path, node, "a map");
    detail::StructReader reader(node, path, problems);
    T::fields(value, reader);
    reader.reportUnknownKeys();
  }
}

// The struct in `root`: defaults where the document is silent, problems where it is wrong.
template <HasFields T>
T readFields(const Node& root, std::vector<Problem>& problems) {
  T value;
  ProblemList list(problems);
  readValue(root, value, "", list);
  return value;
}

}  // namespace gs
