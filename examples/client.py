"""Keeps a copy of a farm in copy.json up to date, and records one observation. Python 3.9 or newer, nothing to install.

FARM=http://127.0.0.1:8080 TOKEN=furrow_… python3 client.py
"""
import json
import os
import pathlib
import time
import urllib.request
import uuid

FARM = os.environ["FARM"].rstrip("/")
TOKEN = os.environ["TOKEN"]  # a personal token, made at /account


def ask(method, path, body=None, tries=5):
    """One request; a lost connection and a busy farm are tried again under the same key."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"}
    if body is not None:
        headers |= {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(tries):
        request = urllib.request.Request(FARM + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.URLError as error:  # HTTPError is one
            answer = error if isinstance(error, urllib.error.HTTPError) else None
            if attempt == tries - 1 or (answer and answer.code not in (429, 502, 503, 504)):
                raise SystemExit(f"{error}: {answer.read().decode() if answer else FARM}")
            time.sleep(float(answer and answer.headers.get("Retry-After") or 2**attempt))


def changes(cursor):
    """Pages of /changes after a cursor, to the end."""
    page = {"next": cursor, "more": True}
    while page["more"]:
        page = ask("GET", "/changes?since=" + urllib.parse.quote(page["next"]))
        yield page


def main():
    kept = pathlib.Path("copy.json")
    copy = json.loads(kept.read_text()) if kept.exists() else {"cursor": "0", "records": {}}
    log = {"uuid": str(uuid.uuid4()), "type": "farm_observation", "name": "First cuckoo", "timestamp": int(time.time())}
    ask("POST", "/log", log)
    for page in changes(copy["cursor"]):
        for change in page["changes"]:
            if change["verb"] == "remove":
                copy["records"].pop(change["uuid"], None)
            elif "record" in change:
                copy["records"][change["uuid"]] = change["record"]
        copy["cursor"] = page["next"]
        kept.write_text(json.dumps(copy))
    print(f"{len(copy['records'])} records; {log['uuid'] in copy['records']}")


main()
