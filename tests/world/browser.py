"""A person at a browser without script, by the standard library: pages, forms, cookies, redirects."""

import http.cookiejar
import urllib.error
import urllib.parse
import urllib.request

from forms import read_page


class _StayPut(urllib.request.HTTPRedirectHandler):
    """Hands redirects back, so that one which leaves the service can be caught."""

    def redirect_request(self, *_):
        return None


class Page:
    def __init__(self, url, status, headers, text):
        self.url, self.status, self.headers, self.text = url, status, headers, text
        self.forms, self.outputs = read_page(text)

    @property
    def leads_to(self):
        return self.headers.get("Location")

    def form(self, *fields):
        """The one form of the page that has all these fields."""
        for form in self.forms:
            if all(field in form.names for field in fields):
                return form
        raise AssertionError(f"{self.url} ({self.status}) has no form with {fields}:\n{self.text}")


class Browser:
    """One person's browser: keeps cookies, follows redirects inside the service, stops at those that leave it."""

    def __init__(self, base):
        self.base = base
        self.opener = urllib.request.build_opener(
            _StayPut, urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )

    def open(self, path, body=None):
        url = urllib.parse.urljoin(self.base, path)
        for _ in range(5):
            page = self._once(url, body)
            if page.leads_to is None:
                return page
            url, body = urllib.parse.urljoin(url, page.leads_to), None
            if not url.startswith(self.base + "/"):
                return page
        raise AssertionError(f"{path} redirects in a circle")

    def submit(self, page, form, **filled):
        """Posts the form as a browser does: its own fields, what the person filled in, the button they pressed."""
        body = urllib.parse.urlencode({**form.values, **filled}).encode()
        return self.open(urllib.parse.urljoin(page.url, form.action), body)

    def _once(self, url, body):
        request = urllib.request.Request(url, data=body, headers={"Accept": "text/html"})
        try:
            answer = self.opener.open(request, timeout=120)
        except urllib.error.HTTPError as refused:
            answer = refused
        with answer:
            return Page(url, answer.status, answer.headers, answer.read().decode())

    def sign_in(self, username, password):
        page = self.open("/sign-in")
        return self.submit(page, page.form("username", "password"), username=username, password=password)

    def approve(self, authorization_url, username, password, decision="approve"):
        """Fills in the authorization page and returns the address that it redirects to."""
        page = self.open(authorization_url)
        form = page.form("username", "password", "decision")
        landed = self.submit(page, form, username=username, password=password, decision=decision)
        if landed.leads_to is None:
            raise AssertionError(f"no redirect but {landed.status}:\n{landed.text}")
        return landed.leads_to

    def grant(self, client_id):
        """A signed-in Team Coordinator grants a client access; returns the refresh token that is shown once."""
        query = urllib.parse.urlencode({"client_id": client_id})
        page = self.open(f"/coordinator/api-access/check?{query}")
        shown = self.submit(page, page.form("check"), existing="keep")
        return shown.outputs["refresh-token"].strip()
