"""Prints a script that has a shell complete the command's words.

    eval "$(evergraph completion bash)"                                  in ~/.bashrc
    eval "$(evergraph completion zsh)"                                   in ~/.zshrc
    evergraph completion fish > ~/.config/fish/completions/evergraph.fish
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re

SHELLS = ("bash", "zsh", "fish")


def execute(words: list[str]) -> int:
    """Prints the script of a shell."""
    parser = argparse.ArgumentParser(
        prog="evergraph completion", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("shell", choices=SHELLS)
    shell = parser.parse_args(words).shell
    print({"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](options()))
    return 0


def options() -> dict[str, list[str]]:
    """Command -> its options, as its help names them."""
    from evergraph.cli import COMMANDS, command

    return {name: sorted(set(re.findall(r"(?<![\w-])--[a-z][\w-]*", _help(command(name))))) for name in COMMANDS}


def _help(module: object) -> str:
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text), contextlib.suppress(SystemExit):
        module.execute(["--help"])  # type: ignore[attr-defined]
    return text.getvalue()


def _bash(known: dict[str, list[str]]) -> str:
    cases = "\n".join(f"    {name}) words='{' '.join(each)}' ;;" for name, each in known.items())
    return f"""_evergraph() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words=
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W '{" ".join(known)} --help --version' -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=() ;;
  esac
}}
complete -o default -F _evergraph evergraph"""


def _zsh(known: dict[str, list[str]]) -> str:
    return "autoload -U +X bashcompinit && bashcompinit\n" + _bash(known)


def _fish(known: dict[str, list[str]]) -> str:
    lines = [f"complete -c evergraph -n __fish_use_subcommand -f -a {name}" for name in known]
    lines += [f"complete -c evergraph -n '__fish_seen_subcommand_from {name}' -l {option.removeprefix('--')}"
              for name, each in known.items() for option in each]  # fmt: skip
    return "\n".join(lines)
