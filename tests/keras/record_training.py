"""Records how tf.keras models are trained in TensorFlow. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.keras.record_training     writes tests/goldens/keras_training.json
"""

from tests.harness.judge import tf
from tests.harness.recorded import write_texts
from tests.keras.training_programs import PROGRAMS


def main():
    found = {}
    for name, train in PROGRAMS.items():
        tf.keras.backend.clear_session()
        found[name] = train(tf, tf.keras.layers)
    write_texts("keras_training", found)


if __name__ == "__main__":
    main()
