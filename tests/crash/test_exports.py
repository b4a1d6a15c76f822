"""SIGKILL while a file of an export is fetched: whoever fetches notices, and after a restart the export is there as it was."""

import http.client
import json
import pathlib
import sys
import time
import unittest

from chain import RETRIES, Chain

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "world"))

from service import Service  # noqa: E402
from world import ORGANISATION, TEAM  # noqa: E402

# Together far more than lies between two sockets: when the first of it is read, most of it was not even sent.
OBSERVATIONS, NOTE_BYTES, READ_BYTES = 2000, 10_000, 100_000
PATIENCE_SECONDS = 60


def observation(number):
    return {
        "resourceType": "Observation", "id": f"o-{number}", "status": "final", "code": {"text": "A long story"},
        "subject": {"reference": "Patient/amina-osei"}, "note": [{"text": f"{number} " + "x" * NOTE_BYTES}],
    }


class Exports(unittest.TestCase):
    def setUp(self):
        self.service = Service()
        self.addCleanup(self.service.__exit__)
        self.service.load_world()
        lines = self.service.directory / "observations.ndjson"
        lines.write_text("".join(json.dumps(observation(number)) + "\n" for number in range(OBSERVATIONS)))
        self.service.cli("import", "--organisation", ORGANISATION, "--team", TEAM, str(lines))
        self.service.start()
        told = self.service.cli("grant", "issue", "--json", "--client", RETRIES, "--user", "amina")
        self.access = Chain(RETRIES, json.loads(told)).begin(self.service.port).access

    def get(self, url, **headers):
        """An answer of which nothing but the head was read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=PATIENCE_SECONDS)
        self.addCleanup(connection.close)
        path = url.removeprefix(self.service.base)
        connection.request("GET", path, headers={"Authorization": f"Bearer {self.access}", **headers})
        return connection.getresponse()

    def begin(self):
        begun = self.get("/fhir/$export?_type=Observation,Patient", Prefer="respond-async")
        self.assertEqual(begun.status, 202, begun.read())
        return begun.getheader("Content-Location")

    def manifest(self, status):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            answer = self.get(status)
            body = answer.read()
            if answer.status == 200:
                return json.loads(body)
            self.assertEqual(answer.status, 202, body)
            self.assertLess(time.monotonic(), deadline, "it is never counted")

    def assert_whole(self, manifest):
        files = {file["type"]: file for file in manifest["output"]}
        fetched = {name: self.get(file["url"]).read().splitlines() for name, file in files.items()}
        for name, lines in fetched.items():
            self.assertEqual(len(lines), files[name]["count"], name)
        found = {one["id"]: one for one in map(json.loads, fetched["Observation"])}
        self.assertEqual(len(found), len(fetched["Observation"]), "each is there once")
        for number in range(OBSERVATIONS):
            self.assertEqual(found[f"o-{number}"]["note"], observation(number)["note"])
        self.assertEqual([json.loads(line)["id"] for line in fetched["Patient"]], ["amina-osei"])

    def test_a_file_that_is_broken_off_by_a_kill_is_noticed_and_whole_after_a_restart(self):
        status = self.begin()
        before = self.manifest(status)
        [url] = [file["url"] for file in before["output"] if file["type"] == "Observation"]
        fetching = self.get(url)
        self.assertEqual((fetching.status, len(fetching.read(READ_BYTES))), (200, READ_BYTES))
        self.service.kill()
        with self.assertRaises((http.client.IncompleteRead, ConnectionError), msg="half of a file passes for a whole one"):
            fetching.read()
        self.service.start()
        self.assertEqual(self.manifest(status), before)
        self.assert_whole(before)

    def test_an_export_that_was_begun_before_a_kill_is_counted_after_it(self):
        status = self.begin()
        self.service.kill()
        self.service.start()
        self.assert_whole(self.manifest(status))


if __name__ == "__main__":
    unittest.main()
