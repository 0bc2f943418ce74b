"""Runs the Python snippets of a page: `python -m tests.harness.snippets docs/models.md`.

The snippets of a page are one program: each goes on with the names of those before it. A comment after a `print` says
what it prints. A snippet below `<!-- not run: reason -->` is only compiled.
"""

import contextlib
import io
import re
import sys
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"^(?:<!-- not run: (?P<reason>.+) -->\n+)?```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
PRINTED = re.compile(r"^\s*print\(.*\)\s+# (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Snippet:
    """A fenced block of Python.

    Attributes:
        code: its text, below as many empty lines as put it on the page's own line numbers.
        reason: why it is not run; None where it is.
    """

    code: str
    reason: str | None

    @property
    def printed(self) -> list[str]:
        """The lines that it says it prints."""
        return [" ".join(line.split()) for line in PRINTED.findall(self.code)]


def snippets(page: str) -> list[Snippet]:
    """The Python blocks of a page, in order."""
    return [Snippet("\n" * page.count("\n", 0, found.start("code")) + found["code"], found["reason"])
            for found in BLOCK.finditer(page)]


def run(page: Path) -> None:
    """Runs the snippets of a page in one namespace.

    Raises:
        AssertionError: a snippet printed something else than its comments say.
    """
    namespace: dict[str, object] = {"__name__": "__main__"}
    for snippet in snippets(page.read_text()):
        program = compile(snippet.code, str(page), "exec")
        if snippet.reason is not None:
            continue
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(program, namespace)
        printed = [" ".join(line.split()) for line in output.getvalue().splitlines()]
        if snippet.printed and printed != snippet.printed:
            raise AssertionError(f"printed {printed}, but the page says {snippet.printed}\n{snippet.code.strip()}")


if __name__ == "__main__":
    run(Path(sys.argv[1]).resolve())
