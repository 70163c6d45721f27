"""The reference of C++ and C as Markdown: doxygen.py XML INCLUDE TARGET

Doxygen finds the symbols of the headers in the folder INCLUDE and where they are declared (its XML). Their declarations and
comments are quoted from the headers. Prints the symbols without a comment as JSON: {"cpp": [...], "c": [...]}.
"""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

from prose import markdown

#: The headers in the order of the pages.
CPP_HEADERS = {
    "conv2d/conv2d.hpp": "Plan and run the four passes",
    "conv2d/conv_desc.hpp": "Describe a convolution; sizes that follow from it",
    "conv2d/plan_options.hpp": "Options of a plan",
    "conv2d/algorithm.hpp": "List the algorithms of a pass",
    "conv2d/status.hpp": "Errors",
    "conv2d/message.hpp": "Texts without allocation",
    "conv2d/team.hpp": "Threads of the caller",
    "conv2d/thread_pool.hpp": "Threads of the library",
    "conv2d/transposed.hpp": "Transposed convolution",
    "conv2d/lowering.hpp": "im2col and col2im",
    "conv2d/reference.hpp": "Exact results",
    "conv2d/version.hpp": "Version",
    "conv2d_check/check.hpp": "Judge one result",
    "conv2d_check/samples.hpp": "Samples to test a kernel",
    "conv2d_check/arrays.hpp": "Judge arrays with names",
}
C_HEADER = "conv2d.h"
#: Headers without a symbol of the API.
WITHOUT_SYMBOLS = {"conv2d/config.hpp"}


@dataclass
class Symbol:
    name: str
    #: "Type" of a member, else "".
    owner: str
    kind: str
    header: str
    line: int
    end: int
    code: str = ""
    doc: list[str] = field(default_factory=list)


def read_symbols(xml: Path, include: Path) -> list[Symbol]:
    """All public symbols that the headers declare, in the order of the files. Members follow their class."""
    found: dict[tuple[str, int, str], Symbol] = {}

    def add(element: ElementTree.Element, name: str, owner: str, kind: str) -> None:
        location = element.find("location")
        if location is None or element.get("prot") not in (None, "public"):
            return
        file = location.get("declfile") or location.get("file", "")
        if not file.startswith(str(include)):
            return
        header = str(Path(file).relative_to(include))
        line = int(location.get("declline") or location.get("line", 0))
        end = int(location.get("bodyend", -1)) if kind in ("class", "enum") else -1
        found.setdefault((header, line, name if kind == "variable" else ""), Symbol(name, owner, kind, header, line, end))

    for file in sorted(xml.glob("*.xml")):
        for compound in ElementTree.parse(file).getroot().iter("compounddef"):
            kind = compound.get("kind")
            if kind not in ("class", "struct", "namespace", "file"):
                continue
            name = re.sub(r"^conv2d(_check)?(::|$)", "", compound.findtext("compoundname") or "")
            owner = name if kind in ("class", "struct") else ""
            if owner:
                add(compound, name, "", "class")
            scope = f"{name}::" if kind == "namespace" and name else ""
            for member in compound.iter("memberdef"):
                if member.get("kind") in ("function", "variable", "enum", "typedef"):
                    add(member, scope + (member.findtext("name") or ""), owner, member.get("kind", ""))
    return sorted(found.values(), key=lambda symbol: (symbol.header, symbol.line))


def quote(symbol: Symbol, lines: list[str]) -> None:
    """Fills in the declaration and the comment of a symbol from the lines of its header."""
    start = symbol.line - 1
    while start > 0 and lines[start - 1].strip() and not re.search(r"([;{}:,]|\*/)\s*(//.*)?$", lines[start - 1]):
        if re.match(r"\s*(//|/?\*|#)", lines[start - 1]):
            break
        start -= 1
    end, column = (symbol.end - 1, 0) if symbol.end > 0 else _end_of_declaration(lines, start)
    code = lines[start : end + 1]
    if symbol.end <= 0:
        code[-1] = f"{code[-1][:column].rstrip()};"
    symbol.code = _tidy(code)
    symbol.doc = _comment_above(lines, start) or _comment_behind(lines[end])


def _end_of_declaration(lines: list[str], start: int) -> tuple[int, int]:
    """The line and the column of its semicolon or its body."""
    depth = 0
    for at in range(start, len(lines)):
        for column, character in enumerate(lines[at]):
            depth += (character in "([") - (character in ")]")
            is_body = character == "{" and re.search(r"(\)|const|noexcept) $", lines[at][:column])
            if depth <= 0 and (character == ";" or is_body):
                return at, column
    raise ValueError(f"no end of the declaration: {lines[start]}")


def _tidy(code: list[str]) -> str:
    """Without macros of the build, notes to tools, and private members."""
    kept = []
    private = False
    macro = re.match(r"\s*(CONV2D_(C_)?API )", code[0])
    if macro and "(" in code[0]:
        # The other lines are aligned with the first.
        code = [code[0], *(line.removeprefix(" " * len(macro[1])) for line in code[1:])]
    for line in code:
        private = (private or line.strip() == "private:") and not line.startswith("}")
        if not private and not line.strip().startswith("friend "):
            line = re.sub(r"\s*// NOLINT.*", "", line)
            kept.append(re.sub(r"\bCONV2D_(C_)?API ", "", line).rstrip())
    indent = min(len(line) - len(line.lstrip()) for line in kept if line)
    return re.sub(r"\n\n(?=\};)", "\n", "\n".join(line[indent:] for line in kept))


def _comment_above(lines: list[str], start: int) -> list[str]:
    at = start
    if at > 0 and lines[at - 1].rstrip().endswith("*/") and re.match(r"\s*(/\*|\*|\w|`)", lines[at - 1]):
        # A comment of C, unless it follows code on the same line.
        while at > 0:
            at -= 1
            opened = re.match(r"(\s*)/\*+ ?", lines[at])
            if opened:
                text = "\n".join([lines[at][opened.end() :], *lines[at + 1 : start]])
                text = re.sub(r"\s*\*/\s*$", "", text)
                return [re.sub(r"^ *\*( |$)|^ {3}", "", line) for line in text.split("\n")]
            if re.search(r"[;{}]", lines[at].split("/*")[0]) and "/*" in lines[at]:
                return []
        return []
    while at > 0 and re.match(r"\s*///( |$)", lines[at - 1]):
        at -= 1
    return [re.sub(r"^\s*/// ?", "", line) for line in lines[at:start]]


def _comment_behind(line: str) -> list[str]:
    comment = re.search(r"(?:/\*+<? (?P<c>.*?) \*/|///< (?P<cpp>.*))$", line.rstrip())
    if not comment:
        return []
    words = comment["c"] or comment["cpp"]
    return [f"{words[0].upper()}{words[1:]}."]


def anchor(name: str) -> str:
    """Names differ in their capitals: Plan, plan."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", name.replace("operator<<", "print")).strip("-")


def title_of(symbol: Symbol) -> str:
    """Enumerations of C have no name: the first words of their comment are their title."""
    if not symbol.name.startswith("@") and symbol.name:
        return symbol.name
    return re.split(r"[.:,(]", " ".join(symbol.doc))[0]


def page_of(header: str) -> str:
    return "c" if header == C_HEADER else "cpp/" + header.replace("/", "-").removesuffix(".hpp")


def write_pages(symbols: list[Symbol], include: Path, target: Path) -> None:
    tops = [symbol for symbol in symbols if not symbol.owner]
    for group in ("c", "cpp"):
        own = [symbol for symbol in tops if page_of(symbol.header).split("/")[0] == group]
        links = {
            symbol.name: f"/reference/{page_of(symbol.header)}.md#{anchor(title_of(symbol))}"
            for symbol in own
            if symbol.kind != "variable"
        }
        for header in dict.fromkeys(symbol.header for symbol in own):
            write_page(header, [symbol for symbol in own if symbol.header == header], links, include, target)
    rows = [
        f"| [`{header}`](/reference/{page_of(header)}.md) | {title} | "
        + ", ".join(dict.fromkeys(f"`{top.name}`" for top in tops if top.header == header))
        + " |"
        for header, title in CPP_HEADERS.items()
    ]
    head = "# C++ reference\n\nLink `conv2d::conv2d`, and `conv2d::check` for the headers in `conv2d_check`. [The library in C++](/guides/cpp.md) explains how."
    text = f"{head}\n\n| header | for | names |\n| --- | --- | --- |\n" + "\n".join(rows)
    (target / "cpp/index.md").write_text(f"{text}\n", encoding="utf-8")


def write_page(header: str, symbols: list[Symbol], links: dict[str, str], include: Path, target: Path) -> None:
    language = "c" if header == C_HEADER else "cpp"
    about = CPP_HEADERS.get(header, "The shared library `conv2d_c`, for C and other languages")
    guide, words = (
        ("c", "The library in C")
        if header == C_HEADER
        else ("testing", "Test your own kernel") if header.startswith("conv2d_check") else ("cpp", "The library in C++")
    )
    blocks = [
        f"# {header}",
        f"{about}. Guide: [{words}](/guides/{guide}.md).",
        f"```{language}\n#include <{header}>\n```",
    ]
    lead = _lead(include / header)
    if lead:
        blocks.append(markdown(lead, links))
    title = ""
    for symbol in symbols:
        if title_of(symbol) != title:
            title = title_of(symbol)
            blocks.append(f"## {title} {{#{anchor(title)}}}")
        blocks.append(f"```{language}\n{symbol.code}\n```")
        text = markdown(symbol.doc, {name: to for name, to in links.items() if name != symbol.name})
        if text:
            blocks.append(text)
    path = target / f"{page_of(header)}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def _lead(path: Path) -> list[str]:
    """The comment of a whole header: of its namespace, in C at its beginning."""
    text = path.read_text(encoding="utf-8")
    if path.name == C_HEADER:
        opening = text[: text.index("*/")].splitlines()[1:]
        return [re.sub(r"^ \* ?", "", line) for line in opening]
    found = re.search(r"((?:^///.*\n)+)(?=namespace \w+ \{)", text, flags=re.M)
    return [re.sub(r"^/// ?", "", line) for line in found[1].splitlines()] if found else []


def main(xml: Path, include: Path, target: Path) -> None:
    symbols = read_symbols(xml, include)
    # The second half of `typedef struct x {...} x;`.
    structs = {(symbol.header, symbol.end) for symbol in symbols if symbol.kind == "class"}
    symbols = [symbol for symbol in symbols if symbol.kind != "typedef" or (symbol.header, symbol.line) not in structs]
    known = {*CPP_HEADERS, *WITHOUT_SYMBOLS, C_HEADER}
    missing = sorted({*CPP_HEADERS, C_HEADER} - {symbol.header for symbol in symbols})
    if missing:
        sys.exit(f"{', '.join(missing)}: Doxygen found no symbol")
    unknown = sorted({symbol.header for symbol in symbols} - known)
    if unknown:
        sys.exit(f"{', '.join(unknown)}: name the header in CPP_HEADERS of tools/docs/reference/doxygen.py")
    lines = {header: (include / header).read_text(encoding="utf-8").split("\n") for header in known}
    documented: set[tuple[str, str, str]] = set()
    undocumented: dict[str, list[str]] = {"cpp": [], "c": []}
    for symbol in symbols:
        quote(symbol, lines[symbol.header])
        # Overloads share the comment of the first.
        key = (symbol.header, symbol.owner, symbol.name)
        if symbol.doc:
            documented.add(key)
        # Members are part of the declaration of their class, where a comment can be for several of them.
        if key not in documented and not symbol.owner:
            undocumented["c" if symbol.header == C_HEADER else "cpp"].append(f"{symbol.header}:{symbol.line} {symbol.name}")
    write_pages(symbols, include, target)
    print(json.dumps(undocumented))


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
