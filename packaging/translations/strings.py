"""Finds every string of the window that a translator has to see.

Qt's own lupdate finds only what stands literally in ``tr("…")``. Here the tables count too (the
actions, the settings, the engine's sentences), and helpers such as ``_tr("…")`` that stand for
``translate("Context", "…")``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Source(NamedTuple):
    """A string and the context in which it is looked up."""

    context: str
    text: str


@dataclass
class Module:
    """What one file holds: its tree, its constants, its helpers (name → context), its imports."""

    path: Path
    tree: ast.Module
    constants: dict[str, str] = field(default_factory=dict)
    helpers: dict[str, str] = field(default_factory=dict)
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        parts = self.path.relative_to(ROOT).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def in_code() -> set[Source]:
    """The strings that stand in ``app`` where they are translated."""
    modules = {module.name: module for module in map(_read, sorted((ROOT / "app").rglob("*.py")))}
    return {found for module in modules.values() for found in _found(module, modules)}


def in_tables() -> set[Source]:
    """The strings that stand in tables and are translated by what shows them."""
    from app.actions import ACTIONS, HINTS, MENU_TITLES
    from app.preferences import PREFERENCES
    from app.sentences import SAYINGS, templates
    from app.settings.sections import SECTIONS
    from app.settings.words import LANGUAGES
    from engine.models.catalogue import catalogue
    from engine.settings import SETTINGS

    found = {Source("Actions", row.title) for row in ACTIONS}
    found |= {Source("Actions", row.also) for row in ACTIONS if row.also}
    found |= {Source("Actions", title) for title in MENU_TITLES.values()}
    found |= {Source("Actions", text) for hint in HINTS for text in (hint.place, hint.title)}
    found |= {Source("Settings", section.title) for section in SECTIONS}
    for setting in (*SETTINGS.values(), *PREFERENCES.values()):
        said = (setting.title, setting.description, *setting.words)
        found |= {Source("Settings", text) for text in said if text not in LANGUAGES}
    found |= {Source("Catalogue", pair.expect) for pair in catalogue()}
    found |= {Source("Sayings", template) for template in SAYINGS}
    return found | {Source("Errors", template) for template in templates()}


def every() -> list[Source]:
    """All of them, in order."""
    return sorted(in_code() | in_tables())


def _read(path: Path) -> Module:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    module = Module(path, tree, dict(_constants(tree)))
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                module.imported[alias.asname or alias.name] = (node.module, alias.name)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef):
            context = _context_of_helper(node, module)
            if context is not None:
                module.helpers[node.name] = context
    return module


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Names of the module that hold a string."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            text = node.value.value
            if isinstance(text, str):
                yield from ((name.id, text) for name in node.targets if isinstance(name, ast.Name))


def _context_of_helper(function: ast.FunctionDef, module: Module) -> str | None:
    """The context, where ``function`` hands a parameter of its own to ``translate``."""
    parameters = {argument.arg for argument in function.args.args}
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and _called(node) == "translate" and len(node.args) >= 2:
            text = node.args[1]
            if isinstance(text, ast.Name) and text.id in parameters:
                return _string(node.args[0], module)
    return None


def _found(module: Module, modules: dict[str, Module]) -> Iterator[Source]:
    for owner, node in _calls(module.tree, None):
        name = _called(node)
        arguments = [_string(argument, module) for argument in node.args]
        if name in ("translate", "QT_TRANSLATE_NOOP") and len(arguments) >= 2:
            context, text = arguments[0], arguments[1]
        elif name == "tr" and arguments:
            context, text = owner, arguments[0]
        elif name is not None and arguments:
            context, text = _helper(name, module, modules), arguments[0]
        else:
            continue
        if context is not None and text is not None:
            yield Source(context, text)


def _helper(name: str, module: Module, modules: dict[str, Module]) -> str | None:
    if name in module.helpers:
        return module.helpers[name]
    home, original = module.imported.get(name, ("", ""))
    return modules[home].helpers.get(original) if home in modules else None


def _calls(tree: ast.AST, owner: str | None) -> Iterator[tuple[str | None, ast.Call]]:
    """Every call, with the name of the class that it stands in."""
    for node in ast.iter_child_nodes(tree):
        inner = node.name if isinstance(node, ast.ClassDef) else owner
        if isinstance(node, ast.Call):
            yield owner, node
        yield from _calls(node, inner)


def _called(node: ast.Call) -> str | None:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else None


def _string(node: ast.expr, module: Module) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return module.constants.get(node.id) if isinstance(node, ast.Name) else None
