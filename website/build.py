"""Builds the site: `python -m website.build MKDOCS FOLDER` gathers the pages, writes the reference, and runs mkdocs.

A link from one page to another that is not there, or to a heading that it does not have, ends the build.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from website import reference
from website.pages import tabs

ROOT = Path(__file__).resolve().parents[1]
HERE = Path(__file__).parent
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(#[\w-]+)?\)")
CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def main(mkdocs, folder):
    """Writes the site to a folder."""
    folder = Path(folder).resolve()
    source = folder.parent / f"{folder.name}-pages"
    shutil.rmtree(source, ignore_errors=True)
    pages, listed = gathered(source)
    config = folder.parent / f"{folder.name}.yml"
    nav = json.dumps(navigation(pages, listed))
    config.write_text(f"{(HERE / 'mkdocs.yml').read_text()}\ndocs_dir: {source}\nsite_dir: {folder}\nnav: {nav}\n")
    return subprocess.run([mkdocs, "build", "--clean", "--quiet", "--config-file", config]).returncode


def gathered(source):
    """Puts every page where mkdocs looks for it; returns their names."""
    texts = {str(page.relative_to(ROOT / "docs")): page for page in (ROOT / "docs").rglob("*.md")}
    texts |= {page.name.replace("README", "index"): page for page in ROOT.glob("*.md")}
    places = {page.resolve(): name for name, page in texts.items()}
    for name, page in texts.items():
        written(source / name, moved(page, name, places))
    reference_pages = reference.pages()
    for name, text in reference_pages.items():
        written(source / name, text)
    shutil.copytree(ROOT / "docs" / "pictures", source / "pictures")
    shutil.copy(HERE / "site.css", source)
    return sorted(texts), list(reference_pages)


def written(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def moved(page, name, places):
    """The text of a page, with links to where the site has the other pages; those to source files become text."""
    def link(found):
        target, fragment = found[1], found[2] or ""
        path = (page.parent / target).resolve()
        if not target:
            return f"]({fragment})"
        if path in places:
            return f"]({'../' * name.count('/')}{places[path]}{fragment})"
        if "pictures" in path.parts:
            return f"]({'../' * name.count('/')}pictures/{path.name})"
        return "](#)" if path.exists() else found[0]

    parts = CODE.split(page.read_text())
    text = "".join(part if k % 2 else LINK.sub(link, part) for k, part in enumerate(parts))
    return re.sub(r"(?<!!)\[([^\]\[]*)\]\(#\)", r"\1", text)


def navigation(pages, listed):
    """mkdocs' table of contents: pages by tab, and those of the reference by namespace."""
    found = tabs(pages)
    first, *others = listed
    found["Reference"] = [first, *[{title(page): page} for page in others]]
    return [{"Home": "index.md"}, *[{tab: inside} for tab, inside in found.items()]]


def title(page):
    stem = page.removeprefix("reference/").removesuffix(".md")
    return "tf itself" if stem == "tf" else f"tf.{stem}"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
