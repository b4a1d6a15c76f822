"""Who signed in: an id_token as authlib and joserfc read it, and a second factor by pyotp, all unmodified."""

import re
import time
import unittest

import pyotp
import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import BadSignatureError
from joserfc.jwk import KeySet

from apps import REDIRECT, VERIFIER, Browser, WithService, login

CLIENT = "my-letters"
SCOPE = "openid fhirUser launch/patient patient/*.rs"
STEP_SECONDS = 30


class WithOpenIdApp(WithService):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.service.cli("client", "add", "--kind", "user", "--smart", "--client-id", CLIENT, "--owner", "Letters Ltd",
                        "--product", "My Letters", "--redirect-uri", "http://127.0.0.1/callback")
        cls.discovered = requests.get(f"{cls.base}/.well-known/openid-configuration", timeout=60).json()

    def request(self, nonce):
        """The app, and the address to which it sends people."""
        app = OAuth2Session(CLIENT, scope=SCOPE, redirect_uri=REDIRECT, code_challenge_method="S256",
                            token_endpoint_auth_method="none")
        url, state = app.create_authorization_url(
            self.discovered["authorization_endpoint"], code_verifier=VERIFIER, nonce=nonce, aud=f"{self.base}/fhir")
        return app, url, state

    def redeemed(self, app, landed, state):
        return app.fetch_token(self.discovered["token_endpoint"], authorization_response=landed, state=state,
                               code_verifier=VERIFIER)

    def keys(self):
        return KeySet.import_key_set(requests.get(self.discovered["jwks_uri"], timeout=60).json())

    def claims(self, token, nonce):
        """The claims of an id_token, as a relying party believes them."""
        read = jwt.decode(token["id_token"], self.keys(), algorithms=self.discovered["id_token_signing_alg_values_supported"])
        options = {"iss": {"essential": True, "value": self.base}, "aud": {"essential": True, "value": CLIENT}}
        params = {"nonce": nonce, "client_id": CLIENT, "access_token": token["access_token"]}
        claims = CodeIDToken(read.claims, read.header, options, params)
        claims.validate()
        return claims


class WhoSignedIn(WithOpenIdApp):
    def test_an_id_token_is_believed_by_its_keys_its_nonce_and_the_access_token_beside_it(self):
        app, url, state = self.request("n-1")
        token = self.redeemed(app, Browser(self.base).approve(url, *login("amina").values()), state)
        claims = self.claims(token, "n-1")
        told = app.get(self.discovered["userinfo_endpoint"]).json()
        self.assertEqual(told["sub"], claims["sub"])
        self.assertEqual(claims["fhirUser"], f"{self.base}/fhir/Patient/amina-osei")
        self.assertEqual((claims["acr"], claims["amr"]), ("urn:recordgate:1", ["pwd"]))
        head, body, signature = token["id_token"].split(".")
        forged = ".".join([head, body, ("B" if signature[0] == "A" else "A") + signature[1:]])
        with self.assertRaises(BadSignatureError):
            jwt.decode(forged, self.keys(), algorithms=["RS256"])


class SecondFactor(WithOpenIdApp):
    def test_codes_of_pyotp_are_asked_for_and_the_id_token_says_that_one_was_shown(self):
        person = login("amina")
        browser = Browser(self.base)
        browser.sign_in(person["username"], person["password"])
        page = browser.open("/second-factor")
        page = browser.submit(page, page.form("form", "password"), password=person["password"], decision="set-up")
        secret = re.search(r'<code class="secret">([^<]+)</code>', page.text).group(1).replace(" ", "")
        codes, now = pyotp.TOTP(secret), time.time()
        page = browser.submit(page, page.form("code"), code=codes.at(now))
        self.assertIn("recovery codes", page.text)

        app, url, state = self.request("n-2")
        other = Browser(self.base)
        page = other.open(url)
        page = other.submit(page, page.form("username", "password"), decision="approve", **person)
        page = other.submit(page, page.form("code"), code=codes.at(now), decision="approve")
        self.assertNotIn("code=", page.leads_to or "", "a code is good once")

        other, (app, url, state) = Browser(self.base), self.request("n-3")
        page = other.open(url)
        page = other.submit(page, page.form("username", "password"), decision="approve", **person)
        landed = other.submit(page, page.form("code"), code=codes.at(now + STEP_SECONDS), decision="approve").leads_to
        claims = self.claims(self.redeemed(app, landed, state), "n-3")
        self.assertEqual(claims["acr"], "urn:recordgate:2")
        self.assertEqual(sorted(claims["amr"]), ["mfa", "otp", "pwd"])


if __name__ == "__main__":
    unittest.main()
