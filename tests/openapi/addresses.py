"""Which of schemathesis's requests are made: those whose head the connection reads to its end. It refuses a longer one itself (431),
before anybody knows what path it has and how that speaks."""

import schemathesis

# Of rules::limits::HEADER_BLOCK_BYTES, with room for the headers.
LONGEST = 24 * 1024


@schemathesis.hook
def filter_case(context, case):
    sent = case.as_transport_kwargs(base_url="http://service")
    values = [*(sent.get("params") or {}).items(), *(sent.get("headers") or {}).items(), *(sent.get("cookies") or {}).items()]
    # A byte is three characters in an address.
    return len(sent["url"]) + sum(3 * len(f"{name}={value}".encode(errors="surrogatepass")) for name, value in values) < LONGEST
