#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# deb.sh BUILD_FOLDER OUT [PROGRAM...]: makes the Debian package and looks inside.
set -euo pipefail
build=$1 out=$2
programs=("${@:3}")

fail() { echo "deb: $*" >&2; exit 1; }
command -v dpkg-shlibdeps >/dev/null || { echo "skipped: dpkg-dev is not installed"; exit 77; }

rm -rf "$out"
mkdir -p "$out"
(cd "$build" && cpack -G DEB -B "$out" >"$out/cpack.log") || { cat "$out/cpack.log"; exit 1; }
package=$(ls "$out"/gs-ros2-simulator_*.deb)
dpkg-deb -I "$package"

# The package works from any prefix: unpack it and run what it holds.
dpkg-deb -x "$package" "$out/root"
for door in gs_sim_msgs gs_world_builder gs_ros2_simulator; do
  [ -s "$out/root/usr/share/$door/package.xml" ] || fail "no share/$door/package.xml"
done
[ -s "$out/root/usr/share/doc/gs-ros2-simulator/copyright" ] || fail "no copyright file"
for program in "${programs[@]}"; do
  "$out/root/usr/bin/$program" --version || fail "$program is missing or does not run"
done
if [ ${#programs[@]} -gt 0 ]; then
  dpkg-deb -f "$package" Depends | grep -q libc6 || fail "the package names no dependencies"
fi
rm -rf "$out/_CPack_Packages"
