// Examples of HL7's that are valid and that no client stores, each with the status and words of the refusal.

const CONSENT = [422, 'Consent.'];
const LARGE = [413, 'the body may be at most'];
const MANY = [400, 'more than 100000 values'];

/** Of a type that clients do not write. */
export const BY_TYPE = {
  AuditEvent: [403, 'what the ledger tells is written by this service alone'],
  Subscription: [422, 'Subscriptions are not taken'],
};

export const UNSTORED = {
  'Bundle-dataelements.json': LARGE,
  'Bundle-extensions.json': MANY,
  'Bundle-profiles-others.json': MANY,
  'Bundle-resources.json': LARGE,
  'Bundle-v2-valuesets.json': MANY,
  'Bundle-valueset-expansions.json': MANY,
  'Bundle-valuesets.json': MANY,
  'Consent-consent-example-Emergency.json': CONSENT,
  'Consent-consent-example-Out.json': CONSENT,
  'Consent-consent-example-basic.json': CONSENT,
  'Consent-consent-example-grantor.json': CONSENT,
  'Consent-consent-example-notAuthor.json': CONSENT,
  'Consent-consent-example-notOrg.json': CONSENT,
  'Consent-consent-example-notThem.json': CONSENT,
  'Consent-consent-example-notThis.json': CONSENT,
  'Consent-consent-example-notTime.json': CONSENT,
  // It is understood; the organisation that it names is no team of this service.
  'Consent-consent-example-pkb.json': [422, 'Organization/f001 is neither a team'],
  'Consent-consent-example-signature.json': CONSENT,
  'Consent-consent-example-smartonfhir.json': CONSENT,
  'DocumentReference-example.json': [422, 'is no identifier of Patient/xcda'],
  'ImplementationGuide-fhir.json': MANY,
  'ig-r4.json': MANY,
};
