# SPDX-License-Identifier: Apache-2.0
"""Takes the place of DriveStudio's tools/train.py: the same command line, dataset, log lines and
checkpoint, without the training. Each splat sits where camera 0 was at a time step."""
import argparse
import collections
import pathlib

import torch_file


def inverse(m):
    """Of a rigid 4 x 4."""
    r = [[m[j][i] for j in range(3)] for i in range(3)]
    t = [-sum(r[i][k] * m[k][3] for k in range(3)) for i in range(3)]
    return [[*r[0], t[0]], [*r[1], t[1]], [*r[2], t[2]], [0, 0, 0, 1]]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(4)) for j in range(4)] for i in range(4)]


def quaternion(m):
    """w, x, y, z of a rotation; good enough where w is not tiny, else by the largest diagonal."""
    t = m[0][0] + m[1][1] + m[2][2]
    if t > 0:
        s = 2 * (t + 1) ** 0.5
        return [s / 4, (m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s]
    i = max(range(3), key=lambda k: m[k][k])
    j, k = (i + 1) % 3, (i + 2) % 3
    s = 2 * (1 + m[i][i] - m[j][j] - m[k][k]) ** 0.5
    q = [0.0] * 4
    q[0] = (m[k][j] - m[j][k]) / s
    q[1 + i], q[1 + j], q[1 + k] = s / 4, (m[j][i] + m[i][j]) / s, (m[k][i] + m[i][k]) / s
    return q


def read_matrix(path):
    return [list(map(float, line.split())) for line in path.read_text().splitlines()]


parser = argparse.ArgumentParser()
for name in ["config_file", "output_root", "project", "run_name"]:
    parser.add_argument("--" + name, required=True)
parser.add_argument("opts", nargs=argparse.REMAINDER)
args = parser.parse_args()
opts = dict(opt.split("=", 1) for opt in args.opts)
assert opts["dataset"] == "nuscenes/6cams" and opts["data.pixel_source.cameras"] == "[0,1,2]", opts
assert opts["data.pixel_source.load_smpl"] == opts["data.pixel_source.load_objects"] == "False"
assert pathlib.Path(args.config_file).exists()
iterations = int(opts["trainer.optim.num_iters"])
scene = pathlib.Path(opts["data.data_root"]) / f"{int(opts['data.scene_idx']):03d}"

steps = len(list(scene.glob("images/*_0.jpg")))
assert steps > 0
for t in range(steps):
    for camera in range(3):
        for kind, ending in [("images", "jpg"), ("extrinsics", "txt"), ("sky_masks", "png"),
                             ("dynamic_masks/all", "png"), ("dynamic_masks/human", "png"),
                             ("dynamic_masks/vehicle", "png")]:
            assert (scene / kind / f"{t:03d}_{camera}.{ending}").exists()
    assert (scene / f"lidar/{t:03d}.bin").stat().st_size % 16 == 0
    assert len(read_matrix(scene / f"lidar_pose/{t:03d}.txt")) == 4
assert all(len((scene / f"intrinsics/{c}.txt").read_text().split()) == 9 for c in range(3))
assert (scene / "instances/instances_info.json").read_text().strip() == "{}"

for i in range(0, iterations + 1, int(opts["logging.print_freq"])):
    print(f"I20260301 10:00:00 root logging.py:110]   [{i:3d}/{iterations + 1}]  eta: 0:00:01  elapsed: "
          "0:00:01  train_metrics/psnr: 24.500000 (23.000000)  train_stats/gaussian_num_Background: "
          "1000.000000 (990.000000)  losses/rgb_loss: 0.030000 (0.040000)  losses/ssim_loss: 0.020000 "
          "(0.030000)  time: 0.01  data: 0.001  max mem: 1000", flush=True)

world_from_map = inverse(read_matrix(scene / "extrinsics/000_0.txt"))
means, quats, rest = [], [], []
q = quaternion(world_from_map)
# Colour grows towards +x of the map: c = 0.5 * kSh1 * d.x, so the coefficient of -kSh1 * x is -0.5;
# in the world of the dataset the same direction is the first column of world_from_map.
east = [world_from_map[r][0] for r in range(3)]
for t in range(steps):
    pose = product(world_from_map, read_matrix(scene / f"extrinsics/{t:03d}_0.txt"))
    means += [pose[r][3] for r in range(3)]
    quats += q
    red = [-0.5 * east[1], 0.5 * east[2], -0.5 * east[0]]  # of -y, +z, -x
    rest += [value for coefficient in red for value in (coefficient, 0.0, 0.0)]
background = collections.OrderedDict(
    _means=torch_file.Parameter(means, (steps, 3)),
    _scales=torch_file.Parameter([-2.0] * 3 * steps, (steps, 3)),
    _quats=torch_file.Parameter(quats, (steps, 4)),
    _features_dc=torch_file.Parameter([0.5] * 3 * steps, (steps, 3)),
    _features_rest=torch_file.Parameter(rest, (steps, 3, 3)),
    _opacities=torch_file.Parameter([1.0] * steps, (steps, 1)))
sky = collections.OrderedDict(base=torch_file.Parameter([0.5] * (6 * 2 * 2 * 3), (6, 2, 2, 3)))
folder = pathlib.Path(args.output_root) / args.project / args.run_name
folder.mkdir(parents=True)
torch_file.save({"models": {"Background": background, "Sky": sky}, "step": iterations},
                folder / "checkpoint_final.pth")
