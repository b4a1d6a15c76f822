"""The judge itself: a loss, a revival and an honest crash must not look alike to it."""

import unittest

from judge import Standing, fault, standing

ALIVE = dict(access_before=200, refresh=200, access_after=200)
ROTATED = dict(access_before=200, refresh=400, access_after=401)
DEAD = dict(access_before=401, refresh=400, access_after=401)


def judged(seen, pending=False, retries=False, revocation=None):
    stands = standing(pending=pending, retries=retries, revocation=revocation)
    return fault(stands, pending=pending, retries=retries, **seen)


class Judge(unittest.TestCase):
    def test_an_acknowledged_token_that_works_is_fine(self):
        self.assertIsNone(judged(ALIVE))

    def test_an_acknowledged_token_that_was_lost_is_a_fault(self):
        self.assertIn("nothing was under way", judged(DEAD))
        self.assertIn("nothing was under way", judged(ROTATED))

    def test_an_unanswered_refresh_may_have_happened_or_not(self):
        self.assertIsNone(judged(ALIVE, pending=True))
        self.assertIsNone(judged(ROTATED, pending=True))

    def test_an_unanswered_refresh_does_not_excuse_a_lost_session(self):
        self.assertIsNotNone(judged(DEAD, pending=True))

    def test_a_replay_that_leaves_the_session_alive_is_a_fault(self):
        self.assertIsNotNone(judged(dict(access_before=200, refresh=400, access_after=200), pending=True))

    def test_a_client_with_a_retry_window_gets_its_successor_either_way(self):
        self.assertIsNone(judged(ALIVE, pending=True, retries=True))
        self.assertIsNotNone(judged(ROTATED, pending=True, retries=True))

    def test_a_revival_is_a_fault_whatever_was_under_way(self):
        for pending in (False, True):
            self.assertIsNone(judged(DEAD, pending=pending, revocation="acknowledged"))
            self.assertIsNotNone(judged(ALIVE, pending=pending, revocation="acknowledged"))
            self.assertIsNotNone(judged(ROTATED, pending=pending, revocation="acknowledged"))

    def test_an_unanswered_revocation_happened_wholly_or_not_at_all(self):
        self.assertIsNone(judged(DEAD, revocation="asked"))
        self.assertIsNone(judged(ALIVE, revocation="asked"))
        self.assertIsNotNone(judged(dict(access_before=401, refresh=200, access_after=200), revocation="asked"))
        self.assertIsNotNone(judged(ROTATED, revocation="asked"))
        self.assertIsNone(judged(ROTATED, revocation="asked", pending=True))

    def test_an_answer_that_is_no_answer_is_a_fault(self):
        self.assertIsNotNone(judged(dict(access_before=500, refresh=500, access_after=500)))

    def test_every_standing_is_reached(self):
        reached = {
            standing(pending=pending, retries=retries, revocation=revocation)
            for pending in (False, True) for retries in (False, True) for revocation in (None, "asked", "acknowledged")
        }
        self.assertEqual(reached, set(Standing))


if __name__ == "__main__":
    unittest.main()
