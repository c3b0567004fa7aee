"""A learning platform of cmi5 for the tests: the record store is Ralph, which checks and keeps statements. What Ralph lacks is added
here: the launch of cmi5 (its token, once), and the documents of the State and Agent Profile resources of xAPI 1.0.3.

Usage: serve.py PORT ORIGIN FOLDER
"""

import base64
import json
import os
import sys
from pathlib import Path

PORT, ORIGIN, FOLDER = int(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
NAME, SECRET = "course", "for-tests-only"

os.environ.update(
    RALPH_APP_DIR=str(FOLDER),
    RALPH_AUTH_FILE=str(FOLDER / "auth.json"),
    RALPH_RUNSERVER_BACKEND="fs",
    RALPH_BACKENDS__LRS__FS__DEFAULT_DIRECTORY_PATH=str(FOLDER / "statements"),
    RALPH_RUNSERVER_CORS_ALLOW_ORIGINS=json.dumps([ORIGIN]),
)

import bcrypt  # noqa: E402
import uvicorn  # noqa: E402
from fastapi import Request, Response  # noqa: E402

(FOLDER / "statements").mkdir(parents=True, exist_ok=True)
(FOLDER / "auth.json").write_text(
    json.dumps(
        [
            {
                "agent": {"account": {"homePage": "https://platform.example", "name": NAME}},
                "scopes": ["all"],
                "hash": bcrypt.hashpw(SECRET.encode(), bcrypt.gensalt(4)).decode(),
                "username": NAME,
            }
        ]
    )
)

from ralph.api import app  # noqa: E402
from ralph.api.routers import statements  # noqa: E402
from ralph.backends.data.base import BaseOperationType  # noqa: E402

keep = statements.BACKEND_CLIENT.write


def append(*given, **named):
    """Ralph writes each statement as a new one, and its store of files allows only one such file."""
    return keep(*given, operation_type=BaseOperationType.APPEND, **named)


statements.BACKEND_CLIENT.write = append

documents: dict[str, bytes] = {}
tokens: set[str] = set()


@app.post("/launch/{learner}")
def launch(learner: str) -> dict:
    """The token of a launch, which a unit may fetch once: cmi5, section 8.2."""
    if learner in tokens:
        return {"error-code": "1", "error-text": "the token was already fetched"}
    tokens.add(learner)
    return {"auth-token": base64.b64encode(f"{NAME}:{SECRET}".encode()).decode()}


def place(request: Request) -> str:
    """The name of a document: its resource and all of its parameters."""
    return json.dumps([request.url.path, sorted(request.query_params.items())])


@app.api_route("/xAPI/activities/state", methods=["GET", "PUT", "POST"])
@app.api_route("/xAPI/agents/profile", methods=["GET", "PUT", "POST"])
async def document(request: Request) -> Response:
    """Keeps a document, or hands it out."""
    if request.method == "GET":
        kept = documents.get(place(request))
        return Response(kept or b"", status_code=200 if kept else 404, media_type="application/json")
    documents[place(request)] = await request.body()
    return Response(status_code=204)


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="warning")
