//! Resources as others write them through FHIR, full of elements that no view shows. Those say `kept` somewhere.

/// A blood pressure with more than two components.
pub const MEASUREMENT: &str = r#"{"resourceType":"Observation","id":"m1","language":"en","meta":{"versionId":"1","tag":[{"system":"urn:x","code":"kept-tag"}],
  "security":[{"system":"urn:recordgate:privacy-label","code":"GENERAL_HEALTH"},{"system":"urn:x","code":"kept-security"}]},
  "extension":[{"url":"urn:x:kept","valueDecimal":1.50}],"identifier":[{"system":"urn:x","value":"kept-identifier"}],"status":"amended",
  "category":[{"coding":[{"system":"urn:x","code":"kept-category"}]}],
  "code":{"coding":[{"system":"http://loinc.org","code":"85354-9"},{"system":"urn:x","code":"kept-coding"}],"text":"kept-text"},
  "subject":{"reference":"Patient/amina-okafor","display":"kept-subject"},"performer":[{"display":"kept-performer"}],
  "effectivePeriod":{"start":"2026-11-15T07:58:00Z","end":"2026-11-15T08:00:00Z","extension":[{"url":"urn:x","valueString":"kept-period"}]},
  "component":[{"code":{"coding":[{"system":"http://loinc.org","code":"8480-6","display":"kept-systolic"}]},
     "valueQuantity":{"value":124.0,"unit":"kept-unit","system":"http://unitsofmeasure.org","code":"mm[Hg]","extension":[{"url":"urn:x","valueString":"kept-quantity"}]}},
   {"code":{"coding":[{"system":"http://loinc.org","code":"8462-4"}]},"interpretation":[{"text":"kept-interpretation"}],
     "valueQuantity":{"value":81,"system":"http://unitsofmeasure.org","code":"mm[Hg]"}},
   {"code":{"text":"kept-component"},"valueString":"kept-value"}],
  "note":[{"text":"after a walk","authorString":"kept-author"},{"text":"kept-note"}],"method":{"text":"kept-method"}}"#;

pub const ALLERGY: &str = r#"{"resourceType":"AllergyIntolerance","id":"a1","extension":[{"url":"urn:x","valueString":"kept"}],
  "clinicalStatus":{"coding":[{"system":"urn:x","code":"kept-status"},{"system":"http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical","code":"active"}]},
  "verificationStatus":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/allergyintolerance-verification","code":"confirmed","display":"kept-verified"}]},
  "type":"allergy","_type":{"extension":[{"url":"urn:x","valueString":"kept-type"}]},"category":["medication"],"criticality":"high",
  "code":{"extension":[{"url":"urn:x","valueString":"kept-concept"}],"coding":[{"system":"http://snomed.info/sct","code":"764146007","display":"Penicillin"},{"system":"urn:x","code":"kept-coding"}],"text":"Penicillin"},
  "patient":{"reference":"Patient/amina-okafor"},"onsetDateTime":"2009","recorder":{"display":"kept-recorder"},
  "reaction":[{"substance":{"text":"kept-substance"},"manifestation":[{"text":"Hives"},{"extension":[{"url":"urn:x","valueString":"kept-hidden"}]}],"severity":"moderate","description":"kept-description"}],
  "note":[{"text":"kept-note"}]}"#;

pub const MEDICATION: &str = r#"{"resourceType":"MedicationStatement","id":"s1","status":"active","statusReason":[{"text":"kept-reason"}],
  "medicationCodeableConcept":{"coding":[{"system":"urn:dmd","code":"322236009","display":"Paracetamol 500mg tablets"},{"system":"urn:x","code":"kept-coding"}]},
  "subject":{"reference":"Patient/amina-okafor"},"effectivePeriod":{"start":"2026-01","extension":[{"url":"urn:x","valueString":"kept-period"}]},
  "informationSource":{"display":"kept-source"},
  "dosage":[{"sequence":1,"text":"twice a day","route":{"text":"kept-route"},
    "doseAndRate":[{"type":{"text":"kept-rate"},"doseQuantity":{"value":1.50,"unit":"tablet","extension":[{"url":"urn:x","valueString":"kept-dose"}]}}]},
   {"text":"kept-second"}],"note":[{"text":"kept-note"}]}"#;

pub const REQUEST: &str = r#"{"resourceType":"MedicationRequest","id":"r1","status":"on-hold","intent":"order",
  "medicationCodeableConcept":{"text":"Paracetamol"},"subject":{"reference":"Patient/amina-okafor"},"authoredOn":"2026-01-02",
  "requester":{"display":"kept-requester"},"dosageInstruction":[{"text":"twice a day","patientInstruction":"kept-instruction"}],
  "dispenseRequest":{"validityPeriod":{"start":"2018-01-02","end":"2026-02-02"},"performer":{"display":"kept-performer"}}}"#;

pub const DIAGNOSIS: &str = r#"{"resourceType":"Condition","id":"d1","clinicalStatus":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/condition-clinical","code":"active"}]},
  "category":[{"text":"kept-category"}],"severity":{"text":"kept-severity"},
  "code":{"coding":[{"system":"http://snomed.info/sct","code":"73430006","display":"Sleep apnea"},{"system":"urn:x","code":"kept-coding"}],"text":"Sleep apnoea"},
  "bodySite":[{"text":"kept-site"}],"subject":{"reference":"Patient/amina-okafor"},"onsetDateTime":"2020-03","recordedDate":"2020-04-01",
  "stage":[{"summary":{"text":"kept-stage"}}],"note":[{"text":"mild","time":"2020-04-01"},{"text":"kept-note"}]}"#;

pub const SYMPTOM: &str = r#"{"resourceType":"Observation","id":"y1","status":"final","category":[{"coding":[{"system":"urn:recordgate:observation-category","code":"SYMPTOM"}],"text":"kept-category"}],
  "code":{"coding":[{"system":"http://snomed.info/sct","code":"25064002","display":"Headache"},{"system":"urn:x","code":"kept-coding"}]},
  "subject":{"reference":"Patient/amina-okafor"},"effectiveDateTime":"2026-11-01","valueInteger":4,"bodySite":{"text":"kept-site"},
  "note":[{"text":"in the morning"},{"text":"kept-note"}]}"#;

pub const JOURNAL: &str = r#"{"resourceType":"Observation","id":"j1","status":"final","category":[{"coding":[{"system":"urn:recordgate:observation-category","code":"JOURNAL"}]}],
  "code":{"coding":[{"system":"http://loinc.org","code":"51855-5","display":"kept-display"}],"text":"A good day"},
  "subject":{"reference":"Patient/amina-okafor"},"effectiveDateTime":"2026-11-01T20:00:00Z","valueString":"Slept well.",
  "derivedFrom":[{"reference":"DocumentReference/holds-b91"},{"reference":"Observation/other","display":"kept-derived"}],"note":[{"text":"kept-note"}]}"#;

pub const RESULT: &str = r#"{"resourceType":"Observation","id":"t1","status":"final","category":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/observation-category","code":"laboratory"}]}],
  "code":{"coding":[{"system":"http://loinc.org","code":"4548-4","display":"Hemoglobin A1c"},{"system":"urn:x","code":"kept-coding"}],"text":"HbA1c"},
  "subject":{"reference":"Patient/amina-okafor"},"effectiveDateTime":"2026-10-02","specimen":{"display":"kept-specimen"},
  "valueQuantity":{"value":48,"unit":"mmol/mol","extension":[{"url":"urn:x","valueString":"kept-quantity"}]},
  "interpretation":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation","code":"H"}]},{"text":"kept-interpretation"}],
  "referenceRange":[{"low":{"value":20,"unit":"mmol/mol"},"high":{"value":42,"unit":"mmol/mol"},"type":{"text":"kept-range"}},{"text":"kept-second"}],
  "note":[{"text":"fasting"},{"text":"kept-note"}]}"#;

pub const APPOINTMENT: &str = r#"{"resourceType":"Appointment","id":"p1","status":"arrived","serviceType":[{"text":"kept-service"}],
  "reasonCode":[{"text":"Sleep study review"},{"text":"kept-reason"}],"priority":5,"description":"kept-description","comment":"Bring the diary",
  "start":"2026-12-01T09:30:00Z","end":"2026-12-01T10:00:00Z",
  "participant":[{"actor":{"reference":"Patient/amina-okafor","display":"Amina Okafor"},"required":"required","status":"tentative","type":[{"text":"kept-type"}]},
    {"actor":{"display":"Larkfield, clinic 4","type":"Location"},"status":"accepted","extension":[{"url":"urn:x","valueString":"kept-place"}]},
    {"actor":{"reference":"Device/1","display":"kept-device"},"status":"accepted"}]}"#;

pub const PLAN: &str = r#"{"resourceType":"CarePlan","id":"c1","status":"on-hold","intent":"plan","title":"Sleep plan","description":"kept-description",
  "extension":[{"url":"urn:x","valueString":"kept"},{"url":"urn:recordgate:review-date","valueDate":"2027-03-01"},
    {"url":"urn:recordgate:plan-part","extension":[{"url":"part","valueCode":"actionPlan"},{"url":"contentType","valueCode":"text/html"},{"url":"content","valueString":"<p>Lights out at eleven.</p>"}]},
    {"url":"urn:recordgate:plan-part","extension":[{"url":"part","valueCode":"kept-part"},{"url":"content","valueString":"kept-content"}]}],
  "subject":{"reference":"Patient/amina-okafor"},"created":"2026-11-01","author":{"reference":"Practitioner/ravi-lund","display":"Dr Ravi Lund"},
  "supportingInfo":[{"reference":"DocumentReference/holds-b92"},{"reference":"Observation/other","display":"kept-info"}],
  "activity":[{"detail":{"status":"in-progress","description":"kept-activity"}}],"note":[{"text":"kept-note"}]}"#;

pub const MESSAGE: &str = r#"{"resourceType":"Communication","id":"q1","status":"preparation","extension":[{"url":"urn:recordgate:conversation-id","valueString":"k1"},{"url":"urn:x","valueString":"kept"}],
  "subject":{"reference":"Patient/amina-okafor"},"topic":{"coding":[{"system":"urn:x","code":"kept-topic"}],"text":"Mask"},"medium":[{"text":"kept-medium"}],
  "recipient":[{"reference":"Organization/11111111-1111-4111-8111-aaaaaaaaaaaa"},{"reference":"Device/1","display":"kept-device"}],
  "sender":{"reference":"Patient/amina-okafor"},
  "payload":[{"contentString":"The new mask leaks.","extension":[{"url":"urn:x","valueString":"kept-payload"}]},
    {"contentAttachment":{"url":"Binary/b93","title":"more.pdf"}},{"contentReference":{"display":"kept-reference"}}],"note":[{"text":"kept-note"}]}"#;

pub const DOCUMENT: &str = r#"{"resourceType":"DocumentReference","id":"f1","status":"current","docStatus":"final","description":"Clinic letter",
  "extension":[{"url":"urn:recordgate:date","valueString":"2026-11-02"},{"url":"urn:recordgate:planned-postal-date","valueDate":"2026-11-16"},{"url":"urn:x","valueString":"kept"}],
  "type":{"coding":[{"system":"urn:recordgate:document-type","code":"CLINIC_LETTER"},{"system":"urn:x","code":"kept-type"}]},
  "category":[{"coding":[{"system":"urn:recordgate:document-class","code":"OUT_PATIENT"}]},{"text":"kept-category"}],
  "subject":{"reference":"Patient/amina-okafor"},"date":"2026-11-02T00:00:00Z","author":[{"reference":"Organization/11111111-1111-4111-8111-aaaaaaaaaaaa","display":"Sleep Clinic"}],
  "identifier":[{"system":"urn:x","value":"kept-identifier"},{"system":"urn:recordgate:external-id","value":"TXA-5512"}],
  "content":[{"attachment":{"contentType":"application/pdf","url":"Binary/b91","size":48213,"title":"letter.pdf","language":"en"},"format":{"system":"urn:x","code":"urn:kept-format"}},
    {"attachment":{"url":"https://elsewhere.example/kept"}}],"context":{"event":[{"text":"kept-event"}]}}"#;
