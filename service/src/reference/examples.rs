//! An example for each body of the custom REST API and each of its errors: what apps send is written here, what they are answered is
//! made of its schema.

use super::listing::Schema;
use rules::answers::answer_in;
use rules::clients::Api;
use rules::guidance::calls;
use rules::rest_errors::RestError;
use serde_json::{Map, Value, json};

/// What members are called whose value says more than its type.
fn member(name: &str) -> Option<Value> {
    Some(match name {
        "id" | "testId" | "reportId" => json!("0193305c-8f5e-7c3a-9d41-5b8e2f6a7c10"),
        "patientId" => json!("amina-okafor"),
        "fhirReference" => json!("Observation/0193305c-8f5e-7c3a-9d41-5b8e2f6a7c10"),
        "conversationId" | "inReplyTo" => json!("0193305c-1a2b-7c3a-9d41-000000000001"),
        "externalId" => json!("watch-5512"),
        "apiRef" => json!("weight"),
        "code" => json!("29463-7"),
        "system" => json!("http://loinc.org"),
        "unit" | "units" => json!("kg"),
        "value" | "referenceLow" | "referenceHigh" | "doseValue" => json!(64.5),
        "valueText" | "value2" | "units2" | "code2" | "comparator" => Value::Null,
        "privacyLabel" | "defaultLabel" | "labels" | "defaultAccess" => json!("GENERAL_HEALTH"),
        "name" => json!("Amina Okafor"),
        "title" => json!("Clinic letter"),
        "subject" => json!("Mask"),
        "content" | "text" => json!("The new mask leaks."),
        "substance" => json!("Penicillin"),
        "reactions" => json!("Hives"),
        "firstName" => json!("Amina"),
        "lastName" => json!("Okafor"),
        "email" | "contactValue" => json!("amina@example.org"),
        "dob" => json!("1988-03-14"),
        "contentType" => json!("application/pdf"),
        "size" => json!(48213),
        "version" => json!(1),
        "date" | "dateTaken" | "dateStarted" | "startDate" | "onsetDate" | "newest" | "created" => json!("2026-11-02"),
        "dateEnded" | "endDate" | "dateDeceased" | "readAt" | "firstRead" | "hiddenUntil" | "seen" | "endsAt" => {
            Value::Null
        }
        "reviewDate" | "plannedPostalDate" => json!("2027-03-01"),
        "start" => json!("2026-12-01T09:00:00.000Z"),
        "end" => json!("2026-12-01T09:20:00.000Z"),
        "dateEntered" | "dateUpdated" | "dateAdded" | "lastEdited" | "sent" | "when" | "nextTime" | "expiry"
        | "validUntil" => {
            json!("2026-11-15T09:30:00.000Z")
        }
        "sha256" => json!("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
        _ => return None,
    })
}

/// What an app sends, by the name of its schema.
fn sent(name: &str) -> Option<Value> {
    Some(match name.trim_end_matches("OrSeveral") {
        "ClientMetadata" => json!({
            "client_name": "Tide Chart",
            "redirect_uris": ["https://tide.example/callback"],
            "token_endpoint_auth_method": "none",
            "scope": "launch/patient openid fhirUser offline_access patient/*.rs",
        }),
        "NewMeasurement" => {
            json!({ "apiRef": "weight", "value": 64.5, "dateTaken": "2026-11-02T07:00:00Z", "externalId": "watch-5512" })
        }
        "NewAllergy" | "ChangedAllergy" => {
            json!({ "substance": "Penicillin", "reactions": ["Hives"], "severity": "MODERATE" })
        }
        "NewMedication" | "ChangedMedication" => {
            json!({ "substance": "Ibuprofen 400 mg", "frequency": "once a day", "startDate": "2026-11-02" })
        }
        "NewDiagnosis" | "ChangedDiagnosis" => json!({ "name": "Sleep apnoea", "onsetDate": "2026-05" }),
        "NewSymptom" | "ChangedSymptom" => json!({ "name": "Headache", "dateStarted": "2026-11-01", "severity": 3 }),
        "NewJournalEntry" | "ChangedJournalEntry" => json!({ "text": "Slept seven hours.", "date": "2026-11-02" }),
        "NewTestResult" => {
            json!({ "name": "Haemoglobin", "value": 132, "unit": "g/L", "dateTaken": "2026-11-02T07:00:00Z" })
        }
        "NewAppointment" => json!({ "subject": "Review", "status": "ACTIVE", "start": "2026-12-01T09:00:00Z" }),
        "NewPlan" => json!({ "name": "Sleep plan", "status": "ACTIVE", "actionPlan": "<p>Lights out at eleven.</p>" }),
        "NewMessage" | "ChangedMessage" => json!({ "subject": "Mask", "content": "The new mask leaks.",
            "recipients": [{ "type": "TEAM", "id": "11111111-1111-4111-8111-aaaaaaaaaaaa" }] }),
        "ReadMark" => json!({ "read": true }),
        "NewDocument" => json!({ "title": "Clinic letter", "type": "CLINIC_LETTER", "date": "2026-11-02",
            "attachments": ["0193305c-8f5e-7c3a-9d41-5b8e2f6a7c10"] }),
        "NewConsent" => json!({ "actorType": "TEAM", "actorId": "11111111-1111-4111-8111-aaaaaaaaaaaa",
            "generalHealthConsentGranted": true, "mentalHealthConsentGranted": false }),
        "PrivacyLabelSent" => json!({ "privacyLabel": "MENTAL_HEALTH" }),
        "DeactivationSent" => json!({ "reason": "has moved away" }),
        _ => return None,
    })
}

/// An example of what is sent; where none is written, what must be sent.
pub(super) fn of_request(body: Schema, schema: &Value) -> Value {
    sent(&body.name()).unwrap_or_else(|| of_schema(None, schema))
}

/// An example of what is answered.
pub(super) fn of_answer(schema: &Value) -> Value {
    of_schema(None, schema)
}

/// A value that fits a schema; `name` is the member's.
fn of_schema(name: Option<&str>, schema: &Value) -> Value {
    if let Some(only) = schema.get("const") {
        return only.clone();
    }
    let word = name.and_then(member);
    if let Some(Value::Array(words)) = schema.get("enum") {
        return word.filter(|word| words.contains(word)).or(words.first().cloned()).unwrap_or_default();
    }
    if let Some(first) = ["anyOf", "oneOf"].into_iter().find_map(|key| schema.get(key)?.get(0)) {
        return of_schema(name, first);
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => return word.unwrap_or_default(),
    };
    if let Some(word) = word.filter(|word| types.iter().any(|of| is_of(word, of))) {
        return word;
    }
    match types.first() {
        Some(&"object") => of_object(schema),
        Some(&"array") => schema.get("items").map_or_else(|| json!([]), |items| json!([of_schema(name, items)])),
        Some(&"string") if schema.get("format").is_some_and(|format| format == "uri") => {
            json!("https://records.example")
        }
        Some(&"string") => json!(name.unwrap_or("text")),
        Some(&"integer" | &"number") => json!(1),
        Some(&"boolean") => json!(false),
        _ => Value::Null,
    }
}

fn of_object(schema: &Value) -> Value {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map_or_else(Vec::new, |names| names.iter().filter_map(Value::as_str).collect());
    let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let shown = members.filter(|(name, _)| required.contains(&name.as_str()));
    shown.map(|(name, schema)| (name.clone(), of_schema(Some(name), schema))).collect::<Map<String, Value>>().into()
}

fn is_of(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => name == "number" || (name == "integer" && number.is_i64()),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    }
}

/// An error of this status in the custom REST API.
pub(super) fn of_error(status: u16) -> Option<Value> {
    let own = RestError::every().into_iter().map(|error| error.answer()).find(|answer| answer.status == status);
    let (code, words) = match own {
        Some(own) => (own.code, own.message.into_owned()),
        None => {
            let calls = calls::every();
            let mut answers = calls.iter().map(|refusal| answer_in(Api::CustomRest, refusal));
            let found = answers.find(|answer| answer.status == status)?;
            (found.code, found.message.into_owned())
        }
    };
    Some(json!({ "errorMessage": words, "errorCode": code, "requestId": "4f2a91c07be3d856" }))
}
