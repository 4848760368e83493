"""An agent in plain Python: says what can be said of a PDF without reading its pages.

    python3 agent.py <path of input.json>

It finds the PDF's version, its size, whether it is encrypted, and what the document calls itself (title, author,
producer) where that stands uncompressed in the file. It reads no page and extracts no text: that takes a PDF library,
and this example shows the contract, not PDFs.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from tickmark_agent import Agent, Stop

INFORMATION = {"title": b"Title", "author": b"Author", "producer": b"Producer"}


class NotAPdf(Exception):
    pass


def describe(content: bytes) -> dict[str, str | None]:
    header = re.search(rb"%PDF-(\d\.\d)", content[:1024])
    if header is None:
        raise NotAPdf
    facts: dict[str, str | None] = {
        "pdf_version": header.group(1).decode(),
        "size_bytes": str(len(content)),
        "encrypted": "yes" if re.search(rb"/Encrypt\s+\d+\s+\d+\s+R", content) else "no",
    }
    for name, key in INFORMATION.items():
        facts[name] = None if facts["encrypted"] == "yes" else information(content, key)
    return facts


def information(content: bytes, key: bytes) -> str | None:
    """A text string of the document information, as `(literal)` or as `<hexadecimal>`; None where it is not to be seen."""
    literal = re.search(rb"/" + key + rb"\s*\(((?:[^()\\]|\\.)*)\)", content, re.DOTALL)
    if literal is not None:
        return decode(re.sub(rb"\\([()\\])", rb"\1", literal.group(1)))
    hexadecimal = re.search(rb"/" + key + rb"\s*<([0-9A-Fa-f\s]*)>", content)
    if hexadecimal is not None:
        digits = b"".join(hexadecimal.group(1).split()).decode()
        return decode(bytes.fromhex(digits + "0" * (len(digits) % 2)))
    return None


def decode(raw: bytes) -> str | None:
    """UTF-16 with its mark, else one byte a letter (PDF 32000-1, 7.9.2.2; its few special signs aside)."""
    text = raw[2:].decode("utf-16-be", "replace") if raw.startswith(b"\xfe\xff") else raw.decode("latin-1")
    return text.strip() or None


def to_result(facts: dict[str, str | None], page_count: int | None) -> dict[str, Any]:
    pages = None if page_count is None else str(page_count)
    values = {**facts, "page_count": pages}
    # What the file does not say is null, never a guess. Nothing of this stands on a page, so there is no box.
    fields = [
        {"name": name, "value": value, "confidence": None if value is None else 1.0, "page": None, "box": None}
        for name, value in values.items()
    ]
    return {"documentType": "pdf-facts", "confidence": 1.0, "warnings": [], "fields": fields}


def run(agent: Agent) -> None:
    agent.progress(0, 2)
    content = agent.document.read_bytes()
    agent.progress(1, 2)
    # Tickmark has counted the pages before the run.
    page_count = agent.input["document"]["pageCount"]
    try:
        result = to_result(describe(content), page_count)
    except NotAPdf:
        agent.fail("not_a_pdf", "The file does not begin like a PDF.", retryable=False)
        return
    agent.succeed(result)


def main(input_file: str) -> int:
    agent = Agent.from_input_file(input_file)
    try:
        run(agent)
    except Stop:
        print("told to stop", flush=True)
    except Exception as error:  # A run ends with an answer, whatever happened; the traceback goes to run.log.
        agent.fail("internal", f"The agent failed: {type(error).__name__}", retryable=True)
        raise
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():
        sys.exit("usage: python3 agent.py <path of input.json>")
    sys.exit(main(sys.argv[1]))
