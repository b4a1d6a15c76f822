//! What is read by the entries of a Bundle is what a request of its own would read.

use super::bundles::{asks, statuses, with};
use crate::kit::World;
use crate::kit::records::{AMINA, BEN, observation};
use serde_json::json;

// gaps: FHIR, where R4 leaves it open > Bundles of requests
#[tokio::test]
async fn an_entry_reads_in_a_compartment_everything_and_the_last_of_each_kind() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let mut weight = observation(AMINA);
    weight["category"] = json!([{ "coding": [{ "code": "vital-signs" }] }]);
    assert_eq!(okafor.post("/fhir/Observation", &weight).await.status, 201);
    let urls = [
        format!("Patient/{AMINA}/Observation"),
        format!("Patient/{AMINA}/*?_count=1"),
        format!("Patient/{AMINA}/$everything?_type=Observation"),
        format!("Observation/$lastn?patient={AMINA}&category=vital-signs"),
    ];
    let entries: Vec<_> = urls.iter().map(|url| asks("GET", url)).collect();
    for kind in ["batch", "transaction"] {
        let answer = okafor.exchanges(kind, &entries).await;
        assert_eq!(statuses(&answer), [200; 4], "{answer}");
        for (at, url) in urls.iter().enumerate() {
            let alone = okafor.get(&format!("/fhir/{url}")).await.opened().json();
            assert_eq!(answer["entry"][at]["resource"]["entry"], alone["entry"], "{url}");
        }
    }
    let refused = [
        asks("GET", &format!("Patient/{BEN}/$everything")),
        asks("GET", &format!("Patient/{AMINA}/$nothing")),
        asks("GET", &format!("Patient/{AMINA}/Organization")),
        asks("GET", &format!("Observation/{AMINA}/Observation")),
    ];
    let answer = w.amina().caller().await.exchanges("batch", &refused).await;
    assert_eq!(statuses(&answer), [404, 400, 400, 404], "{answer}");
}

// gaps: FHIR, where R4 leaves it open > Conditions of a read
#[tokio::test]
async fn an_entry_reads_only_what_has_changed_since() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    let since = |moment| with(asks("GET", &format!("Patient/{AMINA}")), "ifModifiedSince", moment);
    let answer = amina.exchanges("batch", &[since("2099-01-01T00:00:00Z"), since("1999-01-01T00:00:00Z")]).await;
    assert_eq!(statuses(&answer), [304, 200], "{answer}");
}
