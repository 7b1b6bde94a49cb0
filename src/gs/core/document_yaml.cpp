// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <sstream>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "gs/core/document_builder.hpp"

namespace gs::detail {
namespace {

struct LimitReached {};

bool isNullWord(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

bool isBoolWord(std::string_view text) {
  for (const char* word : {"true", "True", "TRUE", "false", "False", "FALSE"})
    if (text == word) return true;
  return false;
}

// The core schema's decimal numbers: -1, +1.5e3, .5, .inf, .nan
bool isNumberWord(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  for (const char* word : {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"})
    if (text == word) return true;
  const auto digits = [&] {
    size_t n = 0;
    while (n < text.size() && text[n] >= '0' && text[n] <= '9') ++n;
    text.remove_prefix(n);
    return n;
  };
  size_t mantissa = digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    mantissa += digits();
  }
  if (mantissa == 0) return false;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return text.empty();
}

Node::Kind kindOf(std::string_view text) {
  if (isNullWord(text)) return Node::Kind::Null;
  if (isBoolWord(text)) return Node::Kind::Bool;
  return isNumberWord(text) ? Node::Kind::Number : Node::Kind::String;
}

// yaml-cpp's event interface; names and signatures are the library's.
class Events final : public YAML::EventHandler {
 public:
  explicit Events(DocumentBuilder& builder) : builder_(builder) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    scalar(mark, "", Node::Kind::Null, true, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    const bool is_plain = tag == "?";  // quoted scalars carry "!"
    scalar(mark, text, is_plain ? kindOf(text) : Node::Kind::String, is_plain, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) fail("an alias to a collection that is still open", mark);
    if (builder_.wantsKey()) require(builder_.key(found->second.scalar, mark.line + 1));
    else require(builder_.add(found->second));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Node::Kind::Sequence, mark, anchor);
  }
  void OnSequenceEnd() override { require(builder_.close()); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Node::Kind::Map, mark, anchor);
  }
  void OnMapEnd() override { require(builder_.close()); }

  int failure_line = 0;

 private:
  void scalar(const YAML::Mark& mark, const std::string& text, Node::Kind kind, bool is_plain,
              YAML::anchor_t anchor) {
    if (builder_.wantsKey()) {
      require(builder_.key(text, mark.line + 1));
      return;
    }
    Node node;
    node.kind = kind;
    node.is_plain_yaml = is_plain;
    node.line = mark.line + 1;
    node.scalar = text;
    if (anchor != 0) anchored_[anchor] = node;
    require(builder_.add(std::move(node)));
  }

  void open(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (builder_.wantsKey()) fail("a list or map as a key", mark);
    // Anchored collections would have to be copied whole for each alias; our files do not need
    // them, and a short chain of them is the classic way to fill all memory.
    if (anchor != 0) fail("anchors (&name) on lists and maps are not supported", mark);
    require(builder_.open(kind, mark.line + 1));
  }

  [[noreturn]] void fail(const char* why, const YAML::Mark& mark) {
    builder_.failure = why;
    failure_line = mark.line + 1;
    throw LimitReached();
  }
  void require(bool is_ok) {
    if (!is_ok) throw LimitReached();
  }

  DocumentBuilder& builder_;
  std::map<YAML::anchor_t, Node> anchored_;
};

}  // namespace

std::optional<Node> parseYaml(std::string_view text, std::vector<Problem>& problems) {
  DocumentBuilder builder(problems);
  Events events(builder);
  const auto failWith = [&](const std::string& why, int line) {
    problems.push_back({Problem::Kind::Syntax, "", line, why});
    return std::nullopt;
  };
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(events)) return Node{};  // an empty file
    if (!builder.isComplete()) return failWith("the document is incomplete", 0);
    Node root = builder.takeRoot();
    if (parser.HandleNextDocument(events)) return failWith("a second document after '---'", 0);
    return root;
  } catch (const LimitReached&) {
    return failWith(builder.failure, events.failure_line);
  } catch (const YAML::Exception& why) {
    return failWith(why.msg, why.mark.is_null() ? 0 : why.mark.line + 1);
  }
}

}  // namespace gs::detail
