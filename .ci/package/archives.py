"""Archives with the same bytes wherever and whenever they are made from the same files."""

import base64
import collections
import gzip
import hashlib
import io
import pathlib
import tarfile
import time
import zipfile

# Its bytes, and whether it is a program.
File = collections.namedtuple("File", "content program", defaults=[False])


def mode(file):
    """The permissions of a file in an archive."""
    return 0o755 if file.program else 0o644


def checksums(files):
    """The text of a file SHA256SUMS for files by their names."""
    return "".join(f"{hashlib.sha256(files[name].content).hexdigest()}  {name}\n" for name in sorted(files)).encode()


def tar_gz(path, folder, files, seconds):
    """Writes an archive of `files` in `folder`, all owned by root and from the time `seconds` since 1970."""
    members = {f"{folder}/{name}": file for name, file in files.items()}
    folders = {str(above) for name in members for above in pathlib.PurePosixPath(name).parents if above.name}
    members |= {name: None for name in folders}
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name in sorted(members):
            file, info = members[name], tarfile.TarInfo(name)
            info.mtime = seconds
            if file is None:
                info.type, info.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(info)
            else:
                info.size, info.mode = len(file.content), mode(file)
                archive.addfile(info, io.BytesIO(file.content))
    path.write_bytes(gzip.compress(plain.getvalue(), mtime=0))


def zip_file(path, files, seconds):
    """Writes a zip file of `files`, from the time `seconds` since 1970."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, time.gmtime(max(seconds, 315_532_800))[:6])  # no zip file is older than 1980
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # so that permissions are told
            info.external_attr = (0o100000 | mode(files[name])) << 16
            archive.writestr(info, files[name].content)


def record(files, itself):
    """The list of a wheel's files that pip asks for, which also names the file `itself`."""
    lines = []
    for name in sorted(files):
        digest = base64.urlsafe_b64encode(hashlib.sha256(files[name].content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(files[name].content)}\n")
    return "".join([*lines, f"{itself},,\n"]).encode()
