"""Every private noun of the engine is in docs/glossary.md.

A noun of the engine is a word of a module's or a public class's name in graph, kernel, passes, compile or run. It is
private when three or more public names there use it and `common_words.txt` does not list it.
"""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINE = ("graph", "kernel", "passes", "compile", "run")
COMMON = Path(__file__).with_name("common_words.txt")
USES = 3


def words(name):
    """`NeedRoom` and `need_rooms` are need, room."""
    return [singular(word.lower()) for word in re.findall(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+", name)]


def singular(word):
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def modules():
    for room in ENGINE:
        for file in sorted((ROOT / "evergraph" / room).rglob("[a-z]*.py")):
            yield f"{file.parent.name}/{file.stem}", file.read_text()


def private_nouns(sources):
    """{noun: the names that use it}."""
    nouns, uses = set(), defaultdict(set)
    for module, source in sources:
        names = {module.split("/")[-1]}
        nouns.update(*map(words, names))
        for statement in ast.parse(source).body:
            if isinstance(statement, ast.ClassDef) and not statement.name.startswith("_"):
                nouns.update(words(statement.name))
            names.update(name for name in defined(statement) if not name.startswith("_"))
        for name in names:
            for word in words(name):
                uses[word].add(f"{module}.{name}")
    return {noun: uses[noun] for noun in nouns if len(uses[noun]) >= USES}


def defined(statement):
    if isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def terms():
    rows = re.findall(r"^\| \*\*(.*?)\*\* \|", (ROOT / "docs/glossary.md").read_text(), re.MULTILINE)
    return {singular(term.lower()) for row in rows for term in row.split(", ")}


def common():
    lines = [line for line in COMMON.read_text().splitlines() if not line.startswith("#")]
    return {singular(word) for line in lines for word in line.split()}


def test_private_nouns_are_explained():
    unexplained = {noun: sorted(names)[:5] for noun, names in private_nouns(modules()).items()
                   if noun not in terms() | common()}
    assert not unexplained, f"add these to docs/glossary.md, or to {COMMON.name} if they have their usual sense"


def test_no_word_is_both_private_and_common():
    assert not terms() & common()


def test_a_private_noun_is_seen():
    sources = [("run/plums", "class Plum: pass\nPEACH = 1"), ("run/trees", "def plum_of(): pass\nclass _Peach: pass")]
    assert private_nouns(sources) == {"plum": {"run/plums.plums", "run/plums.Plum", "run/trees.plum_of"}}
