// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>

#include "gs_ros2/graph.hpp"
#include "gs_ros2/send_lane.hpp"
#include "gs_ros2/wire.hpp"
#include "gs_ros2/wire_transport.hpp"
#include "gs_ros2/wire_watch.hpp"

// What the files behind wire.hpp share. Included by wire_*.cpp only: these headers compile slowly.
namespace gs_ros2 {

// Fast DDS declares a global namespace `dds` of its own, so the alias has another name.
namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

constexpr const char* kBulkFlow = "gs_bulk";
// The thread that copies megabytes gives way to the one that hands them over.
constexpr int kBulkNiceness = 3;

Guid toGuid(const rtps::GUID_t& guid);
rtps::GUID_t toFast(const Guid& guid);

// Messages that are encoded already: one type class for every message there is.
class RawType : public fast::TopicDataType {
 public:
  explicit RawType(const std::string& name);

  bool serialize(void* data, rtps::SerializedPayload_t* payload) override;
  bool deserialize(rtps::SerializedPayload_t* payload, void* data) override;
  std::function<uint32_t()> getSerializedSizeProvider(void* data) override;
  void* createData() override;
  void deleteData(void* data) override;
  bool getKey(void*, rtps::InstanceHandle_t*, bool) override { return false; }
};

struct Participant::Impl : fast::DomainParticipantListener {
  explicit Impl(const WireSettings& settings);
  ~Impl() override;

  fast::Topic* topicFor(const EndpointSpec& spec);
  void setGraphWriter(std::unique_ptr<Writer> writer);
  void rewriteGraph();
  void receiveGraph(const Arrival& arrival);

  void on_participant_discovery(fast::DomainParticipant*,
                                rtps::ParticipantDiscoveryInfo&& info) override;
  void on_publisher_discovery(fast::DomainParticipant*, rtps::WriterDiscoveryInfo&& info) override;
  void on_subscriber_discovery(fast::DomainParticipant*, rtps::ReaderDiscoveryInfo&& info) override;

  fast::DomainParticipant* participant = nullptr;
  fast::Publisher* publisher = nullptr;
  fast::Subscriber* subscriber = nullptr;
  Guid guid;
  const std::shared_ptr<WireWatch> watch = std::make_shared<WireWatch>();
  const std::shared_ptr<DatagramCounts> datagrams = std::make_shared<DatagramCounts>();
  SendLane prompt;
  SendLane bulk{kBulkNiceness};

  std::mutex topics_mutex;
  std::map<std::string, fast::Topic*> topics;

  mutable std::mutex graph_mutex;
  Graph graph;
  std::set<Guid> cyclone_clients;
  // Held while a form is chosen and written, so that no older choice is written after it.
  std::mutex graph_writer_mutex;
  std::unique_ptr<Writer> graph_writer;  // absent before the first and after the last message
  std::unique_ptr<Reader> graph_reader;
};

std::unique_ptr<Writer> createFastWriter(Participant::Impl& owner, const EndpointSpec& spec);
std::unique_ptr<Reader> createFastReader(Participant::Impl& owner, const EndpointSpec& spec,
                                         std::function<void(const Arrival&)> receive,
                                         bool keep_all = false);

}  // namespace gs_ros2
