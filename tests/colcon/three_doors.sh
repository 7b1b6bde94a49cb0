#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Enters the house as ROS users do: three_doors.sh WORKSPACE [PROGRAM...]. Builds the three packages
# with colcon and checks what they install; the programs named must be there and run.
set -euo pipefail
workspace=$1
programs=("${@:2}")
cd "$(dirname "$0")/../.."
packages=(gs_ros2_simulator gs_sim_msgs gs_world_builder)

fail() { echo "three_doors: $*" >&2; exit 1; }
command -v colcon >/dev/null || { echo "skipped: colcon is not installed"; exit 77; }

export COLCON_DEFAULTS_FILE=$PWD/colcon_defaults.yaml COLCON_HOME=$workspace/home
export COLCON_LOG_PATH=$workspace/log
export CCACHE_NOHASHDIR=1  # objects of ./dev build are as good as ours
rm -rf "$workspace"
mkdir -p "$workspace"

found=$(colcon list --names-only | sort | tr '\n' ' ')
[ "$found" = "${packages[*]} " ] || fail "colcon finds '$found', not '${packages[*]}'"

colcon build --build-base "$workspace/build" --install-base "$workspace/install" \
  --cmake-args -GNinja -DCMAKE_BUILD_TYPE=Release -DGS_WARNINGS_ARE_ERRORS=ON -DGS_BUILD_TESTS=OFF

for package in "${packages[@]}"; do
  share=$workspace/install/$package/share
  [ -s "$share/$package/package.xml" ] || fail "$package installs no package.xml"
  [ -f "$share/ament_index/resource_index/packages/$package" ] || fail "$package has no index marker"
done

for interface in gs_sim_msgs/{msg,srv,action}/*; do
  installed=$workspace/install/gs_sim_msgs/share/$interface
  cmp -s "$interface" "$installed" || fail "$interface is not installed as it is"
done

for program in "${programs[@]}"; do
  installed=$(find "$workspace/install" -path "*/bin/$program")
  [ -n "$installed" ] || fail "$program is installed by no package"
  "$installed" --version || fail "$installed --version fails"
done
# In the workspace, ROS finds each package; the launch file is read there, and its programs start.
for package in "${packages[@]}"; do
  found=$(sh -c '. "$1"; exec /usr/bin/python3 -c "
import ament_index_python.packages, sys
print(ament_index_python.packages.get_package_prefix(sys.argv[1]))" "$2"' \
    sh "$workspace/install/setup.sh" "$package")
  [ "$found" = "$workspace/install/$package" ] || fail "the index of ROS finds $package in '$found'"
done
prefix=$workspace/install/gs_ros2_simulator
GS_PREFIX=$prefix GS_BIN_DIR=$prefix/bin GS_ROOT=$PWD python3 -B tests/e2e/launch_test.py

echo "three_doors: ${packages[*]} build, install and run"
rm -rf "$workspace/build"  # large, and no longer needed
