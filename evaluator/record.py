"""Frozen records for what a hook's every run defines: as `dataclass(frozen=True)`, at a hundredth of the start-up.

`dataclasses` imports inspect and compiles each method of each class from text: with the types of one skipped call
that is half of the hook's time. Here the methods are written once. Type checkers see dataclasses, and `fields`,
`replace` and `asdict` of the standard library take records. Depends on nothing, and imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import KeysView, Mapping
    from dataclasses import Field
    from typing import Any, ClassVar, TypeVar, dataclass_transform

    R = TypeVar("R", bound="Record")
else:

    def dataclass_transform(**_):
        return lambda cls: cls


class _StandardFields:
    """`__dataclass_fields__`, made when the standard library first asks for it."""

    def __get__(self, record: object, kind: type[Record]) -> dict[str, Field[Any]]:
        import dataclasses

        if kind is Record:
            # Kept there, they would stand before this for every record.
            return {}
        fields = [
            (name, told, dataclasses.field(default=kind.__dict__.get(name, dataclasses.MISSING)))
            for name, told in kind.__annotations__.items()
        ]
        made = dataclasses.make_dataclass(kind.__name__, fields, kw_only=True)
        found = {field.name: field for field in dataclasses.fields(made)}
        type.__setattr__(kind, "__dataclass_fields__", found)
        return found


@dataclass_transform(frozen_default=True)
class Record:
    """Annotated names of a subclass are its fields, in order; a value in the class body is a field's default.

    Equal to a record of the same class with equal fields, and hashable where its fields are. A default is shared by
    all records: give none that can be changed. A subclass of a subclass does not inherit fields.
    """

    if TYPE_CHECKING:
        __match_args__: ClassVar[tuple[str, ...]]
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
        _defaults: ClassVar[Mapping[str, object]]
        _names: ClassVar[KeysView[str]]
    else:
        __match_args__ = ()
        __dataclass_fields__ = _StandardFields()

    def __init_subclass__(cls) -> None:
        names = tuple(cls.__annotations__)
        type.__setattr__(cls, "__match_args__", names)
        cls._names = dict.fromkeys(names).keys()
        cls._defaults = {name: cls.__dict__[name] for name in names if name in cls.__dict__}

    def __init__(self, *args: object, **given: object) -> None:
        names, values = self.__match_args__, self.__dict__
        values.update(self._defaults)
        known = len(args) <= len(names)
        if args:
            values.update(zip(names, args, strict=False))
            known = known and (not given or given.keys().isdisjoint(names[: len(args)]))
        values.update(given)
        if not known or values.keys() != self._names:
            raise TypeError(
                f"{self.__class__.__name__} takes {', '.join(names)}; got {len(args)} and {[*given]}"
            )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self.__class__.__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{self.__class__.__name__} is frozen: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(tuple(self.__dict__[name] for name in self.__match_args__))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={self.__dict__[name]!r}" for name in self.__match_args__)
        return f"{self.__class__.__qualname__}({shown})"


def replace(record: R, /, **changes: object) -> R:
    """A record of the same class with some fields changed. Raises TypeError for a name that is no field."""
    return record.__class__(**{**record.__dict__, **changes})


def values_of(record: Record) -> dict[str, object]:
    """Its fields by name, in order; what they hold is left as it is."""
    return {name: record.__dict__[name] for name in record.__match_args__}


def plain_of(record: Record) -> dict[str, object]:
    """As `values_of`, with the records that its fields hold as dicts too."""
    return {
        name: plain_of(held) if isinstance(held, Record) else held for name, held in values_of(record).items()
    }


def tuples(given: Mapping[str, Any]) -> dict[str, Any]:
    """A part of a table as a record takes it, with tuples for lists."""
    return {name: _lists_to_record_tuples(value) for name, value in given.items()}


def _lists_to_record_tuples(value: Any) -> Any:
    return tuple(_lists_to_record_tuples(one) for one in value) if value.__class__ is list else value


def decoded(kind: type[R], data: Mapping[str, Any]) -> R:
    """A record from JSON values by the names of its fields, as `json.dumps(record, default=values_of)` wrote them.

    Names that are no fields are left out, what is missing has its default. Raises TypeError for what does not fit.
    """
    from typing import get_type_hints

    hints = get_type_hints(kind)
    return kind(
        **{name: _decode_record_value(hints[name], value) for name, value in data.items() if name in hints}
    )


def _decode_record_value(hint: Any, value: Any) -> Any:
    from collections.abc import Mapping
    from typing import Literal, get_args, get_origin

    among = get_args(hint)
    if get_origin(hint) is tuple:
        return tuple(_decode_record_value(among[0], item) for item in _require_record_type(list, value))
    if get_origin(hint) is Literal:
        return _require_record_type(str, value)
    if get_origin(hint) is Mapping:
        return _require_record_type(dict, value)
    if among:
        optional = [kind for kind in among if kind is not type(None)]
        return None if value is None else _decode_record_value(optional[0], value)
    if issubclass(hint, Record):
        return decoded(hint, _require_record_type(dict, value))
    return float(value) if hint is float else _require_record_type(hint, value)


def _require_record_type(kind: type, value: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is not of type {kind.__name__}")
    return value
