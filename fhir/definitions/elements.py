"""The elements of HL7's StructureDefinitions, as far as a path through them needs to know them."""


class Elements:
    """Finds what stands at the end of a path, by the JSON names of its members."""

    def __init__(self, structures, value_sets):
        self.known = {}
        self.extensions = {}
        for structure in structures:
            if structure.get("derivation") != "constraint":
                for element in structure["snapshot"]["element"]:
                    self.known[element["path"]] = element
            elif structure["type"] == "Extension":
                values = [e for e in structure["snapshot"]["element"] if e["path"] == "Extension.value[x]"]
                self.extensions[structure["url"]] = {kind for value in values for kind in self.kinds(value)}
        self.systems = {value_set["url"]: system_of(value_set) for value_set in value_sets}

    def step(self, owner, name):
        """The members that an element called `name` can be in JSON: (member, type, element), several for a choice."""
        element = self.known.get(f"{owner}.{name}")
        if element is not None:
            return [(name, kind, element) for kind in self.kinds(element)]
        choice = self.known.get(f"{owner}.{name}[x]")
        if choice is None:
            return []
        return [(name + kind[0].upper() + kind[1:], kind, choice) for kind in self.kinds(choice)]

    def extension(self, url, otherwise):
        """The members that the value of an extension can be: as it is defined, otherwise of these types."""
        kinds = self.extensions.get(url, otherwise)
        return [found for found in self.step("Extension", "value") if found[1] in kinds]

    def kinds(self, element):
        """The types of an element; one with elements of its own is told by its path."""
        if "contentReference" in element:
            return [element["contentReference"].removeprefix("#")]
        kinds = list(dict.fromkeys(found["code"] for found in element.get("type", ())))
        if kinds and kinds[0] in ("BackboneElement", "Element"):
            return [element["path"]]
        return ["string" if kind.endswith("System.String") else kind for kind in kinds]

    def system(self, element):
        """The one code system that the codes of an element are from, where its binding leaves no other."""
        binding = element.get("binding", {})
        if binding.get("strength") != "required":
            return None
        return self.systems.get(binding.get("valueSet", "").split("|")[0])


def targets(element):
    """The types that a Reference or a canonical in this element may be to; None for any."""
    profiles = [p for kind in element.get("type", ()) for p in kind.get("targetProfile", ())]
    names = [profile.rsplit("/", 1)[1] for profile in profiles]
    return None if not names or "Resource" in names else names


def system_of(value_set):
    includes = value_set.get("compose", {}).get("include", [])
    systems = {include.get("system") for include in includes}
    return systems.pop() if len(systems) == 1 and not any("valueSet" in include for include in includes) else None
