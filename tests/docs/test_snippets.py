"""The Python snippets of the pages run, and print what they say."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness import snippets

ROOT = Path(__file__).parents[2]
PAGES = [page for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
         if "```python" in page.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_snippets_run(page, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}  # the pages show what CPUs do
    ran = subprocess.run([sys.executable, "-m", "tests.harness.snippets", page], cwd=tmp_path, env=environment,
                         capture_output=True, text=True)  # fmt: skip
    assert ran.returncode == 0, ran.stderr


PAGE = """
```python
x = 1
```

<!-- not run: it takes a week -->

```python
x = 2
```

```python
print(x + 1)    # 2
```
"""


def test_snippets_of_a_page_are_one_program(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    snippets.run(page)
    assert [s.reason for s in snippets.snippets(PAGE)] == [None, "it takes a week", None]


@pytest.mark.parametrize("change, error", [
    (("# 2", "# 3"), AssertionError), (("x = 1", "y = 1"), NameError), (("x = 2", "x = "), SyntaxError),
])  # fmt: skip
def test_wrong_snippets_are_seen(tmp_path, change, error):
    page = tmp_path / "page.md"
    page.write_text(PAGE.replace(*change))
    with pytest.raises(error):
        snippets.run(page)
