from tests.harness import array, case, floats

z = (floats(3, 4) + 1j * floats(3, 4, seed=1)).astype("complex64")
cube = (floats(2, 3, 4) + 1j * floats(2, 3, 4, seed=1)).astype("complex64")

CASES = [
    *[case(op, z).tolerance(1e-5, atol=1e-5) for op in ("FFT", "IFFT", "FFT2D", "IFFT2D")],
    case("FFT", z.astype("complex128")),
    *[case(op, cube).tolerance(1e-5, atol=1e-5) for op in ("FFT3D", "IFFT3D")],
    case("RFFT", floats(3, 8), [8]).tolerance(1e-5, atol=1e-5),
    case("RFFT", floats(3, 8), [5]).tolerance(1e-5, atol=1e-5).no_grad("TensorFlow's fails when the input is cut"),
    case("RFFT2D", floats(2, 4, 6), [4, 6]).tolerance(1e-5, atol=1e-5),
    case("RFFT3D", floats(2, 4, 6), [2, 4, 5]).tolerance(1e-5, atol=1e-5),
    case("IRFFT", z, [6]).tolerance(1e-5, atol=1e-5),
    case("IRFFT", z, [5]).tolerance(1e-5, atol=1e-5).no_grad("TensorFlow's fails when the input is cut"),
    case("IRFFT2D", z, [3, 6]).tolerance(1e-5, atol=1e-5),
    case("IRFFT3D", cube, [2, 3, 6]).tolerance(1e-5, atol=1e-5),
    case("RFFT", floats(3, 4), array([8], "int32")).fails("InvalidArgumentError"),
]
