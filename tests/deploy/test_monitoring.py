"""The alerts and the board of deploy/ as the programs that read them want them. That the metrics in them exist is checked in Rust."""

import json
import re
import unittest

import yaml

from nginx import DEPLOY

ALERTS = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())
BOARD = json.loads((DEPLOY / "grafana-board.json").read_text())
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]


class Alerts(unittest.TestCase):
    def test_the_file_is_groups_of_rules_as_prometheus_reads_them(self):
        self.assertEqual(set(ALERTS), {"groups"})
        for group in ALERTS["groups"]:
            self.assertEqual(set(group), {"name", "rules"})
        for rule in RULES:
            self.assertEqual(set(rule), {"alert", "expr", "for", "labels", "annotations"}, rule)
            self.assertRegex(rule["for"], r"^\d+[smhd]$")
            self.assertIn(rule["labels"]["severity"], {"page", "ticket"})

    def test_every_alert_has_a_name_of_its_own_and_says_what_it_means(self):
        names = [rule["alert"] for rule in RULES]
        self.assertEqual(len(names), len(set(names)))
        for rule in RULES:
            self.assertRegex(rule["alert"], r"^Recordgate[A-Z]\w+$")
            self.assertEqual(set(rule["annotations"]), {"summary", "description"})

    def test_a_label_in_a_description_is_one_that_the_expression_leaves(self):
        for rule in RULES:
            left = re.findall(r"by \(([^)]*)\)", rule["expr"])
            left = {label.strip() for group in left for label in group.split(",")}
            told = set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["description"]))
            self.assertLessEqual(told, left, rule["alert"])


class Board(unittest.TestCase):
    def test_every_query_goes_to_the_chosen_source_and_every_variable_is_one_of_the_board(self):
        variables = {variable["name"] for variable in BOARD["templating"]["list"]} | {"__rate_interval", "__all"}
        self.assertLessEqual(set(re.findall(r"\$\{?(\w+)", json.dumps(BOARD))), variables)
        for panel in BOARD["panels"]:
            for target in panel.get("targets", []):
                self.assertEqual(target["datasource"], {"type": "prometheus", "uid": "${datasource}"}, panel["title"])

    def test_no_two_panels_lie_on_each_other(self):
        places = set()
        for panel in BOARD["panels"]:
            at = panel["gridPos"]
            own = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
            self.assertFalse(places & own, panel["title"])
            places |= own


if __name__ == "__main__":
    unittest.main()
