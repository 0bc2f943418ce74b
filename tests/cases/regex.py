r"""Regular expressions: evergraph/ops/strings/regex.py and re2.py."""

from tests.harness import case, strings

text = strings(["abcabc", "baac", "a.b a1 b2", "aXb\n", "x]y-z", "", "foo_bar"])
foreign = strings(["\u00e9\u20acx", "\u0395\u03bb x", "\u00c9\u00e9", "Kk\u212a", "\u017fs", "\u03a3\u03c3\u03c2",
                   b"a\xffb"])

REWRITES = [
    ("b", r"[\0]"), ("(b)(.)", r"\2\1"), ("(a)|b", r"<\1>"), ("", "-"), ("x*", "-"), ("a*", "-"), ("b", r"x\\y"),
    ("b", r"\9"), ("b", r"x\qz"), ("(?U)a+", "<>"), ("a+?", "<>"), ("[[:alpha:]]+", "W"), ("[[:^alpha:]]", "."),
    (r"\d|\s", "#"), (r"\W", "#"), (r"[^\w.]", "#"), (r"\Q.\E", "!"), (r"c$", "-"), ("(?m)b$", "-"), ("(?s)b.", "-"),
    (r"\Aa|\z", "|"), (r"\b", "|"), (r"\B", "|"), ("[]]", "-"), ("[^]]", "-"), ("[x-]", "+"), ("[a-c-e]", "+"),
    (r"\x61|\x{62}|\143", "+"), (r"(?i)A", "+"), ("(?i:B)C", "+"), ("a{2}", "+"), ("a{1,}", "+"), ("a{,2}", "+"),
    ("{", "+"), ("|a", "-"), (r"\-|\_", "~"), ("(?P<name>a)", r"\1\1"), (r"[\d\s]", "0"), ("(?i)[^A]", "+"),
]
UNICODE = [
    (".", r"<\0>"), (r"\pL", "L"), (r"\p{Greek}", "G"), (r"\P{Lu}", "-"), (r"[^\p{Greek}]", "-"), (r"\w", "w"),
    ("(?i)\u00e9", "-"), ("(?i)k", "-"), ("(?i)s", "-"), ("(?i)\u03c3", "-"), ("[\u00e9-\u20ac]", "-"),
]
WRONG = ["(", ")", "[a", "a**", "a?+", "*a", "(?=a)", r"(a)\1", r"\y", "[b-a]", r"\p{Foo}",
         "a{1001}", "a{3,2}", "\\", r"\8", "(?x)a", r"[a-\d]"]

CASES = [
    *[case("StaticRegexReplace", text, pattern=p, rewrite=w) for p, w in REWRITES],
    *[case("StaticRegexReplace", foreign, pattern=p, rewrite=w) for p, w in UNICODE],
    *[case("StaticRegexReplace", text, pattern=p, rewrite="").fails("InvalidArgumentError") for p in WRONG],
    case("StaticRegexReplace", text, pattern="[ab]", rewrite=r"<\0>", replace_global=False),
    case("StaticRegexReplace", text, pattern="a", rewrite=r"x\q", replace_global=False),
    case("RegexReplace", text, "a(.)", strings(r"\1"), replace_global=False),
    case("RegexReplace", foreign, strings("."), "-"),
    case("RegexReplace", text, strings(["a"]), "-").fails("ValueError"),
    case("RegexReplace", text, "a", ["-", "+"]).fails("ValueError"),
    case("RegexFullMatch", text, strings("a.*")),
    case("RegexFullMatch", text, strings("(")).fails("InvalidArgumentError"),
    *[case("StaticRegexFullMatch", text, pattern=p) for p in ("(?s).*", ".*", "[a-c]+", "aXb$", "(?m)aXb$\n", "")],
]
