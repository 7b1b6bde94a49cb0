// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/node.hpp"

#include "gs/core/error.hpp"

namespace gs_ros2 {
namespace {

void require(const std::string& problem, const std::string& what, const std::string& name) {
  if (problem.empty()) return;
  throw gs::Error({.code = gs::ErrorCode::ConfigInvalid,
                   .component = "ros2",
                   .message = what + " '" + name + "' " + problem,
                   .details = {{"name", name}},
                   .suggestion = "Check the remaps after --ros-args."});
}

}  // namespace

Node::Node(Participant& participant, NodeName name, std::vector<Remap> remaps,
           gs_sim::WorkQueue* work)
    : participant_(participant),
      name_(std::move(name)),
      remaps_(std::move(remaps)),
      work_(work != nullptr ? *work : own_work_) {
  require(problemWithNodeName(name_.name), "node name", name_.name);
  require(problemWithNamespace(name_.ns), "namespace", name_.ns);
}

Node::~Node() {
  // Requests first: nothing may be posted to a queue that goes.
  services_.clear();
  readers_.clear();
}

std::string Node::resolve(const std::string& name) const {
  const std::string full = resolveName(name, name_, remaps_);
  require(problemWithName(full), "name", full);
  return full;
}

Writer* Node::addWriter(const std::string& topic, std::string type, std::string hash,
                        const Qos& qos) {
  writers_.push_back(participant_.createWriter(
      {topicForDds(resolve(topic)), std::move(type), std::move(hash), qos}));
  return writers_.back().get();
}

Reader& Node::addReader(const std::string& topic, std::string type, std::string hash,
                        const Qos& qos, std::function<bool(gs::Bytes)> receive) {
  readers_.push_back(participant_.createReader(
      {topicForDds(resolve(topic)), std::move(type), std::move(hash), qos},
      [this, receive = std::move(receive)](const Arrival& arrival) {
        if (!receive(arrival.bytes)) ++garbage_;
      }));
  return *readers_.back();
}

void Node::addService(const ServiceSpec& spec, Prepare prepare) {
  services_.push_back(std::make_unique<ServiceServer>(
      participant_, spec,
      [this, prepare = std::move(prepare)](gs::Bytes bytes, ServiceServer::Respond respond) {
        if (auto work = prepare(bytes, std::move(respond))) work_.post(std::move(work));
        else ++garbage_;
      }));
}

void Node::announce() {
  GraphNode node{.ns = name_.ns, .name = name_.name, .readers = {}, .writers = {}};
  for (const auto& reader : readers_) node.readers.push_back(reader->guid());
  for (const auto& writer : writers_) node.writers.push_back(writer->guid());
  for (const auto& service : services_) {
    node.readers.push_back(service->requestReader());
    node.writers.push_back(service->replyWriter());
  }
  participant_.announce({std::move(node)});
}

}  // namespace gs_ros2
