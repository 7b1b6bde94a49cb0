// SPDX-License-Identifier: Apache-2.0
// fast_peer DOMAIN MODE [HOST]: a node of rmw_fastrtps as far as finding others goes, until stdin
// closes. It reads /clock and writes commands, and prints "participant" for each participant it
// finds, "clock" once it has read five of them, "matched" once somebody reads its commands.
// MODE says how it looks for others:
//   subnet     as rmw does by default, with multicast
//   localhost  as Jazzy for LOCALHOST: no multicast heard, 127.0.0.1 asked, interface address told
//   loopback   as Humble for ROS_LOCALHOST_ONLY=1: no other address than 127.0.0.1
// HOST is asked as well, as with ROS_STATIC_PEERS.
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <string>

#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/qos/DomainParticipantQos.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

#include "gs_ros2/wire_fastdds.hpp"

namespace {

namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

void say(const char* what) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::cout << what << std::endl;
}

struct Listener : fast::DomainParticipantListener {  // also of its two endpoints
  void on_participant_discovery(fast::DomainParticipant*,
                                rtps::ParticipantDiscoveryInfo&& info) override {
    if (info.status == rtps::ParticipantDiscoveryInfo::DISCOVERED_PARTICIPANT) say("participant");
  }
  void on_data_available(fast::DataReader* reader) override {
    std::vector<std::byte> bytes;
    fast::SampleInfo info;
    while (reader->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK)
      if (info.valid_data && ++clocks == 5) say("clock");
  }
  void on_publication_matched(fast::DataWriter*,
                              const fast::PublicationMatchedStatus& info) override {
    if (info.current_count_change > 0) say("matched");
  }
  std::atomic<int> clocks = 0;
};

void addPeer(rtps::BuiltinAttributes& builtin, const std::string& host) {
  rtps::Locator_t peer;
  rtps::IPLocator::setIPv4(peer, host);
  builtin.initialPeersList.push_back(peer);
}

fast::DomainParticipantQos qosFor(const std::string& mode, const std::string& host) {
  fast::DomainParticipantQos qos;
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  auto& builtin = qos.wire_protocol().builtin;
  if (mode == "loopback") udp->interfaceWhiteList.emplace_back("127.0.0.1");
  if (mode == "localhost") {
    udp->maxInitialPeersRange = 32;
    builtin.metatrafficUnicastLocatorList.push_back(rtps::Locator_t());  // and no multicast
    addPeer(builtin, "127.0.0.1");
  }
  if (!host.empty()) addPeer(builtin, host);
  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports.push_back(udp);
  return qos;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::cerr << "usage: fast_peer DOMAIN MODE [HOST]\n", 1;
  Listener listener;
  fast::DomainParticipant* participant =
      fast::DomainParticipantFactory::get_instance()->create_participant(
          static_cast<uint32_t>(std::atoi(argv[1])), qosFor(argv[2], argc > 3 ? argv[3] : ""),
          &listener, fast::StatusMask::none());
  if (participant == nullptr) return std::cerr << "fast_peer: no participant\n", 1;
  const auto topic = [&](const char* name, const char* type) {
    participant->register_type(fast::TypeSupport(new gs_ros2::RawType(type)));
    return participant->create_topic(name, type, fast::TOPIC_QOS_DEFAULT);
  };
  fast::DataReaderQos reads;
  reads.reliability().kind = fast::RELIABLE_RELIABILITY_QOS;
  reads.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  fast::DataWriterQos writes;
  writes.reliability().kind = fast::RELIABLE_RELIABILITY_QOS;
  writes.durability().kind = fast::VOLATILE_DURABILITY_QOS;
  writes.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  participant->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT)
      ->create_datareader(topic("rt/clock", "rosgraph_msgs::msg::dds_::Clock_"), reads, &listener);
  participant->create_publisher(fast::PUBLISHER_QOS_DEFAULT)
      ->create_datawriter(
          topic("rt/vehicle/control_cmd", "ackermann_msgs::msg::dds_::AckermannDriveStamped_"),
          writes, &listener);
  std::cin.get();
  participant->set_listener(nullptr);
  participant->delete_contained_entities();
  fast::DomainParticipantFactory::get_instance()->delete_participant(participant);
  return 0;
}
