"""The names and arguments that TensorFlow 1.0 removed, for programs written before it.

Errors and `evergraph audit` name what replaced them. `evergraph run --allow-removed-names` gives them their old
meaning: that of the public name that takes the same arguments, or that of a function kept for the purpose.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evergraph.api import private_paths
from evergraph.api.names import NAMES

_SAME: Mapping[str, str] = {
    "batch_cholesky": "cholesky",
    "batch_cholesky_solve": "cholesky_solve",
    "batch_fft": "fft",
    "batch_fft2d": "fft2d",
    "batch_fft3d": "fft3d",
    "batch_ifft": "ifft",
    "batch_ifft2d": "ifft2d",
    "batch_ifft3d": "ifft3d",
    "batch_matrix_band_part": "matrix_band_part",
    "batch_matrix_determinant": "matrix_determinant",
    "batch_matrix_diag": "matrix_diag",
    "batch_matrix_diag_part": "matrix_diag_part",
    "batch_matrix_inverse": "matrix_inverse",
    "batch_matrix_set_diag": "matrix_set_diag",
    "batch_matrix_solve": "matrix_solve",
    "batch_matrix_solve_ls": "matrix_solve_ls",
    "batch_matrix_transpose": "matrix_transpose",
    "batch_matrix_triangular_solve": "matrix_triangular_solve",
    "batch_self_adjoint_eig": "self_adjoint_eig",
    "batch_svd": "svd",
    "complex_abs": "abs",
    "image.per_image_whitening": "image.per_image_standardization",
    "inv": "reciprocal",
    "listdiff": "setdiff1d",
    "list_diff": "setdiff1d",
    "merge_all_summaries": "summary.merge_all",
    "merge_summary": "summary.merge",
    "mul": "multiply",
    "neg": "negative",
    "nn.bidirectional_rnn": "nn.static_bidirectional_rnn",
    "nn.rnn": "nn.static_rnn",
    "nn.state_saving_rnn": "nn.static_state_saving_rnn",
    "pack": "stack",
    "select": "where",
    "sub": "subtract",
    "train.SummaryWriter": "summary.FileWriter",
    "unpack": "unstack",
}
"""Old name -> the public name that does the same for the same arguments."""

_OTHER: Mapping[str, tuple[str, str]] = {
    "audio_summary": ("summary.audio", "evergraph.summary.tagged:audio_summary"),
    "batch_matmul": ("matmul", "evergraph.frontend.matmul:batch_matmul"),
    "histogram_summary": ("summary.histogram", "evergraph.summary.tagged:histogram_summary"),
    "image_summary": ("summary.image", "evergraph.summary.tagged:image_summary"),
    "scalar_summary": ("summary.scalar", "evergraph.summary.tagged:scalar_summary"),
}
"""Old name -> the public name that replaced it with other arguments, and the function that has the old ones."""

_ARGUMENTS = "evergraph.frontend.old_arguments"
OLD_ARGUMENTS: Mapping[str, str] = {
    "concat": f"{_ARGUMENTS}:concat",
    "image.resize_images": f"{_ARGUMENTS}:resize_images",
    "nn.ctc_loss": f"{_ARGUMENTS}:ctc_loss",
    "nn.nce_loss": f"{_ARGUMENTS}:nce_loss",
    "nn.sampled_softmax_loss": f"{_ARGUMENTS}:sampled_softmax_loss",
    "nn.sigmoid_cross_entropy_with_logits": f"{_ARGUMENTS}:sigmoid_cross_entropy",
    "nn.softmax_cross_entropy_with_logits": f"{_ARGUMENTS}:softmax_cross_entropy",
    "nn.sparse_softmax_cross_entropy_with_logits": f"{_ARGUMENTS}:sparse_cross_entropy",
    "reverse": f"{_ARGUMENTS}:reverse",
    "split": f"{_ARGUMENTS}:split",
}
"""Public name whose arguments TensorFlow 1.0 changed -> the function that takes the old ones, too."""

_OLD_INSIDE: Mapping[str, str] = {"evergraph.contrib.rnn.linear:linear": "evergraph.contrib.rnn.linear:old_linear"}
"""What only modules inside TensorFlow have -> the function that takes the old arguments, too."""

_MOVED: Mapping[str, str] = {
    "models.rnn.rnn_cell": "nn.rnn_cell",
    "models.rnn.seq2seq": "contrib.legacy_seq2seq",
    "nn.seq2seq": "contrib.legacy_seq2seq",
}
"""Old namespace -> the one that has its names."""


_INSIDE = ("python.ops.", "contrib.legacy_seq2seq.python.")
_LAST_WORDS = [(old.rpartition(".")[2], new.rpartition(".")[2]) for old, new in _SAME.items()]
_MODULES: Mapping[str, str] = {"python.ops.seq2seq": "contrib.legacy_seq2seq.python.ops.seq2seq"}
"""Old module inside TensorFlow -> the one that has its names."""


def replacement(dotted: str) -> str | None:
    """The public name that replaced one which TensorFlow 1.0 removed; None for other names."""
    if dotted in _MODULES:
        return _MODULES[dotted]
    if dotted.startswith(_INSIDE):
        return next((path for path in _new_paths(*dotted.rpartition(".")[::2]) if path in private_paths.homes()), None)
    if dotted in _SAME:
        return _SAME[dotted]
    if dotted in _OTHER:
        return _OTHER[dotted][0]
    moved = next((old for old in _MOVED if f"{dotted}.".startswith(f"{old}.")), None)
    return moved and _MOVED[moved] + dotted.removeprefix(moved)


def _new_paths(module: str, old: str) -> Iterator[str]:
    """What may have replaced a name of a module inside TensorFlow."""
    yield from (f"{module}.{new}" for name, new in _LAST_WORDS if name == old)
    if module in _MODULES:
        yield f"{_MODULES[module]}.{old}"


def old_paths() -> Iterator[tuple[str, str]]:
    """What modules inside TensorFlow have lost, and what they have with other arguments today, each with its home."""
    today = {NAMES[name]: old for name, old in OLD_ARGUMENTS.items()} | _OLD_INSIDE
    for path, home in private_paths.homes().items():
        module, _, word = path.rpartition(".")
        if not module.startswith(_INSIDE):
            continue
        yield from ((f"{module}.{old}", home) for old, new in _LAST_WORDS if new == word)
        yield from ((f"{old}.{word}", home) for old, new in _MODULES.items() if new == module)
        if home in today:
            yield path, today[home]


def old_meanings() -> Iterator[tuple[str, str]]:
    """The removed names, each with its home, as in the table of public names."""
    yield from ((old, NAMES[new]) for old, new in _SAME.items())
    yield from ((old, home) for old, (_, home) in _OTHER.items())
    for old, new in _MOVED.items():
        yield from ((old + name.removeprefix(new), home) for name, home in NAMES.items() if name.startswith(f"{new}."))
