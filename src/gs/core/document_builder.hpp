// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_set>

#include "gs/core/document.hpp"

namespace gs::detail {

// Grows a Node tree from a stream of parse events; shared by the JSON and the YAML front end.
// add* return false when a limit is hit, and then `failure` says which.
class DocumentBuilder {
 public:
  explicit DocumentBuilder(std::vector<Problem>& problems) : problems_(problems) {}

  bool open(Node::Kind kind, int line);  // Sequence or Map
  bool close();
  bool key(std::string text, int line);  // the next value belongs to this key
  bool add(Node node);

  bool wantsKey() const;  // inside a map and no key is pending
  bool isComplete() const { return has_root_ && open_.empty(); }
  Node takeRoot() { return std::move(root_); }
  std::string failure;

 private:
  struct Level {
    Node node;
    std::string key;
    std::unordered_set<std::string> seen;  // Node::find alone would make large maps quadratic
    bool has_key = false;
    bool is_duplicate = false;  // the pending key was seen before: drop its value
  };
  bool place(Node node);
  bool count(size_t nodes);

  std::vector<Problem>& problems_;
  std::vector<Level> open_;
  Node root_;
  bool has_root_ = false;
  size_t node_count_ = 0;
};

size_t nodeCount(const Node& node);

std::optional<Node> parseJson(std::string_view text, std::vector<Problem>& problems);
std::optional<Node> parseYaml(std::string_view text, std::vector<Problem>& problems);

}  // namespace gs::detail
