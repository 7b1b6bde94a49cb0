// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gs/formats/cdr.hpp"
#include "gs/formats/ros_schema.hpp"
#include "gs_ros2/names.hpp"
#include "gs_ros2/service.hpp"
#include "gs_ros2/wire.hpp"
#include "gs_sim/work_queue.hpp"

namespace gs_ros2 {

// A topic that messages of one type are published on. Cheap to copy.
template <gs::HasRosType T>
class Publisher {
 public:
  Publisher() = default;
  explicit Publisher(Writer* writer) : writer_(writer) {}

  void publish(T message) const {
    writer_->publish([message = std::move(message)](std::vector<std::byte>& out) {
      gs::encodeCdr(message, out);
    });
  }

  // For large messages: `make` runs beside the caller, on the thread that sends.
  void publishFrom(std::function<T()> make) const {
    writer_->publish(
        [make = std::move(make)](std::vector<std::byte>& out) { gs::encodeCdr(make(), out); });
  }

  // For messages that are encoded without ever being a T.
  void publishBytes(Encode encode) const { writer_->publish(std::move(encode)); }

  bool hasReaders() const { return writer_->readerCount() > 0; }
  uint64_t lostCount() const { return writer_->lostCount(); }

  Writer* writer() const { return writer_; }

 private:
  Writer* writer_ = nullptr;
};

template <typename Request, typename Response>
ServiceSpec serviceSpec(std::string full_name) {
  return {.name = std::move(full_name),
          .request_type = gs::ddsTypeName<Request>(),
          .request_hash = gs::rosTypeHash<Request>(),
          .response_type = gs::ddsTypeName<Response>(),
          .response_hash = gs::rosTypeHash<Response>()};
}

// One ROS 2 node: names are resolved, types have their hashes, and its endpoints are in the graph.
class Node {
 public:
  // `name` after `__node` and `__ns` were applied. Requests wait in `work`; null: in a queue of its
  // own. Throws gs::Error when it is no name.
  Node(Participant& participant, NodeName name, std::vector<Remap> remaps,
       gs_sim::WorkQueue* work = nullptr);
  ~Node();

  const NodeName& name() const { return name_; }
  gs_sim::WorkQueue& work() { return work_; }

  template <gs::HasRosType T>
  Publisher<T> advertise(const std::string& topic, const Qos& qos) {
    return Publisher<T>(addWriter(topic, gs::ddsTypeName<T>(), gs::rosTypeHash<T>(), qos));
  }

  Writer* advertise(const std::string& topic, const gs::RosTypeTree& type, const Qos& qos) {
    return addWriter(topic, gs::toDdsTypeName(type.type.name), gs::rosTypeHash(type), qos);
  }

  // The topic goes; no copy of the publisher may be used any more.
  void withdraw(const Writer* topic) {
    std::erase_if(writers_, [&](const auto& writer) { return writer.get() == topic; });
  }

  // `receive` runs on a thread of DDS. Bytes that are no T are counted and dropped. The reader is
  // the node's.
  template <gs::HasRosType T>
  Reader& subscribe(const std::string& topic, const Qos& qos, std::function<void(T&&)> receive) {
    return addReader(topic, gs::ddsTypeName<T>(), gs::rosTypeHash<T>(), qos,
                     [receive = std::move(receive)](gs::Bytes bytes) {
                       auto message = gs::findCdr<T>(bytes);
                       if (message) receive(std::move(*message));
                       return message.has_value();
                     });
  }

  // The same for a type that is known when the program runs; false: the bytes are no such message.
  Reader& subscribe(const std::string& topic, const gs::RosTypeTree& type, const Qos& qos,
                    std::function<bool(gs::Bytes)> receive) {
    return addReader(topic, gs::toDdsTypeName(type.type.name), gs::rosTypeHash(type), qos,
                     std::move(receive));
  }

  // `answer` runs in work().runWaiting() and hands its response to the function it is given, now
  // or later. A request that is no Request goes unanswered, as with any ROS node.
  template <gs::HasRosType Request, gs::HasRosType Response>
  void serveLater(
      const std::string& name,
      std::function<void(const Request&, std::function<void(const Response&)>)> answer) {
    addService(serviceSpec<Request, Response>(resolve(name)),
               [answer = std::move(answer)](gs::Bytes bytes, ServiceServer::Respond respond) {
                 auto request = gs::findCdr<Request>(bytes);
                 if (!request) return std::function<void()>();
                 return std::function<void()>([answer, request = std::move(*request), respond] {
                   answer(request, [respond](const Response& response) {
                     respond(gs::encodeCdr(response));
                   });
                 });
               });
  }

  template <gs::HasRosType Request, gs::HasRosType Response>
  void serve(const std::string& name, std::function<Response(const Request&)> answer) {
    serveLater<Request, Response>(
        name, [answer = std::move(answer)](const Request& request,
                                           const std::function<void(const Response&)>& respond) {
          respond(answer(request));
        });
  }

  // As serveLater, for requests that came in more than one form.
  using Prepare = std::function<std::function<void()>(gs::Bytes, ServiceServer::Respond)>;
  void addService(const ServiceSpec& spec, Prepare prepare);

  std::string resolve(const std::string& name) const;
  // Call after the last endpoint was added: peers then learn of all of them at once.
  void announce();
  uint64_t garbageCount() const { return garbage_; }

 private:
  Writer* addWriter(const std::string& topic, std::string type, std::string hash, const Qos& qos);
  Reader& addReader(const std::string& topic, std::string type, std::string hash, const Qos& qos,
                    std::function<bool(gs::Bytes)> receive);

  Participant& participant_;
  NodeName name_;
  std::vector<Remap> remaps_;
  gs_sim::WorkQueue own_work_;
  gs_sim::WorkQueue& work_;
  std::atomic<uint64_t> garbage_ = 0;
  std::vector<std::unique_ptr<Writer>> writers_;
  std::vector<std::unique_ptr<Reader>> readers_;
  std::vector<std::unique_ptr<ServiceServer>> services_;
};

}  // namespace gs_ros2
