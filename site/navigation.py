# SPDX-License-Identifier: Apache-2.0
"""The list at the side of each page, and what the search finds."""
import dataclasses

from pages import FOLDERS, GUIDE, PATHS, REFERENCE, START

ORDER = (START, PATHS, GUIDE, REFERENCE, FOLDERS)


@dataclasses.dataclass
class Item:
    label: str
    url: str
    children: list = dataclasses.field(default_factory=list)

    def holds(self, url):
        return self.url == url or any(child.holds(url) for child in self.children)


def tree(pages):
    """Folders' READMEs as a tree: a page is a child of the nearest folder above that has one."""
    roots, items = [], {}
    for page in sorted(pages, key=lambda page: page.label):
        parent = page.label
        while parent and parent not in items:
            parent = parent.rpartition("/")[0]
        label = page.label[len(parent) + 1:] if parent else page.label
        items[page.label] = Item(label, page.url)
        (items[parent].children if parent else roots).append(items[page.label])
    return roots


def groups(pages):
    """(title, items) of each group that has pages."""
    for title in ORDER:
        chosen = [page for page in pages if page.group == title]
        items = tree(chosen) if title == FOLDERS else [Item(page.label or page.title, page.url) for page in chosen]
        if items:
            yield title, items


def neighbours(pages, page):
    """The pages before and after this one in its group."""
    same = [other for other in pages if other.group == page.group]
    if not page.group or page.group == FOLDERS or page not in same:
        return None, None
    at = same.index(page)
    return (same[at - 1] if at else None), (same[at + 1] if at + 1 < len(same) else None)


def search_index(pages, symbols):
    """Rows [text, page, URL] of every page, symbol, and heading that is no symbol."""
    rows = []
    labels = {page.url: page.label or page.title for page in pages}
    places = set(symbols.values())
    for page in pages:
        rows.append([page.title, page.group, page.url])
        rows += [[text, labels[page.url], f"{page.url}#{anchor}"] for level, text, anchor in page.headings
                 if level > 1 and f"{page.url}#{anchor}" not in places]
    return rows + [[name, f"{labels[url.partition('#')[0]]} reference", url] for name, url in symbols.items()]
