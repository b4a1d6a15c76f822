//! The types of measurements (docs/rest.md, section 3): what each is called, its code and its units.

use crate::elements::code;
use crate::json_object;
use fhir::json::Node;

pub const LOINC: &str = "http://loinc.org";
/// The system of types that LOINC does not have.
const OWN: &str = "urn:recordgate:measurement";

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasurementType {
    pub api_ref: &'static str,
    pub name: &'static str,
    pub category: &'static str,
    pub system: &'static str,
    /// The code that is written, and others that are read.
    pub codes: &'static [&'static str],
    /// The codes of the two components of a blood pressure.
    pub components: Option<[&'static str; 2]>,
    /// The first is the default.
    pub units: &'static [&'static str],
    /// Whether HL7 counts it among the vital signs.
    pub is_vital_sign: bool,
}

const fn loinc(
    (api_ref, name, category): (&'static str, &'static str, &'static str),
    codes: &'static [&'static str],
    units: &'static [&'static str],
    is_vital_sign: bool,
) -> MeasurementType {
    MeasurementType { api_ref, name, category, system: LOINC, codes, components: None, units, is_vital_sign }
}

pub const TYPES: [MeasurementType; 19] = [
    loinc(("weight", "Weight", "body"), &["29463-7"], &["kg", "[lb_av]"], true),
    loinc(("height", "Height", "body"), &["8302-2"], &["cm", "[in_i]"], true),
    loinc(("bmi", "Body mass index", "body"), &["39156-5"], &["kg/m2"], true),
    loinc(("waistCircumference", "Waist circumference", "body"), &["8280-0"], &["cm", "[in_i]"], false),
    loinc(("headCircumference", "Head circumference", "body"), &["9843-4"], &["cm"], true),
    loinc(("bodyFat", "Body fat", "body"), &["41982-0"], &["%"], false),
    MeasurementType {
        components: Some(["8480-6", "8462-4"]),
        ..loinc(("bloodPressure", "Blood pressure", "heart"), &["85354-9"], &["mm[Hg]"], true)
    },
    loinc(("heartRate", "Heart rate", "heart"), &["8867-4"], &["/min"], true),
    loinc(("temperature", "Temperature", "vital"), &["8310-5"], &["Cel", "[degF]"], true),
    loinc(("respiratoryRate", "Respiratory rate", "vital"), &["9279-1"], &["/min"], true),
    loinc(("oxygenSaturation", "Oxygen saturation", "vital"), &["2708-6", "59408-5"], &["%"], true),
    loinc(("peakFlow", "Peak flow", "lungs"), &["33452-4"], &["L/min"], false),
    loinc(("fev1", "FEV1", "lungs"), &["20150-9"], &["L"], false),
    loinc(("bloodGlucose", "Blood glucose", "diabetes"), &["15074-8"], &["mmol/L"], false),
    loinc(("inr", "INR", "blood"), &["34714-6"], &["{INR}"], false),
    loinc(("steps", "Steps in a day", "activity"), &["41950-7"], &["{steps}/d"], false),
    loinc(("sleepDuration", "Sleep", "activity"), &["93832-4"], &["h"], false),
    loinc(("painScore", "Pain, 0 to 10", "wellbeing"), &["72514-3"], &["{score}"], false),
    MeasurementType {
        system: OWN,
        ..loinc(
            ("medicationCompliance", "Medication compliance", "wellbeing"),
            &["medicationCompliance"],
            &["%"],
            false,
        )
    },
];

impl MeasurementType {
    /// By its name in the API.
    #[must_use]
    pub fn named(api_ref: &str) -> Option<&'static Self> {
        TYPES.iter().find(|one| one.api_ref == api_ref)
    }

    /// The one that an Observation's code says.
    #[must_use]
    pub fn of(observation: &Node<'_>) -> Option<&'static Self> {
        let concept = observation.get("code")?;
        TYPES.iter().find(|one| code::coded(concept, one.system).any(|coded| one.codes.contains(&coded)))
    }

    /// The code that is written.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.codes.first().copied().unwrap_or_default()
    }

    /// The unit of who sends none.
    #[must_use]
    pub fn default_unit(&self) -> &'static str {
        self.units.first().copied().unwrap_or_default()
    }

    /// All names, for an error that says which there are.
    #[must_use]
    pub fn all_names() -> String {
        TYPES.map(|one| one.api_ref).join(", ")
    }
}

json_object! {
    /// A type as `measurements/apiRefs` lists it.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ListedType {
        "apiRef" => api_ref: &'static str,
        "name" => name: &'static str,
        "category" => category: &'static str,
        "units" => units: &'static [&'static str],
        "units2" => units2: Option<&'static str>,
        "system" => system: &'static str,
        "code" => code: &'static str,
        "code2" => code2: Option<&'static str>,
    }
}

/// All types, as they are listed.
#[must_use]
pub fn listed() -> Vec<ListedType> {
    let listed = TYPES.iter().map(|one| ListedType {
        api_ref: one.api_ref,
        name: one.name,
        category: one.category,
        units: one.units,
        units2: one.components.map(|_| one.default_unit()),
        system: one.system,
        code: one.code(),
        code2: None,
    });
    listed.collect()
}
