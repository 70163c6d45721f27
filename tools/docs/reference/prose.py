"""Comments and docstrings as Markdown: paragraphs, lists, formulas, and links to the names of the reference."""

from __future__ import annotations

import re
from typing import Iterable, Mapping

#: A name that can have a link: a type of two words, `Type::member`, a call `name()`, a name of the C API.
NAME = re.compile(r"\b(conv2d_\w+|[A-Z]\w+::\w+|[A-Z][a-z]+[A-Z]\w+|\w+(?=\(\)))")
LIST_ITEM = re.compile(r"^(-|\d+\.) ")
#: "x: [n,h,w,c]" or "stride, dilation: a number": an argument of a docstring.
ARGUMENT = re.compile(r"^(\w+(?:, \w+)*): (.*)$")


def escape(text: str, links: Mapping[str, str]) -> str:
    """Text of a comment as Markdown. `links` are the addresses of names."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else _plain(part, links) for part in parts)


def _plain(text: str, links: Mapping[str, str]) -> str:
    def linked(match: re.Match[str]) -> str:
        name = match[1]
        address = links.get(name) or links.get(name.split("::")[0])
        shown = name.replace("_", r"\_")
        return f"[{shown}]({address})" if address else shown

    text = re.sub(r"([\\*\[\]])", r"\\\1", text)
    text = text.replace("<", "&lt;").replace("{{", "&#123;&#123;")
    parts = []
    end = 0
    for match in NAME.finditer(text):
        parts += [text[end : match.start()].replace("_", r"\_"), linked(match)]
        end = match.end()
    return "".join([*parts, text[end:].replace("_", r"\_")])


def markdown(lines: Iterable[str], links: Mapping[str, str], code_indent: int = 2) -> str:
    """Markdown of the lines of a comment. Lines that are indented by `code_indent` are a formula, unless a list goes on."""
    blocks: list[str] = []
    code: list[str] = []
    words: list[str] = []
    in_list = False

    def end_code() -> None:
        if code:
            indent = min(len(line) - len(line.lstrip()) for line in code if line.strip())
            blocks.append("\n".join(["```txt", *(line[indent:] for line in code), "```"]))
            code.clear()

    def end_words() -> None:
        if words:
            blocks.append(" ".join(words))
            words.clear()

    for line in lines:
        body = line.strip()
        indent = len(line) - len(line.lstrip())
        if not body:
            end_code()
            end_words()
            in_list = False
        elif indent >= code_indent and not in_list:
            end_words()
            code.append(line.rstrip())
        elif LIST_ITEM.match(body) and indent < code_indent:
            end_code()
            end_words()
            in_list = True
            words.append(escape(body, links))
        else:
            end_code()
            argument = ARGUMENT.match(body) if code_indent == 4 and indent == 0 else None
            if argument:
                end_words()
                in_list = True
                names = ", ".join(f"`{name}`" for name in argument[1].split(", "))
                words.append(f"- {names}: {escape(argument[2], links)}")
                continue
            if indent == 0 and in_list:
                end_words()
                in_list = False
            words.append(escape(body, links))
    end_code()
    end_words()
    text = "\n\n".join(blocks).replace("\n\n- ", "\n- ").strip()
    return re.sub(r"(?<=[.;]) (?=Errors?: |Raises [A-Z])", "\n\n", text)
