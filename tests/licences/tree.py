"""What is wrong with a dependency tree, as `cargo metadata` prints it, by the rules of deny.toml."""

from spdx import BadExpression, satisfied


def faults(metadata, allowed):
    """One sentence for each dependency that the project may not have."""
    members = set(metadata["workspace_members"])
    foreign = [p for p in metadata["packages"] if p["id"] not in members]
    found = [fault for package in metadata["packages"] for fault in _licence(package, allowed)]
    found += [fault for package in foreign for fault in _source(package)]
    found += _registries(foreign)
    found += _twice_direct(metadata, members)
    return found


def _licence(package, allowed):
    name = f"{package['name']} {package['version']}"
    if not package["license"]:
        yield f"{name} states no licence"
        return
    try:
        if not satisfied(package["license"], allowed):
            yield f"{name} is under {package['license']}, which deny.toml does not allow"
    except BadExpression as why:
        yield f"{name} states no readable licence: {why}"


def _source(package):
    source = package["source"]
    if source is None:
        yield f"{package['name']} is a path outside the workspace"
    elif source.startswith("git+"):
        yield f"{package['name']} comes from a git repository, not from the registry"


def _registries(packages):
    sources = {p["source"] for p in packages if p["source"] and not p["source"].startswith("git+")}
    if len(sources) > 1:
        yield f"dependencies come from {len(sources)} registries; one is allowed"


def _twice_direct(metadata, members):
    packages = {p["id"]: p for p in metadata["packages"]}
    lines = {}
    for node in metadata["resolve"]["nodes"]:
        if node["id"] in members:
            for dependency in node["deps"]:
                package = packages[dependency["pkg"]]
                lines.setdefault(package["name"], {})[_line(package["version"])] = package["version"]
    for name, versions in sorted(lines.items()):
        if len(versions) > 1:
            yield f"{name} is a direct dependency in incompatible versions: {', '.join(sorted(versions.values()))}"


def _line(version):
    """The part of a version that semver promises compatibility within: 2 of 2.4.1, 0.8 of 0.8.3."""
    major, minor, patch = version.split("+")[0].split("-")[0].split(".")
    if major != "0":
        return major
    return f"0.{minor}" if minor != "0" else f"0.0.{patch}"
