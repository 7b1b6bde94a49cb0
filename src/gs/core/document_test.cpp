// SPDX-License-Identifier: Apache-2.0
#include "gs/core/document.hpp"

#include <cmath>

#include <gmock/gmock.h>

namespace gs {
namespace {

using ::testing::HasSubstr;

Node parseGood(std::string_view text, DocumentFormat format) {
  std::vector<Problem> problems;
  const auto root = parseDocument(text, format, problems);
  EXPECT_TRUE(root) << text;
  for (const Problem& problem : problems) ADD_FAILURE() << toString(problem);
  return root.value_or(Node{});
}

std::vector<Problem> parseBad(std::string_view text, DocumentFormat format) {
  std::vector<Problem> problems;
  parseDocument(text, format, problems);
  EXPECT_FALSE(problems.empty()) << text.substr(0, 100);
  return problems;
}

TEST(Document, JsonAndYamlGiveTheSameTreeWithLines) {
  const Node json =
      parseGood("{\n  \"a\": 1,\n  \"b\": [\n    2.5,\n    \"x\"\n  ]\n}", DocumentFormat::Json);
  const Node yaml = parseGood("\na: 1\nb:\n  - 2.5\n  - x\n", DocumentFormat::Yaml);
  for (const Node* root : {&json, &yaml}) {
    EXPECT_EQ(root->find("a")->findInteger(), 1);
    EXPECT_EQ(root->find("a")->line, 2);
    EXPECT_EQ(root->find("b")->items[0].findDouble(), 2.5);
    EXPECT_EQ(root->find("b")->items[0].line, 4);
    EXPECT_EQ(root->find("b")->items[1].findString(), "x");
    EXPECT_EQ(root->find("b")->items[1].line, 5);
    EXPECT_EQ(root->find("c"), nullptr);
  }
}

TEST(Document, YamlQuotesDecideBetweenNumberAndString) {
  const Node root = parseGood("a: 1.0.0\nb: '5'\nc: 5\nd: yes\ne: true\nf:\ng: .inf\nh: .nan\n",
                              DocumentFormat::Yaml);
  EXPECT_EQ(root.find("a")->findString(), "1.0.0");
  EXPECT_FALSE(root.find("b")->findDouble());
  EXPECT_EQ(root.find("c")->findString(), "5");  // unquoted: either
  EXPECT_EQ(root.find("d")->findString(), "yes");
  EXPECT_FALSE(root.find("d")->findBool());
  EXPECT_EQ(root.find("e")->findBool(), true);
  EXPECT_EQ(root.find("f")->kind, Node::Kind::Null);
  EXPECT_EQ(root.find("g")->findDouble(), HUGE_VAL);
  EXPECT_TRUE(std::isnan(*root.find("h")->findDouble()));
}

TEST(Document, JsonNumbersAreNoStringsAndNumbersDoNotOverflowSilently) {
  const Node root = parseGood(R"({"a": 5, "b": 1e-400, "c": 18446744073709551615, "d": -3.0})",
                              DocumentFormat::Json);
  EXPECT_FALSE(root.find("a")->findString());
  EXPECT_FALSE(root.find("c")->findInteger());
  EXPECT_FALSE(root.find("d")->findInteger());
  EXPECT_EQ(root.find("d")->findDouble(), -3.0);
}

TEST(Document, SyntaxErrorsNameTheLine) {
  const auto json = parseBad("{\n \"a\": 1,\n \"b\": }\n", DocumentFormat::Json);
  EXPECT_EQ(json.back().kind, Problem::Kind::Syntax);
  EXPECT_EQ(json.back().line, 3);
  const auto yaml = parseBad("a: 1\nb: [1, 2\nc: 3\n", DocumentFormat::Yaml);
  EXPECT_EQ(yaml.back().kind, Problem::Kind::Syntax);
  EXPECT_GE(yaml.back().line, 2);
  parseBad("", DocumentFormat::Json);
  parseBad("{} x", DocumentFormat::Json);
  parseBad("a: 1\n---\nb: 2\n", DocumentFormat::Yaml);
}

TEST(Document, KeepsTheFirstOfTwoEqualKeysAndSaysSo) {
  for (const auto format : {DocumentFormat::Json, DocumentFormat::Yaml}) {
    std::vector<Problem> problems;
    const auto root = parseDocument("{\"a\": 1,\n \"a\": 2}", format, problems);
    ASSERT_TRUE(root);
    EXPECT_EQ(root->find("a")->findInteger(), 1);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].kind, Problem::Kind::DuplicateKey);
    EXPECT_EQ(problems[0].line, 2);
  }
}

TEST(Document, ScalarAliasesWorkAndCollectionAnchorsAreRefused) {
  const Node root = parseGood("a: &rate 12.5\nb: *rate\n", DocumentFormat::Yaml);
  EXPECT_EQ(root.find("b")->findDouble(), 12.5);
  const auto problems = parseBad("a: &x [1, 2]\nb: [*x, *x]\n", DocumentFormat::Yaml);
  EXPECT_THAT(problems.back().message, HasSubstr("anchors"));
}

TEST(Document, DepthIsBounded) {
  for (const auto format : {DocumentFormat::Json, DocumentFormat::Yaml}) {
    parseBad(std::string(200, '[') + std::string(200, ']'), format);
    parseBad(std::string(100'000, '['), format);
  }
}

TEST(Document, OddYamlIsAnErrorAndNotACrash) {
  for (const char* text :
       {"[a]: 1", "? {a: b}\n: c", "*x", "a: *x", "&a &b c", "a: |\n\tx", "%YAML 9.9\n---\na"}) {
    std::vector<Problem> problems;
    parseDocument(text, DocumentFormat::Yaml, problems);
    EXPECT_FALSE(problems.empty()) << text;
  }
}

TEST(Document, YamlThatOnlyLooksOddIsRead) {
  const Node lists = parseGood("- - - -", DocumentFormat::Yaml);
  EXPECT_EQ(lists.items.at(0).items.at(0).items.at(0).items.at(0).kind, Node::Kind::Null);
  const Node map = parseGood("{a, b: c}", DocumentFormat::Yaml);
  EXPECT_EQ(map.find("a")->kind, Node::Kind::Null);
  EXPECT_EQ(map.find("b")->findString(), "c");
  EXPECT_EQ(parseGood("!!binary x: y", DocumentFormat::Yaml).find("x")->findString(), "y");
  EXPECT_EQ(parseGood("\xff\xfe", DocumentFormat::Yaml).kind, Node::Kind::Null);  // an empty UTF-16
}

TEST(Document, FindsTheLineOfADottedPath) {
  const Node root = parseGood("a:\n  b:\n    - 1\n    - c: 2\n", DocumentFormat::Yaml);
  EXPECT_EQ(lineOf(root, "a.b[0]"), 3);
  EXPECT_EQ(lineOf(root, "a.b[1].c"), 4);
  EXPECT_EQ(lineOf(root, "a.b[1].absent"), 4);  // the map it should stand in
  EXPECT_EQ(lineOf(root, "a.b[7].c"), 3);
  EXPECT_EQ(lineOf(root, "a.b["), 3);
}

TEST(NearestWord, FindsTyposAndIgnoresStrangers) {
  const std::vector<std::string> known = {"start_time", "dt", "resolution"};
  EXPECT_EQ(nearestWord("start_tme", known), "start_time");
  EXPECT_EQ(nearestWord("resolutoin", known), "resolution");
  EXPECT_EQ(nearestWord("wheelbase", known), "");
}

}  // namespace
}  // namespace gs
