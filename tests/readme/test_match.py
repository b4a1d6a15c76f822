"""The comparison of shown and real output: it must be able to say no."""

import unittest

from match import json_matches, text_matches


class Text(unittest.TestCase):
    def test_the_same_lines_match_whatever_blanks_surround_them(self):
        self.assertTrue(text_matches("one\ntwo\n", "one\ntwo  \n\n"))

    def test_another_line_or_another_order_does_not_match(self):
        self.assertFalse(text_matches("one", "one\ntwo"))
        self.assertFalse(text_matches("two\none", "one\ntwo"))

    def test_dots_stand_for_a_part_of_a_line_or_for_whole_lines(self):
        self.assertTrue(text_matches("token rga_… for …", "token rga_AbC for amina"))
        self.assertTrue(text_matches("first\n…\nlast", "first\nlast"))
        self.assertTrue(text_matches("first\n…\nlast", "first\n2\n3\nlast"))
        self.assertFalse(text_matches("first …", "first \nsecond"))
        self.assertFalse(text_matches("a.c", "abc"))


class Json(unittest.TestCase):
    def test_spelling_and_order_of_keys_do_not_matter_but_values_do(self):
        self.assertTrue(json_matches('{"a": 1, "b": [true, null]}', '{"b":[true,null],"a":1}'))
        self.assertFalse(json_matches('{"a": 1}', '{"a": 2}'))
        self.assertFalse(json_matches('{"a": 1}', '{"a": true}'))

    def test_dots_stand_for_a_value_a_part_of_a_string_or_further_keys(self):
        self.assertTrue(json_matches('{"a": "…", "t": "rga_…"}', '{"a": {"deep": 1}, "t": "rga_x"}'))
        self.assertTrue(json_matches('{"a": 1, "…": "…"}', '{"a": 1, "b": 2}'))
        self.assertFalse(json_matches('{"a": 1, "…": "…"}', '{"b": 2}'))
        self.assertFalse(json_matches('{"t": "rga_…"}', '{"t": "rgr_x"}'))

    def test_dots_in_a_list_stand_for_any_number_of_items(self):
        self.assertTrue(json_matches('[1, "…", 4]', "[1, 2, 3, 4]"))
        self.assertTrue(json_matches('["…"]', "[]"))
        self.assertFalse(json_matches('["…", 4]', "[1]"))

    def test_what_is_not_json_does_not_match(self):
        self.assertFalse(json_matches('{"a": 1}', "curl: (7) refused"))


if __name__ == "__main__":
    unittest.main()
