"""The files of deploy/ held to each other and to what the program really accepts."""

import json
import re
import unittest

from said import (
    COMPOSE, DOCKERFILE, FILES, KUBERNETES, NGINX, UNIT, container, container_environment, default, known_variables, of_kind, pod, program,
    seconds,
)

NODES = [COMPOSE["services"][name] for name in ("node1", "node2")]


class Program(unittest.TestCase):
    """What the files ask of the program exists."""

    def test_every_variable_is_one_that_the_program_reads(self):
        known = known_variables()
        for path in FILES:
            used = set(re.findall(r"RECORDGATE_[A-Z_]*[A-Z]", path.read_text()))
            self.assertEqual(used - known, set(), path.name)

    def test_every_command_and_option_is_one_that_the_program_has(self):
        commands = re.search(r"Commands:\n(.*?)\n\n", program("--help"), re.DOTALL)[1]
        commands = set(re.findall(r"^  (\w+)", commands, re.MULTILINE))
        self.assertIn("serve", commands)
        for path in FILES:
            for command, rest in re.findall(r"(?:^|[`/ ])recordgate (?!recordgate\b)([a-z]+)\b((?: --?[\w-]+)*)", path.read_text(), re.MULTILINE):
                self.assertIn(command, commands, path.name)
                for option in rest.split():
                    self.assertIn(option, program(command, "--help"), path.name)

    def test_every_value_is_one_that_the_program_takes(self):
        node = {name: re.sub(r"\$\{BASE_URL[^}]*\}", "https://records.example.org", value) for name, value in NODES[0]["environment"].items()}
        node = {name: re.sub(r"\$\{DATABASE_PASSWORD[^}]*\}", "secret", value) for name, value in node.items()}
        manifest = container_environment()
        manifest["RECORDGATE_DATABASE"] = of_kind("Secret")["stringData"]["database-url"]
        unit = dict(re.findall(r"^Environment=(\w+)=(.*)$", UNIT, re.MULTILINE))
        image = dict(re.findall(r"(RECORDGATE_\w+)=(\S+)", DOCKERFILE))
        for environment in (node, manifest, unit, image):
            told = json.loads(program("config", "--json", **environment))
            for name in environment:
                self.assertIn(f"environment {name}", [value["from"] for value in told.values()])

    def test_the_image_runs_what_the_program_has(self):
        self.assertEqual(json.loads(re.search(r"^CMD (.*)$", DOCKERFILE, re.MULTILINE)[1]), ["serve"])
        health = json.loads(re.search(r"^HEALTHCHECK .* CMD (.*)$", DOCKERFILE, re.MULTILINE)[1])
        self.assertEqual(health[0], json.loads(re.search(r"^ENTRYPOINT (.*)$", DOCKERFILE, re.MULTILINE)[1])[0])
        self.assertIn("/readyz", program(*health[1:], "--help"))


class Agreement(unittest.TestCase):
    """Ports, limits and patience are the same wherever they are said."""

    def test_the_ports_agree(self):
        self.assertEqual(NODES[0]["environment"]["RECORDGATE_LISTEN"], "0.0.0.0:8080")
        self.assertEqual(set(re.findall(r"server (node\d:\d+)", NGINX)), {"node1:8080", "node2:8080"})
        self.assertEqual(re.search(r"RECORDGATE_LISTEN=(\S+)", DOCKERFILE)[1], "0.0.0.0:8080")
        self.assertEqual(set(re.findall(r"listen (\d+)", NGINX)), {port.split(":")[1] for port in COMPOSE["services"]["proxy"]["ports"]})
        ports = {port["name"]: port["containerPort"] for port in container()["ports"]}
        listens = {"http": "RECORDGATE_LISTEN", "metrics": "RECORDGATE_METRICS"}
        for name, variable in listens.items():
            self.assertEqual(container_environment()[variable], f"0.0.0.0:{ports[name]}")
        admitted = {port["port"] for rule in of_kind("NetworkPolicy")["spec"]["ingress"] for port in rule["ports"]}
        self.assertEqual(admitted, set(ports.values()))
        self.assertEqual(of_kind("Service")["spec"]["ports"][0]["targetPort"], "http")

    def test_whoever_stops_a_node_waits_longer_than_it_takes_to_finish(self):
        finish = default("shutdown_seconds")
        self.assertGreater(seconds(NODES[0]["stop_grace_period"]), finish)
        self.assertGreater(int(re.search(r"^TimeoutStopSec=(\d+)$", UNIT, re.MULTILINE)[1]), finish)
        finish = int(container_environment()["RECORDGATE_SHUTDOWN_SECONDS"])
        before = container()["lifecycle"]["preStop"]["sleep"]["seconds"]
        self.assertGreater(pod()["terminationGracePeriodSeconds"], before + finish)

    def test_whoever_asks_a_node_waits_longer_than_it_takes_to_say_that_the_database_is_away(self):
        answer = default("postgres.answer_within_ms") / 1000
        self.assertGreater(seconds(re.search(r"proxy_read_timeout (\w+);", NGINX)[1]), answer)
        self.assertGreater(container()["readinessProbe"]["timeoutSeconds"], answer)
        self.assertGreater(seconds(re.search(r"--timeout=(\w+)", DOCKERFILE)[1]), answer)

    def test_the_largest_body_is_the_same_for_the_proxy_and_the_service(self):
        limit = f"{default('api_body_mib')}m"
        self.assertEqual(re.findall(r"client_max_body_size (\w+);", NGINX), [limit])
        self.assertEqual(of_kind("Ingress")["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-body-size"], limit)

    def test_no_proxy_repeats_what_may_have_changed_something(self):
        repeats = re.findall(r"^\s*proxy_next_upstream (.*);$", NGINX, re.MULTILINE)
        annotation = of_kind("Ingress")["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-next-upstream"]
        self.assertEqual([*repeats, annotation], ["error timeout", "error timeout"])


class Kubernetes(unittest.TestCase):
    def test_the_probes_ask_for_paths_that_are_there(self):
        paths = {probe: container()[probe]["httpGet"]["path"] for probe in ("startupProbe", "livenessProbe", "readinessProbe")}
        # A database that is away must not have the process started anew.
        self.assertEqual(paths, {"startupProbe": "/healthz", "livenessProbe": "/healthz", "readinessProbe": "/readyz"})

    def test_every_selector_finds_the_pods_and_everything_is_in_one_namespace(self):
        labels = of_kind("Deployment")["spec"]["template"]["metadata"]["labels"]
        selectors = [of_kind(kind)["spec"]["selector"]["matchLabels"] for kind in ("Deployment", "PodDisruptionBudget")]
        selectors += [of_kind("Service")["spec"]["selector"], of_kind("NetworkPolicy")["spec"]["podSelector"]["matchLabels"]]
        selectors += [pod()["topologySpreadConstraints"][0]["labelSelector"]["matchLabels"]]
        self.assertEqual(selectors, [labels] * 5)
        namespace = of_kind("Namespace")["metadata"]["name"]
        self.assertEqual({m["metadata"]["namespace"] for m in KUBERNETES if m["kind"] != "Namespace"}, {namespace})

    def test_one_node_is_always_left(self):
        self.assertGreater(of_kind("Deployment")["spec"]["replicas"], of_kind("PodDisruptionBudget")["spec"]["minAvailable"])
        self.assertEqual(of_kind("Deployment")["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"], 0)

    def test_every_container_is_confined_and_none_is_root(self):
        self.assertTrue(pod()["securityContext"]["runAsNonRoot"])
        self.assertFalse(pod()["automountServiceAccountToken"])
        for each in pod()["initContainers"] + pod()["containers"]:
            context = each["securityContext"]
            self.assertTrue(context["readOnlyRootFilesystem"], each["name"])
            self.assertFalse(context["allowPrivilegeEscalation"], each["name"])
            self.assertEqual(context["capabilities"], {"drop": ["ALL"]}, each["name"])
            self.assertIn("memory", each["resources"]["limits"], each["name"])

    def test_what_is_mounted_is_there_and_the_ring_is_where_the_service_looks(self):
        volumes = {volume["name"] for volume in pod()["volumes"]}
        for each in pod()["initContainers"] + pod()["containers"]:
            self.assertLessEqual({mount["name"] for mount in each["volumeMounts"]}, volumes)
        command = pod()["initContainers"][0]["command"]
        self.assertEqual((command[:3], command[-1]), (["install", "-m", "0600"], container_environment()["RECORDGATE_KEYS"]))
        self.assertNotIn("secret", {mount["name"] for mount in container()["volumeMounts"]}, "a ring that others can read")


class Compose(unittest.TestCase):
    def test_both_nodes_are_alike_and_share_the_database_and_the_ring(self):
        self.assertEqual(NODES[0], NODES[1])
        [volume] = NODES[0]["volumes"]
        name, folder = volume.split(":")
        self.assertIn(name, COMPOSE["volumes"])
        self.assertEqual(NODES[0]["environment"]["RECORDGATE_KEYS"], f"{folder}/keys")
        self.assertIn("@database:5432/recordgate", NODES[0]["environment"]["RECORDGATE_DATABASE"])

    def test_the_nodes_are_confined_and_nobody_outside_reaches_them_or_the_database(self):
        for node in NODES:
            self.assertEqual((node["read_only"], node["cap_drop"]), (True, ["ALL"]))
        self.assertTrue(COMPOSE["networks"]["inside"]["internal"])
        open_to_all = [name for name, service in COMPOSE["services"].items() if "ports" in service or "outside" in service["networks"]]
        self.assertEqual(open_to_all, ["proxy"])

    def test_the_image_is_not_root(self):
        self.assertEqual(re.findall(r"^USER (.*)$", DOCKERFILE, re.MULTILINE), ["65532:65532"])
        self.assertEqual(pod()["securityContext"]["runAsUser"], 65532)


if __name__ == "__main__":
    unittest.main()
