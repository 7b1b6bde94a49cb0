// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

// A struct lists its fields once, and every codec derives from the list:
//
//   struct Origin {
//     double x = 0;
//     static void fields(auto& self, auto&& visit) { visit("x", self.x, {.is_required = true}); }
//   };
//
// The order is the order of the file (and of the wire). read_fields.hpp reads such a struct from a
// document, write_fields.hpp writes it. This header is all that the struct itself needs.
namespace gs {

struct FieldTraits {
  bool is_required = false;     // absence is a problem; otherwise the struct's default stays
  const char* alias = nullptr;  // a second name accepted when reading
  // For people who write the file by hand (commented_yaml.hpp); no codec looks at these.
  const char* comment = nullptr;  // meaning and unit, one short line
  const char* example = nullptr;  // YAML shown in place of a value that is absent or empty
  bool is_expert = false;         // left out of the shipped file
};

template <typename T>
concept HasFields = requires(T& value) {
  T::fields(value, [](auto&&...) {});
};

// An enum that appears in files gives its words through an overload found by its namespace:
//   constexpr auto enumWords(std::type_identity<Color>) {
//     return std::to_array<EnumWord<Color>>({{Color::Red, "red"}});
//   }
template <typename E>
using EnumWord = std::pair<E, std::string_view>;

template <typename E>
concept HasWords = std::is_enum_v<E> && requires {
  enumWords(std::type_identity<E>());
};

template <HasWords E>
constexpr std::string_view wordOf(E value) {
  for (const auto& [known, word] : enumWords(std::type_identity<E>()))
    if (known == value) return word;
  return {};
}

}  // namespace gs
