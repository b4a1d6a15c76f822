"""What may and what may not be true of a session after a crash, given what its client was told before.

A client knows three things: the newest refresh token it was handed, whether a refresh was under way whose answer it never
got, and whether somebody asked to have the session ended. From these follows what a restarted service may answer.
"""

import enum


class Standing(enum.Enum):
    # The newest acknowledged token is current: it must be accepted.
    CURRENT = "nothing was under way"
    # A refresh was sent and never answered; it may or may not have been committed.
    UNANSWERED = "a refresh was under way"
    # The same, for a client with a retry window: asking again must give the successor either way.
    RETRIABLE = "a refresh was under way and may be retried"
    # The revocation was answered: no token of this session may ever work again.
    REVOKED = "the revocation was acknowledged"
    # The revocation was sent and never answered: it happened wholly or not at all.
    MAYBE_REVOKED = "a revocation was under way"


def standing(*, pending, retries, revocation):
    """`pending`: a refresh got no answer. `revocation`: None, "asked" or "acknowledged"."""
    if revocation == "acknowledged":
        return Standing.REVOKED
    if revocation == "asked":
        return Standing.MAYBE_REVOKED
    if pending:
        return Standing.RETRIABLE if retries else Standing.UNANSWERED
    return Standing.CURRENT


def fault(stands, *, pending, retries, access_before, refresh, access_after):
    """The sentence that says what is wrong, or None.

    The statuses are of three probes in this order: the newest acknowledged access token at an API, the newest
    acknowledged refresh token at the token endpoint, the same access token again.
    The first tells a session that is alive but one generation ahead (200) from one that was lost or revoked (401):
    the refresh token is refused in both.
    """
    if stands is Standing.MAYBE_REVOKED:
        # All or nothing: whichever the first probe finds must be true of the rest.
        happened = access_before == 401
        stands = Standing.REVOKED if happened else standing(pending=pending, retries=retries, revocation=None)
    seen = (access_before, refresh, access_after)
    if seen in _ALLOWED[stands]:
        return None
    return f"{stands.value}, yet the access token got {access_before}, the refresh token {refresh}, the access token then {access_after}"


_ALIVE = (200, 200, 200)
# The unanswered refresh had been committed: the old token is now a used one, so presenting it ends the session.
_ROTATED = (200, 400, 401)
_DEAD = (401, 400, 401)

_ALLOWED = {
    Standing.CURRENT: {_ALIVE},
    Standing.UNANSWERED: {_ALIVE, _ROTATED},
    Standing.RETRIABLE: {_ALIVE},
    Standing.REVOKED: {_DEAD},
}
