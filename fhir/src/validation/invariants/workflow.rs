//! Invariants of appointments, lists, requests and tests.

use crate::validation::invariants::invariant::Invariant;

pub(super) const ALL: &[Invariant] = &[
    Invariant {
        key: "app-1",
        on: "Appointment.participant",
        human: "a type or an actor must be there",
        holds: |s| s.has_any(&["type", "actor"]),
    },
    Invariant {
        key: "app-2",
        on: "Appointment",
        human: "start and end are there together",
        holds: |s| s.has("start") == s.has("end"),
    },
    Invariant {
        key: "app-3",
        on: "Appointment",
        human: "only what is proposed, cancelled or on a waiting list has no start and end",
        holds: |s| s.count(&["start", "end"]) == 2 || s.is_one_of("status", &["proposed", "cancelled", "waitlist"]),
    },
    Invariant {
        key: "app-4",
        on: "Appointment",
        human: "only what was cancelled or missed has a reason for that",
        holds: |s| !s.has("cancelationReason") || s.is_one_of("status", &["no-show", "cancelled"]),
    },
    Invariant {
        key: "apr-1",
        on: "AppointmentResponse",
        human: "a participant's type or an actor must be there",
        holds: |s| s.has_any(&["participantType", "actor"]),
    },
    Invariant {
        key: "lst-1",
        on: "List",
        human: "only what is empty has a reason for that",
        holds: |s| !s.has("emptyReason") || !s.has("entry"),
    },
    Invariant {
        key: "lst-2",
        on: "List",
        human: "only a list of changes has deleted entries",
        holds: |s| s.is("mode", "changes") || !s.items("entry").any(|entry| entry.has("deleted")),
    },
    Invariant {
        key: "lst-3",
        on: "List",
        human: "only a working list has dates of entries",
        holds: |s| s.is("mode", "working") || !s.items("entry").any(|entry| entry.has("date")),
    },
    Invariant {
        key: "prr-1",
        on: "ServiceRequest",
        human: "details of an order need its code",
        holds: |s| !s.has("orderDetail") || s.has("code"),
    },
    Invariant {
        key: "rqg-1",
        on: "RequestGroup.action",
        human: "either a resource or actions must be there",
        holds: |s| s.has("resource") != s.has("action"),
    },
    Invariant {
        key: "inv-1",
        on: "Parameters.parameter",
        human: "exactly one of a value, a resource and parts must be there",
        holds: |s| usize::from(s.has_choice("value")) + s.count(&["resource", "part"]) == 1,
    },
    Invariant {
        key: "inv-1",
        on: "TestReport.setup.action",
        human: "either an operation or an assertion must be there",
        holds: |s| s.count(&["operation", "assert"]) == 1,
    },
    Invariant {
        key: "inv-2",
        on: "TestReport.test.action",
        human: "either an operation or an assertion must be there",
        holds: |s| s.count(&["operation", "assert"]) == 1,
    },
    Invariant {
        key: "tst-1",
        on: "TestScript.setup.action",
        human: "either an operation or an assertion must be there",
        holds: |s| s.count(&["operation", "assert"]) == 1,
    },
    Invariant {
        key: "tst-2",
        on: "TestScript.test.action",
        human: "either an operation or an assertion must be there",
        holds: |s| s.count(&["operation", "assert"]) == 1,
    },
    Invariant {
        key: "tst-3",
        on: "TestScript.variable",
        human: "an expression, a header field and a path are not all there",
        holds: |s| s.count(&["expression", "headerField", "path"]) < 3,
    },
    Invariant {
        key: "mrp-1",
        on: "MeasureReport",
        human: "a collection of data has no groups",
        holds: |s| !s.is("type", "data-collection") || !s.has("group"),
    },
];
