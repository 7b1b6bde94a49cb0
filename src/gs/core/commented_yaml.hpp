// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "gs/core/write_fields.hpp"

namespace gs {

// Which fields a printed configuration shows: the knobs people turn, or everything there is.
enum class YamlDetail { Common, All };

namespace detail {

// The visitor behind toCommentedYaml: one struct, one line per field, the comment behind it.
class CommentedYamlWriter {
 public:
  CommentedYamlWriter(YamlDetail shown, size_t indent) : shown_(shown), indent_(indent) {}

  template <typename T>
  void operator()(const char* name, const T& field, FieldTraits traits = {}) {
    if (traits.is_expert && shown_ == YamlDetail::Common) return;
    if constexpr (HasFields<T>) {
      CommentedYamlWriter section(shown_, indent_ + 2);
      T::fields(field, section);
      if (section.text_.empty()) return;  // all its fields are for experts
      addLine(std::string(name) + ":", traits.comment, "");
      text_ += section.text_;
    } else if constexpr (IsWrittenOptional<T>::value) {
      if (field) (*this)(name, *field, traits);
      else addExample(name, traits);
    } else {
      if (isEmptyMap(field)) addExample(name, traits);
      else addLine(name + (": " + valueText(toJson(field))), traits.comment, wordsOf<T>());
    }
  }

  std::string takeText() { return std::move(text_); }

 private:
  template <typename T>
  static bool isEmptyMap(const T& field) {
    if constexpr (requires { typename T::mapped_type; }) return field.empty();
    else return false;
  }

  template <typename T>
  static std::string wordsOf() {
    std::string words;
    if constexpr (HasWords<T>) {
      for (const auto& [value, word] : enumWords(std::type_identity<T>()))
        words += (words.empty() ? "" : " | ") + std::string(word);
    }
    return words;
  }

  // A field without a value is shown, so that people learn of it, but not set.
  void addExample(const char* name, const FieldTraits& traits);
  static std::string valueText(const nlohmann::ordered_json& value);
  void addLine(std::string line, const char* comment, const std::string& words);

  YamlDetail shown_;
  size_t indent_;
  std::string text_;
};

}  // namespace detail

// The YAML of a struct as a person would like to find it: the comment of each field behind it, the
// words of an enum listed, absent fields there as commented-out examples. It reads back to `value`.
template <HasFields T>
std::string toCommentedYaml(const T& value, YamlDetail shown = YamlDetail::Common) {
  detail::CommentedYamlWriter writer(shown, 0);
  T::fields(value, writer);
  return writer.takeText();
}

}  // namespace gs
