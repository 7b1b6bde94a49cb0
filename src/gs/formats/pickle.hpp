// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gs/core/bytes.hpp"

namespace gs {

// A value of a Python pickle. Nothing is ever executed: what a pickle would call is kept as the
// name of the callable and its arguments.
struct PickleValue {
  enum class Kind {
    None,
    Bool,
    Int,
    Float,
    Text,        // str and bytes
    Tuple,       // items
    List,        // items
    Dict,        // pairs; also what an OrderedDict holds
    Global,      // text: "torch._utils _rebuild_tensor_v2"
    Object,      // items: callable, arguments; pairs, list items and state as they were added
    Persistent,  // items: the one id
    Mark,
  };
  Kind kind = Kind::None;
  int64_t integer = 0;  // Bool, Int
  double real = 0;
  std::string text;
  std::vector<const PickleValue*> items;
  std::vector<std::pair<const PickleValue*, const PickleValue*>> pairs;

  // The value of a text key; null when there is none. For dicts and for objects with items.
  const PickleValue* find(std::string_view key) const;
};

// Values refer to one another, and a hostile pickle may make circles: whoever walks over them
// limits the depth.
struct Pickle {
  std::deque<PickleValue> values;
  const PickleValue* root = nullptr;
};

// The opcodes of protocols 0 to 5 that data (dicts, lists, numbers, texts, tensors) is made of.
// Throws gs::Error (INPUT_INVALID, component "pickle").
Pickle parsePickle(Bytes bytes, const std::string& name);

}  // namespace gs
