// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gs/formats/mcap_parse.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "shared_data.hpp"

// The conformance suite of the MCAP project: each log comes with a list of all its records and
// fields, numbers as strings. Chunk and MessageIndex records are not listed.
namespace gs {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

Json text(const std::string& value) { return value; }
Json text(Stamp value) { return std::to_string(value.ns); }
Json text(std::integral auto value) { return std::to_string(value); }
Json text(const std::map<std::string, std::string>& map) {
  Json object = Json::object();
  for (const auto& [key, value] : map) object[key] = value;
  return object;
}
Json text(const std::map<uint16_t, uint64_t>& map) {
  Json object = Json::object();
  for (const auto& [key, value] : map) object[std::to_string(key)] = std::to_string(value);
  return object;
}
Json text(Bytes bytes) {
  Json list = Json::array();
  for (const std::byte byte : bytes) list.push_back(std::to_string(static_cast<int>(byte)));
  return list;
}

Json record(const char* type, Json fields) {
  return Json{{"type", type}, {"fields", std::move(fields)}};
}
#define FIELD(name) Json::array({#name, text(r.name)})

struct Describe {
  Json operator()(const McapUnknown&) const { return {}; }
  Json operator()(const McapChunk&) const { return {}; }
  Json operator()(const McapMessageIndex&) const { return {}; }
  Json operator()(const McapHeader& r) const {
    return record("Header", Json::array({FIELD(library), FIELD(profile)}));
  }
  Json operator()(const McapFooter& r) const {
    return record("Footer", Json::array({FIELD(summary_crc), FIELD(summary_offset_start),
                                         FIELD(summary_start)}));
  }
  Json operator()(const McapSchema& r) const {
    return record("Schema", Json::array({Json::array({"data", text(asBytes(r.data))}),
                                         FIELD(encoding), FIELD(id), FIELD(name)}));
  }
  Json operator()(const McapChannel& r) const {
    return record("Channel", Json::array({FIELD(id), FIELD(message_encoding), FIELD(metadata),
                                          FIELD(schema_id), FIELD(topic)}));
  }
  Json operator()(const McapMessage& r) const {
    return record("Message", Json::array({FIELD(channel_id), FIELD(data), FIELD(log_time),
                                          FIELD(publish_time), FIELD(sequence)}));
  }
  Json operator()(const McapChunkIndex& r) const {
    return record("ChunkIndex",
                  Json::array({FIELD(chunk_length), FIELD(chunk_start_offset),
                               FIELD(compressed_size), FIELD(compression), FIELD(message_end_time),
                               FIELD(message_index_length), FIELD(message_index_offsets),
                               FIELD(message_start_time), FIELD(uncompressed_size)}));
  }
  Json operator()(const McapAttachmentRecord& given) const {
    const McapAttachment& r = given.attachment;
    return record("Attachment",
                  Json::array({FIELD(create_time), Json::array({"data", text(asBytes(r.data))}),
                               FIELD(log_time), FIELD(media_type), FIELD(name)}));
  }
  Json operator()(const McapAttachmentIndex& r) const {
    return record("AttachmentIndex",
                  Json::array({FIELD(create_time), FIELD(data_size), FIELD(length), FIELD(log_time),
                               FIELD(media_type), FIELD(name), FIELD(offset)}));
  }
  Json operator()(const McapStatistics& r) const {
    return record(
        "Statistics",
        Json::array({FIELD(attachment_count), FIELD(channel_count), FIELD(channel_message_counts),
                     FIELD(chunk_count), FIELD(message_count), FIELD(message_end_time),
                     FIELD(message_start_time), FIELD(metadata_count), FIELD(schema_count)}));
  }
  Json operator()(const McapMetadata& r) const {
    return record("Metadata",
                  Json::array({Json::array({"metadata", text(r.entries)}), FIELD(name)}));
  }
  Json operator()(const McapMetadataIndex& r) const {
    return record("MetadataIndex", Json::array({FIELD(length), FIELD(name), FIELD(offset)}));
  }
  Json operator()(const McapSummaryOffset& r) const {
    return record("SummaryOffset",
                  Json::array({FIELD(group_length), FIELD(group_opcode), FIELD(group_start)}));
  }
  Json operator()(const McapDataEnd& r) const {
    return record("DataEnd", Json::array({FIELD(data_section_crc)}));
  }
};

class McapConformance : public ::testing::Test {
 protected:
  void SetUp() override {
    const fs::path folder = testing::sharedData() / "mcap_conformance/data";
    if (!fs::is_directory(folder)) GTEST_SKIP() << folder << " is not on this machine";
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".mcap") logs_.push_back(entry.path());
    std::sort(logs_.begin(), logs_.end());
    EXPECT_EQ(logs_.size(), 416U);
  }

  static Json expectedOf(fs::path log) {
    std::ifstream file(log.replace_extension(".json"));
    return Json::parse(file)["records"];
  }

  std::vector<fs::path> logs_;
};

TEST_F(McapConformance, EveryRecordAndFieldIsAsTheSuiteListsIt) {
  for (const fs::path& log : logs_) {
    Json actual = Json::array();
    visitMcapRecords(*openFile(log), [&actual](const McapRecord& found) {
      Json described = std::visit(Describe(), found);
      if (!described.is_null()) actual.push_back(std::move(described));
    });
    EXPECT_EQ(actual, expectedOf(log)) << log;
  }
}

TEST_F(McapConformance, TheLogReaderFindsTheSameMessagesInOrderOfTime) {
  for (const fs::path& log : logs_) {
    std::vector<std::pair<int64_t, Json>> expected;
    size_t attachments = 0, metadata = 0;
    visitMcapRecords(*openFile(log), [&](const McapRecord& found) {
      if (const auto* message = std::get_if<McapMessage>(&found))
        expected.emplace_back(message->log_time.ns, Json{message->sequence, text(message->data)});
      attachments += std::holds_alternative<McapAttachmentRecord>(found) ? 1 : 0;
      metadata += std::holds_alternative<McapMetadata>(found) ? 1 : 0;
    });
    std::stable_sort(expected.begin(), expected.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const LogReader reader(log, {.is_strict = true});
    std::vector<std::pair<int64_t, Json>> actual;
    reader.read({}, [&actual](const LogMessage& message) {
      actual.emplace_back(message.log_time.ns, Json{message.sequence, text(message.data)});
    });
    EXPECT_EQ(actual, expected) << log;
    EXPECT_EQ(reader.summary().message_count, expected.size()) << log;
    EXPECT_EQ(reader.summary().attachments.size(), attachments) << log;
    EXPECT_EQ(reader.summary().metadata.size(), metadata) << log;
  }
}

}  // namespace
}  // namespace gs
