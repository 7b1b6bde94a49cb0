// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

// GS_CHECK(a == b) is for programming errors only: it prints the expression and its operands and
// ends the program. Never use it on input; a person can act on input (gs::Error, error.hpp).
namespace gs::detail {

template <typename T>
std::string printed(const T& value) {
  if constexpr (requires(std::ostream & out) { out << value; }) {
    std::ostringstream out;
    out << value;
    return out.str();
  } else {
    return "(unprintable)";
  }
}

[[noreturn]] inline void checkFailed(const char* file, int line, const char* text,
                                     const std::string& operands) {
  std::fprintf(stderr, "%s:%d: check failed: %s%s\n", file, line, text, operands.c_str());
  std::abort();
}

template <typename T>
struct Operand {
  const T& value;

  // Each comparison yields the failure text: empty when it holds.
#define GS_CHECK_COMPARISON(op)                                                     \
  template <typename U>                                                             \
  std::string operator op(const U& other) const {                                   \
    if (value op other) return {};                                                  \
    return std::string(" (") + printed(value) + " " #op " " + printed(other) + ")"; \
  }
  GS_CHECK_COMPARISON(==)
  GS_CHECK_COMPARISON(!=)
  GS_CHECK_COMPARISON(<)
  GS_CHECK_COMPARISON(<=)
  GS_CHECK_COMPARISON(>)
  GS_CHECK_COMPARISON(>=)
#undef GS_CHECK_COMPARISON
};

// `->*` binds tighter than arithmetic: write GS_CHECK((a + b) == c), anything else will not
// compile.
struct OperandMaker {
  template <typename T>
  Operand<T> operator->*(const T& value) const {
    return {value};
  }
};

inline std::string failureOf(const std::string& comparison) { return comparison; }
template <typename T>
std::string failureOf(const Operand<T>& operand) {
  return static_cast<bool>(operand.value) ? std::string() : std::string(" (false)");
}

}  // namespace gs::detail

#define GS_CHECK(expression)                                                  \
  do {                                                                        \
    const std::string gs_failure =                                            \
        ::gs::detail::failureOf(::gs::detail::OperandMaker()->*expression);   \
    if (!gs_failure.empty())                                                  \
      ::gs::detail::checkFailed(__FILE__, __LINE__, #expression, gs_failure); \
  } while (false)
