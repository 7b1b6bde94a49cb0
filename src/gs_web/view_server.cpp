// SPDX-License-Identifier: Apache-2.0
#include "gs_web/view_server.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "gs/core/error.hpp"
#include "gs/formats/jpeg.hpp"
#include "gs/render/make_splat_renderer.hpp"
#include "gs_web/access_rules.hpp"
#include "gs_web/page_files.hpp"
#include "gs_web/render_request.hpp"
#include "gs_web/world_api.hpp"

namespace gs_web {
namespace {

constexpr int kJpegQuality = 88;
constexpr size_t kMaxWaiting = 16;

// Renders one picture after the other, beside the server. Of the pictures that one visitor waits
// for, only the one asked for last is made.
class PictureMaker {
 public:
  explicit PictureMaker(const gs::WorldBundle& bundle)
      : renderer_(gs::makeSplatRenderer(gs::RendererKind::Auto, {&bundle.gaussians})),
        settings_(gs::settingsFrom(bundle.render_config)) {
    if (bundle.sky) settings_.sky = gs::Sky(*bundle.sky);
    thread_ = std::thread([this] { work(); });
  }
  ~PictureMaker() { stop(); }

  // Whoever waits gets no answer any more. Before the server goes, through which answers go.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
      waiting_.clear();
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  void ask(const std::string& visitor, const RenderRequest& request, Respond respond) {
    std::vector<Respond> superseded;
    {
      const std::lock_guard lock(mutex_);
      if (is_over_) return;
      for (auto waiting = waiting_.begin(); waiting != waiting_.end();) {
        if (waiting->visitor == visitor || waiting_.size() >= kMaxWaiting) {
          superseded.push_back(std::move(waiting->respond));
          waiting = waiting_.erase(waiting);
        } else {
          ++waiting;
        }
      }
      waiting_.push_back({visitor, request, std::move(respond)});
    }
    changed_.notify_all();
    for (const Respond& nobody : superseded) nobody({.status = 204});
  }

 private:
  struct Wish {
    std::string visitor;
    RenderRequest request;
    Respond respond;
  };

  void work() {
    while (true) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
      if (is_over_) return;
      const Wish wish = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      wish.respond(picture(wish.request));
    }
  }

  HttpResponse picture(const RenderRequest& request) const {
    try {
      const gs::RenderedView view = renderer_->render(viewOf(request), settings_);
      const auto jpeg = gs::encodeJpeg(view.rgb, kJpegQuality);
      return {.content_type = "image/jpeg",
              .body = std::string(reinterpret_cast<const char*>(jpeg.data()), jpeg.size())};
    } catch (const gs::Error& error) {  // the visitor asked for it
      return {.status = 400, .body = std::string(error.what()) + "\n"};
    }
  }

  const std::unique_ptr<const gs::SplatRenderer> renderer_;
  gs::RenderSettings settings_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Wish> waiting_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace

struct ViewServer::Impl {
  Impl(const WebSettings& settings, std::shared_ptr<const gs_sim::WorldData> shown)
      : world(std::move(shown)),
        access{.bound_host = settings.socket.host,
               .own_names = namesOfThisMachine(),
               .allowed_origins = settings.allowed_origins},
        pages(world, {}, {}),  // nothing runs: no sensor publishes
        pictures(world->bundle),
        socket(settings.socket,
               {.http = [this](const HttpRequest& request,
                               const Respond& respond) { answer(request, respond); },
                .refuse =
                    [](const HttpRequest&) {
                      return HttpResponse{.status = 404, .body = "nothing runs here\n"};
                    },
                .opened = [](ClientId) {},
                .received = [](ClientId, bool, gs::Bytes) {},
                .closed = [](ClientId) {}}) {}
  ~Impl() { pictures.stop(); }

  void answer(const HttpRequest& request, const Respond& respond) {
    const std::string_view path = request.path();
    const bool is_data = path.starts_with("/api/");
    if (auto refusal = refusedResponse(access, request, is_data))
      return respond(std::move(*refusal));
    if (path == "/api/render") {
      const auto wanted = findRenderRequest(request.target);
      if (!wanted) return respond({.status = 400, .body = "a value is out of bounds\n"});
      return pictures.ask(request.peer, *wanted, respond);
    }
    if (path == "/api/session")
      return respond(
          {.content_type = "application/json",
           .body = toText(SessionFacts{.mode = "view", .world = world->bundle.index.scene_id})});
    if (!is_data) return respond(pageResponse(embeddedPage(), request));
    auto page = pages.find(path);
    respond(page ? std::move(*page)
                 : HttpResponse{.status = 404, .body = "there is no such data\n"});
  }

  const std::shared_ptr<const gs_sim::WorldData> world;
  const AccessRules access;
  WorldPages pages;
  PictureMaker pictures;
  SocketServer socket;  // last: its thread uses all of the above
};

ViewServer::ViewServer(const WebSettings& settings, std::shared_ptr<const gs_sim::WorldData> world)
    : impl_(std::make_unique<Impl>(settings, std::move(world))) {}

ViewServer::~ViewServer() = default;

std::string ViewServer::url() const { return impl_->socket.url(); }

}  // namespace gs_web
