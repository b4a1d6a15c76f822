"""Makes `search-parameters.txt`: for each type its search parameters, what they are and where their values stand."""

import sys

from corrections import BRANCHES, COMPONENTS, EXPRESSIONS, LEFT_OUT
from expressions import branches


def lines(parameters, elements, type_names, older):
    """The table; `older` is the table of before, whose numbers stay."""
    numbers = {tuple(line.split(" ")[1:3]): int(line.split(" ")[0]) for line in older}
    made = []
    for parameter in parameters:
        # Those of extensions to terminology have neither a base nor an expression.
        if parameter["id"] in LEFT_OUT or not parameter.get("base"):
            continue
        for base in parameter["base"]:
            made.append((base, parameter["code"], described(base, parameter, parameters, elements, type_names)))
    made.sort()
    for base, code, words in made:
        number = numbers.setdefault((base, code), max(numbers.values(), default=0) + 1)
        yield " ".join([str(number), base, code, *words])


def shared_lines(parameters):
    """The parameters whose name is not that of their one type: code, name and types. Those of extensions have none here: the
    standard itself does not list them."""
    for parameter in sorted(parameters, key=lambda parameter: parameter["code"]):
        bases = parameter.get("base", [])
        if parameter["id"] in LEFT_OUT or not bases or parameter["id"] == f"{bases[0]}-{parameter['code']}":
            continue
        is_extension = parameter["id"].endswith(f"-{bases[0]}-{parameter['code']}")
        yield f"{parameter['code']} {'-' if is_extension else parameter['id']} {','.join(bases)}"


def described(base, parameter, parameters, elements, type_names):
    kind = parameter["type"]
    if kind == "composite":
        return composite(base, parameter, parameters, elements, type_names)
    if "expression" not in parameter:
        # _text and _content look at the whole resource.
        return ["text"]
    expression = EXPRESSIONS.get(parameter["id"], parameter["expression"])
    expression = expression.replace(*BRANCHES.get(parameter["id"], ("", "")))
    return simple(base, kind, expression, parameter, elements, type_names)


def simple(owner, kind, expression, parameter, elements, type_names):
    found = branches(expression, owner, kind, elements)
    if not found:
        sys.exit(f"{parameter['id']} finds nothing in {owner}")
    words = [kind]
    if kind == "reference":
        words.append(">" + (",".join(narrowed(found, parameter, type_names)) or "*"))
    return words + [path for path, _ in found]


def narrowed(found, parameter, type_names):
    """HL7's targets are those of all bases together; here only what the element of this base may be a reference to."""
    declared = parameter.get("target", type_names)
    allowed = {name for _, names in found for name in (names or declared)}
    targets = [name for name in type_names if name in declared and name in allowed] or sorted(allowed)
    # HL7's long lists lack the types that were added last; they mean any.
    return [] if len(targets) > 140 else targets


def composite(base, parameter, parameters, elements, type_names):
    by_url = {known["url"]: known for known in parameters}
    owners = branches(parameter["expression"], base, "composite", elements)
    paths = [path.split(":")[0] for path, _ in owners]
    words = ["composite", *(path or "." for path in paths)]
    components = [(by_url[part["definition"]], part["expression"]) for part in parameter["component"]]
    if parameter["id"] in COMPONENTS:
        by_code = {known["code"]: known for known in parameters if base in known.get("base", ())}
        components = [(by_code[code], expression) for code, expression in COMPONENTS[parameter["id"]]]
    for component, expression in components:
        owner = base if paths[0] == "" else owner_of(base, paths[0], elements)
        words += ["+", component["code"], *simple(owner, component["type"], expression, component, elements, type_names)]
    return words


def owner_of(base, path, elements):
    """Where the elements of a composite's instances are defined: a type, or the path of an element with elements."""
    owner = base
    for name in path.split("."):
        owner = elements.step(owner, name)[0][1]
    return owner
