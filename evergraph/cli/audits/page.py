"""An audit as a page for a browser: one file, without anything from elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from html import escape

from evergraph.cli.audits.audit import Missing, Report
from evergraph.cli.audits.programs import BROKEN, LATER, NEEDS, OPTIONS, PYTHON2, RUNS, Program
from evergraph.cli.audits.show import place, relative, said, totals, verdict

_COLOURS = {RUNS: "#2e7d32", OPTIONS: "#689f38", LATER: "#f9a825", NEEDS: "#d84315", PYTHON2: "#5e35b1",
            BROKEN: "#757575"}  # fmt: skip
_MOST_FILES = 200

_STYLE = """
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin-bottom:.2rem} h2{font-size:1.15rem;margin-top:2rem}
.bar{display:flex;height:1.6rem;border-radius:.4rem;overflow:hidden;margin:1rem 0 .4rem}
.key{display:inline-block;margin-right:1.2rem;cursor:pointer;white-space:nowrap}
.key i,.mark{display:inline-block;width:.7rem;height:.7rem;border-radius:50%;margin-right:.4rem}
.off{opacity:.35}
table{border-collapse:collapse;width:100%} td,th{padding:.35rem .5rem;text-align:left;vertical-align:top;
border-bottom:1px solid #8884} td:first-child{width:40%} td.number,th.number{text-align:right}
code,.path{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}
summary{cursor:pointer} ul{margin:.3rem 0;padding-left:1.3rem} input{font:inherit;width:100%;padding:.3rem .5rem;
margin:.6rem 0;box-sizing:border-box} .quiet{opacity:.75}
"""

_SCRIPT = """
const rows=[...document.querySelectorAll('tr[data-verdict]')], off=new Set(), box=document.querySelector('input');
function show(){const text=box.value.toLowerCase();
for(const row of rows)row.hidden=off.has(row.dataset.verdict)||!row.textContent.toLowerCase().includes(text)}
box.addEventListener('input',show);
for(const key of document.querySelectorAll('.key'))key.addEventListener('click',()=>{const each=key.dataset.verdict;
off.has(each)?off.delete(each):off.add(each);key.classList.toggle('off');show()});
"""


def page(report: Report) -> str:
    """The page: verdicts as a bar, the missing names with the files behind them, the programs with a filter."""
    name = escape(os.path.basename(os.path.abspath(report.root)))
    return "\n".join(
        [
            f"<!doctype html><html lang=en><meta charset=utf-8><title>evergraph audit: {name}</title>",
            f"<meta name=viewport content='width=device-width'><style>{_STYLE}</style>",
            f"<h1>Will {name} run on evergraph?</h1>",
            *(f"<div class=quiet>{escape(line)}</div>" for line in totals(report)),
            _bar(report),
            *_names(report.missing, report),
            *_programs(report),
            f"<script>{_SCRIPT}</script></html>",
            "",
        ]
    )


def _bar(report: Report) -> str:
    parts = "".join(f"<div style='flex:{count};background:{_COLOURS[name]}' title='{count} {name}'></div>"
                    for name, count in report.verdicts.items())  # fmt: skip
    keys = "".join(f"<span class=key data-verdict='{name}'><i style='background:{_COLOURS[name]}'></i>{count} {name}"
                   "</span>" for name, count in report.verdicts.items())  # fmt: skip
    return f"<div class=bar>{parts}</div>{keys}"


def _names(missing: list[Missing], report: Report) -> Iterator[str]:
    if not missing:
        return
    yield "<h2>Missing names</h2><table><tr><th>name<th class=number>files<th class=number>uses<th>what to do</tr>"
    for row in missing:
        files = "".join(f"<li class=path>{escape(place(report, each))}" for each in row.places[:_MOST_FILES])
        rest = f"<li>and {row.files - _MOST_FILES} more" if row.files > _MOST_FILES else ""
        yield (f"<tr><td><details><summary><code>{escape(row.name)}</code></summary><ul>{files}{rest}</ul></details>"
               f"<td class=number>{row.files}<td class=number>{row.uses}<td>{escape(row.remedy)}</tr>")  # fmt: skip
    yield "</table>"


def _programs(report: Report) -> Iterator[str]:
    yield "<h2>Programs</h2><input placeholder='part of a path, a name or a verdict' aria-label=filter><table>"
    yield from (_program(report, program) for program in report.programs)
    yield "</table>"


def _program(report: Report, program: Program) -> str:
    text = escape(verdict(report, program))
    others = "".join(f"<li>{escape(said(report, need))}" for need in program.needs[1:])
    others += f"<li>and {program.more} more" if program.more else ""
    about = f"<details><summary>{text}</summary><ul>{others}</ul></details>" if others else text
    mark = f"<span class=mark style='background:{_COLOURS[program.verdict]}'></span>"
    return (f"<tr data-verdict='{program.verdict}'><td><span class=path>{mark}"
            f"{escape(relative(report, program.path))}</span><td>{about}</tr>")  # fmt: skip
