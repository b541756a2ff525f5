"""A wheel: the package that pip installs, with the programs, the nets and the man pages."""

from archives import File, record, zip_file

# Where pip puts the files of an archive, below the folder of the environment (sys.prefix).
SHARED = {
    "checkpoints/": "share/sanki/",
    "man/": "share/man/man1/",
    "completions/sanki.bash": "share/bash-completion/completions/sanki",
    "completions/_sanki": "share/zsh/site-functions/_sanki",
    "completions/sanki.fish": "share/fish/vendor_completions.d/sanki.fish",
}
LICENSES = ("LICENSE-", "THIRD-PARTY-LICENSES", "rust/")


def place(name, file, version):
    """Where the file `name` of an archive lies in the wheel; `None` where it does not belong there."""
    if file.program:
        return f"sanki-{version}.data/scripts/{name}"
    if name.startswith(LICENSES):
        return f"sanki-{version}.dist-info/licenses/{name}"
    for begin, folder in SHARED.items():
        if name.startswith(begin) and not name.endswith(".md"):
            return f"sanki-{version}.data/data/{folder}{name.removeprefix(begin)}"
    return None


def metadata(version, summary):
    """What PyPI and pip know of the package."""
    return f"""Metadata-Version: 2.4
Name: sanki
Version: {version}
Summary: {summary}
Keywords: shogi,xiangqi,janggi,alphazero,mcts
License-Expression: MIT OR Apache-2.0
License-File: LICENSE-MIT
License-File: LICENSE-APACHE
License-File: THIRD-PARTY-LICENSES
Classifier: Environment :: Console
Classifier: Programming Language :: Rust
Classifier: Topic :: Games/Entertainment :: Board Games
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Description-Content-Type: text/markdown

# Sanki 三棋

Sanki trains engines for janggi, xiangqi and shogi from nothing but their rules, and plays. This package has no Python
code: it installs the programs `sanki` and `sanki-engine`, with a trained net for each game in `share/sanki`.

    sanki play --game xiangqi     # in the terminal
    sanki serve --open            # on a page in your browser
    sanki train                   # trains a minishogi net in three minutes

`sanki-engine` is the engine for programs with a board, over UCI, USI or UCCI. `sanki --help` lists all commands.
"""


def write(folder, files, version, summary, tags, seconds):
    """Writes the wheel with the `files` of an archive for the platforms `tags`; returns its path."""
    contents = {place(name, file, version): file for name, file in files.items()}
    contents.pop(None, None)
    info = f"sanki-{version}.dist-info"
    lines = ["Wheel-Version: 1.0", "Generator: sanki", "Root-Is-Purelib: false"]
    lines += [f"Tag: py3-none-{tag}" for tag in tags]
    contents[f"{info}/WHEEL"] = File("".join(f"{line}\n" for line in lines).encode())
    contents[f"{info}/METADATA"] = File(metadata(version, summary).encode())
    contents[f"{info}/RECORD"] = File(record(contents, f"{info}/RECORD"))
    path = folder / f"sanki-{version}-py3-none-{'.'.join(tags)}.whl"
    zip_file(path, contents, seconds)
    return path
