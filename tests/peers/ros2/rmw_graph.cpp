// SPDX-License-Identifier: Apache-2.0
#include "peers/ros2/rmw_graph.hpp"

#include <algorithm>
#include <stdexcept>

#include <fastcdr/Cdr.h>

namespace peers {
namespace {

using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;

void write(Cdr& cdr, const Gid& gid, size_t gid_bytes) {
  std::vector<uint8_t> data(gid.begin(), gid.end());
  data.resize(gid_bytes);
  cdr.serializeArray(data.data(), data.size());
}

void write(Cdr& cdr, const std::vector<Gid>& gids, size_t gid_bytes) {
  cdr << static_cast<uint32_t>(gids.size());
  for (const Gid& gid : gids) write(cdr, gid, gid_bytes);
}

class Reading {
 public:
  Reading(std::vector<char> message, size_t gid_bytes)
      : message_(std::move(message)),
        gid_bytes_(gid_bytes),
        buffer_(message_.data(), message_.size()),
        cdr_(buffer_, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR) {
    cdr_.read_encapsulation();
  }

  Gid gid() {
    std::vector<uint8_t> data(gid_bytes_);
    cdr_.deserializeArray(data.data(), data.size());
    Gid result;
    std::copy_n(data.begin(), result.size(), result.begin());
    return result;
  }

  std::vector<Gid> gids() {
    std::vector<Gid> result(count(gid_bytes_));
    for (Gid& one : result) one = gid();
    return result;
  }

  RmwNode node() {
    RmwNode result;
    cdr_ >> result.ns >> result.name;
    result.readers = gids();
    result.writers = gids();
    return result;
  }

  // ROS resizes to what it reads; no message that is understood asks for more than it brings.
  size_t count(size_t least_bytes_each) {
    uint32_t value = 0;
    cdr_ >> value;
    if (value > left() / least_bytes_each)
      throw std::length_error("would have made room for " + std::to_string(value) +
                              " entries where " + std::to_string(left()) + " bytes are left");
    return value;
  }

  size_t left() const { return message_.size() - cdr_.getSerializedDataLength(); }

 private:
  std::vector<char> message_;
  size_t gid_bytes_;
  FastBuffer buffer_;
  Cdr cdr_;
};

constexpr size_t kLeastNodeBytes = 4 * 4;  // two strings and two sequences

}  // namespace

std::string writeGraph(const Gid& participant, const std::vector<RmwNode>& nodes,
                       size_t gid_bytes) {
  FastBuffer buffer;
  Cdr cdr(buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
  cdr.serialize_encapsulation();
  write(cdr, participant, gid_bytes);
  cdr << static_cast<uint32_t>(nodes.size());
  for (const RmwNode& node : nodes) {
    cdr << node.ns << node.name;
    write(cdr, node.readers, gid_bytes);
    write(cdr, node.writers, gid_bytes);
  }
  return {buffer.getBuffer(), cdr.getSerializedDataLength()};
}

GraphReading readGraph(gs::Bytes message, size_t gid_bytes) {
  GraphReading result;
  const auto* begin = reinterpret_cast<const char*>(message.data());
  try {
    Reading reading({begin, begin + message.size()}, gid_bytes);
    reading.gid();
    for (size_t left = reading.count(kLeastNodeBytes); left > 0; --left)
      result.nodes.push_back(reading.node());
    result.bytes_left = reading.left();
  } catch (const std::exception& error) {
    result.problem = error.what();
  }
  return result;
}

}  // namespace peers
