// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gs/formats/mcap_parse.hpp"

// Plain values to MCAP records: the inverse of mcap_parse.hpp. Each appends one whole record.
namespace gs {

void appendMcap(std::string& out, const McapHeader& header);
void appendMcap(std::string& out, const McapSchema& schema);
void appendMcap(std::string& out, const McapChannel& channel);
void appendMcap(std::string& out, const McapMessage& message);
void appendMcap(std::string& out, const McapChunk& chunk);
void appendMcap(std::string& out, const McapMessageIndex& index);
void appendMcap(std::string& out, const McapChunkIndex& index);
void appendMcap(std::string& out, const McapAttachment& attachment);  // with its CRC
void appendMcap(std::string& out, const McapAttachmentIndex& index);
void appendMcap(std::string& out, const McapStatistics& statistics);
void appendMcap(std::string& out, const McapMetadata& metadata);
void appendMcap(std::string& out, const McapMetadataIndex& index);
void appendMcap(std::string& out, const McapSummaryOffset& offset);
void appendMcap(std::string& out, const McapDataEnd& end);
void appendMcap(std::string& out, const McapFooter& footer);

}  // namespace gs
