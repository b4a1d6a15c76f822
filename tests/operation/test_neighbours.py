"""One caller's 200 connections keep nobody else out: whatever they ask for, a good client's requests are all answered, and so are
its writes. How long that takes is the benchmark's to say (`neighbour_p99_ratio`)."""

import itertools
import json
import threading
import unittest

from flood import FHIR, Flooded, Sender

CONNECTIONS = 200
# Answers to the nuisance before the good client comes, and what it asks beside.
BEFORE = 100
ROUNDS = 10
MIB = 1024 * 1024
# What a flood may hear: it is answered, or told why not. Nothing of it is trouble.
ANSWERED = {200, 201, 400, 409, 412, 422, 429, 503}
NESTED_HAS = (
    "/fhir/Patient?_has:Observation:patient:encounter._has:Observation:encounter:encounter."
    "_has:Observation:encounter:value-quantity=gt100000"
)


def observation(codes=1, start=0):
    codings = [{"system": "http://loinc.org", "code": f"c-{number:04}"} for number in range(start, start + codes)]
    about = {"reference": "Patient/amina-osei"}
    return {"resourceType": "Observation", "status": "final", "subject": about, "code": {"coding": codings}}


def transaction(method, url, resources):
    entries = [{"resource": one, "request": {"method": method, "url": url(one)}} for one in resources]
    return json.dumps({"resourceType": "Bundle", "type": "transaction", "entry": entries})


class Neighbours(Flooded):
    def flood(self, *requests, listens=True):
        """200 connections that go on asking for these, in the name of the first caller."""
        whole = [(self.head(method, path, FHIR, len(body)), body.encode()) for method, path, body in requests]
        for number in range(CONNECTIONS):
            turn = itertools.cycle(whole[number % len(whole):] + whole[: number % len(whole)])
            self.senders.append(Sender(self.service.port, turn, self.loop))
        if listens:
            self.drive(lambda: self.answered() >= BEFORE, "the flood is not answered")

    def is_served(self):
        """What the second caller hears meanwhile."""
        heard = []

        def good():
            for _ in range(ROUNDS):
                heard.append(self.ask("GET", "/fhir/Patient/amina-osei", headers=self.headers(1)))
                heard.append(self.ask("POST", "/fhir/Observation", json.dumps(observation()), self.headers(1)))
                heard.append(self.ask("GET", "/fhir/Observation?patient=amina-osei&_count=5", headers=self.headers(1)))
                heard.append(self.client_credentials())

        client = threading.Thread(target=good, daemon=True)
        client.start()
        self.drive(lambda: not client.is_alive(), "the good client is not answered")
        self.assertEqual([status for status, _, _ in heard], [200, 201, 200, 200] * ROUNDS, heard)
        self.assertLessEqual(self.statuses(), ANSWERED)
        metrics = self.ask("GET", "/metrics", port=self.metrics_port)[2]
        count = lambda line: int(line.rsplit(" ", 1)[1])
        of_status = [line for line in metrics.splitlines() if line.startswith("recordgate_requests_total{")]
        trouble = [line for line in of_status if 'status="500"' in line and count(line) > 0]
        self.assertEqual(trouble, [])
        self.assertIn("recordgate_lost_accesses_total 0", metrics)

    def beside(self, *requests):
        self.flood(*requests)
        self.is_served()

    def get(self, path):
        return "GET", path, ""

    def test_a_costly_search(self):
        self.beside(self.get("/fhir/Observation?code=http://loinc.org%7Cc-0000&value-quantity=gt100&_sort=-date"))

    def test_a_search_that_takes_all_the_time_that_it_may_have(self):
        self.beside(self.get(NESTED_HAS))

    def test_includes_that_go_on(self):
        self.beside(self.get("/fhir/Patient?_id=amina-osei&" + "&".join(["_revinclude:iterate=*"] * 45)))

    def test_validation(self):
        self.beside(("POST", "/fhir/Observation/$validate", json.dumps(observation(codes=800))))

    def test_bodies_that_are_refused(self):
        self.beside(("POST", "/fhir/Observation", '{"resourceType":"Observation","extension":[' + "1," * (MIB // 2) + "1]}"))

    def test_transactions_that_create(self):
        self.beside(("POST", "/fhir", transaction("POST", lambda _: "Observation", [observation(codes=10)] * 200)))

    def test_transactions_that_update(self):
        number = lambda at: f"0190a0c4-7e1a-7c3e-9f00-{at:012x}"
        rounds = [
            [{**observation(codes=10, start=start), "id": number(at)} for at in range(50)] for start in (0, 5)
        ]
        url = lambda one: f"Observation/{one['id']}"
        self.beside(*[("POST", "/fhir", transaction("PUT", url, one)) for one in rounds])

    def test_documents_without_a_token(self):
        self.beside(self.get("/openapi.json"), self.get("/docs"))

    def test_answers_that_nobody_reads(self):
        self.flood(self.get("/openapi.json"), listens=False)
        for sender in self.senders:
            # From now on it sends what it has, and never reads.
            self.loop.unregister(sender.wire)
            sender.wire.setblocking(True)
            sender.wire.sendall(sender.left)
        held, self.senders = self.senders, []
        self.addCleanup(lambda: [sender.wire.close() for sender in held])
        self.is_served()


if __name__ == "__main__":
    unittest.main()
