"""Mail to a real SMTP server: a forgotten password from the link on the sign-in page to the new one, and a server that hangs."""

import email
import email.policy
import html
import queue
import re
import socket
import urllib.parse

from aiosmtpd.controller import Controller
from running import FORM, Running
from service import free_ports
from world import login

OLD = login("amina")["password"]
NEW = "lantern-otter-quilt-90"
ADDRESS = "amina.osei@mail.example"
# However busy the machine is: what is awaited comes, or something is broken.
PATIENCE = 120


class Taken:
    """What the server took."""

    def __init__(self):
        self.mails = queue.Queue()

    async def handle_DATA(self, _server, _session, envelope):
        self.mails.put((envelope.rcpt_tos, email.message_from_bytes(envelope.content, policy=email.policy.default)))
        return "250 taken"


class Mailing(Running):
    """A service that writes to a port of this machine."""

    def setUp(self):
        self.mail_port = free_ports()
        self.environment = {
            "RECORDGATE_MAIL_HOST": "127.0.0.1",
            "RECORDGATE_MAIL_PORT": str(self.mail_port),
            "RECORDGATE_MAIL_FROM": "records@example.org",
            "RECORDGATE_MAIL_SECURITY": "none",
        }
        self.cookie = ""
        super().setUp()

    def receives(self):
        taken = Taken()
        controller = Controller(taken, hostname="127.0.0.1", port=self.mail_port)
        controller.start()
        self.addCleanup(controller.stop)
        return taken.mails

    def sees(self, path):
        status, _, page = self.ask("GET", path, headers={"Cookie": self.cookie})
        self.assertEqual(status, 200, page)
        return page

    def fills(self, path, page=None, **fields):
        """Fills in the form of a page and sends it."""
        page = page or self.sees(path)
        form = page.split(f'action="{path}"')[1] if f'action="{path}"' in page else page
        sealed = re.search(r'name="form" value="([^"]*)"', form)
        if sealed:
            fields["form"] = html.unescape(sealed.group(1))
        body = urllib.parse.urlencode(fields)
        status, headers, text = self.ask("POST", path, body, {**FORM, "Cookie": self.cookie})
        given = [line.split(";")[0] for line in headers.get_all("Set-Cookie") or []]
        self.cookie = "; ".join(given) or self.cookie
        return status, headers, text

    def signs_in(self, typed):
        self.cookie = ""
        return self.fills("/sign-in", username="amina", password=typed, next="")[0]

    def link(self, mails):
        """The path of the link in the next mail."""
        recipients, mail = mails.get(timeout=PATIENCE)
        self.assertEqual((recipients, mail["To"]), ([ADDRESS], ADDRESS))
        text = mail.get_content()
        self.assertNotIn("Osei", text)
        return re.search(re.escape(self.service.base) + r"(/\S+/\S+)", text).group(1)

    def confirms(self, mails):
        self.assertEqual(self.signs_in(OLD), 303)
        page = self.sees("/account")
        self.assertEqual(self.fills("/account/email", page, email=ADDRESS, password=OLD)[0], 303)
        link = self.link(mails)
        self.assertEqual(self.fills(link)[0], 303)
        self.assertIn(ADDRESS, self.sees("/account"))


class Mail(Mailing):
    def test_a_forgotten_password_is_changed_by_a_link_that_was_mailed(self):
        mails = self.receives()
        self.confirms(mails)
        self.cookie = ""
        self.assertIn('href="/forgotten-password"', self.sees("/sign-in"))
        self.assertIn("Look at your mail", self.fills("/forgotten-password", name="amina")[2])
        link = self.link(mails)
        self.assertEqual(self.fills(link, new_password=NEW, repeated=NEW)[0], 303)
        self.assertEqual(self.signs_in(OLD), 401)
        self.assertEqual(self.signs_in(NEW), 303)
        self.assertIn("password of your account was changed", mails.get(timeout=PATIENCE)[1]["Subject"])
        self.assertEqual(self.ask("GET", link)[0], 410)

    def test_what_waits_survives_a_restart_and_no_line_comes_into_a_head(self):
        self.assertEqual(self.fills("/forgotten-password", name="amina\r\nBcc: thief@mail.example")[0], 400)
        self.assertEqual(self.signs_in(OLD), 303)
        self.assertEqual(self.fills("/account/email", self.sees("/account"), email=ADDRESS, password=OLD)[0], 303)
        self.service.kill()
        mails = self.receives()
        self.service.start()
        self.assertIn("/account/confirm/", self.link(mails))

    def test_a_server_that_hangs_keeps_nobody_waiting_and_not_the_end(self):
        with socket.create_server(("127.0.0.1", self.mail_port)) as silent:
            self.assertEqual(self.signs_in(OLD), 303)
            page = self.sees("/account")
            self.assertEqual(self.fills("/account/email", page, email=ADDRESS, password=OLD)[0], 303)
            held, _ = silent.accept()
            for _ in range(20):
                self.sees("/account")
            self.assertEqual(self.service.stop(), 0)
            held.close()
