"""The names that NumPy 2, SciPy and Python have lost, and what each was, as "module:attribute"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_ABSTRACT = (
    "AsyncGenerator AsyncIterable AsyncIterator Awaitable ByteString Callable Collection Container Coroutine Generator "
    "Hashable ItemsView Iterable Iterator KeysView Mapping MappingView MutableMapping MutableSequence MutableSet "
    "Reversible Sequence Set Sized ValuesView"
)
_NUMPY = "evergraph.cli.legacy.arrays"
_PYTHON = "evergraph.cli.legacy.standard"
_IMAGES = "evergraph.cli.legacy.images"


def _same(module: str, home: str, names: str) -> dict[str, str]:
    return {f"{module}.{name}": f"{home}:{name}" for name in names.split()}


def _renamed(module: str, home: str, pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {f"{module}.{old}": f"{home}:{new}" for old, new in pairs}


LENT: Mapping[str, str] = {
    **_same("numpy", "builtins", "int float complex object"),
    **_renamed("numpy", "builtins", [("str", "str"), ("unicode", "str")]),
    **_renamed("numpy", "numpy", [
        ("float_", "float64"), ("complex_", "complex128"), ("cfloat", "complex128"), ("clongfloat", "clongdouble"),
        ("longfloat", "longdouble"), ("longcomplex", "clongdouble"), ("singlecomplex", "complex64"),
        ("string_", "bytes_"), ("unicode_", "str_"), ("int0", "intp"), ("uint0", "uintp"), ("bool8", "bool_"),
        ("object0", "object_"), ("str0", "str_"), ("Inf", "inf"), ("Infinity", "inf"), ("infty", "inf"),
        ("PINF", "inf"), ("NaN", "nan"), ("NAN", "nan"), ("product", "prod"), ("cumproduct", "cumprod"),
        ("alltrue", "all"), ("sometrue", "any"), ("round_", "round"), ("in1d", "isin"), ("trapz", "trapezoid"),
        ("row_stack", "vstack"), ("rank", "ndim"),
    ]),
    **_same("numpy", "numpy.exceptions", "AxisError ComplexWarning RankWarning TooHardError VisibleDeprecationWarning"),
    **_same("numpy", _NUMPY, "NINF NZERO PZERO asfarray asscalar cast find_common_type issubclass_ issctype mat msort"),
    **_same("numpy", _NUMPY, "obj2sctype safe_eval sctypes"),
    **_same("collections", "collections.abc", _ABSTRACT),
    **_same("inspect", _PYTHON, "getargspec formatargspec"),
    **_same("time", _PYTHON, "clock"),
    **_same("fractions", "math", "gcd"),
    **_same("platform", _PYTHON, "linux_distribution dist"),
    **_same("PIL.Image", _IMAGES, "ANTIALIAS LINEAR CUBIC"),
    **_same("scipy.misc", _IMAGES, "bytescale fromimage imread imresize imrotate imsave imshow toimage"),
    **_same("scipy.misc", "scipy.special", "comb factorial factorial2 factorialk logsumexp"),
    **_same("scipy", "numpy", "arange array asarray cos dot exp eye linspace log mean ndarray ones pi sin sqrt zeros"),
    **_same("scipy.ndimage.filters", "scipy.ndimage",
            "convolve correlate gaussian_filter maximum_filter median_filter minimum_filter uniform_filter"),
    **_same("scipy.ndimage.interpolation", "scipy.ndimage",
            "affine_transform geometric_transform map_coordinates rotate shift zoom"),
    **_same("scipy.ndimage.morphology", "scipy.ndimage",
            "binary_dilation binary_erosion binary_fill_holes distance_transform_edt"),
    **_same("scipy.ndimage.measurements", "scipy.ndimage", "center_of_mass label maximum minimum"),
    **_same("scipy.sparse.linalg.eigen.arpack", "scipy.sparse.linalg", "eigs eigsh svds ArpackNoConvergence"),
    **_same("distutils.version", "evergraph.cli.legacy.versions", "LooseVersion StrictVersion Version"),
    **_same("imp", _PYTHON, "find_module load_module load_source new_module"),
    **_same("imp", "importlib", "reload"),
    **_same("xml.etree.cElementTree", "xml.etree.ElementTree",
            "Element ElementTree ParseError SubElement XML dump fromstring iterparse parse tostring"),
}  # fmt: skip
"""Old name -> what a program gets for it."""

WRAPPED: Mapping[str, str] = {
    "h5py.AttributeManager": "evergraph.cli.legacy.hdf5:attributes_as_bytes",
    "h5py.File": "evergraph.cli.legacy.hdf5:file_that_may_be_new",
    "numpy.reshape": f"{_NUMPY}:reshape_by_newshape",
    "numpy.load": f"{_NUMPY}:load_with_pickles",
    "pickle.load": f"{_PYTHON}:load_old_pickle",
    "pickle.loads": f"{_PYTHON}:loads_old_pickle",
    "random.sample": f"{_PYTHON}:sample_of_set",
    "scipy.ndimage.rotate": f"{_IMAGES}:rotate_by_array",
    "yaml.load": f"{_PYTHON}:load_yaml",
}
"""Functions that took arguments or files which they refuse today -> what makes one that takes them from today's."""

METHODS: Mapping[str, str] = {
    "itemset": f"{_NUMPY}:itemset",
    "newbyteorder": f"{_NUMPY}:newbyteorder",
    "ptp": f"{_NUMPY}:ptp",
    "tostring": f"{_NUMPY}:tostring",
}
"""Methods of arrays that NumPy has removed -> functions. Arrays are C objects, so that calls are rewritten instead."""

FUNCTIONS: Mapping[str, str] = {
    **dict.fromkeys(("array", "asarray"), f"{_NUMPY}:made"),
    **dict.fromkeys(("empty", "ones", "zeros"), f"{_NUMPY}:filled"),
    "full": f"{_NUMPY}:full",
    **dict.fromkeys((f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)), f"{_NUMPY}:wrapped"),
}
"""Functions of NumPy that took values which they refuse today -> functions that take NumPy's own, then such values.
Others rely on their errors today, so that the program's calls of these are rewritten, too."""

CASTS = frozenset(["int", "float", "complex"])
"""Types that could be called with an array of one element."""

MODULES = frozenset(name.rpartition(".")[0] for name in LENT)
ROOTS = frozenset(name.partition(".")[0] for name in (*LENT, *WRAPPED))
"""The packages that the names belong to."""


def lent_name(path: str) -> str | None:
    """The old name that a dotted path leads to or through, such as numpy.float of "numpy.float.fromhex"."""
    words = path.split(".")
    prefixes = (".".join(words[:length]) for length in range(len(words), 1, -1))
    return next((prefix for prefix in prefixes if prefix in LENT), None)
