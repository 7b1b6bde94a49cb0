// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <optional>

#include "gs/core/error.hpp"
#include "gs/formats/ros_schema.hpp"

// Reads .msg text; ros_schema.cpp writes it.
namespace gs {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// The text up to the first character of `ends`; both it and the rest are trimmed.
std::string_view takeWord(std::string_view& text, std::string_view ends) {
  const size_t end = std::min(text.find_first_of(ends), text.size());
  const std::string_view word = trimmed(text.substr(0, end));
  text = trimmed(text.substr(end));
  return word;
}

std::optional<uint64_t> findCount(std::string_view digits) {
  uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (digits.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

bool isPrimitive(std::string_view type) {
  for (const std::string_view known : {"bool", "byte", "int8", "uint8", "int16", "uint16", "int32",
                                       "uint32", "int64", "uint64", "float32", "float64", "string"})
    if (type == known) return true;
  return false;
}

// "[3]", "[<=3]" or "[]".
bool readArity(std::string_view brackets, RosField& field) {
  if (brackets.back() != ']') return false;
  std::string_view inside = brackets.substr(1, brackets.size() - 2);
  field.arity = inside.empty() ? RosArity::Sequence : RosArity::FixedArray;
  if (inside.empty()) return true;
  if (inside.starts_with("<=")) {
    field.arity = RosArity::BoundedSequence;
    inside.remove_prefix(2);
  }
  const auto count = findCount(inside);
  field.capacity = count.value_or(0);
  return field.capacity > 0;
}

std::string fullTypeName(std::string_view type, const std::string& inside) {
  const size_t slash = type.find('/');
  if (slash == std::string_view::npos)
    return inside.substr(0, inside.find('/')) + "/msg/" + std::string(type);
  if (type.find('/', slash + 1) != std::string_view::npos) return std::string(type);
  return std::string(type.substr(0, slash)) + "/msg" + std::string(type.substr(slash));
}

bool readType(std::string_view type, const std::string& inside, RosField& field) {
  const size_t bracket = type.find('[');
  if (bracket != std::string_view::npos) {
    if (!readArity(type.substr(bracket), field)) return false;
    type = type.substr(0, bracket);
  }
  if (type.starts_with("string<=")) {
    field.string_capacity = findCount(type.substr(8)).value_or(0);
    if (field.string_capacity == 0) return false;
    type = "string";
  }
  if (type == "char") type = "uint8";  // what `char` is in ROS 2
  field.is_nested = !isPrimitive(type);
  field.type = field.is_nested ? fullTypeName(type, inside) : std::string(type);
  return !type.empty() && type.find_first_of("<>[]=") == std::string_view::npos;
}

// False when the line is neither a field nor a constant.
bool readLine(std::string_view line, RosType& type) {
  RosField field;
  const std::string_view type_word = takeWord(line, kSpace);
  if (!readType(type_word, type.name, field)) return false;
  field.name = takeWord(line, " \t=");
  if (field.name.empty()) return false;
  if (line.starts_with('=')) {
    const std::string_view value = trimmed(line.substr(1));
    if (value.empty() || field.is_nested || field.arity != RosArity::One) return false;
    type.constants.push_back({field.type, field.name, std::string(value)});
    return true;
  }
  type.fields.push_back(std::move(field));  // what is left of the line is a default value
  return true;
}

}  // namespace

RosType parseRosDefinition(std::string_view text, const std::string& name) {
  RosType type{.name = name};
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view line = trimmed(whole.substr(0, whole.find('#')));
    if (line.empty() || readLine(line, type)) continue;
    throw Error({.code = ErrorCode::InputInvalid,
                 .component = "ros_schema",
                 .message = "line " + std::to_string(number) + " of " + name +
                            " is neither a field nor a constant: " + std::string(line),
                 .details = {{"type", name}, {"line", number}}});
  }
  return type;
}

}  // namespace gs
