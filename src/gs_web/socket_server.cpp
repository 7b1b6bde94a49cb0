// SPDX-License-Identifier: Apache-2.0
// The only file that knows Boost.Beast, with draining_stream.hpp.
#include "gs_web/socket_server.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include "gs/core/error.hpp"
#include "gs/core/log.hpp"
#include "gs_web/draining_stream.hpp"

namespace gs_web {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::seconds kHttpPatience(30), kIdle(60), kHandshake(10);
constexpr uint32_t kMaxHeader = 16 << 10;

HttpRequest toRequest(const http::request<http::empty_body>& from, std::string peer) {
  const auto text = [&](auto name) { return std::string(from[name]); };
  return {.method = std::string(from.method_string()),
          .target = std::string(from.target()),
          .host = text(http::field::host),
          .origin = text(http::field::origin),
          .fetch_site = text("Sec-Fetch-Site"),
          .if_none_match = text(http::field::if_none_match),
          .has_origin = from.find(http::field::origin) != from.end(),
          .peer = std::move(peer)};
}

bool offers(const http::request<http::empty_body>& request, const std::string& subprotocol) {
  for (const auto token : http::token_list(request[http::field::sec_websocket_protocol]))
    if (token == subprotocol) return true;
  return false;
}

gs::Error listenError(const SocketSettings& settings, const error_code& why) {
  const std::string where = settings.host + ":" + std::to_string(settings.port);
  const bool is_taken = why == asio::error::address_in_use;
  return gs::Error(
      {.code = gs::ErrorCode::InputInvalid,
       .component = "web",
       .message =
           "cannot listen on " + where + ": " + (is_taken ? "another program does" : why.message()),
       .details = {{"host", settings.host}, {"port", std::to_string(settings.port)}},
       .suggestion = is_taken ? "Is another simulator running? Choose another port, or 0 for any "
                                "that is free."
                              : "Give an address of this machine, such as 127.0.0.1, and a port "
                                "from 1024 on, or 0 for any that is free."});
}

}  // namespace

class Connection;
class Client;

struct ServerState {
  ServerState(const SocketSettings& chosen, SocketHandlers told)
      : settings(chosen), handlers(std::move(told)), acceptor(io) {}

  void listen();
  void accept();
  void run();

  const SocketSettings settings;
  const SocketHandlers handlers;
  std::atomic<size_t> client_count = 0, connection_count = 0;
  std::atomic<uint64_t> dropped = 0;
  ClientId next_client = 1;
  std::map<ClientId, std::weak_ptr<Client>> clients;
  uint16_t port = 0;
  asio::io_context io{1};  // after everything that its handlers name
  tcp::acceptor acceptor;
  std::thread thread;
};

// One WebSocket.
class Client : public std::enable_shared_from_this<Client> {
 public:
  Client(ServerState& server, DrainingStream stream)
      : server_(server), id_(server.next_client++), socket_(std::move(stream)) {
    ++server_.client_count;
    ++server_.connection_count;
  }
  ~Client() {
    --server_.client_count;
    --server_.connection_count;
  }

  void accept(const http::request<http::empty_body>& request) {
    beast::get_lowest_layer(socket_).expires_never();  // the WebSocket has its own timeouts
    socket_.set_option(websocket::stream_base::timeout{kHandshake, kIdle, true});
    socket_.set_option(websocket::stream_base::decorator(
        [name = server_.settings.subprotocol](websocket::response_type& response) {
          response.set(http::field::sec_websocket_protocol, name);
          response.set(http::field::server, "gs-simulator");
        }));
    socket_.read_message_max(server_.settings.max_received);
    socket_.auto_fragment(false);
    socket_.async_accept(request, [self = shared_from_this()](error_code why) {
      if (!why) return self->open();
      beast::get_lowest_layer(self->socket_).drain([self](error_code) {});  // it was told why
    });
  }

  void push(Frame frame) {
    if (is_closing_ || !is_open_) return;
    const uint64_t before = queue_.droppedCount();
    const bool is_fine = queue_.push(std::move(frame));
    server_.dropped += queue_.droppedCount() - before;
    if (!is_fine) return giveUp();
    write();
  }

  void forget(uint64_t channel) { queue_.forget(channel); }

  void close(uint16_t code, const std::string& reason) {
    if (is_closing_) return;
    is_closing_ = true;
    close_reason_ = websocket::close_reason(code);
    close_reason_.reason = reason.substr(0, 120).c_str();  // 123 at most
    write();
  }

 private:
  void open() {
    is_open_ = true;
    server_.clients[id_] = weak_from_this();
    server_.handlers.opened(id_);
    read();
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](error_code why, size_t) {
      if (why) return self->end(why);
      if (self->is_closing_) return;
      const auto data = self->buffer_.cdata();
      self->server_.handlers.received(self->id_, self->socket_.got_text(),
                                      {static_cast<const std::byte*>(data.data()), data.size()});
      self->buffer_.consume(self->buffer_.size());
      // Closing reads on by itself. Were we to read too, a message that is too long would wait for
      // the end of closing, and that for the end of the message.
      if (!self->is_closing_) self->read();
    });
  }

  void write() {
    if (is_writing_ || is_close_sent_) return;
    auto frame = queue_.pop();
    if (!frame) {
      if (is_closing_) sendClose();
      return;
    }
    is_writing_ = true;
    now_ = std::move(*frame);
    socket_.text(now_.is_text);
    const std::array<asio::const_buffer, 2> parts = {
        asio::buffer(now_.head),
        now_.body ? asio::buffer(now_.body->data(), now_.body->size()) : asio::const_buffer()};
    socket_.async_write(parts, [self = shared_from_this()](error_code why, size_t) {
      self->is_writing_ = false;
      self->now_ = {};
      if (!why) return self->write();
      self->cut(why);
    });
  }

  void sendClose() {
    is_close_sent_ = true;
    socket_.async_close(close_reason_,
                        [self = shared_from_this()](error_code why) { self->end(why); });
  }

  // It does not read and cannot be told so. It ends later: our caller may be in the midst of all
  // clients.
  void giveUp() {
    gs::logger("web").warn("client " + std::to_string(id_) + " does not read: it is given up");
    is_closing_ = true;
    asio::post(socket_.get_executor(),
               [self = shared_from_this()] { self->cut(asio::error::operation_aborted); });
  }

  void cut(const error_code& why) {
    error_code ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
    end(why);
  }

  void end(const error_code& why) {
    if (why == websocket::error::message_too_big)
      gs::logger("web").warn("client " + std::to_string(id_) + " sent a message that is too long");
    if (!is_open_) return;
    is_open_ = false;
    server_.clients.erase(id_);
    server_.handlers.closed(id_);
  }

  ServerState& server_;
  const ClientId id_;
  websocket::stream<DrainingStream> socket_;
  beast::flat_buffer buffer_;
  SendQueue queue_;
  Frame now_;  // being written
  websocket::close_reason close_reason_;
  bool is_open_ = false, is_writing_ = false, is_closing_ = false, is_close_sent_ = false;
};

// One HTTP connection, until it ends or becomes a WebSocket.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(ServerState& server, tcp::socket socket)
      : server_(server),
        stream_(std::move(socket),
                {server.settings.close_patience, server.settings.max_discarded}) {
    ++server_.connection_count;
    error_code ignored;
    const auto peer = stream_.socket().remote_endpoint(ignored);
    if (!ignored) peer_ = peer.address().to_string();
    stream_.socket().set_option(tcp::no_delay(true), ignored);
  }
  ~Connection() { --server_.connection_count; }

  void read() {
    parser_.emplace();
    parser_->header_limit(kMaxHeader);
    parser_->body_limit(0);
    stream_.expires_after(kHttpPatience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code why, size_t) { self->handle(why); });
  }

 private:
  void handle(const error_code& why) {
    if (why == http::error::end_of_stream || why == beast::error::timeout ||
        why == asio::error::connection_reset || why == asio::error::operation_aborted)
      return;
    if (why) {
      keeps_alive_ = false;
      return respond({.status = 400, .body = "not a request that is understood here\n"});
    }
    const auto& message = parser_->get();
    const HttpRequest request = toRequest(message, peer_);
    keeps_alive_ = message.keep_alive();
    is_head_ = message.method() == http::verb::head;
    if (websocket::is_upgrade(message)) return upgrade(request);
    stream_.expires_never();  // rendering may take its time
    server_.handlers.http(request, [self = shared_from_this()](HttpResponse response) {
      asio::dispatch(
          self->stream_.get_executor(),
          [self, response = std::move(response)]() mutable { self->respond(std::move(response)); });
    });
  }

  void upgrade(const HttpRequest& request) {
    keeps_alive_ = false;
    if (auto refusal = server_.handlers.refuse(request)) return respond(std::move(*refusal));
    if (!offers(parser_->get(), server_.settings.subprotocol))
      return respond({.status = 400,
                      .body = "ask for the subprotocol " + server_.settings.subprotocol + "\n"});
    if (server_.client_count >= server_.settings.max_clients)
      return respond({.status = 503,
                      .body = "there are " + std::to_string(server_.settings.max_clients) +
                              " clients already\n"});
    std::make_shared<Client>(server_, std::move(stream_))->accept(parser_->release());
  }

  void respond(HttpResponse from) {
    response_.emplace(static_cast<http::status>(from.status), 11, std::move(from.body));
    response_->set(http::field::server, "gs-simulator");
    response_->set(http::field::content_type, from.content_type);
    response_->set(http::field::cache_control, "no-cache");
    response_->set("X-Content-Type-Options", "nosniff");
    response_->set("Cross-Origin-Resource-Policy", "same-origin");
    response_->set("Content-Security-Policy",
                   "default-src 'self'; img-src 'self' blob: data:; style-src 'self' "
                   "'unsafe-inline'; connect-src 'self' ws: wss:; frame-ancestors 'none'");
    if (!from.etag.empty()) response_->set(http::field::etag, from.etag);
    if (!from.allow_origin.empty()) {
      response_->set(http::field::access_control_allow_origin, from.allow_origin);
      response_->set(http::field::vary, "Origin");
    }
    response_->keep_alive(keeps_alive_);
    response_->prepare_payload();
    if (is_head_) response_->body().clear();  // its length stays announced
    stream_.expires_after(kHttpPatience);
    http::async_write(stream_, *response_, [self = shared_from_this()](error_code why, size_t) {
      if (why) return;
      if (!self->keeps_alive_) return self->stream_.drain([self](error_code) {});
      self->response_.reset();
      self->read();
    });
  }

  ServerState& server_;
  DrainingStream stream_;
  beast::flat_buffer buffer_;
  std::string peer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
  bool keeps_alive_ = false, is_head_ = false;
};

void ServerState::listen() {
  error_code why;
  const auto address =
      asio::ip::make_address(settings.host == "localhost" ? "127.0.0.1" : settings.host, why);
  if (why) throw listenError(settings, why);
  const tcp::endpoint endpoint(address, settings.port);
  acceptor.open(endpoint.protocol(), why);
  if (!why) acceptor.set_option(asio::socket_base::reuse_address(true), why);
  if (!why) acceptor.bind(endpoint, why);
  if (!why) acceptor.listen(asio::socket_base::max_listen_connections, why);
  if (why) throw listenError(settings, why);
  port = acceptor.local_endpoint().port();
}

void ServerState::accept() {
  acceptor.async_accept([this](error_code why, tcp::socket socket) {
    if (why == asio::error::operation_aborted) return;
    // Beyond the limit the socket closes here, at once.
    if (!why && connection_count < settings.max_connections)
      std::make_shared<Connection>(*this, std::move(socket))->read();
    accept();
  });
}

// What one request could not be given must not end the service of the others.
void ServerState::run() {
  while (!io.stopped()) {
    try {
      io.run();
    } catch (const std::exception& failure) {
      gs::logger("web").error(failure.what());
    }
  }
}

SocketServer::SocketServer(const SocketSettings& settings, SocketHandlers handlers)
    : state_(std::make_unique<ServerState>(settings, std::move(handlers))) {
  state_->listen();
  state_->accept();
  state_->thread = std::thread([this] { state_->run(); });
}

SocketServer::~SocketServer() {
  state_->io.stop();
  state_->thread.join();
}

uint16_t SocketServer::port() const { return state_->port; }

std::string SocketServer::url() const {
  const std::string& host = state_->settings.host;
  const bool is_everywhere = host == "0.0.0.0" || host == "::" || host == "127.0.0.1";
  const std::string name = is_everywhere                         ? "localhost"
                           : host.find(':') != std::string::npos ? "[" + host + "]"
                                                                 : host;
  return "http://" + name + ":" + std::to_string(state_->port) + "/";
}

void SocketServer::post(std::function<void()> work) { asio::post(state_->io, std::move(work)); }

void SocketServer::send(ClientId client, Frame frame) {
  if (const auto found = state_->clients.find(client); found != state_->clients.end())
    if (const auto alive = found->second.lock()) alive->push(std::move(frame));
}

void SocketServer::forget(ClientId client, uint64_t channel) {
  if (const auto found = state_->clients.find(client); found != state_->clients.end())
    if (const auto alive = found->second.lock()) alive->forget(channel);
}

void SocketServer::close(ClientId client, uint16_t code, const std::string& reason) {
  if (const auto found = state_->clients.find(client); found != state_->clients.end())
    if (const auto alive = found->second.lock()) alive->close(code, reason);
}

size_t SocketServer::clientCount() const { return state_->client_count; }
uint64_t SocketServer::droppedCount() const { return state_->dropped; }

}  // namespace gs_web
