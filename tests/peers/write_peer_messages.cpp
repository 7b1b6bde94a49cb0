// SPDX-License-Identifier: Apache-2.0
// write_peer_messages FOLDER: every message that we have, with random values, as lines of JSON for
// messages_peer_test.mjs: {"type", "schema", "cdr": hex, "values"}.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "gs/formats/cdr.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs/msgs/all_messages.hpp"
#include "gs/msgs/testing/random_message.hpp"

namespace {

constexpr int kMessagesPerType = 20;

template <typename... Arguments>
std::string printed(const char* format, Arguments... arguments) {
  char text[64];
  std::snprintf(text, sizeof text, format, arguments...);
  return text;
}

// 64-bit integers become texts, which JavaScript does not round. Our random texts need no escaping.
template <typename T>
std::string toJsonText(const T& value) {
  if constexpr (std::same_as<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_floating_point_v<T>) {
    return printed("%.17g", static_cast<double>(value));
  } else if constexpr (std::same_as<T, int64_t> || std::same_as<T, uint64_t>) {
    return "\"" + std::to_string(value) + "\"";
  } else if constexpr (gs::CdrNumber<T>) {
    return std::to_string(static_cast<int64_t>(value));
  } else if constexpr (gs::CdrText<T>) {
    return "\"" + value + "\"";
  } else if constexpr (gs::CdrSequence<T> || gs::CdrArray<T>) {
    std::string text;
    for (const typename T::value_type& element : value)
      text += (text.empty() ? "" : ",") + toJsonText(element);
    return "[" + text + "]";
  } else {
    std::string text;
    T::fields(value, [&](const char* name, const auto& field, gs::FieldTraits = {}) {
      text += (text.empty() ? "\"" : ",\"") + std::string(name) + "\":" + toJsonText(field);
    });
    return "{" + text + "}";
  }
}

std::string toHex(gs::Bytes bytes) {
  std::string hex;
  for (const std::byte byte : bytes) hex += printed("%02x", std::to_integer<unsigned>(byte));
  return hex;
}

std::string withEscapedNewlines(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '\n' ? std::string("\\n") : std::string(1, c);
  return escaped;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::cerr << "usage: write_peer_messages FOLDER\n", 1;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  std::ofstream file(folder / "messages.jsonl");
  gs::Rng rng(20260214);
  gs::msgs::forEachMessage([&]<typename Message>() {
    const std::string schema = withEscapedNewlines(gs::rosSchemaText<Message>());
    for (int i = 0; i < kMessagesPerType; ++i) {
      Message message;
      gs::testing::fillRandomly(message, rng);
      file << R"({"type":")" << Message::kRosType << R"(","schema":")" << schema << R"(","cdr":")"
           << toHex(gs::encodeCdr(message)) << R"(","values":)" << toJsonText(message) << "}\n";
    }
  });
  return file.flush() ? 0 : 1;
}
