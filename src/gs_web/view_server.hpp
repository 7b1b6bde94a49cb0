// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "gs_sim/world_loader.hpp"
#include "gs_web/web_bridge.hpp"

namespace gs_web {

// A world to look at in a browser, without a simulation: the page, the data of the world, and
// pictures from wherever the visitor is.
class ViewServer {
 public:
  // Throws gs::Error when the address cannot be listened on.
  ViewServer(const WebSettings& settings, std::shared_ptr<const gs_sim::WorldData> world);
  ~ViewServer();

  std::string url() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gs_web
