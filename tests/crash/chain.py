"""One session seen from its client: a chain of refreshes, and the trouble that can befall it."""

import time

from judge import Standing, fault, standing
from wire import Unanswered, Unsent, Wire

RETRIES = "patient-app"


class Chain:
    def __init__(self, client_id, issued):
        """`issued`: what the operator was told of a grant just made: its number and its first refresh token."""
        self.client_id = client_id
        self.retries = client_id == RETRIES
        self.grant = issued["grant"]
        self.used = []
        self.revocation = None
        self.revoked_at = None
        self.faults = []
        self.alive = True
        self.held, self.access, self.pending = issued["refresh_token"], None, False

    def _hold(self, tokens):
        self.held, self.access, self.pending = tokens["refresh_token"], tokens["access_token"], False

    def begin(self, port):
        """The first refresh, which brings the first access token; returns the chain."""
        wire = Wire(port)
        try:
            self._step(wire)
        finally:
            wire.close()
        return self

    def run(self, port, quota, acknowledged):
        """Refreshes up to `quota` times, calling `acknowledged` at each answer, until the service goes away."""
        wire = Wire(port)
        try:
            for _ in range(quota):
                if not self._step(wire):
                    return
                acknowledged()
        finally:
            wire.close()

    def _step(self, wire):
        started = time.monotonic()
        try:
            status, tokens = wire.refresh(self.client_id, self.held)
        except Unsent:
            return False
        except Unanswered:
            self.pending = True
            return False
        if status == 200:
            if self.revoked_at is not None and started > self.revoked_at:
                self.faults.append("a session issued tokens after its revocation was acknowledged")
            self.used.append(self.held)
            self._hold(tokens)
            return True
        if self.revocation is None:
            self.faults.append(f"a current refresh token got {status} {tokens.get('error')}")
        return False

    def replay(self, service):
        """Presents the oldest used refresh token, which must end the session."""
        wire = Wire(service.port)
        self.revocation = "asked"
        try:
            status, answer = wire.refresh(self.client_id, self.used[0])
        except Unsent:
            self.revocation = None
        except Unanswered:
            pass
        else:
            self._revoked()
            if (status, answer.get("error")) != (400, "invalid_grant"):
                self.faults.append(f"a replay got {status} {answer.get('error')}")
        finally:
            wire.close()

    def revoke(self, service):
        """The operator ends the session from the command line."""
        self.revocation = "asked"
        try:
            service.cli("grant", "revoke", self.grant)
        except AssertionError:
            # The command failed with the service under it: it may have got through or not.
            return
        self._revoked()

    def _revoked(self):
        self.revoked_at = time.monotonic()
        self.revocation = "acknowledged"

    def examine(self, port):
        """Asks the restarted service what has become of the session; returns its standing before the crash."""
        stands = standing(pending=self.pending, retries=self.retries, revocation=self.revocation)
        wire = Wire(port)
        try:
            before = wire.access(self.access)
            status, tokens = wire.refresh(self.client_id, self.held)
            after = wire.access(self.access)
            found = fault(
                stands, pending=self.pending, retries=self.retries,
                access_before=before, refresh=status, access_after=after,
            )
            if status == 200 and found is None:
                found = self._successor_fault(wire, tokens)
        finally:
            wire.close()
        if found:
            self.faults.append(found)
        self.alive = status == 200
        if self.alive and stands is Standing.MAYBE_REVOKED:
            # It did not happen; the session goes on as any other.
            self.revocation = None
        return stands

    def _successor_fault(self, wire, tokens):
        """The successor must be a token like any other: usable once, and so usable now."""
        self.used.append(self.held)
        self._hold(tokens)
        status, tokens = wire.refresh(self.client_id, self.held)
        if status != 200:
            return f"the successor handed out after the crash got {status} {tokens.get('error')}"
        self.used.append(self.held)
        self._hold(tokens)
        return None
