# SPDX-License-Identifier: Apache-2.0
"""Writes files as torch.save does, where there is no PyTorch.

Python's own pickle makes the bytes; the classes and functions that PyTorch's files name are made
under their names in sys.modules, so that pickle refers to them as it would refer to PyTorch's.
"""
import collections
import io
import math
import pickle
import struct
import sys
import types
import zipfile


def _module(name):
    module = sys.modules[name] = types.ModuleType(name)
    return module


_torch, _utils = _module("torch"), _module("torch._utils")
_torch._utils = _utils


def _rebuild_tensor_v2(*_):
    raise NotImplementedError


def _rebuild_parameter(*_):
    raise NotImplementedError


class FloatStorage:
    def __init__(self, values):
        self.values = values


for _thing, _home in [(_rebuild_tensor_v2, _utils), (_rebuild_parameter, _utils),
                      (FloatStorage, _torch)]:
    _thing.__module__ = _home.__name__
    _thing.__qualname__ = _thing.__name__
    setattr(_home, _thing.__name__, _thing)


class Tensor:
    """A contiguous float tensor: values row-major."""

    def __init__(self, values, shape):
        assert len(values) == math.prod(shape)
        self.storage, self.shape = FloatStorage(values), tuple(shape)

    def __reduce_ex__(self, protocol):
        strides = [math.prod(self.shape[i + 1:]) for i in range(len(self.shape))]
        return _rebuild_tensor_v2, (self.storage, 0, self.shape, tuple(strides), False,
                                    collections.OrderedDict())


class Parameter(Tensor):
    def __reduce_ex__(self, protocol):
        tensor = Tensor(self.storage.values, self.shape)
        return _rebuild_parameter, (tensor, True, collections.OrderedDict())


class _Pickler(pickle.Pickler):
    def __init__(self, file):
        super().__init__(file, protocol=2)
        self.storages = []

    def persistent_id(self, thing):
        if not isinstance(thing, FloatStorage):
            return None
        self.storages.append(thing)
        return ("storage", FloatStorage, str(len(self.storages) - 1), "cuda:0", len(thing.values))


def save(value, path, compression=zipfile.ZIP_STORED):
    data = io.BytesIO()
    pickler = _Pickler(data)
    pickler.dump(value)
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("archive/data.pkl", data.getvalue())
        archive.writestr("archive/byteorder", "little")
        for i, storage in enumerate(pickler.storages):
            archive.writestr(f"archive/data/{i}",
                             struct.pack(f"<{len(storage.values)}f", *storage.values))
        archive.writestr("archive/version", "3\n")
