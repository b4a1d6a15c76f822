"""What HL7's profiles on resources ask beyond the types that they are of. README.md says what the lines mean."""

import json
import sys

from tables import PROFILES, VALUE_SETS, type_name, value_set


class Profiles:
    """The profiles of a package, beside the types that they narrow."""

    def __init__(self, definitions):
        types = [d for d in definitions if d.get("derivation") != "constraint" and d["kind"] != "logical"]
        of_types = types + [d for d in definitions if d["kind"] == "complex-type" and "snapshot" in d]
        self.known = {element["path"]: element for d in types for element in d["snapshot"]["element"]}
        # What a type says of itself is held wherever it stands.
        self.held = {c["key"] for d in of_types for e in d["snapshot"]["element"] for c in e.get("constraint", ())}
        self.profiles = [d for d in definitions if d.get("derivation") == "constraint" and d["kind"] == "resource"]
        self.types = {d["url"].removeprefix(PROFILES): d["type"] for d in self.profiles}

    def lines(self):
        for definition in sorted(self.profiles, key=lambda d: d["url"]):
            root = Node.tree(definition)
            keys = self.keys(root.element)
            yield " ".join([definition["url"].removeprefix(PROFILES), definition["type"], *keys])
            for child in root.children:
                yield from self.block(child, 1, {})

    def value_sets(self):
        """The value sets by which profiles bind codes where the types do not."""
        for definition in self.profiles:
            for element in definition["snapshot"]["element"]:
                yield self.value_set(element)

    def keys(self, element):
        keys = [c["key"] for c in element.get("constraint", ()) if c["key"] not in self.held]
        return [f"!{','.join(keys)}"] if keys else []

    def value_set(self, element):
        name = value_set(element)
        return None if name == value_set(self.origin(element)) else name

    def origin(self, element):
        """The same element as the type has it."""
        return self.known[element["base"]["path"]]

    def type_words(self, element):
        """The types of an element, a profile by the type that it is of."""
        words = []
        for entry in element.get("type", ()):
            targets = [target.removeprefix(PROFILES) for target in entry.get("targetProfile", ())]
            targets = list(dict.fromkeys(PROFILES + self.types.get(target, target) for target in targets))
            words.append(type_name(element, {**entry, "targetProfile": targets}))
        return list(dict.fromkeys(words))

    def narrower(self, element):
        """The types, where they are not those that the type has there. What HL7 says of ids is corrected for the types."""
        if element["path"].count(".") == 1 and element["path"].endswith(".id"):
            return []
        apart = lambda words: {frozenset(word.rstrip(")").replace("(", "|").split("|")) for word in words}
        words = self.type_words(element)
        return words if apart(words) != apart(self.type_words(self.origin(element))) else []

    def block(self, node, depth, slicing):
        """The line of an element and those below it; nothing where the profile asks nothing of it."""
        element, rules = node.element, list(self.words(node))
        inner = {**slicing, **node.told_apart()}
        below = [line for child in node.children for line in self.block(child, depth + 1, inner)]
        tells = any(path == rest or path.startswith(f"{rest}.") for path, rest in node.paths(slicing))
        if "sliceName" in element and node.slicing and node.is_extension():
            below = [f"{' ' * (depth + 1)}@url 1..1 ={json.dumps(element['type'][0]['profile'][0])}"]
        wide = (str(element["min"]), element["max"]) == ("0", "*")
        is_free = node.slicing and wide and all(line.lstrip().startswith("@") for line in below)
        numbers = (element["min"], element["max"])
        if is_free or not (rules or below or numbers != (element["base"]["min"], element["base"]["max"])):
            return
        yield " ".join([f"{' ' * depth}{'@' if tells else ''}{node.name()} {element['min']}..{element['max']}", *rules])
        yield from below

    def words(self, node):
        element = node.element
        for unserved in ("minValue", "maxValue"):
            if any(key.startswith(unserved) for key in element):
                sys.exit(f"{element['id']} has a {unserved}")
        types = self.narrower(element)
        if types:
            yield f"<{','.join(types)}"
        bound = self.value_set(element)
        if bound:
            yield f"%{bound}"
        yield from self.keys(element)
        if node.is_unseen():
            yield "?"
        for sign, prefix in (("=", "fixed"), ("~", "pattern")):
            for key in element:
                if key.startswith(prefix):
                    yield sign + json.dumps(element[key], separators=(",", ":"))


class Node:
    """An element of a snapshot, and those below it. A slice stands beside what it is a slice of."""

    def __init__(self, element, slicing=None):
        self.element, self.slicing, self.children = element, slicing, []

    @staticmethod
    def tree(definition):
        nodes = {}
        for element in definition["snapshot"]["element"]:
            way = element["id"].rsplit(".", 1)
            whole = nodes.get(element["id"].rsplit(":", 1)[0]) if ":" in way[-1] else None
            node = Node(element, whole.element.get("slicing") if whole else None)
            nodes[element["id"]] = node
            parent = nodes.get(way[0]) if len(way) > 1 else None
            # A slice of what is not sliced is only another name for it.
            if whole and not node.slicing:
                nodes[element["id"]] = whole
            elif parent and not parent.is_unseen_slice() and not node.is_unseen_slice():
                parent.children.append(node)
        return nodes[definition["type"]]

    def discriminators(self):
        return (self.slicing or {}).get("discriminator", ())

    def is_extension(self):
        return self.element["path"].rsplit(".", 1)[1] in ("extension", "modifierExtension")

    def is_unseen(self):
        """Whether its slices go by what a reference leads to, which nobody here looks at."""
        return any("resolve()" in d["path"] for d in self.element.get("slicing", {}).get("discriminator", ()))

    def is_unseen_slice(self):
        return any("resolve()" in d["path"] for d in self.discriminators())

    def name(self):
        """With the name of the slice; of a choice, the type."""
        name = self.element["path"].rsplit(".", 1)[1]
        if not self.slicing:
            return name
        kinds = {d["type"] for d in self.discriminators()}
        if kinds == {"type"}:
            return f"{name}:{self.element['type'][0]['code']}"
        if kinds != {"value"} or self.slicing["rules"] != "open" or self.slicing.get("ordered"):
            sys.exit(f"{self.element['id']} is a slice of a kind that is not known here")
        return f"{name}:{self.element['sliceName']}"

    def told_apart(self):
        """The paths by which the items of this slice are told from others, from the path of the element on."""
        paths = [d["path"] for d in self.discriminators() if d["type"] == "value"]
        return {self.element["path"]: paths} if paths else {}

    def paths(self, slicing):
        """Each path that tells a slice apart in which this element is, and the way from that slice to here."""
        for start, paths in slicing.items():
            if self.element["path"].startswith(f"{start}."):
                for path in paths:
                    yield path, self.element["path"].removeprefix(f"{start}.")


def enumerated(sets, name):
    """The codes of a value set that lists them all itself."""
    found = {}
    for include in sets[VALUE_SETS + name]["compose"]["include"]:
        if set(include) - {"system", "concept"} or "concept" not in include:
            sys.exit(f"{name} does not list its codes")
        found.setdefault(include["system"], []).extend(concept["code"] for concept in include["concept"])
    return found
