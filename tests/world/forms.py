"""What a page asks for and says: its forms with their fields, and its <output> elements by id."""

from html.parser import HTMLParser


class Form:
    def __init__(self, attributes):
        self.action = attributes.get("action") or ""
        self.names = set()
        self.values = {}

    def take(self, tag, attributes):
        name = attributes.get("name")
        if name is None:
            return
        self.names.add(name)
        kind = attributes.get("type", "text" if tag == "input" else "submit")
        if tag == "input" and kind not in ("submit", "button", "password"):
            self.values[name] = attributes.get("value") or ""


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.forms, self.outputs, self.inside, self.output = [], {}, None, None

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "form":
            self.inside = Form(attributes)
            self.forms.append(self.inside)
        elif tag in ("input", "button") and self.inside is not None:
            self.inside.take(tag, attributes)
        elif tag == "output" and "id" in attributes:
            self.output = attributes["id"]
            self.outputs[self.output] = ""

    def handle_endtag(self, tag):
        if tag == "form":
            self.inside = None
        elif tag == "output":
            self.output = None

    def handle_data(self, data):
        if self.output is not None:
            self.outputs[self.output] += data


def read_page(text):
    reader = _Reader()
    reader.feed(text)
    return reader.forms, reader.outputs
