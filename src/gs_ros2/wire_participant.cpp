// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/qos/DomainParticipantQos.hpp>
#include <fastdds/dds/log/Log.hpp>
#include <fastdds/rtps/flowcontrol/FlowControllerDescriptor.hpp>
#include <fastrtps/utils/IPLocator.h>
#include <fastrtps/xmlparser/XMLProfileManager.h>

#include "gs/core/error.hpp"
#include "gs/core/log.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs/msgs/rmw_dds_common.hpp"
#include "gs_ros2/wire_fastdds.hpp"
#include "gs_ros2/wire_transport.hpp"

namespace gs_ros2 {
namespace {

constexpr uint32_t kSocketBytes = 4 << 20;
constexpr uint32_t kMaxDomain = 232;  // beyond, ports would not fit into 16 bits
// So many participants of a host are asked one by one, as rmw_fastrtps does.
constexpr uint32_t kAskedParticipants = 32;
// Of one peer: machines with containers on them have an address for each.
constexpr size_t kMaxAddresses = 16;
constexpr Ipv4 kDiscoveryGroup = {239, 255, 0, 1};
constexpr uint32_t kDiscoveryPort = 7400, kPortsPerDomain = 250;

constexpr size_t kPostBound = 1000;
constexpr const char* kGraphTopic = "ros_discovery_info";

gs::Error settingError(const std::string& message, const std::string& suggestion) {
  return gs::Error({.code = gs::ErrorCode::ConfigInvalid,
                    .component = "ros2",
                    .message = message,
                    .suggestion = suggestion});
}

// Port 0 stands for the one that the library computes: of discovery or of data, and of an initial
// peer those of the first participants on that host.
rtps::Locator_t locatorOf(const Ipv4& address, uint32_t port = 0) {
  rtps::Locator_t locator;
  locator.kind = LOCATOR_KIND_UDPv4;
  locator.port = port;
  rtps::IPLocator::setIPv4(locator, address[0], address[1], address[2], address[3]);
  return locator;
}

std::vector<Ipv4> addressesOf(const std::vector<std::string>& hosts) {
  std::vector<Ipv4> addresses;
  for (const std::string& host : hosts) {
    const auto [v4, v6] = rtps::IPLocator::resolveNameDNS(host);
    rtps::Locator_t locator;
    if (rtps::IPLocator::isIPv4(host)) {
      rtps::IPLocator::setIPv4(locator, host);
    } else if (!v4.empty()) {
      rtps::IPLocator::setIPv4(locator, *v4.begin());
    } else {
      gs::logger("ros2").warn("static peer '" + host + "' has no address and is left out");
      continue;
    }
    const unsigned char* bytes = rtps::IPLocator::getIPv4(locator);
    addresses.push_back({bytes[0], bytes[1], bytes[2], bytes[3]});
  }
  return addresses;
}

// Where we announce ourselves: to everybody, and to those who hear no multicast one by one.
void addInitialPeers(rtps::BuiltinAttributes& builtin, const WireSettings& settings,
                     const std::vector<Ipv4>& named) {
  rtps::LocatorList_t& peers = builtin.initialPeersList;
  peers.push_back(locatorOf(kLoopback));
  for (const Ipv4& host : named) peers.push_back(locatorOf(host));
  peers.push_back(locatorOf(kDiscoveryGroup, kDiscoveryPort + kPortsPerDomain * settings.domain));
}

// Where others reach us. Some nodes of this machine accept the loopback address only
// (ROS_LOCALHOST_ONLY=1 up to Iron), others that of an interface only: so all of them are named.
void listenOnEveryAddress(fast::WireProtocolConfigQos& protocol) {
  for (const Ipv4& address : ownAddresses()) {
    protocol.builtin.metatrafficUnicastLocatorList.push_back(locatorOf(address));
    protocol.default_unicast_locator_list.push_back(locatorOf(address));
  }
  protocol.builtin.metatrafficMulticastLocatorList.push_back(locatorOf(kDiscoveryGroup));
}

std::shared_ptr<GuardedUdp> transport(const WireSettings& settings, const std::vector<Ipv4>& named,
                                      const std::shared_ptr<DatagramCounts>& counts,
                                      const std::shared_ptr<WireWatch>& watch) {
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  udp->sendBufferSize = kSocketBytes;
  udp->receiveBufferSize = kSocketBytes;
  udp->maxInitialPeersRange = kAskedParticipants;
  return std::make_shared<GuardedUdp>(
      udp,
      TransportSettings{.is_this_host_only = settings.range == DiscoveryRange::Localhost,
                        .named_hosts = named},
      counts, watch);
}

fast::DomainParticipantQos participantQos(const WireSettings& settings,
                                          const std::shared_ptr<DatagramCounts>& counts,
                                          const std::shared_ptr<WireWatch>& watch) {
  fast::DomainParticipantQos qos;
  qos.name("/");
  const std::string enclave = "enclave=/;";
  qos.user_data().setValue({enclave.begin(), enclave.end()});

  // Shared memory stays off: the segments of this version crash nodes built with others.
  const std::vector<Ipv4> named = addressesOf(settings.static_peers);
  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports.push_back(transport(settings, named, counts, watch));
  listenOnEveryAddress(qos.wire_protocol());
  qos.allocation().locators.max_unicast_locators = kMaxAddresses;

  auto flow = std::make_shared<eprosima::fastdds::rtps::FlowControllerDescriptor>();
  flow->name = kBulkFlow;
  flow->max_bytes_per_period = settings.bulk_bytes_per_ms;
  flow->period_ms = 1;
  qos.flow_controllers().push_back(flow);

  auto& builtin = qos.wire_protocol().builtin;
  builtin.readerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  builtin.writerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  addInitialPeers(builtin, settings, named);
  if (settings.range == DiscoveryRange::Off)
    builtin.discovery_config.discoveryProtocol = rtps::DiscoveryProtocol_t::NONE;
  return qos;
}

EndpointSpec graphSpec() {
  using Message = gs::msgs::ParticipantEntitiesInfo;
  return {.topic = kGraphTopic,
          .type = gs::ddsTypeName<Message>(),
          .type_hash = gs::rosTypeHash<Message>(),
          .qos = {.is_latched = true, .depth = 1}};
}

}  // namespace

bool Guid::samePrefix(const Guid& other) const {
  return std::equal(bytes.begin(), bytes.begin() + 12, other.bytes.begin());
}

Participant::Impl::Impl(const WireSettings& settings) : graph(settings.gid_bytes) {
  if (settings.domain > kMaxDomain)
    throw settingError(
        "ROS domain " + std::to_string(settings.domain) + " is above " + std::to_string(kMaxDomain),
        "Set ROS_DOMAIN_ID to a number from 0 to 101.");
  // Participants of one process, as tests have them, talk as those of two do: the library's short
  // cut between them is another program than the one our users run.
  eprosima::fastrtps::LibrarySettingsAttributes library;
  library.intraprocess_delivery = eprosima::fastrtps::INTRAPROCESS_OFF;
  eprosima::fastrtps::xmlparser::XMLProfileManager::library_settings(library);
  // Its own log has colours and no component; what matters is reported by us.
  fast::Log::SetVerbosity(fast::Log::Kind::Error);
  participant = fast::DomainParticipantFactory::get_instance()->create_participant(
      settings.domain, participantQos(settings, datagrams, watch), this, fast::StatusMask::none());
  if (!participant)
    throw settingError("cannot join ROS domain " + std::to_string(settings.domain),
                       "Check that UDP sockets can be opened, and ROS_DOMAIN_ID.");
  guid = toGuid(participant->guid());
  publisher = participant->create_publisher(fast::PUBLISHER_QOS_DEFAULT);
  subscriber = participant->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT);
}

Participant::Impl::~Impl() {
  graph_reader.reset();
  setGraphWriter(nullptr);
  participant->set_listener(nullptr);
  participant->delete_contained_entities();
  fast::DomainParticipantFactory::get_instance()->delete_participant(participant);
}

fast::Topic* Participant::Impl::topicFor(const EndpointSpec& spec) {
  const std::lock_guard lock(topics_mutex);
  if (const auto known = topics.find(spec.topic); known != topics.end())
    return known->second->get_type_name() == spec.type ? known->second : nullptr;
  if (participant->find_type(spec.type).empty())
    participant->register_type(fast::TypeSupport(new RawType(spec.type)));
  fast::Topic* topic = participant->create_topic(spec.topic, spec.type, fast::TOPIC_QOS_DEFAULT);
  if (topic) topics[spec.topic] = topic;
  return topic;
}

// Made and ended outside the lock: discovery holds a lock of the library when it asks for ours.
void Participant::Impl::setGraphWriter(std::unique_ptr<Writer> writer) {
  const std::lock_guard lock(graph_writer_mutex);
  graph_writer.swap(writer);
}

void Participant::Impl::rewriteGraph() {
  const std::lock_guard writer_lock(graph_writer_mutex);
  if (!graph_writer) return;
  std::vector<std::byte> bytes;
  {
    const std::lock_guard lock(graph_mutex);
    bytes = encodeGraph(guid, graph.own_nodes, graph.gidBytes());
  }
  graph_writer->writeNow(bytes, {});
}

void Participant::Impl::receiveGraph(const Arrival& arrival) {
  if (arrival.id.guid.samePrefix(guid)) return;
  bool must_rewrite = false;
  {
    const std::lock_guard lock(graph_mutex);
    must_rewrite = graph.receive(arrival.bytes, arrival.id.guid);
  }
  if (must_rewrite) prompt.post(this, kPostBound, [this] { rewriteGraph(); });
}

void Participant::Impl::on_participant_discovery(fast::DomainParticipant*,
                                                 rtps::ParticipantDiscoveryInfo&& info) {
  using Info = rtps::ParticipantDiscoveryInfo;
  if (info.status != Info::REMOVED_PARTICIPANT && info.status != Info::DROPPED_PARTICIPANT) return;
  const Guid gone = toGuid(info.info.m_guid);
  const std::lock_guard lock(graph_mutex);
  if (graph.forget(gone)) prompt.post(this, kPostBound, [this] { rewriteGraph(); });
  std::erase_if(cyclone_clients, [&](const Guid& client) { return client.samePrefix(gone); });
}

// Called before the reader is matched, and so before it gets what we have latched: a form that
// would harm it must be replaced here and now.
void Participant::Impl::on_subscriber_discovery(fast::DomainParticipant* self,
                                                rtps::ReaderDiscoveryInfo&& info) {
  const Guid reader = toGuid(info.info.guid());
  if (info.status != rtps::ReaderDiscoveryInfo::DISCOVERED_READER ||
      info.info.topicName() != kGraphTopic || reader.samePrefix(toGuid(self->guid())))
    return;
  const auto& data = info.info.m_qos.m_userData.data_vec();
  const std::string_view text(reinterpret_cast<const char*>(data.data()), data.size());
  bool must_rewrite = false;
  {
    const std::lock_guard lock(graph_mutex);
    must_rewrite = graph.noticeReader(reader, text.find("typehash=") != std::string_view::npos);
  }
  if (must_rewrite) rewriteGraph();
}

void Participant::Impl::on_publisher_discovery(fast::DomainParticipant*,
                                               rtps::WriterDiscoveryInfo&& info) {
  const Guid writer = toGuid(info.info.guid());
  const auto& data = info.info.m_qos.m_userData.data_vec();
  const std::string_view text(reinterpret_cast<const char*>(data.data()), data.size());
  const std::lock_guard lock(graph_mutex);
  if (info.status == rtps::WriterDiscoveryInfo::REMOVED_WRITER) cyclone_clients.erase(writer);
  else if (text.find("clientid=") != std::string_view::npos) cyclone_clients.insert(writer);
}

Participant::Participant(const WireSettings& settings) : impl_(std::make_unique<Impl>(settings)) {
  impl_->setGraphWriter(createFastWriter(*impl_, graphSpec()));
  impl_->graph_reader = createFastReader(
      *impl_, graphSpec(),
      [impl = impl_.get()](const Arrival& arrival) { impl->receiveGraph(arrival); }, true);
}

Participant::~Participant() {
  impl_->prompt.forget(impl_.get());
  announce({});
}

std::unique_ptr<Writer> Participant::createWriter(const EndpointSpec& spec) {
  return createFastWriter(*impl_, spec);
}

std::unique_ptr<Reader> Participant::createReader(const EndpointSpec& spec,
                                                  std::function<void(const Arrival&)> receive) {
  return createFastReader(*impl_, spec, std::move(receive));
}

void Participant::announce(std::vector<GraphNode> nodes) {
  {
    const std::lock_guard lock(impl_->graph_mutex);
    impl_->graph.own_nodes = std::move(nodes);
  }
  impl_->rewriteGraph();
}

std::vector<std::string> Participant::peerNodes() const {
  const std::lock_guard lock(impl_->graph_mutex);
  return impl_->graph.peerNodes();
}

bool Participant::isCycloneClient(const Guid& writer) const {
  if (writer.bytes[0] == 0x01 && writer.bytes[1] == 0x10) return true;  // its vendor id
  const std::lock_guard lock(impl_->graph_mutex);
  return impl_->cyclone_clients.contains(writer);
}

Guid Participant::guid() const { return impl_->guid; }

Participant::Datagrams Participant::datagrams() const {
  const DatagramCounts& counts = *impl_->datagrams;
  return {.received = counts.received, .damaged = counts.damaged, .foreign = counts.foreign};
}

}  // namespace gs_ros2
