// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/role.hpp>
#include <boost/beast/core/tcp_stream.hpp>

namespace gs_web {

// A socket that is closed while bytes wait in it is reset, and a reset destroys our last words
// before the peer has read them. So we say that nothing more comes, take what the peer still sends,
// and close when it has closed (RFC 6455, 7.1.1) or when it has been borne long enough.
class DrainingStream : public boost::beast::tcp_stream {
 public:
  struct Limits {
    std::chrono::milliseconds patience;
    size_t bytes;
  };

  DrainingStream(boost::asio::ip::tcp::socket socket, const Limits& limits)
      : boost::beast::tcp_stream(std::move(socket)),
        patience_(limits.patience),
        left_(limits.bytes) {}

  // `done(error_code)` keeps this object alive, and is called when the socket is closed.
  template <typename Done>
  void drain(Done done) {
    boost::system::error_code ignored;
    socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
    expires_after(patience_);
    discard(std::move(done));
  }

 private:
  template <typename Done>
  void discard(Done done) {
    async_read_some(
        boost::asio::buffer(scrap_),
        [this, done = std::move(done)](boost::system::error_code why, size_t count) mutable {
          if (!why && count < left_) {
            left_ -= count;
            return discard(std::move(done));
          }
          socket().close(why);
          done(boost::system::error_code());
        });
  }

  std::chrono::milliseconds patience_;
  size_t left_;
  std::array<char, 16 << 10> scrap_;
};

// Beast's way to say how a WebSocket ends. Its own version (1.74) reads once and closes.
template <typename Done>
void async_teardown(boost::beast::role_type, DrainingStream& stream, Done&& done) {
  stream.drain(std::forward<Done>(done));
}

}  // namespace gs_web
