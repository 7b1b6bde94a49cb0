// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gs/core/bytes.hpp"
#include "gs_ros2/qos.hpp"

// Bytes on DDS topics, the way ROS 2 nodes expect them. Fast DDS stands behind these classes and is
// named nowhere else than in wire_*.cpp.
namespace gs_ros2 {

enum class DiscoveryRange { Subnet, Localhost, Off };

struct WireSettings {
  uint32_t domain = 0;
  DiscoveryRange range = DiscoveryRange::Subnet;
  std::vector<std::string> static_peers;  // host names or addresses that are asked one by one
  std::optional<int> gid_bytes;           // 24 for Humble, 16 for later; absent: as peers show
  // Bulk messages leave at this pace and not at once: a reader's socket holds a few hundred
  // kilobytes. Some times what is published on the average, or messages queue up.
  int32_t bulk_bytes_per_ms = 1 << 20;
};

// Names one endpoint in the whole domain: 12 bytes of its participant, 4 of its own.
struct Guid {
  std::array<uint8_t, 16> bytes{};

  auto operator<=>(const Guid&) const = default;
  bool isUnknown() const { return *this == Guid{}; }
  bool samePrefix(const Guid& other) const;
};

// Which request a reply belongs to.
struct SampleId {
  Guid guid;
  int64_t sequence = 0;
  auto operator<=>(const SampleId&) const = default;
};

// A message as it arrived; valid during the call that hands it over.
struct Arrival {
  gs::Bytes bytes;
  SampleId id;  // who wrote it, and its number
  // In a request of rmw_fastrtps the client's reply reader; in a reply the request it answers.
  SampleId related;
};

struct EndpointSpec {
  std::string topic;      // as DDS spells it: "rt/clock"
  std::string type;       // "rosgraph_msgs::msg::dds_::Clock_"
  std::string type_hash;  // "RIHS01_..."
  Qos qos;
  std::string user_data = {};  // "key=value;" pairs beside the hash
};

// Fills the buffer with the bytes of one message. Called later, on another thread.
using Encode = std::function<void(std::vector<std::byte>&)>;

class Writer {
 public:
  virtual ~Writer() = default;

  // Hands the message over and returns: encoding and sending happen on the participant's threads.
  // When they cannot follow, the oldest message of this writer that still waits is dropped.
  virtual void publish(Encode encode) = 0;
  virtual void reply(Encode encode, const SampleId& request) = 0;
  // Writes now, on the caller's thread, and says under which number. For requests, whose
  // number must be known before the reply arrives. `related` is what the server should answer to.
  virtual std::optional<SampleId> writeNow(gs::Bytes bytes, const Guid& related) = 0;

  virtual Guid guid() const = 0;
  virtual int readerCount() const = 0;
  virtual uint64_t matchCount() const = 0;  // readers that ever came
  // Whether what is written now reaches the client of a service: the reader it named, or else one
  // of its participant.
  virtual bool reaches(const Guid& client) const = 0;
  // Called on a thread of DDS whenever a reader comes or goes; it may publish but not writeNow.
  virtual void onMatch(std::function<void()> callback) = 0;
  // Messages that some reader never got: overwritten while it had not acknowledged them, or
  // dropped before they were sent.
  virtual uint64_t lostCount() const = 0;
};

class Reader {
 public:
  virtual ~Reader() = default;
  virtual Guid guid() const = 0;
  virtual int writerCount() const = 0;
  virtual uint64_t matchCount() const = 0;  // writers that ever came
  // Called on a thread of DDS whenever a writer comes or goes.
  virtual void onMatch(std::function<void()> callback) = 0;
};

// One node as `ros2 node list` shows it.
struct GraphNode {
  std::string ns, name;
  std::vector<Guid> readers, writers;
};

class Participant {
 public:
  // Throws gs::Error when no socket can be opened or a setting makes no sense.
  explicit Participant(const WireSettings& settings);
  ~Participant();  // says goodbye to the graph
  Participant(const Participant&) = delete;
  Participant& operator=(const Participant&) = delete;

  std::unique_ptr<Writer> createWriter(const EndpointSpec& spec);
  // `receive` runs on a thread of DDS: it must be quick and must not throw.
  std::unique_ptr<Reader> createReader(const EndpointSpec& spec,
                                       std::function<void(const Arrival&)> receive);

  // Tells all peers which nodes live here; replaces what was said before.
  void announce(std::vector<GraphNode> nodes);
  // Nodes of other participants, "/ns/name", sorted.
  std::vector<std::string> peerNodes() const;

  // True when requests of this writer carry rmw_cyclonedds' header of 16 bytes.
  bool isCycloneClient(const Guid& writer) const;
  Guid guid() const;

  // What came in since the start, and what of it was dropped at the door: damaged, or from another
  // host where only this one is meant.
  struct Datagrams {
    uint64_t received = 0, damaged = 0, foreign = 0;
  };
  Datagrams datagrams() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace gs_ros2
