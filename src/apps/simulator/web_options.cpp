// SPDX-License-Identifier: Apache-2.0
#include "apps/simulator/web_options.hpp"

#include "gs/core/error.hpp"
#include "gs/core/log.hpp"

namespace apps {

void addWebOptions(CLI::App& command, WebArguments& arguments) {
  const char* const group = "Browser";
  auto* on = command.add_flag("--web", arguments.is_on, "Serve browsers with --headless too");
  on->group(group);
  command.add_flag("--no-web", arguments.is_off, "Serve no browsers")->group(group)->excludes(on);
  command
      .add_option("--web-host", arguments.host,
                  "Address to listen on (default 127.0.0.1: this machine only)")
      ->group(group);
  command
      .add_option("--web-port", arguments.port,
                  "Port to listen on (default 8765); 0: any that is free")
      ->group(group);
  command
      .add_option("--allow-origin", arguments.allowed_origins,
                  "Pages of this origin may drive too, e.g. https://app.foxglove.dev; repeatable")
      ->group(group)
      ->allow_extra_args(false);
}

std::unique_ptr<gs_web::WebBridge> openWeb(const WebArguments& arguments,
                                           const gs_sim::SimulationParameters& parameters,
                                           gs_sim::SimulationHost& host) {
  gs_web::WebSettings settings;
  if (!arguments.host.empty()) settings.socket.host = arguments.host;
  if (arguments.port) settings.socket.port = *arguments.port;
  settings.allowed_origins = arguments.allowed_origins;
  try {
    return std::make_unique<gs_web::WebBridge>(settings, parameters, host);
  } catch (const gs::Error& taken) {
    if (arguments.port) throw;
    settings.socket.port = 0;
    auto web = std::make_unique<gs_web::WebBridge>(settings, parameters, host);
    gs::logger("web").warn(taken.report().message + ": port " + std::to_string(web->port()) +
                           " is used instead");
    return web;
  }
}

}  // namespace apps
