// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gs/formats/cdr.hpp"
#include "gs/formats/ros_schema.hpp"
#include "peers/ros2/dialect.hpp"
#include "peers/ros2/rmw_graph.hpp"

// A ROS 2 node as rmw_fastrtps makes one, on bare Fast DDS: nothing of gs_ros2 is in it, so that
// both sides cannot agree on a mistake. On the loopback interface only, as ROS_LOCALHOST_ONLY=1
// makes a node of Humble.
namespace peers {

// A topic or service half as DDS spells it.
struct RmwTopic {
  std::string name;       // "rt/clock"
  std::string type;       // "rosgraph_msgs::msg::dds_::Clock_"
  std::string type_hash;  // said where the dialect has hashes
  PeerQos qos;
};

// Somebody else's reader or writer, as discovery shows it.
struct RmwEndpoint {
  Gid gid;
  bool is_writer = false;
  std::string topic, type, user_data;
  PeerQos qos;  // without the depth, which DDS does not tell
};

class RmwWriter {
 public:
  virtual ~RmwWriter() = default;
  virtual bool hasReaders() const = 0;
  virtual void write(gs::Bytes message) = 0;
};

// Cheap to copy; lives as long as its peer.
template <gs::HasRosType T>
class RmwPublisher {
 public:
  RmwPublisher() = default;
  explicit RmwPublisher(RmwWriter* writer) : writer_(writer) {}

  bool hasReaders() const { return writer_->hasReaders(); }
  void publish(const T& message) const { writer_->write(gs::encodeCdr(message)); }

 private:
  RmwWriter* writer_ = nullptr;
};

class RmwPeer {
 public:
  // Bytes of a message, and the time by its writer's clock when it was written. Runs on a thread
  // of DDS.
  using Receive = std::function<void(gs::Bytes, int64_t source_ns)>;

  RmwPeer(const Dialect& dialect, uint32_t domain, const std::string& name = "peer");
  ~RmwPeer();

  void subscribe(const RmwTopic& topic, Receive receive);
  RmwWriter& advertise(const RmwTopic& topic);
  // The reply, or nothing when the service did not come or did not answer in time.
  std::optional<std::vector<std::byte>> call(const RmwTopic& request, const RmwTopic& reply,
                                             gs::Bytes message, std::chrono::milliseconds patience);

  template <gs::HasRosType T>
  void subscribe(const std::string& topic, const PeerQos& qos, std::function<void(T&&)> receive) {
    subscribe(rmwTopic<T>("rt" + topic, qos), [this, topic, receive](gs::Bytes bytes, int64_t) {
      auto message = gs::findCdr<T>(bytes);
      if (message) receive(std::move(*message));
      else addProblem(topic + " brought bytes that are no " + T::kRosType);
    });
  }

  template <gs::HasRosType T>
  RmwPublisher<T> advertise(const std::string& topic, const PeerQos& qos) {
    return RmwPublisher<T>(&advertise(rmwTopic<T>("rt" + topic, qos)));
  }

  template <gs::HasRosType Response, gs::HasRosType Request>
  std::optional<Response> call(const std::string& service, const Request& request,
                               std::chrono::milliseconds patience) {
    const PeerQos qos{.depth = 10};
    const auto reply =
        call(rmwTopic<Request>("rq" + service + "Request", qos),
             rmwTopic<Response>("rr" + service + "Reply", qos), gs::encodeCdr(request), patience);
    return reply ? gs::findCdr<Response>(*reply) : std::nullopt;
  }

  const Dialect& dialect() const;
  // `ros2 node list`, without this one: sorted "/ns/name".
  std::vector<std::string> nodes() const;
  // Everything of others that discovery shows.
  std::vector<RmwEndpoint> endpoints() const;
  // Topics of endpoints whose node the CLI calls _NODE_NAME_UNKNOWN_, and GIDs that a node claims
  // and nobody has.
  std::vector<std::string> orphans() const;
  // What a node of this dialect would have died of or complained about, but for what `besides` did.
  std::vector<std::string> problems(const RmwPeer* besides = nullptr) const;

  struct Impl;

 private:
  template <typename T>
  static RmwTopic rmwTopic(const std::string& name, const PeerQos& qos) {
    return {name, gs::ddsTypeName<T>(), gs::rosTypeHash<T>(), qos};
  }
  void addProblem(const std::string& problem);

  std::unique_ptr<Impl> impl_;
};

}  // namespace peers
