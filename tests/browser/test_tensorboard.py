"""Every page of TensorBoard on logs that evergraph wrote, as a person sees it in a browser.

Screenshots go to the directory SCREENSHOTS, or else to pytest's temporary one.
"""

import contextlib
import json
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from tests.browser import logs
from tests.browser.chromium import Browser, installed

pytestmark = pytest.mark.skipif(installed() is None, reason="there is no Chromium: apt-get install chromium")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Where `evergraph board` serves the logs."""
    folder = tmp_path_factory.mktemp("logs")
    logs.write(str(folder))
    process = subprocess.Popen([sys.executable, "-m", "evergraph", "board", str(folder), "--port", "0"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    yield re.search(r"at (http://\S+)", process.stdout.readline()).group(1)
    process.terminate()
    process.wait()
    process.stdout.close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    folder = Path(os.environ.get("SCREENSHOTS") or tmp_path_factory.mktemp("screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def page(browser, address, pictures, request):
    """Opens a page of TensorBoard and waits until a script is true; takes a picture after the test."""
    def open_page(name, ready):
        browser.open(f"{address}#{name}")
        browser.wait(ready)
        return browser

    browser.errors.clear()
    yield open_page
    browser.screenshot(pictures / f"{request.node.name.removeprefix('test_')}.png")
    assert not browser.errors, browser.errors


def data(address, path, **query):
    with urllib.request.urlopen(f"{address}data/{path}?{urllib.parse.urlencode(query)}", timeout=60) as answer:
        return answer.read()


def test_scalars(page, address):
    browser = page("scalars", 'shows("loss/cross_entropy", "train", "eval") && drawn("path.line") >= 2')
    assert browser.evaluate('all("path.line").length') >= 2  # a curve for each run
    for run in ("train", "eval"):
        points = json.loads(data(address, "plugin/scalars/scalars", run=run, tag="loss/cross_entropy"))
        assert [step for _, step, _ in points] == list(range(logs.STEPS))
        assert points[-1][2] < points[0][2]


def test_time_series(page):
    # Its cards cut names in two, and appear when they come into view.
    browser = page("timeseries", """["cross_entropy", "pictures/image", "train", "eval"].every(
        (part) => texts().some((text) => text.includes(part)))""")
    browser.wait('all("canvas").length >= 1 && all("img").some((image) => image.naturalWidth == 32)')


def test_images(page):
    browser = page("images", 'all("img").filter((image) => image.complete && image.naturalWidth == 32).length == 4')
    pixels = browser.evaluate("""(() => {
        const canvas = document.createElement("canvas"), image = all("img")[0];
        canvas.width = canvas.height = 32;
        canvas.getContext("2d").drawImage(image, 0, 0);
        return [0, 31].map((x) => [...canvas.getContext("2d").getImageData(x, 16, 1, 1).data]);
    })()""")
    blue = round(255 * (logs.STEPS - 1) / logs.STEPS)
    assert pixels == [[0, 0, blue, 255], [255, blue, blue, 255]]
    assert browser.evaluate('shows("pictures/image/0", "pictures/image/1", "train", "eval")')


def test_audio(page):
    browser = page("audio", 'all("audio").length == 2 && all("audio").every((sound) => sound.duration > 0)')
    assert browser.evaluate('all("audio").map((sound) => [sound.duration, sound.error])') == [[2, None]] * 2
    played = """(async () => {
        const sound = all("audio")[0];
        await sound.play();
        await new Promise((done) => setTimeout(done, 500));
        return sound.currentTime;
    })()"""
    assert browser.evaluate(played) > 0.1


def click_until(browser, node, shown, times=1):
    """Clicks on a node of the graph until it shows what it should: while the graph moves, a click may miss it."""
    for _ in range(10):
        browser.evaluate("new Promise((done) => setTimeout(done, 1500))")
        browser.click(f"all(\"g.node[data-name='{node}'] .nodeshape\")[0]", times)
        with contextlib.suppress(TimeoutError):
            return browser.wait(shown, seconds=5)
    raise TimeoutError(f"a click on {node} never showed {shown}")


def test_graph(page, address):
    browser = page("graphs&run=train", "all(\"g.node[data-name='hidden'] .nodeshape\").length == 1")
    names = set(browser.evaluate('all("g.node").map((node) => node.dataset.name)'))
    assert {"features", "labels", "hidden", "output", "loss", "gradients", "Adam", "global_step"} <= names
    click_until(browser, "hidden", "all(\"g.node[data-name='hidden/MatMul'] .nodeshape\").length == 1", times=2)
    click_until(browser, "hidden/MatMul", 'shows("Operation:", "MatMul", "features", "?×8", "8×16", '
                                          '"hidden/kernel/read")')
    text = data(address, "plugin/graphs/graph", run="train", conceptual=False).decode()
    assert 'name: "hidden/MatMul"' in text and 'op: "ApplyAdam"' in text


def test_run_metadata(page, address):
    browser = page("graphs&run=train", "all(\"g.node[data-name='hidden'] .nodeshape\").length == 1")
    browser.evaluate('all("paper-item").find((item) => item.textContent.trim() == "step 10").click()')
    browser.wait("all(\"g.node[data-name='features'].faded\").length == 1")  # fed, so it did not run
    colour = 'all("paper-radio-button").find((item) => item.textContent.trim().startsWith("Compute time"))'
    browser.evaluate(f"{colour}.click()")
    browser.wait('texts().some((text) => /^[0-9.]+ [µm]s$/.test(text) && text != "0 µs") && shows("CPU:0")')
    for ran in ("hidden", "output", "loss", "gradients", "Adam", "tones"):
        assert browser.evaluate(f"all(\"g.node[data-name='{ran}']:not(.faded)\").length") == 1
    text = data(address, "plugin/graphs/run_metadata", run="train", tag="step 10").decode()
    assert 'node_name: "hidden/MatMul"' in text and "all_end_rel_micros" in text


def test_distributions(page):
    browser = page("distributions", 'shows("weights/hidden", "train", "eval") && drawn("path.area") >= 2')
    assert browser.evaluate('drawn("path.line")') >= 2


def test_histograms(page, address):
    page("histograms", f'shows("weights/hidden", "train", "eval") && drawn(".histogram path") >= {logs.STEPS}')
    values = json.loads(data(address, "plugin/histograms/histograms", run="train", tag="weights/hidden"))
    assert len(values) == logs.STEPS and all(abs(sum(count for *_, count in row[2]) - 128) < 1e-6 for row in values)


def test_text(page):
    browser = page("text", 'all("strong").some((word) => word.textContent == "evergraph")')
    assert browser.evaluate('all("h1").some((title) => title.textContent == "Notes")')
    cells = browser.evaluate('all("td").map((cell) => cell.textContent.trim())')
    assert {"1", "2", "one", "two", "three", "four"} <= set(cells)


def test_hparams(page):
    page("hparams", 'shows("rate", "units", "loss/cross_entropy", "0.050000", "16.000", "train", "eval")')


def test_projector(page):
    browser = page("projector", 'shows("hidden/kernel", "8x16", "names.tsv")')
    assert browser.evaluate('texts().join("")').count("train/model.ckpt-20")
    assert browser.evaluate('all("canvas").some((canvas) => canvas.width > 100)')
