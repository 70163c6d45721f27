"""The reference of the Python package as Markdown: python.py PACKAGE TARGET

Reads the sources without running them, because the package loads its compiled library. Prints the public names without a
docstring as JSON: a list.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Union

from prose import markdown

Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]

HEAD = """# Python reference

The package `conv2d`. Guide: [conv2d for Python](/guides/python.md)."""


def lines_of(node: ast.AST) -> list[str]:
    return (ast.get_docstring(node) or "").splitlines()  # type: ignore[arg-type]


def signature(node: Function, name: str, is_method: bool) -> str:
    """As in the source, with an argument a line where one line is too short."""
    arguments = node.args
    if is_method:
        kept = arguments.posonlyargs + arguments.args
        arguments = ast.arguments(
            [], kept[1:], arguments.vararg, arguments.kwonlyargs, arguments.kw_defaults, arguments.kwarg, arguments.defaults
        )
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    short = f"{name}({ast.unparse(arguments)}){returns}"
    if len(short) <= 90:
        return short
    # One argument at a time: commas are also inside of types.
    parts = []
    positional = arguments.args
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    for argument, default in zip(positional, defaults):
        parts.append(_argument(argument, default))
    if arguments.kwonlyargs:
        parts.append("*")
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        parts.append(_argument(argument, default))
    body = "".join(f"    {part},\n" for part in parts)
    return f"{name}(\n{body}){returns}"


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    kind = f": {ast.unparse(argument.annotation)}" if argument.annotation else ""
    value = f" = {ast.unparse(default)}" if default else ""
    return f"{argument.arg}{kind}{value}"


def is_public(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_")


def is_property(node: Function) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "property" for mark in node.decorator_list)


class Page:
    def __init__(self, links: dict[str, str]) -> None:
        self.links = links
        self.blocks = [HEAD]
        self.undocumented: list[str] = []

    def text(self, node: ast.AST, name: str) -> None:
        lines = lines_of(node)
        if not lines:
            self.undocumented.append(name)
        self.blocks.append(markdown(lines, {other: to for other, to in self.links.items() if other != name}, 4))

    def function(self, node: Function, name: str, level: str = "##", owner: str = "") -> None:
        self.blocks.append(f"{level} {owner and owner + '.'}{name} {{#{owner and owner + '.'}{name}}}")
        if is_property(node):
            shown = f"{name}: {ast.unparse(node.returns)}" if node.returns else name
        else:
            shown = signature(node, f"def {name}", owner != "")
        self.blocks.append(f"```python\n{shown}\n```")
        self.text(node, f"{owner}.{name}" if owner else name)

    def type(self, node: ast.ClassDef) -> None:
        self.blocks.append(f"## {node.name} {{#{node.name}}}")
        bases = f"({', '.join(ast.unparse(base) for base in node.bases)})" if node.bases else ""
        members = [part for part in node.body if isinstance(part, ast.AnnAssign)]
        body = "".join(f"\n    {ast.unparse(member)}" for member in members) or "\n    ..."
        self.blocks.append(f"```python\nclass {node.name}{bases}:{body}\n```")
        self.text(node, node.name)
        for part in node.body:
            if is_public(part) and not any(ast.unparse(mark) == "classmethod" for mark in part.decorator_list):
                self.function(part, part.name, "###", node.name)


def declaration(package: Path, module: str, name: str) -> ast.AST:
    """A name of a module, which it declares or imports from another one of the package."""
    body = ast.parse((package / f"{module}.py").read_text(encoding="utf-8")).body
    for node in body:
        if getattr(node, "name", "") == name:
            return node
        if isinstance(node, ast.ImportFrom) and node.level == 1 and name in [alias.name for alias in node.names]:
            return declaration(package, node.module or "", name)
    raise ValueError(f"{module}.py has no {name}")


def main(package: Path, target: Path) -> None:
    module = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    origins: dict[str, str] = {}
    public: list[str] = []
    for node in module.body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            origins.update({name.asname or name.name: node.module or "" for name in node.names})
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            public = ast.literal_eval(node.value)
    page = Page({name: f"#{name}" for name in public})
    page.blocks.append(markdown(lines_of(module), page.links, 4))
    declared: dict[str, ast.AST] = {}
    for name in public:
        declared[name] = declaration(package, origins[name], name)
    # Functions first, as in the guide.
    for name in sorted(public, key=lambda name: (isinstance(declared[name], ast.ClassDef), name)):
        node = declared[name]
        page.type(node) if isinstance(node, ast.ClassDef) else page.function(node, name)
    (target / "python.md").write_text("\n\n".join(page.blocks) + "\n", encoding="utf-8")
    print(json.dumps(page.undocumented))


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:3]))
