// SPDX-License-Identifier: Apache-2.0
// write_peer_logs write <directory>: drive logs for readers by others to judge.
// write_peer_logs dump <log>: every message of a log as a line of JSON, in order of time.
#include <cstdio>
#include <filesystem>
#include <string>

#include "gs/core/error.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/formats/mcap_writer.hpp"

namespace {

// The peer test makes the same messages again: keep both in step.
void writeLog(const std::filesystem::path& path, const gs::McapWriterOptions& options) {
  gs::McapWriter writer(path, options);
  const uint16_t text = writer.addSchema("std_msgs/msg/String", "ros2msg", "string data\n");
  const uint16_t channels[] = {
      writer.addChannel(text, "/first", "cdr", {{"offered_qos_profiles", ""}}),
      writer.addChannel(text, "/second", "cdr"), writer.addChannel(0, "/third", "json")};
  for (uint32_t i = 0; i < 500; ++i) {
    const std::string data = "message " + std::to_string(i) + std::string(i % 50, 'x');
    writer.write({.channel_id = channels[i % 3],
                  .sequence = i,
                  .log_time = {1'700'000'000'000'000'000 + int64_t{1000} * i},
                  .publish_time = {1'700'000'000'000'000'000 + int64_t{1000} * i - 7},
                  .data = gs::asBytes(data)});
  }
  writer.attach({{5}, {6}, "notes.txt", "text/plain", "an attachment"});
  writer.addMetadata({"vehicle", {{"name", "shuttle"}}});
  writer.close();
}

void writeAll(const std::filesystem::path& folder) {
  using enum gs::McapCompression;
  std::filesystem::create_directories(folder);
  writeLog(folder / "zstd.mcap", {.compression = Zstd, .chunk_bytes = 4000});
  writeLog(folder / "lz4.mcap", {.compression = Lz4, .chunk_bytes = 4000});
  writeLog(folder / "none.mcap", {.compression = None, .chunk_bytes = 4000});
  writeLog(folder / "unchunked.mcap", {.chunk_bytes = 0});
}

void dump(const std::filesystem::path& path) {
  const gs::LogReader reader(path, {.is_strict = true});
  reader.read({}, [](const gs::LogMessage& message) {  // the peer's texts need no escaping
    std::printf(
        "{\"topic\":\"%s\",\"type\":\"%s\",\"sequence\":%u,\"logTime\":\"%lld\","
        "\"publishTime\":\"%lld\",\"data\":\"%s\"}\n",
        message.topic.name.c_str(), message.topic.type.c_str(), message.sequence,
        static_cast<long long>(message.log_time.ns),
        static_cast<long long>(message.publish_time.ns),
        std::string(gs::asText(message.data)).c_str());
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc == 3 ? argv[1] : "";
  if (verb != "write" && verb != "dump") {
    std::fprintf(stderr, "usage: write_peer_logs write <directory> | dump <log>\n");
    return 1;
  }
  try {
    if (verb == "write") writeAll(argv[2]);
    else dump(argv[2]);
    return 0;
  } catch (const gs::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
