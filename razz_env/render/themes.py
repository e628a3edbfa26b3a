"""Colours of a drawing, and its style sheet: light, dark, or as the reader's system has it."""

from functools import cache
from typing import Literal, get_args

from razz_env.rules.house_rules import nearest

Theme = Literal["light", "dark", "auto"]
THEMES: tuple[str, ...] = get_args(Theme)

_FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif"

_LIGHT = {
    "room": "#eef1ec",
    "rail": "#7a5a3c",
    "felt": "#3f8f6b",
    "line": "#57a583",
    "onroom": "#1d2621",
    "soft": "#56635b",
    "onfelt": "#ffffff",
    "plate": "#ffffff",
    "edge": "#b9c4bc",
    "onplate": "#18201b",
    "quiet": "#55625a",
    "pill": "#1f5d43",
    "face": "#ffffff",
    "own": "#fff1c9",
    "dead": "#c3ccc5",
    "rim": "#8a978f",
    "back": "#2f5597",
    "weave": "#9db8e6",
    "black": "#14181b",
    "red": "#c4122f",
    "blue": "#1757c2",
    "green": "#0b7a36",
    "accent": "#f2a516",
    "chip": "#b3262e",
    "potchip": "#22408f",
    "button": "#ffffff",
    "onbutton": "#18201b",
}
_DARK = _LIGHT | {
    "room": "#101513",
    "rail": "#3a2c20",
    "felt": "#1d4a38",
    "line": "#2b614b",
    "onroom": "#eef3ef",
    "soft": "#a3b0a8",
    "plate": "#1b2320",
    "edge": "#44524b",
    "onplate": "#f2f6f3",
    "quiet": "#aebbb3",
    "pill": "#0f2e22",
    "face": "#f4f2ea",
    "own": "#f3dfa4",
    "dead": "#aab3ad",
    "rim": "#3b4640",
    "back": "#3a62a8",
    "weave": "#86a5dc",
    "accent": "#ffbf3f",
}

FONT_SIZES = {
    "head": 27,
    "stakes": 22,
    "said": 25,
    "small": 19,
    "name": 24,
    "stack": 24,
    "net": 24,
    "standing": 21,
    "amount": 25,
    "label": 21,
    "onbadge": 18,
    "onbutton": 20,
}
"""Sizes of the texts by their class, in units of the drawing."""

_RULES = """
.room{{fill:{room}}}.rail{{fill:{rail}}}.felt{{fill:{felt}}}
.line{{fill:none;stroke:{line};stroke-width:2.5}}
.head{{fill:{onroom};font-weight:700}}.stakes{{fill:{soft}}}
.said{{fill:{onroom};font-weight:600}}
.plate{{fill:{plate};stroke:{edge};stroke-width:1.5}}
.name,.stack,.net{{fill:{onplate};font-weight:700}}.standing{{fill:{quiet}}}
.out .plate{{fill-opacity:.8}}
.badge{{fill:{accent}}}.onbadge{{fill:#18201b;font-weight:800}}
.out .name,.out .stack{{fill:{quiet};font-weight:400}}
.actor .plate,.winner .plate{{stroke:{accent};stroke-width:5}}
.mark{{fill:{accent};stroke:{onplate};stroke-width:1}}
.face{{fill:{face};stroke:{rim};stroke-width:1}}.down .face{{fill:{own}}}.dead .face{{fill:{dead}}}
.back{{fill:{back};stroke:{face};stroke-width:2}}.weave{{fill:{weave}}}
.c,.s{{fill:{black};stroke:{black}}}.d,.h{{fill:{red};stroke:{red}}}
.four .d{{fill:{blue};stroke:{blue}}}.four .c{{fill:{green};stroke:{green}}}
.pill{{fill:{pill}}}.amount{{fill:{onfelt};font-weight:700}}
.label{{fill:{onfelt}}}
.chip{{fill:{chip}}}.potchip{{fill:{potchip}}}
.button{{fill:{button};stroke:{rim};stroke-width:2}}.onbutton{{fill:{onbutton};font-weight:800}}
"""


def check_theme(theme: str) -> str:
    """The theme itself.

    Raises:
        ValueError: neither "light" nor "dark" nor "auto".
    """
    if theme not in THEMES:
        raise ValueError(f"There is no theme {theme!r}{nearest(theme, THEMES)}.")
    return theme


@cache
def style_sheet(theme: str) -> str:
    """The style of a drawing whose root has the classes `razz` and the theme's name."""
    sizes = "".join(f".razz .{kind}{{font-size:{size}px}}" for kind, size in FONT_SIZES.items())
    font = f".razz text{{font-family:{_FONT};font-variant-numeric:tabular-nums}}{sizes}"
    if theme != "auto":
        return font + _scoped(theme, _LIGHT if theme == "light" else _DARK)
    dark = _scoped(theme, _DARK)
    return f"{font}{_scoped(theme, _LIGHT)}@media (prefers-color-scheme:dark){{{dark}}}"


def _scoped(theme: str, colours: dict[str, str]) -> str:
    """The rules with every selector under the root of its theme, so that pictures do not mix."""
    rules = _RULES.format_map(colours).replace("\n", "").split("}")[:-1]
    return "".join(_scope(theme, rule) for rule in rules)


def _scope(theme: str, rule: str) -> str:
    selectors, body = rule.split("{")
    scoped = ",".join(_selector(theme, selector) for selector in selectors.split(","))
    return f"{scoped}{{{body}}}"


def _selector(theme: str, selector: str) -> str:
    if selector.startswith(".four "):
        return f".razz.{theme}{selector}"
    return f".razz.{theme} {selector}"
