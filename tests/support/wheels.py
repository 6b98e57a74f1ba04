"""A package index as a folder of tiny wheels."""

from __future__ import annotations

import zipfile
from pathlib import Path


def write_wheel(folder: Path, package: str, files: dict[str, bytes]) -> Path:
    """Write the wheel of ``package`` ("name==version") with ``files`` inside its one module."""
    name, _, version = package.partition("==")
    module = name.replace("-", "_")
    path = folder / f"{module}-{version}-py3-none-any.whl"
    metadata = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        # Were it imported, every test would hear of it.
        wheel.writestr(f"{module}/__init__.py", "raise SystemExit('a stranger is running')")
        for member, content in files.items():
            wheel.writestr(f"{module}/{member}", content)
        for member, text in metadata.items():
            wheel.writestr(f"{module}-{version}.dist-info/{member}", text)
    return path
