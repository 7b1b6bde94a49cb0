// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "gs_sim/run_host.hpp"
#include "gs_web/web_bridge.hpp"

namespace apps {

// The command line's way to the browser.
struct WebArguments {
  bool is_on = false, is_off = false;
  std::string host;
  std::optional<uint16_t> port;
  std::vector<std::string> allowed_origins;
};
void addWebOptions(CLI::App& command, WebArguments& arguments);

// Where nobody asked for a port and the usual one is taken, another is. Throws gs::Error.
std::unique_ptr<gs_web::WebBridge> openWeb(const WebArguments& arguments,
                                           const gs_sim::SimulationParameters& parameters,
                                           gs_sim::SimulationHost& host);

}  // namespace apps
