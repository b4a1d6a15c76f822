// Examples of HL7's own that are refused, each with the one element and the reason: they break HL7's rules.

const parameters = ['CodeSystem-author', 'CodeSystem-effective', 'CodeSystem-end', 'CodeSystem-keyword', 'CodeSystem-workflow',
  'ValueSet-author', 'ValueSet-effective', 'ValueSet-end', 'ValueSet-keyword', 'ValueSet-workflow'];

export const REFUSED = {
  ...Object.fromEntries(parameters.map((name) => [
    `SearchParameter-${name.split('-')[0].toLowerCase()}-extensions-${name}.json`, ['SearchParameter.base', 'has no base'],
  ])),
  ...Object.fromEntries(['Definition', 'Event', 'FiveWs', 'Request'].map((name) => [
    `StructureDefinition-${name}.json`, ['StructureDefinition', 'a logical model without a base (sdf-4)'],
  ])),
  'ActivityDefinition-blood-tubes-supply.json': ['ActivityDefinition.text.div', 'a narrative that says nothing (txt-2)'],
  'ActivityDefinition-heart-valve-replacement.json': ['ActivityDefinition.text.div', 'a narrative that says nothing (txt-2)'],
  'Bundle-dataelements.json': ['Bundle', 'the same full URL more than once (bdl-7)'],
  'Bundle-v2-valuesets.json': ['Bundle.entry[814].resource.concept[74].code', 'a code with a space at its end'],
  'CodeSystem-v2-0550.json': ['CodeSystem.concept[74].code', 'a code with a space at its end'],
  'DeviceMetric-example.json': ['DeviceMetric.parent', 'refers to a DeviceDefinition where a Device is meant'],
  'DeviceUseStatement-example.json': ['DeviceUseStatement.reasonReference[0]', 'refers to a type that the element does not allow'],
  'EventDefinition-example.json': ['EventDefinition.text.div', 'a narrative that says nothing (txt-2)'],
  'ImplementationGuide-fhir.json': ['ImplementationGuide.manifest.resource[11904].reference', 'refers to an id of more than 64 characters, and has no name'],
  'MedicationRequest-medrx0301.json': ['MedicationRequest.dispenseRequest.performer', 'refers to a Practitioner where an Organization is meant'],
  'Observation-clinical-gender.json': ['Observation.performer[0]', 'refers to a type that the element does not allow'],
  'Questionnaire-qs1.json': ['Questionnaire.item[0].item[0].linkId', 'items without a link id'],
  'Questionnaire-zika-virus-exposure-assessment.json': ['Questionnaire.text.div', 'a narrative that says nothing (txt-2)'],
  'SearchParameter-questionnaireresponse-extensions-QuestionnaireResponse-item-subject.json': ['SearchParameter.id', 'an id of more than 64 characters'],
  'ig-r4.json': ['ImplementationGuide.manifest.resource[11904].reference', 'refers to an id of more than 64 characters, and has no name'],
};

// Examples that Medplum's validator refuses and we accept.
export const MEDPLUM_ALONE = {
  'Binary-example.json': 'takes no white space in base64, which R4 allows',
  'CodeSystem-dicom-dcim.json': 'holds narratives to the length of strings, which R4 does not',
  'DiagnosticReport-gingival-mass.json': 'takes no white space in base64, which R4 allows',
  'Media-example.json': 'takes no white space in base64, which R4 allows',
  'RiskAssessment-breastcancer-risk.json': 'finds ras-2 broken where the probability is no decimal',
  'RiskAssessment-prognosis.json': 'finds ras-2 broken where the probability is no decimal',
  'ValueSet-c80-doc-typecodes.json': 'holds narratives to the length of strings, which R4 does not',
};

// Profiles that Medplum's validator cannot read: they name a slice of what is not sliced, which is no more than another name.
export const PROFILES_UNREAD = {
  catalog: 'a date called IssueDate',
  'familymemberhistory-genetic': 'a relationship called Relationship, and more',
};

// Where the two say otherwise of examples by a profile: how many, and why.
export const PROFILES_APART = {
  'bp: Medplum alone': [3, 'takes no component for one of the slice where its code has further codings, as HL7 has them'],
  'cdshooksguidanceresponse: we alone': [1, 'Medplum does not miss an extension that must be there'],
  'cdshooksserviceplandefinition: we alone': [18, 'Medplum does not miss an extension that must be there'],
  'ldlcholesterol: we alone': [12, 'Medplum does not look at codes that must be of a value set, nor at what must not be there in a list'],
};
