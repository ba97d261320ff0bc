"""What `.ci/browser` holds the pages to. Arguments: the browser, and the folder of the pages."""

import pathlib
import sys

from playwright.sync_api import sync_playwright

RULES = "details.rule:not([hidden])"


class Opened:
    """A page, and whatever went wrong in it."""

    def __init__(self, browser, path, query="", **context):
        self.context = browser.new_context(**context)
        self.page = self.context.new_page()
        self.errors, self.requests, self.address = [], [], path.as_uri()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("request", lambda r: self.requests.append(r.url))
        self.page.goto(path.as_uri() + query)

    def __enter__(self):
        return self.page

    def __exit__(self, kind, *_):
        if kind is None:
            assert not self.errors, self.errors
            fetched = [url for url in self.requests if url.split("?")[0].split("#")[0] != self.address]
            assert not fetched, f"it fetches {fetched}"
        self.context.close()


def shown(page):
    return page.locator(f"{RULES} .what .id").all_inner_texts()


def filters(browser, path):
    with Opened(browser, path) as page:
        every = shown(page)
        assert len(every) == 46, len(every)
        page.locator(".chip", has_text="fails").click()
        assert shown(page) == ["SG-16", "SG-17"], shown(page)
        assert "standing=fails" in page.url, page.url
        assert page.locator("form output").inner_text() == "2 of 46 rules"
        page.get_by_placeholder("Search…").fill("tool-consumer")
        assert shown(page) == ["SG-16"] and "q=tool-consumer" in page.url
        url = page.url
        page.get_by_role("button", name="Reset").click()
        page.wait_for_function(f"document.querySelectorAll('{RULES}').length == 46")
        assert "?" not in page.url, page.url
        page.goto(url)
        assert shown(page) == ["SG-16"] and page.get_by_placeholder("Search…").input_value() == "tool-consumer"
        page.get_by_placeholder("Search…").fill("zzyzx")
        assert shown(page) == [] and page.get_by_text("No rule fits the filters.").is_visible()
    for query, fits in [("?level=core", 1), ("?profile=storage-api&level=core", 1), ("?standing=meets&standing=fails", 46)]:
        with Opened(browser, path, query) as page:
            assert len(shown(page)) >= fits, (query, shown(page))
    with Opened(browser, path, "?level=extended") as page:
        assert all(level == "extended" for level in page.locator(RULES).evaluate_all("all => all.map(r => r.dataset.level)"))
    with Opened(browser, path, "?level=none&standing=%F0&q=%00<script>") as page:
        assert shown(page) == []


def links(browser, path):
    with Opened(browser, path, "#SG-16/tool-consumer-downstream") as page:
        case = page.locator("[id='SG-16/tool-consumer-downstream']")
        assert case.locator("table.diff").is_visible()
        assert page.evaluate("document.getElementById('SG-16').open")
        box = case.bounding_box()
        assert -1 <= box["y"] < page.viewport_size["height"], box
        assert case.locator("td.new", has_text="consumer").count() >= 1
        assert case.locator("svg.graph[role=img]").first.get_attribute("aria-label").startswith("4 nodes")
        assert "loop head: head, tail, work" in case.locator(".legend").first.inner_text()
        assert case.get_by_text("standing run --engine reference:walk-tool-edges SG-16/tool-consumer-downstream").is_visible()
    # A link wins over a filter, and a tile is one.
    with Opened(browser, path, "?standing=fails#SG-1") as page:
        assert page.locator("[id='SG-1']").is_visible()
        page.goto(path.as_uri())
        page.locator("a.tile", has_text="SG-17").click()
        assert page.evaluate("document.getElementById('SG-17').open")
    with Opened(browser, path, "#%E0%A4%A") as page:
        assert len(shown(page)) == 46


def keys(browser, path):
    with Opened(browser, path) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the rules"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "rules"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
        page.keyboard.press("Enter")
        assert page.evaluate("document.querySelector('details.rule').open")
        page.keyboard.press("/")
        page.keyboard.type("ForEach")
        assert 0 < len(shown(page)) < 46
        page.keyboard.press("Escape")
        assert len(shown(page)) == 46
        page.get_by_role("checkbox", name="fails").focus()
        page.keyboard.press("Space")
        assert shown(page) == ["SG-16", "SG-17"]


def names(browser, path):
    """Everything that can be used has a name, headings are in order, ids are there once."""
    with Opened(browser, path) as page:
        page.get_by_role("button", name="Open all").click()
        nameless = page.evaluate("""() => [...document.querySelectorAll('input,select,button,a,summary')]
            .filter(e => !(e.textContent.trim() || e.labels && [...e.labels].some(l => l.textContent.trim())))
            .map(e => e.outerHTML)""")
        assert not nameless, nameless
        repeated = page.evaluate("""() => { const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
            return ids.filter((id, i) => ids.indexOf(id) !== i) }""")
        assert not repeated, repeated
        levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1])")
        assert levels[0] == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels


def looks(browser, path):
    for scheme in ("light", "dark"):
        for width in (1280, 360):
            size = {"width": width, "height": 800}
            with Opened(browser, path, "#SG-16/tool-consumer-downstream", viewport=size, color_scheme=scheme) as page:
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (scheme, width)
                paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
                assert (sum(map(int, paper[4:-1].split(","))) > 380) == (scheme == "light"), paper
    with Opened(browser, path) as page:
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator("table.diff").first.is_visible()
        assert not page.locator("form.filters").is_visible()
    with Opened(browser, path, java_script_enabled=False) as page:
        assert len(shown(page)) == 46 and not page.locator("form.filters").is_visible()


def matrix(browser, path):
    with Opened(browser, path) as page:
        assert len(shown(page)) == 46
        page.locator(".chip", has_text="differences only").click()
        assert shown(page) == ["SG-16", "SG-17"] and "differences=1" in page.url
        page.locator("details.rule:not([hidden]) > summary").first.click()
        first = page.locator(RULES).first
        assert first.locator("> summary .badge").all_inner_texts() == ["✓meets", "✕fails"] \
            or [text.split()[-1] for text in first.locator("> summary .badge").all_inner_texts()] == ["meets", "fails"]
        first.locator(".cases summary").first.click()
        assert first.locator("table.diff").first.is_visible()


def hostile(browser, path):
    assert path.stat().st_size < 60_000_000
    with Opened(browser, path) as page:
        page.get_by_role("button", name="Open all").click()
        for one in page.locator(".cases details").all()[:30]:
            one.evaluate("one => { one.open = true }")
        page.wait_for_timeout(500)
        assert page.evaluate("window.acted") is None
        assert page.locator("script").count() == 1 and page.locator("img").count() == 0
        text = page.locator("body").inner_text()
        assert "<script>window.acted=1</script>" in text and "\\u{202e}" in text and "\\u{1b}" in text
        bad = [c for c in set(page.locator("html").inner_html()) if c in "\0\x1b\u202e\u2066\u200f\x7f\ufffe"]
        assert not bad, bad
        assert "1048" in text, "the long line says how long it is"
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def main():
    browser_path, work = sys.argv[1], pathlib.Path(sys.argv[2])
    one = work / "one" / "index.html"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        for test, path in [(filters, one), (links, one), (keys, one), (names, one), (looks, one),
                           (matrix, work / "matrix.html"), (names, work / "matrix.html"),
                           (hostile, work / "hostile.html")]:
            test(browser, path)
            print(f"ok: {test.__name__} of {path.name}")
        browser.close()


if __name__ == "__main__":
    main()
