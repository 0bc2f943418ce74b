# Written by `python -m evergraph.api.generate`; not edited by hand.
"""tf.spectral."""

from evergraph.signal import dct as dct
from evergraph import fft as fft
from evergraph import fft2d as fft2d
from evergraph import fft3d as fft3d
from evergraph.signal import idct as idct
from evergraph import ifft as ifft
from evergraph import ifft2d as ifft2d
from evergraph import ifft3d as ifft3d
from evergraph.signal import irfft as irfft
from evergraph.signal import irfft2d as irfft2d
from evergraph.signal import irfft3d as irfft3d
from evergraph.signal import rfft as rfft
from evergraph.signal import rfft2d as rfft2d
from evergraph.signal import rfft3d as rfft3d
