"""Records what tf.keras' layers do in TensorFlow. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.keras.record     writes tests/goldens/keras.npz and keras.json
"""

from tests.harness.judge import tf
from tests.harness.recorded import keyed, write_numbers, write_texts
from tests.keras.backend_programs import EXPRESSIONS, values
from tests.keras.programs import PROGRAMS, recorded


def main():
    arrays, texts = {}, {}
    for name in PROGRAMS:
        texts[name], found = recorded(tf, name)
        arrays |= keyed(name, found)
    for name in EXPRESSIONS:
        arrays |= keyed(name, values(tf, name))
    write_numbers("keras", arrays)
    write_texts("keras", texts)


if __name__ == "__main__":
    main()
