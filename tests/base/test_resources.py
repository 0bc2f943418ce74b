"""tf.resource_loader, tf.sysconfig and libraries of custom ops."""

import os

import pytest

import evergraph as tf


def test_paths_are_beside_the_program():
    here = os.path.dirname(os.path.abspath(__file__))
    loader = tf.resource_loader
    assert loader.get_data_files_path() == here
    assert loader.get_path_to_datafile("a/b.txt") == os.path.join(here, "a/b.txt")
    assert loader.get_root_dir_with_all_resources() == here
    assert b"TensorFlow" in loader.load_resource("api/private_paths.txt")
    assert loader.readahead_file_path("x") == "x"
    with pytest.raises(OSError):
        loader.load_resource("none")


def test_custom_ops_are_explained(tmp_path):
    library = tmp_path / "op.so"
    library.write_bytes(b"\x7fELF")
    with pytest.raises(tf.errors.NotFoundError):
        tf.load_op_library(str(tmp_path / "none.so"))
    with pytest.raises(OSError):
        tf.load_library(str(tmp_path / "none"))
    for load in (tf.load_op_library, tf.load_library):
        with pytest.raises(tf.errors.UnimplementedError, match="a kernel written with xp.*tf.py_func"):
            load(str(library))
    with pytest.raises(tf.errors.UnimplementedError, match="fsspec"):
        tf.load_file_system_library(str(library))
    for flags in (tf.sysconfig.get_include, tf.sysconfig.get_lib, tf.sysconfig.get_compile_flags,
                  tf.sysconfig.get_link_flags):
        with pytest.raises(tf.errors.UnimplementedError, match="custom op"):
            flags()
