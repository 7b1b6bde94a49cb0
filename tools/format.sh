#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Formats every C++ file with the pinned clang-format; with --check only says what it would change.
# Another version formats differently, so 14 or nothing (exit 77: "cannot be checked here").
set -euo pipefail
cd "$(dirname "$0")/.."

clang_format=
for candidate in clang-format-14 clang-format; do
  if command -v "$candidate" >/dev/null && "$candidate" --version | grep -q 'version 14\.'; then
    clang_format=$candidate
    break
  fi
done
if [ -z "$clang_format" ]; then
  echo "format: clang-format 14 is not installed (./dev setup installs it)"
  exit 77
fi

options=(-i)
[ "${1:-}" = --check ] && options=(--dry-run --Werror)
find src tests -name node_modules -prune -o \( -name '*.cpp' -o -name '*.hpp' \) -print0 |
  xargs -0 -n 16 -P "$(nproc)" "$clang_format" --style=file "${options[@]}"
