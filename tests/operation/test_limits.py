"""The limits of docs/gaps.md at a real socket: bodies, headers, and failures that are throttled."""

import unittest

from running import FORM, Running

TOO_OFTEN = 200


class Limits(Running):
    def test_a_token_request_of_more_than_16_kib_is_413(self):
        self.assertEqual(self.ask("POST", "/apiToken.action", "x=" + "a" * (16 * 1024), FORM)[0], 413)

    def test_a_header_block_of_more_than_32_kib_is_431(self):
        self.assertEqual(self.ask("GET", "/fhir/metadata", headers={"X-Long": "a" * (33 * 1024)})[0], 431)

    def test_many_wrong_secrets_are_429_with_retry_after_while_an_innocent_client_gets_through(self):
        heard = self.fail_until_throttled()
        self.assertRegex(heard["Retry-After"] or "", r"^\d+$")
        self.service.cli("apply", str(self.second_client()))
        self.assertEqual(self.client_credentials("innocent", "innocent-secret-7Hq2Lm9Zc4Tb")[0], 200)

    def fail_until_throttled(self):
        for _ in range(TOO_OFTEN):
            status, headers, _ = self.client_credentials(client_secret="guess")
            if status == 429:
                return headers
        self.fail(f"{TOO_OFTEN} wrong secrets and no 429")

    def test_successes_are_never_throttled(self):
        self.assertEqual({self.client_credentials()[0] for _ in range(TOO_OFTEN)}, {200})

    def second_client(self):
        file = self.service.directory / "innocent.toml"
        file.write_text(
            '[[client]]\nclient_id = "innocent"\nkind = "system"\nowner = "Innocent Ltd"\nproduct = "Innocent"\n'
            'secret = "innocent-secret-7Hq2Lm9Zc4Tb"\n'
        )
        return file


if __name__ == "__main__":
    unittest.main()
