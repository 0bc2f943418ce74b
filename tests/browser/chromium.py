"""Drives a headless Chromium by its DevTools protocol, over a pipe: nothing but the browser has to be installed."""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time

# For scripts: what documents, shadow roots and frames contain, however deep.
HELPERS = """
window.within = function* (root) {
  for (const node of root.childNodes) {
    yield node;
    if (node.tagName != "TEMPLATE") yield* within(node);
    if (node.shadowRoot) yield* within(node.shadowRoot);
    if (node.tagName == "IFRAME" && node.contentDocument) yield* within(node.contentDocument);
  }
};
window.all = (selector) => [...within(document)].filter((node) => node.matches && node.matches(selector));
window.texts = () => [...within(document)].filter((node) => node.nodeType == 3 && node.data.trim() &&
  !["SCRIPT", "STYLE", "NOSCRIPT"].includes(node.parentNode.tagName)).map((node) => node.data.trim());
window.shows = (...wanted) => { const found = new Set(texts()); return wanted.every((text) => found.has(text)); };
window.drawn = (selector) => all(selector).filter((path) => (path.getAttribute("d") || "").length > 40).length;
"""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check", "--mute-audio",
    "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1",
    "--enable-unsafe-swiftshader",  # WebGL without a graphics card: TensorBoard's projector and charts want it
]  # fmt: skip


def installed():
    """The path of a Chromium, or None. CHROMIUM names another one."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A Chromium with one page.

    Args:
        profile: a directory for what it writes.
        size: of the page, in pixels.
    """

    def __init__(self, profile, size=(1400, 900)):
        from_us, ours = os.pipe()
        theirs, to_them = os.pipe()
        self._in, self._out, self._rest, self._number = theirs, ours, b"", 0
        self.errors = []
        # The browser reads from descriptor 3 and writes to 4. As root, which CI is, it needs --no-sandbox.
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        command = [installed(), *FLAGS, *sandbox, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{from_us} 4>&{to_them}', "bash", *command], pass_fds=(from_us, to_them),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_them)
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Page.addScriptToEvaluateOnNewDocument", source=HELPERS)
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1,
                  mobile=False)

    def call(self, method, timeout=60, **parameters):
        """The result of a command of the protocol."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + timeout
        while True:
            answer = self._message(until)
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            if answer.get("method") == "Runtime.exceptionThrown":
                details = answer["params"]["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description") or details["text"])

    def _message(self, until):
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0, until - time.monotonic()))
            data = os.read(self._in, 1 << 20) if ready else b""
            if not data:
                raise TimeoutError("the browser did not answer in time" if not ready else "the browser has ended")
            self._rest += data
        text, self._rest = self._rest.split(b"\0", 1)
        return json.loads(text)

    def open(self, address):
        """Goes to an address; also when only what follows the # changes."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)

    def evaluate(self, script):
        """The value of a JavaScript expression; promises are waited for. It may do what a user's click may."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True,
                           userGesture=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def wait(self, script, seconds=60):
        """Waits until a JavaScript expression is true, and gives its value."""
        until = time.monotonic() + seconds
        while True:
            value = self.evaluate(script)
            if value:
                return value
            if time.monotonic() > until:
                raise TimeoutError(f"never true: {script}")
            time.sleep(0.2)

    def click(self, element, times=1):
        """Clicks into the middle of the element that a JavaScript expression gives."""
        box = self.evaluate(f"(() => {{ const r = ({element}).getBoundingClientRect(); "
                            "return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        for count in range(1, times + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=count)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self._session = None
        try:
            self.call("Browser.close", timeout=10)
            self._process.wait(10)
        except (TimeoutError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._in)
        os.close(self._out)


if __name__ == "__main__":  # make browser asks whether it can begin
    sys.exit(None if installed() else "There is no Chromium here. On Debian: apt-get install chromium. Elsewhere, "
             "install Chromium or Chrome, and name it in the variable CHROMIUM when it is not on the PATH.")
