"""Crates that the shipped programs would hold in two versions, by the rules of deny.toml: each once, but for those it names."""


def duplicates(lines, skipped):
    """One sentence for each crate that is there twice and is not skipped, and for each that is skipped and is not there twice.

    The lines are those of `cargo tree`, a crate in each.
    """
    versions = {}
    for name, version in (line.split()[:2] for line in lines if line.strip()):
        versions.setdefault(name, set()).add(version.removeprefix("v"))
    known = {}
    for name, version in (entry["crate"].split("@") for entry in skipped):
        known.setdefault(name, set()).add(version)
        if version not in versions.get(name, ()) or len(versions[name]) == 1:
            yield f"deny.toml skips {name} {version}, which is not there beside another"
    for name, there in sorted(versions.items()):
        if len(there - known.get(name, set())) > 1:
            yield f"{name} is there in versions {', '.join(sorted(there))}; keep one, or say in deny.toml why not"
