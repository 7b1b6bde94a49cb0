// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include <nlohmann/json.hpp>

#include "gs/core/document_builder.hpp"

namespace gs::detail {
namespace {

// Where the parser is. A line break counts only once something after it has been read: a number is
// recognised by the character behind it, and that may be the break.
struct Position {
  int line = 1;
  bool is_behind_break = false;
};

// Feeds the parser and counts lines on the way.
class CountingIterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = char;
  using pointer = const char*;
  using reference = const char&;
  using iterator_category = std::input_iterator_tag;

  CountingIterator(const char* at, Position* position) : at_(at), position_(position) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    if (position_->is_behind_break) ++position_->line;
    position_->is_behind_break = *at_ == '\n';
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  Position* position_;
};

// nlohmann::json's SAX interface; names and signatures are the library's.
class Events {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  Events(DocumentBuilder& builder, const Position& position)
      : builder_(builder), position_(position) {}

  bool null() { return add(Node::Kind::Null, "null"); }
  bool boolean(bool value) { return add(Node::Kind::Bool, value ? "true" : "false"); }
  bool number_integer(number_integer_t n) { return add(Node::Kind::Number, std::to_string(n)); }
  bool number_unsigned(number_unsigned_t n) { return add(Node::Kind::Number, std::to_string(n)); }
  bool number_float(number_float_t, const string_t& text) { return add(Node::Kind::Number, text); }
  bool string(string_t& text) { return add(Node::Kind::String, std::move(text)); }
  bool binary(binary_t&) { return false; }  // not in JSON text
  bool start_object(size_t) { return builder_.open(Node::Kind::Map, position_.line); }
  bool end_object() { return builder_.close(); }
  bool start_array(size_t) { return builder_.open(Node::Kind::Sequence, position_.line); }
  bool end_array() { return builder_.close(); }
  bool key(string_t& text) { return builder_.key(std::move(text), position_.line); }

  bool parse_error(size_t, const std::string&, const nlohmann::json::exception& why) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: what is wrong"
    const std::string text = why.what();
    const size_t colon = text.find(": ", text.find("column"));
    builder_.failure = colon == std::string::npos ? text : text.substr(colon + 2);
    return false;
  }

 private:
  bool add(Node::Kind kind, std::string text) {
    Node node;
    node.kind = kind;
    node.line = position_.line;
    node.scalar = std::move(text);
    return builder_.add(std::move(node));
  }

  DocumentBuilder& builder_;
  const Position& position_;
};

}  // namespace

std::optional<Node> parseJson(std::string_view text, std::vector<Problem>& problems) {
  DocumentBuilder builder(problems);
  Position position;
  Events events(builder, position);
  const bool is_ok =
      nlohmann::json::sax_parse(CountingIterator(text.data(), &position),
                                CountingIterator(text.data() + text.size(), &position), &events);
  if (is_ok && builder.isComplete()) return builder.takeRoot();
  problems.push_back({Problem::Kind::Syntax, "", position.line,
                      builder.failure.empty() ? "not valid JSON" : builder.failure});
  return std::nullopt;
}

}  // namespace gs::detail
