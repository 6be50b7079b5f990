"""Which files have a grammar, and what its nodes mean. Rows only.

Programs alone: files of data, settings, markup and prose have none, so no key and no heading can be taken for a name.
"""

from __future__ import annotations

import os

from evaluator.record import Record


class Language(Record):
    """`package` and `function` give the grammar. `block_comments`: `/*` opens one. `forks`: at each of these the parser
    goes on with several readings at once, and takes memory for all of them. `ascii_only`: a character beyond ASCII may
    end the process."""

    package: str
    function: str = "language"
    block_comments: bool = True
    forks: str = ""
    ascii_only: bool = False


_JAVASCRIPT = Language("tree_sitter_javascript")
_TSX = Language("tree_sitter_typescript", "language_tsx")
_TYPESCRIPT = Language("tree_sitter_typescript", "language_typescript")
_C = Language("tree_sitter_c")
_CPP = Language("tree_sitter_cpp")
_KOTLIN = Language("tree_sitter_kotlin")
_BASH = Language("tree_sitter_bash", block_comments=False, ascii_only=True)
PYTHON = Language("tree_sitter_python", block_comments=False)

BY_SUFFIX: dict[str, Language] = {
    ".bash": _BASH, ".sh": _BASH,
    ".c": _C,
    ".cc": _CPP, ".cpp": _CPP, ".cxx": _CPP, ".h": _CPP, ".hh": _CPP, ".hpp": _CPP, ".hxx": _CPP,
    ".cs": Language("tree_sitter_c_sharp", forks="<"),
    ".cjs": _JAVASCRIPT, ".js": _JAVASCRIPT, ".jsx": _JAVASCRIPT, ".mjs": _JAVASCRIPT,
    ".cts": _TYPESCRIPT, ".mts": _TYPESCRIPT, ".ts": _TYPESCRIPT, ".tsx": _TSX,
    ".go": Language("tree_sitter_go"),
    ".java": Language("tree_sitter_java"),
    ".kt": _KOTLIN, ".kts": _KOTLIN,
    ".php": Language("tree_sitter_php", "language_php"),
    ".py": PYTHON, ".pyi": PYTHON,
    ".rb": Language("tree_sitter_ruby", block_comments=False),
    ".rs": Language("tree_sitter_rust"),
    ".swift": Language("tree_sitter_swift"),
}  # fmt: skip

IDENTIFIERS = frozenset((
    "class_variable", "constant", "field_identifier", "global_variable", "identifier", "instance_variable", "name",
    "namespace_identifier", "package_identifier", "private_property_identifier", "property_identifier",
    "shorthand_property_identifier", "shorthand_property_identifier_pattern", "simple_identifier", "type_identifier",
    "variable_name",
))  # fmt: skip

DEFINITIONS = frozenset((
    "abstract_class_declaration", "annotation_type_declaration", "class", "class_declaration", "class_definition",
    "class_specifier", "constructor_declaration", "delegate_declaration", "enum_declaration", "enum_item",
    "enum_specifier", "function_declaration", "function_definition", "function_item", "function_signature_item",
    "generator_function_declaration", "impl_item", "interface_declaration", "local_function_statement",
    "macro_definition", "method", "method_declaration", "method_definition", "method_signature", "mod_item", "module",
    "namespace_declaration", "namespace_definition", "object_declaration", "property_declaration",
    "protocol_declaration", "protocol_function_declaration", "record_declaration", "singleton_method",
    "struct_declaration", "struct_item", "struct_specifier", "trait_declaration", "trait_item",
    "type_alias_declaration", "type_item", "type_spec", "union_item", "union_specifier", "variable_declarator",
))  # fmt: skip

ONLY_WITH_BODY = frozenset(("class_specifier", "enum_specifier", "struct_specifier", "union_specifier"))
"""Definitions where they have a `body`, else a use of the name."""

FUNCTIONS = frozenset(("arrow_function", "class", "function_expression", "generator_function"))
"""What makes a definition of the variable that holds it."""

CALLS = frozenset((
    "call", "call_expression", "constructor_invocation", "function_call_expression", "invocation_expression",
    "macro_invocation", "member_call_expression", "method_invocation", "new_expression",
    "nullsafe_member_call_expression", "object_creation_expression", "scoped_call_expression",
))  # fmt: skip

TEXTS = ("comment", "heredoc", "jsx_text", "regex", "string", "template_literal")
"""A node whose type has one of these in its name is text, whatever stands in it."""

SAY_NOTHING = frozenset(("cls", "self", "super", "this"))


def language_of(path: str) -> Language | None:
    """By the end of the file's name; None for what is no program, and for settings that a program reads as one."""
    if os.path.basename(path).startswith(".env"):
        return None
    return BY_SUFFIX.get(os.path.splitext(path)[1].lower())
