// Where HL7's expression is not what is meant, or finds what is no value: by the parameter, each with its reason.

/** By the id of the parameter, the expression that is meant. fhir/definitions/README.md tells the same of our table. */
export const MEANT = {
  // One of the choices is a string, which is no date though it may look like one.
  'CarePlan-activity-date':
    'CarePlan.activity.detail.scheduled.ofType(Timing) | CarePlan.activity.detail.scheduled.ofType(Period)',
  // The expression lacks the type that it is about.
  'InsurancePlan-name': 'InsurancePlan.name | InsurancePlan.alias',
  // Lets a Group pass, as no other `patient` does.
  'clinical-patient': (expression) =>
    expression.replace('DeviceUseStatement.subject', 'DeviceUseStatement.subject.where(resolve() is Patient)'),
  // Names an extension that does not exist.
  'patient-extensions-Patient-mothersMaidenName':
    "Patient.extension('http://hl7.org/fhir/StructureDefinition/patient-mothersMaidenName')",
};

/** By the id of a composite, what its components mean. */
export const COMPONENTS_MEANT = {
  // The definitions of the two components are swapped.
  'DocumentReference-relationship': [['token', 'code'], ['reference', 'target']],
  // There is no type DateTime.
  'Observation-code-value-date': [['token', 'code'], ['date', 'value.as(dateTime) | value.as(Period)']],
};

/** What is not compared. */
export const LEFT_OUT = {
  example: 'an example of a definition, which defines _id a second time',
  'example-extension': 'an example of a definition, about another type than its base',
  'example-reference': "an example of a definition, which defines Condition's subject a second time",
  filter: 'refused',
  'Resource-query': 'refused',
  'Location-near': 'refused',
  'individual-phonetic': 'refused',
  'Resource-content': 'has no expression; looks at the whole resource',
  'DomainResource-text': 'has no expression; looks at the narrative',
  'patient-extensions-Patient-age': 'has no expression',
  'patient-extensions-Patient-birthOrderBoolean': 'has no expression',
};
