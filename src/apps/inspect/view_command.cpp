// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "apps/inspect/commands.hpp"
#include "gs/core/parallel.hpp"
#include "gs_web/view_server.hpp"

// gs-inspect view WORLD: a world in the browser, without a simulation.
namespace apps {

void addViewCommand(CLI::App& app) {
  struct Arguments {
    std::filesystem::path world;
    gs_web::WebSettings web;
    int threads = 0;
  };
  auto* command = app.add_subcommand("view", "Look around in a world, in a browser");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("world", arguments->world, "Folder that contains world.yaml")->required();
  command
      ->add_option("--port", arguments->web.socket.port, "Port to listen on; 0: any that is free")
      ->capture_default_str();
  command
      ->add_option("--host", arguments->web.socket.host,
                   "Address to listen on; the default is this machine only")
      ->capture_default_str();
  command->add_option("--threads", arguments->threads, "Threads to use; 0 is one per CPU")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->footer(
      "Example:\n"
      "  gs-inspect view worlds/minimal_test --port 0");
  command->callback([arguments] {
    gs::setThreadCount(arguments->threads);
    // Blocked before any thread begins, so that only sigwait() below hears of them.
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);
    const gs_web::ViewServer server(arguments->web, std::make_shared<const gs_sim::WorldData>(
                                                        gs_sim::loadWorld(arguments->world)));
    std::cout << fmt::format("open {} in a browser; Ctrl-C ends\n", server.url()) << std::flush;
    int ignored = 0;
    sigwait(&ends, &ignored);
  });
}

}  // namespace apps
