//! The header `traceparent` (W3C Trace Context): to whose trace a request belongs.

/// What a caller says of the trace that its request is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceParent {
    pub trace: TraceId,
    /// The caller's own span, under which ours belongs.
    pub span: SpanId,
    /// Whether the caller keeps this trace: whoever comes after it had better, too.
    pub sampled: bool,
}

/// The id of a trace; never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceId(pub u128);

/// The id of a span in a trace; never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanId(pub u64);

impl std::fmt::Display for TraceId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl std::fmt::Display for SpanId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Version, trace, span and flags, with the hyphens between them.
const LENGTH: usize = 55;

impl TraceParent {
    /// Reads the header. A later version may have more behind these four parts; this one must not, and none may be `ff`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (known, further) = text.split_at_checked(LENGTH)?;
        let mut parts = known.split('-');
        let version = hex(parts.next()?, 2)?;
        let trace = hex(parts.next()?, 32)?;
        let span = hex(parts.next()?, 16)?;
        let flags = hex(parts.next()?, 2)?;
        let ends_well = match version {
            0 => further.is_empty(),
            0xff => false,
            _ => further.is_empty() || further.starts_with('-'),
        };
        let span = u64::try_from(span).ok()?;
        let whole = parts.next().is_none() && ends_well && trace != 0 && span != 0;
        whole.then_some(Self { trace: TraceId(trace), span: SpanId(span), sampled: flags & 1 == 1 })
    }
}

/// A number of exactly so many lower-case hexadecimal digits.
fn hex(text: &str, digits: usize) -> Option<u128> {
    let lower = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (text.len() == digits && text.bytes().all(lower)).then(|| u128::from_str_radix(text, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const SPAN: &str = "00f067aa0ba902b7";

    #[test]
    fn a_good_header_tells_trace_span_and_whether_it_is_kept() {
        for (flags, sampled) in [("01", true), ("00", false), ("03", true), ("fe", false)] {
            let found = TraceParent::parse(&format!("00-{TRACE}-{SPAN}-{flags}")).unwrap();
            assert_eq!((found.trace.to_string(), found.span.to_string()), (TRACE.into(), SPAN.into()));
            assert_eq!(found.sampled, sampled, "{flags}");
        }
    }

    #[test]
    fn a_later_version_may_say_more_and_this_one_may_not() {
        assert!(TraceParent::parse(&format!("01-{TRACE}-{SPAN}-01-what-else")).is_some());
        assert!(TraceParent::parse(&format!("01-{TRACE}-{SPAN}-01")).is_some());
        assert!(TraceParent::parse(&format!("01-{TRACE}-{SPAN}-01x")).is_none());
        assert!(TraceParent::parse(&format!("00-{TRACE}-{SPAN}-01-what-else")).is_none());
    }

    #[test]
    fn what_is_not_as_it_should_be_is_nothing() {
        let zeros = "0".repeat(32);
        for wrong in [
            String::new(),
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("00-{zeros}-{SPAN}-01"),
            format!("00-{TRACE}-{}-01", &zeros[..16]),
            format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
            format!("00-{TRACE}-{SPAN}-0"),
            format!("00-{TRACE}-{SPAN}"),
            format!("00{TRACE}-{SPAN}-01-"),
            format!("00-{SPAN}-{TRACE}-01"),
            format!("00-+{}-{SPAN}-01", &TRACE[1..]),
            format!("00-{TRACE}-{SPAN}-0é"),
        ] {
            assert_eq!(TraceParent::parse(&wrong), None, "{wrong}");
        }
    }
}
