"""Asks real TensorFlow for the answers to the cases at edge values and writes them to `tests/goldens/edges`.

Run it with an interpreter that has TensorFlow: `python -m tests.record_edges [family ...] [--all]`. Only cases without
an answer are asked. TensorFlow may die of an edge value, so a process of its own asks for each family; when it dies or
hangs, the variant is noted as "crash" and another process goes on after it.
"""

import argparse
import json
import pathlib
import pickle
import resource
import signal
import subprocess
import sys
import tempfile

from tests.harness import edges, families, goldens

SECONDS, MEMORY = 5, 6 << 30  # that one variant may take


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family", nargs="*", help="case modules; every one if none is named")
    parser.add_argument("--all", action="store_true", help="record again what is recorded")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        return _work(options.family[0], pathlib.Path(options.worker))
    for family in options.family or families.families():
        _record_family(family, {} if options.all else goldens.read_edges(family))


def _record_family(family, known):
    cases = families.load(family)
    found = {name: known[name] for name in cases if name in known}
    wanted = [name for name in cases if name not in known]
    with tempfile.TemporaryDirectory() as folder:
        answers = _answers(family, wanted, pathlib.Path(folder)) if wanted else {}
    for name in wanted:
        found[name] = answers.get(name, {})
    if wanted or found.keys() != known.keys():
        goldens.write_edges(family, found)
    crashes = sum(answer == "crash" for each in answers.values() for answer in each.values())
    print(f"{family}: {len(wanted)} cases recorded, {sum(map(len, answers.values()))} variants, {crashes} crashes")


def _answers(family, wanted, folder):
    """{case: {edge: answer}}, from as many processes as it takes."""
    (folder / "wanted").write_text(json.dumps(wanted))
    (folder / "answers").touch()
    found, before = {}, -1
    while subprocess.run([sys.executable, "-m", "tests.record_edges", family, "--worker", folder],
                         stderr=subprocess.DEVNULL).returncode:
        said = list(_stream(folder / "answers"))
        if len(said) == before:
            raise RuntimeError(f"{family}: the process dies outside a variant")
        before = len(said)
        if said[-1:] and said[-1][2] == "begun":
            with open(folder / "answers", "ab") as file:
                pickle.dump((*said[-1][:2], "crash"), file)
    for name, edge, answer in _stream(folder / "answers"):
        found.setdefault(name, {})[edge] = answer
    return found


def _stream(path):
    with open(path, "rb") as file:
        while True:
            try:
                yield pickle.load(file)
            except EOFError:
                return


def _work(family, folder):
    """Asks for all variants that the file of answers lacks."""
    from tests import edge_answers

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    done = {(name, edge) for name, edge, _ in _stream(folder / "answers")}
    cases = families.load(family)
    with open(folder / "answers", "ab") as file:
        for name in json.loads((folder / "wanted").read_text()):
            asked = [edge for edge in edges.value_edges(cases[name]) + edges.shape_edges(cases[name])
                     if (name, str(edge)) not in done]
            ask = None
            for edge in asked:
                _append(file, name, edge, "begun")
                signal.alarm(SECONDS)
                ask = ask or edge_answers.asker(cases[name])
                answer = ask(edge)
                signal.alarm(0)
                _append(file, name, edge, answer)


def _append(file, name, edge, answer):
    file.write(pickle.dumps((name, str(edge), answer)))
    file.flush()


if __name__ == "__main__":
    main()
