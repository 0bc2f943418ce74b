"""Random nestings of the statements that AutoGraph converts, as the source of functions of whole numbers."""

import linecache

from hypothesis import strategies as st

NAMES = ["a", "b", "c"]
INDENT = "    "


@st.composite
def sources(draw):
    """The source of a function f(a, b, c, v) of three numbers and a vector of four, which ends with every argument."""
    return Writer(lambda choices: draw(st.sampled_from(choices))).function()


class Writer:
    """Writes one function by asking `choice` for every choice."""

    def __init__(self, choice):
        self._choice, self._counters, self._left, self._rows_around = choice, 0, 14, 0

    def _pick(self, *choices):
        return self._choice(choices)

    def function(self):
        return "\n".join(["def f(a, b, c, v):", *self._block(1, in_loop=False), f"{INDENT}return {self._number()}", ""])

    def _block(self, depth, in_loop):
        lines = []
        for _ in range(self._pick(1, 2, 3)):
            lines += self._statement(depth, in_loop)
        return lines

    def _statement(self, depth, in_loop):
        self._left -= 1
        kinds = ["assign", "assign", "augment", "two", "call"]
        if not self._rows_around:  # a loop over a tensor does not see that its variable changes
            kinds += ["item"]
        if depth < 4 and self._left > 0:
            kinds += ["if", "if", "else", "elif", "while", "for", "for_else", "rows", "try", "with"]
        if depth > 1:
            kinds += ["return"]
        if in_loop:
            kinds += ["break", "continue"]
        made = getattr(self, f"_{self._pick(*kinds)}")(depth, in_loop)
        return [INDENT * depth + line if isinstance(line, str) else line[0] for line in made]

    def _inside(self, depth, in_loop):
        """The lines of an inner block, which are indented already."""
        return [(line,) for line in self._block(depth + 1, in_loop)]

    # ---- statements

    def _assign(self, depth, in_loop):
        return [f"{self._pick(*NAMES)} = {self._number()}"]

    def _augment(self, depth, in_loop):
        return [f"{self._pick(*NAMES)} {self._pick('+=', '-=')} {self._number()}"]

    def _item(self, depth, in_loop):
        return [f"v[{self._pick(0, 1, 2, 3)}] {self._pick('=', '+=')} {self._number()}"]

    def _two(self, depth, in_loop):
        return [f"{self._pick('a, b', 'b, c', 'c, a')} = {self._number()}, {self._number()}"]

    def _call(self, depth, in_loop):
        name = self._pick(*NAMES)
        return [f"{name} = {self._pick('halved', 'clipped', 'counted')}({self._number()})"]

    def _if(self, depth, in_loop):
        return [f"if {self._test()}:", *self._inside(depth, in_loop)]

    def _else(self, depth, in_loop):
        return [*self._if(depth, in_loop), "else:", *self._inside(depth, in_loop)]

    def _elif(self, depth, in_loop):
        return [*self._if(depth, in_loop), f"elif {self._test()}:", *self._inside(depth, in_loop), "else:",
                *self._inside(depth, in_loop)]

    def _while(self, depth, in_loop):
        self._counters += 1
        name = f"k{self._counters}"
        return [f"{name} = 0", f"while {name} < {self._pick('3', 'n')} and ({self._test()}):",
                (INDENT * (depth + 1) + f"{name} += 1",), *self._inside(depth, True)]

    def _for(self, depth, in_loop):
        self._counters += 1
        return [f"for i{self._counters} in range({self._pick('2', 'a % 3', 'abs(b) % 4')}):",
                (INDENT * (depth + 1) + f"{self._pick(*NAMES)} += i{self._counters}",), *self._inside(depth, True)]

    def _for_else(self, depth, in_loop):
        return [*self._for(depth, in_loop), "else:", *self._inside(depth, in_loop)]

    def _rows(self, depth, in_loop):
        self._counters += 1
        self._rows_around += 1
        item, inside = f"r{self._counters}", self._inside(depth, True)
        self._rows_around -= 1
        return [f"for {item} in v:", (INDENT * (depth + 1) + f"{self._pick(*NAMES)} += {item}",), *inside]

    def _try(self, depth, in_loop):
        return ["try:", *self._inside(depth, in_loop), "finally:", (INDENT * (depth + 1) + "effects.append(1)",)]

    def _with(self, depth, in_loop):
        return ["with block():", *self._inside(depth, in_loop)]

    def _return(self, depth, in_loop):
        return [f"return {self._number()}"]

    def _break(self, depth, in_loop):
        return ["break"]

    def _continue(self, depth, in_loop):
        return ["continue"]

    # ---- expressions

    def _atom(self):
        return self._pick(*NAMES, *NAMES, "v[1]", str(self._pick(*range(-3, 10))))

    def _number(self):
        """A number below 97, so that sums in loops stay small."""
        form = self._pick("{0} % 97", "({0} + {1}) % 97", "({0} * {1}) % 17", "({0} - {1}) % 97",
                          "({0} if {2} else {1}) % 97", "max({0}, {1}) % 97")
        return form.format(self._atom(), self._atom(), self._test())

    def _test(self):
        form = self._pick("{0} < {1}", "{0} == {1}", "{0} != {1}", "{0} >= {1}", "{0} < {1} <= {2}",
                          "{0} < {1} and {1} < {2}", "{0} > {1} or {2} == {1}", "not {0} > {1}")
        return form.format(self._atom(), self._atom(), self._atom())


SURROUNDINGS = """import contextlib
effects = []
n = 2
@contextlib.contextmanager
def block():
    yield
def halved(x):
    if x > 4:
        return x // 2
    return x
def clipped(x):
    while x > 10:
        x -= 10
    return x
def counted(x):
    total = 0
    for i in range(3):
        if i > x:
            break
        total += i
    return total
"""


def function_of(source, number):
    """The function with this source, which `inspect` and AutoGraph find under a name of its own."""
    file, text = f"<random function {number}>", SURROUNDINGS + source
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    space = {"__name__": "random_function"}
    exec(compile(text, file, "exec"), space)
    return space["f"]
