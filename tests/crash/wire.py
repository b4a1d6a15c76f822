"""The token endpoint and one API call over a connection that is kept open, telling unsent from unanswered."""

import http.client
import json
import urllib.parse

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Unsent(Exception):
    """Nobody listened: the service cannot have seen the request."""


class Unanswered(Exception):
    """The request may have arrived, but no whole answer came back."""


class Wire:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def close(self):
        self.connection.close()

    def _ask(self, method, path, body=None, headers=None):
        if self.connection.sock is None:
            try:
                self.connection.connect()
            except OSError as refused:
                raise Unsent from refused
        try:
            self.connection.request(method, path, body, headers or {})
            answer = self.connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as cut:
            self.connection.close()
            raise Unanswered from cut

    def token(self, **fields):
        status, body = self._ask("POST", "/apiToken.action", urllib.parse.urlencode(fields), FORM)
        return status, json.loads(body)

    def refresh(self, client_id, refresh_token):
        return self.token(grant_type="refresh_token", client_id=client_id, refresh_token=refresh_token)

    def access(self, access_token):
        status, _ = self._ask("GET", "/json/users/self", headers={"Authorization": f"Bearer {access_token}"})
        return status
