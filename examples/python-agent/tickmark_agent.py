"""What an agent needs to know of Tickmark: its input, its callbacks and its outbox. Standard library only.

Copy this file beside an agent of your own, or write the same in another language: docs/agents.md is the contract.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import random
import time
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# The final callback is tried for some seconds; what is not delivered is found in the outbox.
FINAL_TRIES = 4
TIMEOUT_SECONDS = 10.0


class Stop(Exception):
    """The app wants this run to end: it was cancelled, or another one has the answer."""


class Refused(Exception):
    """The app will never take this callback."""


@dataclass(frozen=True)
class Agent:
    """One run: reads its input, reports about its attempt."""

    run_folder: Path
    input: dict[str, Any]

    @staticmethod
    def from_input_file(path: str) -> Agent:
        with open(path, encoding="utf-8") as file:
            return Agent(Path(path).parent, json.load(file))

    @property
    def document(self) -> Path:
        return Path(self.input["document"]["path"])

    def progress(self, done: int, total: int) -> None:
        """Says how far the work is. A lost report does not matter: the next one makes up for it. Raises Stop."""
        body = self._body("attempt.progress", progress={"done": done, "total": total})
        try:
            self._post(str(uuid.uuid4()), body)
        except (OSError, ValueError, Refused):
            pass

    def succeed(self, result: dict[str, Any], usage: dict[str, Any] | None = None) -> None:
        self._finish(self._body("attempt.succeeded", result=result, usage=usage))

    def fail(self, code: str, message: str, retryable: bool) -> None:
        """Ends the attempt without a result. Codes that people get advice for are listed in docs/agents.md."""
        error = {"code": code, "message": message, "retryable": retryable, "retryAfterSeconds": None}
        self._finish(self._body("attempt.failed", error=error))

    def _body(self, kind: str, **rest: Any) -> str:
        head = {"type": kind, "taskId": self.input["taskId"], "attemptId": self.input["attemptId"]}
        trace = {"traceId": self.input["traceId"]}
        return json.dumps({**head, **trace, **{name: value for name, value in rest.items() if value is not None}})

    def _finish(self, body: str) -> None:
        """The outbox first: from then on the answer survives this process. A delivery keeps its id at every try."""
        webhook_id = f"final-{self.input['attemptId']}"
        self._write_outbox({"webhook": self._sign(webhook_id, body), "payload": body})
        for attempt in range(FINAL_TRIES):
            try:
                self._post(webhook_id, body)
                return
            except (Stop, Refused):
                return
            except (OSError, ValueError) as error:
                print(f"callback not delivered yet: {error}", flush=True)
                time.sleep(0.5 * 2**attempt * (1 + random.random()))

    def _write_outbox(self, envelope: dict[str, Any]) -> None:
        """Whole or not at all: a reader never sees half of it."""
        draft = self.run_folder / ".outbox.json.draft"
        with open(draft, "w", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            json.dump(envelope, file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.run_folder / "outbox.json")

    def _sign(self, webhook_id: str, body: str) -> dict[str, str]:
        """Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`; the key's characters as they stand."""
        timestamp = str(int(time.time()))
        signed = f"{webhook_id}.{timestamp}.{body}".encode()
        digest = hmac.new(self.input["callback"]["key"].encode(), signed, hashlib.sha256).digest()
        return {"id": webhook_id, "timestamp": timestamp, "signature": f"v1,{base64.b64encode(digest).decode()}"}

    def _post(self, webhook_id: str, body: str) -> None:
        webhook = self._sign(webhook_id, body)
        headers = {"content-type": "application/json", **{f"webhook-{name}": value for name, value in webhook.items()}}
        request = urllib.request.Request(self.input["callback"]["url"], body.encode(), headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                answer = json.load(response)
        except urllib.error.HTTPError as error:
            if error.code in (400, 404, 413):
                raise Refused(f"{error.code}: {error.read(500).decode('utf-8', 'replace')}") from error
            raise
        if answer.get("stop"):
            raise Stop(answer.get("outcome"))
