//! Invariants of people, organisations and groups.

use crate::validation::invariants::invariant::Invariant;

pub(super) const ALL: &[Invariant] = &[
    Invariant {
        key: "pat-1",
        on: "Patient.contact",
        human: "a name, a telecom, an address or an organization must be there",
        holds: |s| s.has_any(&["name", "telecom", "address", "organization"]),
    },
    Invariant {
        key: "org-1",
        on: "Organization",
        human: "an identifier or a name must be there",
        holds: |s| s.has_any(&["identifier", "name"]),
    },
    Invariant {
        key: "org-2",
        on: "Organization",
        human: "an organization has no home address",
        holds: |s| !s.items("address").any(|address| address.is("use", "home")),
    },
    Invariant {
        key: "org-3",
        on: "Organization",
        human: "an organization has no home telecom",
        holds: |s| !s.items("telecom").any(|telecom| telecom.is("use", "home")),
    },
    Invariant {
        key: "grp-1",
        on: "Group",
        human: "only an actual group has members",
        holds: |s| !s.has("member") || s.is_true("actual"),
    },
    Invariant {
        key: "ppc-1",
        on: "Consent",
        human: "a policy or a policy rule must be there",
        holds: |s| s.has_any(&["policy", "policyRule"]),
    },
    Invariant {
        key: "ipn-1",
        on: "InsurancePlan",
        human: "an identifier or a name must be there",
        holds: |s| s.has_any(&["identifier", "name"]),
    },
    Invariant {
        key: "lnk-1",
        on: "Linkage",
        human: "at least two items must be linked",
        holds: |s| s.length("item") > 1,
    },
    Invariant {
        key: "sev-1",
        on: "AuditEvent.entity",
        human: "a name and a query exclude each other",
        holds: |s| !s.has("name") || !s.has("query"),
    },
    Invariant {
        key: "ces-1",
        on: "CoverageEligibilityResponse.insurance.item",
        human: "either a category or a product or service must be there",
        holds: |s| s.count(&["category", "productOrService"]) == 1,
    },
];
