"""A program that behaves as llama-server does, or fails to in one way: for the tests of the peer.

``python -m``-less on purpose: it is written out as a script of its own and run by its name, as the
real one is. It computes nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

_SCRIPT = """#!{python}
import json, os, signal, sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer

way = {way!r}
def told(name):
    return sys.argv[sys.argv.index(name) + 1]

class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_arguments):
        pass
    def answer(self, status, body):
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    def do_GET(self):
        if way == "a web site":
            self.answer(200, b"<html>hello</html>")
        elif way == "loads for ever":
            self.answer(503, {{"error": {{"message": "Loading model"}}}})
        elif way == "another JSON service":
            self.answer(200, {{"status": "ok"}})
        elif way == "not found":
            self.answer(404, {{}})
        else:
            self.answer(200, {{"status": "ok", "model_alias": told("--alias")}})
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if os.environ["LLAMA_API_KEY"] not in self.headers["Authorization"]:
            self.answer(401, {{}})
        elif way == "dies while writing":
            print("an assertion failed", flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        elif way == "hangs while writing":
            time.sleep(60)
        elif way == "refuses":
            self.answer(400, {{"error": "no"}})
        elif way == "speaks otherwise":
            self.answer(200, {{"tokens": 3}})
        else:
            extra = 1 if way == "counts otherwise" else 0
            self.answer(200, {{
                "tokens_evaluated": len(asked["prompt"]) + extra,
                "timings": {{
                    "predicted_n": asked["n_predict"], "predicted_ms": 100.0,
                    "draft_n": 8, "draft_n_accepted": 4,
                }},
                "asked": asked,
            }})

if way == "ends at once":
    print("error: unknown argument: --spec-type.", flush=True)
    raise SystemExit(3)
if way == "never answers":
    time.sleep(60)
if way == "stays when told to end":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
HTTPServer(("127.0.0.1", int(told("--port"))), Handler).serve_forever()
"""


def write_server(path: Path, way: str = "well") -> Path:
    """Write the program to ``path``; ``way``: "well", or how it fails (see the script)."""
    path.write_text(_SCRIPT.format(python=sys.executable, way=way))
    path.chmod(0o755)
    return path
