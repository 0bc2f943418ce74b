"""Draws the pictures of docs/gallery.md by its own programs: `python -m website.gallery` writes docs/pictures/*.png."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests.harness import snippets

DOCS = Path(__file__).parents[1] / "docs"


def main():
    """Runs the page in a folder of its own, and keeps what it drew."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            snippets.run(DOCS / "gallery.md")
        finally:
            os.chdir(before)
        for picture in Path(folder).glob("*.png"):
            shutil.copy(picture, DOCS / "pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
