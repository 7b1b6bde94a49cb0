// SPDX-License-Identifier: Apache-2.0
#include "peers/ros2/rmw_peer.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <stdexcept>

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastrtps/xmlparser/XMLProfileManager.h>

#include "peers/ros2/rmw_fastdds.hpp"

namespace peers {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr const char* kGraphTopic = "ros_discovery_info";
constexpr const char* kGraphType = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";
constexpr const char* kGraphHash =
    "RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e";

class FastWriter : public RmwWriter {
 public:
  explicit FastWriter(fast::DataWriter* writer) : writer_(writer) {}
  bool hasReaders() const override {
    fast::PublicationMatchedStatus status;
    writer_->get_publication_matched_status(status);
    return status.current_count > 0;
  }
  void write(gs::Bytes message) override {
    Text text(gs::asText(message));
    writer_->write(&text);
  }

 private:
  fast::DataWriter* writer_;
};

}  // namespace

struct RmwPeer::Impl : fast::DomainParticipantListener {
  Impl(const Dialect& spoken, uint32_t domain, const std::string& name);
  ~Impl() override;

  fast::Topic* topicFor(const RmwTopic& topic);
  fast::DataReader* addReader(const RmwTopic& topic, Take take, bool is_graph = false);
  fast::DataWriter* addWriter(const RmwTopic& topic);
  void remove(fast::DataReader* reader, fast::DataWriter* writer);
  void announce();
  void receiveGraph(const Text& message, const Gid& writer);
  bool isReady(const RmwTopic& request, const RmwTopic& reply, fast::DataReader* reader,
               fast::DataWriter* writer) const;

  void on_participant_discovery(fast::DomainParticipant*,
                                rtps::ParticipantDiscoveryInfo&& info) override;
  void on_publisher_discovery(fast::DomainParticipant*, rtps::WriterDiscoveryInfo&& info) override;
  void on_subscriber_discovery(fast::DomainParticipant*, rtps::ReaderDiscoveryInfo&& info) override;
  template <typename Info>
  void discover(const Gid& self_gid, const Info& info, bool is_writer, bool is_removed);

  const Dialect dialect;
  fast::DomainParticipant* participant = nullptr;
  fast::Publisher* publisher = nullptr;
  fast::Subscriber* subscriber = nullptr;
  fast::DataWriter* graph_writer = nullptr;
  RmwNode self;
  std::deque<ReaderListener> listeners;  // outlive their readers
  std::deque<FastWriter> writers;

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::map<Gid, std::vector<RmwNode>> graph;  // by participant
  std::map<Gid, RmwEndpoint> endpoints;
  std::vector<std::pair<Gid, std::string>> problems;  // and whose participant's they are
};

RmwPeer::Impl::Impl(const Dialect& spoken, uint32_t domain, const std::string& name)
    : dialect(spoken), self{"/", name, {}, {}} {
  // Peers of one process talk as those of two do.
  eprosima::fastrtps::LibrarySettingsAttributes library;
  library.intraprocess_delivery = eprosima::fastrtps::INTRAPROCESS_OFF;
  eprosima::fastrtps::xmlparser::XMLProfileManager::library_settings(library);
  participant = fast::DomainParticipantFactory::get_instance()->create_participant(
      domain, participantQos(), this, fast::StatusMask::none());
  if (!participant) throw std::runtime_error("no participant");
  publisher = participant->create_publisher(fast::PUBLISHER_QOS_DEFAULT);
  subscriber = participant->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT);
  const RmwTopic topic{kGraphTopic, kGraphType, kGraphHash, {.is_latched = true, .depth = 1}};
  graph_writer = publisher->create_datawriter(topicFor(topic),
                                              endpointQos<fast::DataWriterQos>(topic, dialect));
  addReader(
      topic,
      [this](const Text& message, const fast::SampleInfo& info) {
        receiveGraph(message, toGid(info.sample_identity.writer_guid()));
      },
      true);
  announce();
}

RmwPeer::Impl::~Impl() {
  participant->set_listener(nullptr);
  participant->delete_contained_entities();
  fast::DomainParticipantFactory::get_instance()->delete_participant(participant);
}

fast::Topic* RmwPeer::Impl::topicFor(const RmwTopic& topic) {
  if (participant->find_type(topic.type).empty())
    participant->register_type(fast::TypeSupport(new AnyType(topic.type)));
  if (auto* known = participant->lookup_topicdescription(topic.name))
    return static_cast<fast::Topic*>(known);
  return participant->create_topic(topic.name, topic.type, fast::TOPIC_QOS_DEFAULT);
}

fast::DataReader* RmwPeer::Impl::addReader(const RmwTopic& topic, Take take, bool is_graph) {
  fast::DataReader* reader = subscriber->create_datareader(
      topicFor(topic), endpointQos<fast::DataReaderQos>(topic, dialect, is_graph),
      &listeners.emplace_back(std::move(take)));
  if (!reader) throw std::runtime_error("no reader of " + topic.name);
  // The graph's own endpoints are in no node.
  if (!is_graph) self.readers.push_back(toGid(reader->guid()));
  return reader;
}

fast::DataWriter* RmwPeer::Impl::addWriter(const RmwTopic& topic) {
  fast::DataWriter* writer = publisher->create_datawriter(
      topicFor(topic), endpointQos<fast::DataWriterQos>(topic, dialect));
  if (!writer) throw std::runtime_error("no writer of " + topic.name);
  self.writers.push_back(toGid(writer->guid()));
  return writer;
}

void RmwPeer::Impl::remove(fast::DataReader* reader, fast::DataWriter* writer) {
  std::erase(self.readers, toGid(reader->guid()));
  std::erase(self.writers, toGid(writer->guid()));
  subscriber->delete_datareader(reader);
  publisher->delete_datawriter(writer);
}

void RmwPeer::Impl::announce() {
  Text message = writeGraph(toGid(participant->guid()), {self}, dialect.gid_bytes);
  graph_writer->write(&message);
}

void RmwPeer::Impl::receiveGraph(const Text& message, const Gid& writer) {
  if (participantOf(writer) == toGid(participant->guid())) return;
  GraphReading reading = readGraph(gs::asBytes(message), dialect.gid_bytes);
  const std::lock_guard lock(mutex);
  const Gid source = participantOf(writer);
  if (!reading.problem.empty())
    problems.emplace_back(source, "graph message of " + std::to_string(message.size()) +
                                      " bytes: " + reading.problem);
  // To later distributions Humble's messages are those of a participant without nodes.
  else if (reading.bytes_left >= 4 && (dialect.gid_bytes == 24 || !reading.nodes.empty()))
    problems.emplace_back(source, "graph message of another form: " +
                                      std::to_string(reading.bytes_left) + " bytes too many");
  graph[source] = std::move(reading.nodes);
}

void RmwPeer::Impl::on_participant_discovery(fast::DomainParticipant*,
                                             rtps::ParticipantDiscoveryInfo&& info) {
  using Info = rtps::ParticipantDiscoveryInfo;
  if (info.status != Info::REMOVED_PARTICIPANT && info.status != Info::DROPPED_PARTICIPANT) return;
  const std::lock_guard lock(mutex);
  graph.erase(toGid(info.info.m_guid));
}

template <typename Info>
void RmwPeer::Impl::discover(const Gid& self_gid, const Info& info, bool is_writer,
                             bool is_removed) {
  const Gid gid = toGid(info.guid());
  if (participantOf(gid) == self_gid) return;
  const auto& data = info.m_qos.m_userData.data_vec();
  const std::lock_guard lock(mutex);
  if (is_removed) endpoints.erase(gid);
  else
    endpoints[gid] = {
        .gid = gid,
        .is_writer = is_writer,
        .topic = info.topicName().c_str(),
        .type = info.typeName().c_str(),
        .user_data = std::string(data.begin(), data.end()),
        .qos = {.is_reliable = info.m_qos.m_reliability.kind == fast::RELIABLE_RELIABILITY_QOS,
                .is_latched = info.m_qos.m_durability.kind == fast::TRANSIENT_LOCAL_DURABILITY_QOS,
                .depth = 0}};
  changed.notify_all();
}

void RmwPeer::Impl::on_publisher_discovery(fast::DomainParticipant* own,
                                           rtps::WriterDiscoveryInfo&& info) {
  discover(toGid(own->guid()), info.info, true,
           info.status == rtps::WriterDiscoveryInfo::REMOVED_WRITER);
}

void RmwPeer::Impl::on_subscriber_discovery(fast::DomainParticipant* own,
                                            rtps::ReaderDiscoveryInfo&& info) {
  discover(toGid(own->guid()), info.info, false,
           info.status == rtps::ReaderDiscoveryInfo::REMOVED_READER);
}

// rmw's service_server_is_available: as many request readers as reply writers are known, and both
// ends of this client are matched.
bool RmwPeer::Impl::isReady(const RmwTopic& request, const RmwTopic& reply,
                            fast::DataReader* reader, fast::DataWriter* writer) const {
  size_t requests = 0, replies = 0;
  {
    const std::lock_guard lock(mutex);
    for (const auto& [gid, endpoint] : endpoints) {
      requests += !endpoint.is_writer && endpoint.topic == request.name;
      replies += endpoint.is_writer && endpoint.topic == reply.name;
    }
  }
  fast::SubscriptionMatchedStatus reading;
  fast::PublicationMatchedStatus writing;
  reader->get_subscription_matched_status(reading);
  writer->get_publication_matched_status(writing);
  return requests > 0 && requests == replies && writing.current_count > 0 &&
         reading.current_count == writing.current_count;
}

RmwPeer::RmwPeer(const Dialect& dialect, uint32_t domain, const std::string& name)
    : impl_(std::make_unique<Impl>(dialect, domain, name)) {}
RmwPeer::~RmwPeer() = default;

const Dialect& RmwPeer::dialect() const { return impl_->dialect; }

void RmwPeer::subscribe(const RmwTopic& topic, Receive receive) {
  impl_->addReader(
      topic, [receive = std::move(receive)](const Text& message, const fast::SampleInfo& info) {
        receive(gs::asBytes(message), info.source_timestamp.to_ns());
      });
  impl_->announce();
}

RmwWriter& RmwPeer::advertise(const RmwTopic& topic) {
  impl_->writers.emplace_back(impl_->addWriter(topic));
  impl_->announce();
  return impl_->writers.back();
}

namespace {

// Replies to one client. rmw takes those that name its reply reader or its request writer.
struct Replies {
  void take(const Text& text, const rtps::SampleIdentity& request) {
    const std::lock_guard lock(mutex);
    if (request.writer_guid() != reader && request.writer_guid() != writer) return;
    by_number[request.sequence_number()] = text;
    came.notify_all();
  }

  std::optional<std::vector<std::byte>> waitFor(const rtps::SequenceNumber_t& number,
                                                SteadyClock::time_point deadline) {
    std::unique_lock lock(mutex);
    if (!came.wait_until(lock, deadline, [&] { return by_number.contains(number); }))
      return std::nullopt;
    const gs::Bytes bytes = gs::asBytes(by_number[number]);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  }

  std::mutex mutex;
  std::condition_variable came;
  rtps::GUID_t reader, writer;
  std::map<rtps::SequenceNumber_t, Text> by_number;
};

}  // namespace

std::optional<std::vector<std::byte>> RmwPeer::call(const RmwTopic& request, const RmwTopic& reply,
                                                    gs::Bytes message,
                                                    std::chrono::milliseconds patience) {
  const auto deadline = SteadyClock::now() + patience;
  const auto replies = std::make_shared<Replies>();
  fast::DataWriter* writer = impl_->addWriter(request);
  fast::DataReader* reader =
      impl_->addReader(reply, [replies](const Text& text, const fast::SampleInfo& info) {
        replies->take(text, info.related_sample_identity);
      });
  {
    const std::lock_guard lock(replies->mutex);
    replies->writer = writer->guid();
    replies->reader = reader->guid();
  }
  impl_->announce();
  bool is_ready = false;
  while (!(is_ready = impl_->isReady(request, reply, reader, writer)) &&
         SteadyClock::now() < deadline) {
    std::unique_lock lock(impl_->mutex);
    impl_->changed.wait_for(lock, std::chrono::milliseconds(5));
  }
  std::optional<std::vector<std::byte>> result;
  Text text(gs::asText(message));
  rtps::WriteParams params;
  params.related_sample_identity().writer_guid(reader->guid());
  if (is_ready && writer->write(&text, params))
    result = replies->waitFor(params.sample_identity().sequence_number(), deadline);
  impl_->remove(reader, writer);
  impl_->announce();
  return result;
}

std::vector<std::string> RmwPeer::nodes() const {
  std::vector<std::string> names;
  const std::lock_guard lock(impl_->mutex);
  for (const auto& [participant, nodes] : impl_->graph)
    for (const RmwNode& node : nodes)
      names.push_back((node.ns == "/" ? "" : node.ns) + "/" + node.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<RmwEndpoint> RmwPeer::endpoints() const {
  std::vector<RmwEndpoint> result;
  const std::lock_guard lock(impl_->mutex);
  for (const auto& [gid, endpoint] : impl_->endpoints) result.push_back(endpoint);
  return result;
}

std::vector<std::string> RmwPeer::orphans() const {
  std::vector<std::string> result;
  const std::lock_guard lock(impl_->mutex);
  std::map<Gid, bool> claimed;  // and whether it is a writer's
  for (const auto& [participant, nodes] : impl_->graph)
    for (const RmwNode& node : nodes) {
      for (const Gid& gid : node.readers) claimed[gid] = false;
      for (const Gid& gid : node.writers) claimed[gid] = true;
    }
  for (const auto& [gid, endpoint] : impl_->endpoints) {
    if (endpoint.topic == kGraphTopic) continue;
    const auto found = claimed.find(gid);
    if (found == claimed.end() || found->second != endpoint.is_writer)
      result.push_back(endpoint.topic);
    else claimed.erase(found);
  }
  for (const auto& [gid, is_writer] : claimed)
    result.push_back(std::string(is_writer ? "writer" : "reader") + " that nobody has");
  return result;
}

std::vector<std::string> RmwPeer::problems(const RmwPeer* besides) const {
  const std::optional<Gid> excused =
      besides ? std::optional(toGid(besides->impl_->participant->guid())) : std::nullopt;
  std::vector<std::string> result;
  const std::lock_guard lock(impl_->mutex);
  for (const auto& [source, problem] : impl_->problems)
    if (source != excused) result.push_back(problem);
  return result;
}

void RmwPeer::addProblem(const std::string& problem) {
  const std::lock_guard lock(impl_->mutex);
  impl_->problems.emplace_back(Gid(), problem);
}

}  // namespace peers
