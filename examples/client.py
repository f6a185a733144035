"""Keeps a copy of a farm in copy.json up to date, and records one observation. Python 3.9 or newer, nothing to install.

FARM=http://127.0.0.1:8080 TOKEN=furrow_… python3 client.py
"""
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

FARM = os.environ["FARM"].rstrip("/")
TOKEN = os.environ["TOKEN"]  # a personal token, made at /account


def ask(method, path, body=None, tries=5):
    """One request; a lost connection, 429 and 503 are tried again under the same key."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"}
    if body is not None:
        headers |= {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(tries):
        request = urllib.request.Request(FARM + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == tries - 1:
                raise SystemExit(f"{error.code}: {json.load(error).get('detail')}")
            time.sleep(float(error.headers.get("Retry-After", 2**attempt)))
        except urllib.error.URLError:
            if attempt == tries - 1:
                raise
            time.sleep(2**attempt)


def changes(cursor):
    """Pages of /changes after a cursor, to the end."""
    more = True
    while more:
        page = ask("GET", "/changes?since=" + urllib.parse.quote(cursor))
        yield page
        cursor, more = page["next"], page["more"]


def main():
    copy = {"cursor": "0", "records": {}}
    if os.path.exists("copy.json"):
        with open("copy.json") as file:
            copy = json.load(file)
    log = {"uuid": str(uuid.uuid4()), "type": "farm_observation", "name": "First cuckoo", "timestamp": int(time.time())}
    ask("POST", "/log", log)
    for page in changes(copy["cursor"]):
        for change in page["changes"]:
            if change["verb"] == "remove":
                copy["records"].pop(change["uuid"], None)
            elif "record" in change:
                copy["records"][change["uuid"]] = change["record"]
        copy["cursor"] = page["next"]
        with open("copy.json", "w") as file:
            json.dump(copy, file)
    print(f"{len(copy['records'])} records; {log['uuid'] in copy['records']}")


main()
