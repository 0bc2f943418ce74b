"""The page of `evergraph serve`, as a person uses it: a model is chosen, asked with numbers, text and a picture.

Screenshots go to the directory SCREENSHOTS, or else to pytest's temporary one.
"""

import base64
import json
import os
import subprocess
from pathlib import Path

import pytest

import evergraph as tf
from evergraph.serving.config import Source
from tests.browser.chromium import Browser, installed
from tests.serving.harness import export, golden, serving

pytestmark = pytest.mark.skipif(installed() is None, reason="there is no Chromium: apt-get install chromium")

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256))  # of which only the size is asked


def texts_and_pictures():
    text, picture = tf.placeholder(tf.string, [None], name="text"), tf.placeholder(tf.string, [], name="picture")
    pixels = tf.placeholder(tf.float32, [None, 4, 4, 3], name="pixels")
    return {"text": ({"text": text}, {"length": tf.strings.length(text)}),
            "colour": ({"pixels": pixels}, {"mean": tf.reduce_mean(pixels, [1, 2])}),
            "picture": ({"image_bytes": picture}, {"size": tf.strings.length(picture)})}  # fmt: skip


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    with tf.Graph().as_default():
        export(folder / "words/3", texts_and_pictures)
    with serving(golden("half_plus_two_cpu", "half"), Source("words", str(folder / "words"))) as server:
        yield f"http://127.0.0.1:{server.rest_port}/"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Browser(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture
def page(browser, address, tmp_path_factory, request):
    """The page, with all models shown; takes a picture after the test."""
    browser.errors.clear()
    browser.open(address)
    browser.wait('document.querySelectorAll(".model button").length == 8')
    yield browser
    folder = Path(os.environ.get("SCREENSHOTS") or tmp_path_factory.mktemp("screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    browser.screenshot(folder / f"serving_{request.node.name.removeprefix('test_')}.png")
    assert not browser.errors, browser.errors


def choose(page, signature):
    page.evaluate('[...document.querySelectorAll(".model button")]'
                  f'.find((button) => button.textContent == "{signature}").click()')
    page.wait(f'document.getElementById("title").textContent.endsWith("{signature}")')


def answer(page):
    page.evaluate('document.getElementById("answer").hidden = true; document.getElementById("ask").click()')
    page.wait('!document.getElementById("answer").hidden')
    return json.loads(page.evaluate('document.getElementById("answer").textContent'))


def curl(page):
    return page.evaluate('document.getElementById("curl").textContent')


def test_numbers(page):
    choose(page, "serving_default")
    assert answer(page) == {"outputs": [[2.0]]}
    page.evaluate("""const body = document.getElementById("body");
        body.value = '{"instances": [1.0, 2.0, 5.0]}'; body.dispatchEvent(new Event("input"))""")
    assert answer(page) == {"predictions": [2.5, 3.0, 4.5]}
    said = subprocess.run(curl(page), shell=True, capture_output=True, text=True, check=True).stdout
    assert json.loads(said) == {"predictions": [2.5, 3.0, 4.5]}
    page.wait('document.getElementById("latency").textContent.includes("µs")')


def test_text(page):
    choose(page, "text")
    page.evaluate("""const text = document.getElementById("text");
        text.value = "it's"; text.dispatchEvent(new Event("input"))""")
    assert answer(page) == {"outputs": [4]}


def test_a_picture(page):
    choose(page, "picture")
    data = base64.b64encode(PICTURE).decode()
    page.evaluate(f"""(async () => {{
        const file = new File([Uint8Array.from(atob("{data}"), (c) => c.charCodeAt(0))], "picture.png");
        const files = new DataTransfer();
        files.items.add(file);
        document.getElementById("file").files = files.files;
        document.getElementById("file").dispatchEvent(new Event("change"));
    }})()""")
    page.wait('document.getElementById("body").value.includes("b64")')
    assert answer(page) == {"outputs": len(PICTURE)}


def test_a_picture_as_numbers(page):
    choose(page, "colour")
    assert page.evaluate('getComputedStyle(document.getElementById("text").parentElement).display') == "none"
    page.evaluate("""(async () => {
        const canvas = new OffscreenCanvas(8, 8), drawing = canvas.getContext("2d");
        drawing.fillStyle = "rgb(255, 51, 0)";
        drawing.fillRect(0, 0, 8, 8);
        const files = new DataTransfer();
        files.items.add(new File([await canvas.convertToBlob()], "picture.png"));
        document.getElementById("file").files = files.files;
        document.getElementById("file").dispatchEvent(new Event("change"));
    })()""")
    page.wait('document.getElementById("body").value.includes("0.2")')
    assert answer(page) == {"outputs": [pytest.approx([1.0, 0.2, 0.0], abs=1e-3)]}


def test_an_error(page):
    choose(page, "serving_default")
    page.evaluate('document.getElementById("body").value = "{"')
    assert "JSON" in answer(page)["error"]
    assert page.evaluate('document.getElementById("answer").className') == "error"
    assert " -d '{' http" in curl(page)


def test_a_token(page):
    """The line has it as soon as it is there, and no longer."""
    page.evaluate('document.getElementById("token").dispatchEvent(new Event("input"))')  # before a model is chosen
    choose(page, "serving_default")
    for token in ("secret", ""):
        page.evaluate(f"""document.getElementById("token").value = "{token}";
            document.getElementById("token").dispatchEvent(new Event("input"))""")
        assert ("Authorization: Bearer" in curl(page)) == bool(token)
