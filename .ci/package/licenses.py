"""The licences of all that is linked into the programs, as one text."""

import collections
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

# What asks for no more than its notice; of MPL-2.0, also to say where the source is, which the list does.
ALLOWED = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC",
    "MIT", "MIT-0", "MPL-2.0", "Unicode-3.0", "Unlicense", "Zlib",
}  # fmt: skip
# Files with a licence, in a crate's folder and in those of the C code that it brings.
NAMES = re.compile(r"(un)?licen[sc]e|copying|copyright|notice", re.IGNORECASE)
# The page's module: the library without the program, for WebAssembly.
MODULE = ("wasm32-unknown-unknown", ["--no-default-features"])
RULE = "=" * 100

Crate = collections.namedtuple("Crate", "name version license authors source folder")


def allowed(expression):
    """Whether a licence expression can be met with what is in `ALLOWED`.

    >>> [allowed(text) for text in ("MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR GPL-3.0) AND BSD-3-Clause")]
    [True, True, True]
    >>> [allowed(text) for text in ("GPL-3.0 AND MIT", "GPL-3.0", "Apache-2.0 WITH Foo-exception", None)]
    [False, False, False, False]
    """
    licence = r"[\w.+-]+(?: WITH [\w.+-]+)?"
    words = re.findall(rf"[()/]|\bAND\b|\bOR\b|{licence}", expression or "")
    if not words:
        return False
    logic = {"AND": "and", "OR": "or", "/": "or", "(": "(", ")": ")"}
    return eval(" ".join(logic.get(word) or str(word in ALLOWED) for word in words))


def cargo(root, *arguments):
    """What cargo prints."""
    return subprocess.run(["cargo", *arguments], cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout


def linked(root, target, features):
    """The crates that the library or the programs consist of on `target`, without sanki itself."""
    tree = cargo(root, "tree", "--locked", "--package=sanki", "--edges=normal", f"--target={target}", "--prefix=none",
                 "--format={p}", "--no-dedupe", *features)  # fmt: skip
    wanted = {tuple(line.split()[:2]) for line in tree.splitlines()} - {("sanki", own_version(root))}
    metadata = json.loads(cargo(root, "metadata", "--locked", "--format-version=1", f"--filter-platform={target}"))
    crates = {}
    for package in metadata["packages"]:
        key = package["name"], "v" + package["version"]
        if key in wanted:
            folder = pathlib.Path(package["manifest_path"]).parent
            crates[key] = Crate(package["name"], package["version"], package["license"], package["authors"],
                                package["repository"] or package["homepage"], folder)  # fmt: skip
    missing = wanted - set(crates)
    if missing:
        sys.exit(f"error: cargo metadata does not know {sorted(missing)}")
    return crates


def own_version(root):
    """The version of sanki, as `cargo tree` writes it."""
    return "v" + re.search(r'^version = "(.+)"$', (root / "Cargo.toml").read_text(), re.MULTILINE)[1]


def files(crate):
    """The texts of a crate's licences."""
    found = []
    for folder, folders, names in os.walk(crate.folder):
        folders.sort()
        paths = [pathlib.Path(folder, name) for name in sorted(names) if NAMES.match(name)]
        texts = [path for path in paths if path.suffix not in {".rs", ".py", ".spdx"}]
        found += [path.read_text(errors="replace").strip() for path in texts]
    return [text for text in found if text]


def collect(root, target):
    """The text with all licences for `target`. Ends the program where one asks for more than its notice."""
    crates = linked(root, target, []) | linked(root, *MODULE)
    crates = [crates[key] for key in sorted(crates)]
    refused = [f"{crate.name} {crate.version}: {crate.license}" for crate in crates if not allowed(crate.license)]
    if refused:
        sys.exit("error: licences that are not known to suit: " + "; ".join(refused))
    texts, holders = {}, collections.defaultdict(list)
    without = []
    for crate in crates:
        own = files(crate)
        without += [] if own else [crate]
        for text in own:
            # The same licence in other lines or columns is one.
            key = hashlib.sha256(" ".join(text.split()).encode()).digest()
            texts.setdefault(key, text)
            name = f"{crate.name} {crate.version}"
            if name not in holders[key]:
                holders[key].append(name)
    lines = [f"Sanki for {target} contains the {len(crates)} Rust crates below, and the Rust standard library.", ""]
    lines += [f"{crate.name} {crate.version}: {crate.license}; {crate.source or 'no address'}" for crate in crates]
    if without:
        lines += ["", "These crates come without a file of their licence, which is among those below:", ""]
        lines += [f"{crate.name} {crate.version}: {crate.license}; {', '.join(crate.authors)}" for crate in without]
    for key in sorted(texts, key=lambda key: holders[key][0]):
        lines += ["", RULE, "The licence of " + ", ".join(holders[key]), RULE, "", texts[key]]
    own = {
        "the outlines of characters in the boards": root / "src/app/report/glyphs/OFL.txt",
        **({"musl, the C library": root / ".ci/package/musl-copyright"} if "musl" in target else {}),
        **({"mingw-w64, the C library": root / ".ci/package/mingw-copyright"} if "windows-gnu" in target else {}),
    }
    for what, path in own.items():
        lines += ["", RULE, f"The licence of {what}", RULE, "", path.read_text().strip()]
    return "\n".join(lines) + "\n"


def standard_library():
    """The files with the licences of Rust's own library, which come with the compiler, by their names."""
    sysroot = subprocess.run(["rustc", "--print=sysroot"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    documents = pathlib.Path(sysroot, "share/doc/rust")
    paths = [documents / "COPYRIGHT-library.html", documents / "licenses/LLVM-exception.txt"]
    for path in paths:
        if not path.is_file():
            sys.exit(f"error: the compiler comes without {path.name}\nhelp: use a toolchain installed by rustup")
    return {path.name: path.read_bytes() for path in paths}
