"""Records what TensorFlow's optimizers do. Run it in a venv with TensorFlow:

    .venv-tf/bin/python -m tests.train.record     writes tests/goldens/optimizers.npz, optimizers.json and schedules.npz
"""

from tests.harness.judge import tf
from tests.harness.recorded import write_numbers, write_texts
from tests.train import programs, schedules


def main():
    arrays, texts = {}, {}
    for case in programs.CASES:
        key, (values, slots, nodes) = programs.key(*case), programs.trained(tf, *case)
        arrays |= {f"{key}|{name}": value for name, value in values.items()}
        texts[key] = {"slots": slots, "nodes": nodes}
    write_numbers("optimizers", arrays)
    write_texts("optimizers", texts)
    write_numbers("schedules", {name: schedules.computed(tf, make) for name, make in schedules.SCHEDULES.items()})


if __name__ == "__main__":
    main()
