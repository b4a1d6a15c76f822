"""Reduces a search parameter's FHIRPath expression to branches: the path of a JSON member, and the type it ends in.

A step of a path is the name of a member, and may say which of its items are meant: `[0]`, `[member=value]`,
`[extension=url]`. A path that begins with `/` begins at the resource, inside a composite too. Behind the colon is the
type; a code has the system that its binding leaves behind a `#`, a reference the type that it must be to behind a `>`.
"""

import re
import sys

from elements import targets

# Which types a parameter of a kind has values of. A branch that ends in another type has none: Procedure.performed may
# be an Age, which is no date.
FITTING = {
    "composite": None,
    "date": {"date", "dateTime", "instant", "Period", "Timing"},
    "number": {"decimal", "integer", "positiveInt", "unsignedInt", "Range"},
    "quantity": {"Age", "Count", "Distance", "Duration", "Money", "Quantity", "Range", "SampledData"},
    "reference": {"Reference", "Resource", "canonical", "uri"},
    "string": {"Address", "HumanName", "markdown", "string"},
    "token": {"CodeableConcept", "Coding", "ContactPoint", "Identifier", "boolean", "code", "id", "string", "uri"},
    "uri": {"canonical", "uri", "url"},
}

# What an extension holds that HL7 names without defining it.
EXTENDED = {"reference": {"Reference"}, "string": {"string"}, "token": {"CodeableConcept", "string"}}

# A cast to a type lets those pass that are made of it.
MADE_OF = {
    "Quantity": {"Age", "Count", "Distance", "Duration"},
    "integer": {"positiveInt", "unsignedInt"},
    "string": {"code", "id", "markdown"},
    "uri": {"canonical", "oid", "url", "uuid"},
}

STEP = re.compile(
    r"""\.?(?:(?P<cast>as|ofType)\((?P<kind>\w+)\)
    |where\(resolve\(\)\ is\ (?P<target>\w+)\)
    |where\((?P<member>\w+)='(?P<value>[^']*)'\)
    |where\(hasExtension\('(?P<has>[^']*)'\)\)
    |extension\('(?P<extension>[^']*)'\)
    |(?P<holds>holds\(\))
    |\[(?P<index>\d+)\]
    |(?P<name>\w+))""",
    re.VERBOSE,
)


def branches(expression, owner, kind, elements):
    """Every branch of an expression that begins at `owner`, with the types that a reference in it may be to."""
    found = []
    for text in expression.split("|"):
        text = re.sub(r"^\((\S+) as (\w+)\)", r"\1.as(\2)", text.strip())
        inside = re.fullmatch(r"%resource\.(.*)", text)
        if inside:
            found += [("/" + path, allowed) for path, allowed in walk(inside[1], owner.split(".")[0], kind, elements)]
        elif text.split(".")[0] == owner:
            found += walk(text[len(owner) :].removeprefix("."), owner, kind, elements)
        elif not re.match(r"[A-Z]", text):
            found += walk(text, owner, kind, elements)
    return list(dict(found).items())


def walk(text, owner, kind, elements):
    """Follows one branch; at a choice it parts into one for each type, of which only those that fit are left."""
    ways = [([], owner, None)]
    target = None
    while text:
        step = STEP.match(text)
        if step is None:
            sys.exit(f"the expression {text!r} has a shape that is not known")
        text = text[step.end() :]
        if step["name"]:
            ways = [
                ([*path, member], kind_of, element)
                for path, at, _ in ways
                for member, kind_of, element in elements.step(at, step["name"])
            ]
        elif step["cast"]:
            passing = {step["kind"], *MADE_OF.get(step["kind"], ())}
            ways = [way for way in ways if way[1] in passing]
        elif step["target"]:
            target = step["target"]
        elif step["extension"]:
            ways = [
                ([*path, f"extension[url={step['extension']}]", member], kind_of, element)
                for path, _, _ in ways
                for member, kind_of, element in elements.extension(step["extension"], EXTENDED[kind])
            ]
        elif step["holds"]:
            ways = [(path, "holds", element) for path, _, element in ways]
        else:
            test = step["index"] or (f"{step['member']}={step['value']}" if step["member"] else f"extension={step['has']}")
            ways = [([*path[:-1], f"{path[-1]}[{test}]"], at, element) for path, at, element in ways]
        if not ways:
            sys.exit(f"{owner} has no {step[0]!r}")
    fitting = FITTING[kind]
    return [
        (written(path, at, element, target, elements), [target] if target else targets(element) if element else None)
        for path, at, element in ways
        if fitting is None or at in fitting or at == "holds"
    ]


def written(path, at, element, target, elements):
    behind = "" if "." in at else at
    if at == "code" and elements.system(element):
        behind += f"#{elements.system(element)}"
    if target:
        behind += f">{target}"
    return f"{'.'.join(path)}:{behind}"
