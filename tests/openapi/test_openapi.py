"""`/openapi.json` held against the service that serves it: by schemathesis, and by the answers that clients hope for."""

import base64
import json
import os
import pathlib
import subprocess
import sys
import unittest

import requests
import schemathesis

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path.insert(0, str(TESTS / "clients/python"))

from apps import REDIRECT, WithService  # noqa: E402
from world import secret  # noqa: E402

# The same requests in every run, by one worker: several share one core, send in another order each time, and CPython 3.11 now and
# then fails to parse a source in two threads at once ("AST constructor recursion depth mismatch").
# Of the custom REST API's 83 operations each parameter, and each member of a body, is tried by itself before random ones are: so
# fewer of those.
SEED, EXAMPLES, EXAMPLES_OF_MANY = "20", "100", "15"
ALL, WITHOUT_EACH_MEMBER = "examples,coverage,fuzzing", "examples,fuzzing"
PATIENCE_SECONDS = 600
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
    "response_headers_conformance,unsupported_method,allow_header_conformance"
)
LETTER = "letter-1"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


class OpenApi(WithService):
    """A service for each test: so many failures from one address must not be held against the next."""

    @classmethod
    def setUpClass(cls):
        pass

    def setUp(self):
        super().setUpClass()
        self.addCleanup(self.doClassCleanups)

    def attempts(self, *options, document=None, config="", phases=ALL, examples=EXAMPLES):
        """Has schemathesis make requests of all that the document says, and of what it does not."""
        settings = self.service.directory / "schemathesis.toml"
        settings.write_text(config)
        return subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", "--config-file", settings, "run",
             document or f"{self.base}/openapi.json", "--url", self.base, "--checks", CHECKS,
             "--phases", phases, "--seed", SEED, "--max-examples", examples, "--workers", "1",
             "--max-redirects", "0", "--no-color", "--continue-on-failure", "--generation-database", "none", *options],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_SECONDS,
            cwd=self.service.directory, env=os.environ | {"SCHEMATHESIS_HOOKS": "addresses", "PYTHONPATH": str(HERE)},
        )

    def try_everything(self, *options, **settings):
        done = self.attempts(*options, **settings)
        self.assertEqual(done.returncode, 0, done.stdout[-20000:] + done.stderr)

    def test_whatever_a_stranger_sends_is_answered_as_documented(self):
        # Not the FHIR API: which parameters and elements there are depends on the type, which R4 and /fhir/metadata say and this
        # document does not. What it answers is held to R4 by the suites `answers` and `search`, and each status to this document by the
        # service's own tests (contract/kit/reference.rs).
        self.try_everything("--exclude-path-regex", "^/(json|fhir)")

    def test_whatever_a_stranger_sends_to_the_custom_rest_api_is_answered_as_documented(self):
        # Refused whatever else is in it.
        self.try_everything("--include-path-regex", "^/json", phases=WITHOUT_EACH_MEMBER, examples=EXAMPLES_OF_MANY)

    def test_whatever_a_persons_app_sends_is_answered_as_documented(self):
        token = self.approved(self.phone_app())["access_token"]
        of_person = ("-H", f"Authorization: Bearer {token}")
        self.try_everything("--include-path-regex", "^/json", *of_person, examples=EXAMPLES_OF_MANY)

    def test_whatever_a_known_client_sends_is_answered_as_documented(self):
        self.try_everything("--include-tag", "token", "-H", f"Authorization: {basic('letter-sender', secret('letter-sender'))}")

    def test_whatever_is_asked_of_a_person_is_answered_as_documented(self):
        # All is right but the state, which is the app's own affair.
        right = {"client_id": "sleep-diary", "response_type": "code", "redirect_uri": REDIRECT, "scope": "PATIENT",
                 "code_challenge": CHALLENGE, "code_challenge_method": "S256"}
        lines = [f"{name} = {json.dumps(value)}" for name, value in right.items()]
        self.try_everything("--include-path", "/apiAuthorize.action", config="\n".join(["[parameters]", *lines]))

    def test_a_status_that_is_not_documented_is_found(self):
        document = requests.get(f"{self.base}/openapi.json", timeout=120).json()
        del document["paths"]["/apiToken.action"]["post"]["responses"]["400"]
        shorter = self.service.directory / "shorter.json"
        shorter.write_text(json.dumps(document))
        done = self.attempts("--include-path", "/apiToken.action", document=shorter)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("Undocumented", done.stdout)

    def test_the_answers_that_clients_hope_for_are_documented(self):
        app = self.phone_app()
        token = self.approved(app)
        bearer = {"Authorization": f"Bearer {token['access_token']}"}
        # The other prefixes answer alike, and the document says so once.
        self.answers(200, "GET", "/json/users/self", headers=bearer)
        self.answers(200, "GET", "/json/attachments/{id}", headers=bearer, path_parameters={"id": LETTER})
        refresh = {"grant_type": "refresh_token", "client_id": "sleep-diary", "refresh_token": token["refresh_token"]}
        renewed = self.answers(200, "POST", "/apiToken.action", body=refresh).json()
        self.answers(200, "POST", "/apiToken.action", body={"grant_type": "client_credentials"},
                     headers={"Authorization": basic("letter-sender", secret("letter-sender"))})
        question = {"token": renewed["access_token"]}
        self.answers(403, "POST", "/apiIntrospect.action", body=question,
                     headers={"Authorization": basic("letter-sender", secret("letter-sender"))})
        asker = json.loads(self.service.cli("client", "add", "--kind", "system", "--owner", "A", "--product", "B",
                                            "--may-introspect", "--json"))
        told = self.answers(200, "POST", "/apiIntrospect.action", body=question,
                            headers={"Authorization": basic(asker["client_id"], asker["secret"])})
        self.assertIs(told.json()["active"], True)
        self.answers(200, "POST", "/apiRevoke.action", body={"client_id": "sleep-diary", "token": renewed["access_token"]})
        self.answers(401, "GET", "/json/users/self", headers={"Authorization": f"Bearer {renewed['access_token']}"})

    def answers(self, status, method, path, body=None, **parts):
        """The answer to this request, which is as documented."""
        if body is not None:
            parts |= {"body": body, "media_type": "application/x-www-form-urlencoded"}
        schema = schemathesis.openapi.from_url(f"{self.base}/openapi.json")
        answer = schema[path][method].Case(**parts).call_and_validate()
        self.assertEqual(answer.status_code, status, answer.text)
        return answer


def basic(client_id, password):
    return "Basic " + base64.b64encode(f"{client_id}:{password}".encode()).decode()


if __name__ == "__main__":
    unittest.main()
