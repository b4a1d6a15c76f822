"""A typed client that openapi-python-client makes of the /openapi.json that is served, unmodified, and an app on it."""

import importlib
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import unittest
import urllib.request

from apps import WithService

PACKAGE = "diary_client"
GENERATOR = pathlib.Path(sysconfig.get_path("scripts")) / "openapi-python-client"

# Their contents are of any type, which the generator has no words for: an app takes the bytes of the answer.
OF_ANY_TYPE = {
    "GET /json/attachments/{id}",
    "GET /fhir/$export/{id}/{name}",
    "GET /fhir/Binary/{id}",
    "GET /fhir/Binary/{id}/_history/{version}",
}


class GeneratedClient(WithService):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        holder = tempfile.TemporaryDirectory(prefix="recordgate-client-")
        cls.addClassCleanup(holder.cleanup)
        directory = pathlib.Path(holder.name)
        described = directory / "openapi.json"
        with urllib.request.urlopen(f"{cls.base}/openapi.json") as answer:
            described.write_bytes(answer.read())
        # Formatters and linters are for people who read what was made.
        plain = directory / "plain.yaml"
        plain.write_text("post_hooks: []\n")
        made = subprocess.run(
            [GENERATOR, "generate", "--path", described, "--meta", "none", "--output-path", directory / PACKAGE, "--config", plain],
            capture_output=True, text=True, timeout=300,
        )
        cls.said = made.stdout + made.stderr
        if made.returncode != 0:
            raise AssertionError(f"openapi-python-client made nothing of /openapi.json: {cls.said}")
        sys.path.insert(0, holder.name)
        cls.addClassCleanup(sys.path.remove, holder.name)
        cls.library = importlib.import_module(PACKAGE)
        cls.models = importlib.import_module(f"{PACKAGE}.models")

    def setUp(self):
        token = self.approved(self.phone_app())["access_token"]
        self.client = self.library.AuthenticatedClient(base_url=self.base, token=token)

    def call(self, operation, **arguments):
        """What the generated function of an operation gives: status, content, headers and the parsed answer."""
        return importlib.import_module(f"{PACKAGE}.api.rest.{operation}").sync_detailed(client=self.client, **arguments)

    def weigh(self, value, day):
        body = self.models.NewMeasurement(api_ref="weight", value=value, date_taken=day)
        return self.call("post_json_measurements", body=body)

    def test_only_contents_of_any_type_are_beyond_the_generator(self):
        self.assertEqual(set(re.findall(r"WARNING parsing (\S+ \S+)", self.said)), OF_ANY_TYPE, self.said)

    def test_what_is_posted_comes_back_as_a_typed_measurement_and_is_listed_page_by_page(self):
        for value, day in [(64.5, "2026-03-01"), (64.1, "2026-03-02"), (63.8, "2026-03-03")]:
            stored = self.weigh(value, day)
            self.assertEqual(stored.status_code, 201)
            self.assertIsInstance(stored.parsed, self.models.Measurement)
            self.assertEqual((stored.parsed.value, stored.parsed.unit, stored.parsed.source.type_), (value, "kg", "PATIENT"))
        weight = next(word for word in self.models.GetJsonMeasurementsByTypeApiRefApiRef if word == "weight")
        first = self.call("get_json_measurements_by_type_api_ref", api_ref=weight, limit="2")
        self.assertEqual([entry.value for entry in first.parsed], [63.8, 64.1])
        after = re.search(r"[?&]after=([^&>]+)", first.headers["link"]).group(1)
        rest = self.call("get_json_measurements_by_type_api_ref", api_ref=weight, limit="2", after=after)
        self.assertEqual([entry.value for entry in rest.parsed], [64.5])
        self.assertNotIn("link", rest.headers)

    def test_several_are_posted_at_once_and_come_back_as_a_list(self):
        several = [self.models.NewMeasurement(api_ref="steps", value=steps, date_taken="2026-03-01") for steps in (4000, 5100)]
        stored = self.call("post_json_measurements", body=several).parsed
        self.assertEqual([each.value for each in stored], [4000, 5100])

    def test_a_letter_is_found_and_opened(self):
        letters = self.call("get_json_documents").parsed
        self.assertIn("Appointment letter", [letter.title for letter in letters])
        content = next(attachment.id for letter in letters for attachment in letter.attachments)
        self.assertIn(b"Dear Amina", self.call("get_json_attachments_id", id=content).content)

    def test_what_is_refused_is_a_typed_error_with_its_code_and_the_id_of_the_request(self):
        refused = self.weigh(64, "2126-01-01")
        self.assertEqual(refused.status_code, 422)
        self.assertIsInstance(refused.parsed, self.models.RestError)
        self.assertEqual(refused.parsed.error_code, "UNPROCESSABLE")
        self.assertRegex(refused.parsed.error_message, "^dateTaken: must not be more than a day in the future")
        self.assertTrue(refused.parsed.request_id)


if __name__ == "__main__":
    unittest.main()
