// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gs_sim/config.hpp"
#include "gs_sim/simulation_host.hpp"
#include "gs_web/socket_server.hpp"

namespace gs_web {

struct WebSettings {
  SocketSettings socket;
  std::vector<std::string> allowed_origins;  // "https://app.foxglove.dev"
};

// A running simulation in browsers: its page, and its topics, services and parameters for
// everything that speaks Foxglove's protocol. docs/interfaces/web.md.
//
// The functions belong to the loop's thread and return at once. What is published is encoded on the
// server's thread, and only if somebody subscribed to it; whoever is too slow loses messages.
class WebBridge : public gs_sim::SimulationWire {
 public:
  // Throws gs::Error when the address cannot be listened on.
  WebBridge(const WebSettings& settings, const gs_sim::SimulationParameters& parameters,
            gs_sim::SimulationHost& host);
  ~WebBridge() override;

  std::string name() const override { return "browser"; }
  bool overrulesScript() const override { return true; }

  void publish(const gs_sim::PublishedStep& step) override;
  void publishStatus(const gs_sim::PublishedStep& now) override;
  std::optional<gs_sim::ControlInput> nextControl(const gs_sim::StepInfo& last) override;
  void forgetThePast() override;
  void useNewWorld() override;
  void tellParameters(const std::vector<gs_sim::Parameter>& changed) override;
  void tellDriver(const std::string& driver) override;

  std::string url() const;
  uint16_t port() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gs_web
