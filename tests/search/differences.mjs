// The queries about which Medplum's memory repository says something else than the table, by name, and why the table stands.
export const DIFFERENCES = {
  'R4 folds case and accents; it looks for the text as it is written, but for case': [
    'Patient?family=MULLER', 'Patient?family=mul', 'Patient?family=obrien', 'Patient?given=emil', 'Patient?name=anna maria muller',
    'Organization?name=st mary', 'Patient?address=hauptstrasse', 'Patient?address=HAUPTSTRASSE 5', 'Patient?address=koln',
    'Patient?address-city=Köln', 'Observation?value-string=uberweisung', 'Patient?address-city:contains=ol',
    'Patient?family=muller&_id=p-anna,p-bruno', 'Patient?family=muller&_total=none',
  ],
  'R4 looks from the start of a text; it looks anywhere': [
    'Patient?family=ller', 'Patient?family=cruz', 'Patient?given=文', 'Patient?name=brien', 'Organization?name=ward', 'Patient?address=stock', 'Location?name=building',
  ],
  'R4 looks into the text of a name; it makes a text of the parts': ['Patient?name=陳大'],
  'the code systems are sensitive to case, and identifiers and ids are byte for byte (docs/gaps.md, Tokens); it passes over case': [
    'Patient?gender=MALE', 'Patient?identifier=a-100', 'Patient?identifier=urn:hospital|A-100', 'Patient?identifier=urn:hospital|a-100',
    'Patient?identifier=urn:HOSPITAL|A-100', 'Patient?identifier:not=urn:hospital|A-100', 'Patient?email=Anna@mail.example',
    'Patient?email=anna@mail.example', 'Observation?code=glu', 'Patient?_id=P-ANNA',
  ],
  'a code has the system of its required binding (docs/gaps.md, Tokens); it knows none': [
    'Patient?gender=http://hl7.org/fhir/administrative-gender|other', 'Patient?gender=|male', 'Observation?status=http://hl7.org/fhir/observation-status|preliminary',
  ],
  'R4 escapes separators with a backslash; it takes the backslash for a letter': [
    'Patient?identifier=B\\,2\\|x', 'Patient?identifier=urn:hospital|B\\,2\\|x', 'Patient?identifier=B\\,2\\|x,loose',
  ],
  'a reference into the resource is one to a Patient; it takes it for missing': ['Observation?patient:missing=true'],
  'a text is no date; it takes it for one': ['Procedure?date:missing=true', 'Immunization?date:missing=true'],
  'R4: equal means that what is searched for contains what is stored; it lets them overlap': [
    'Observation?date=2020-06-15', 'Observation?date=2020-06-15T08:05:00Z', 'Observation?date=2020-06-15T10:05:00+02:00', 'Observation?date=2020-06-30',
    'Observation?date=2020-07-01', 'Observation?date=eq2020-07-01', 'Observation?date=2020-02-01', 'Observation?date=2018', 'Observation?date=2021',
    'Patient?birthdate=1970-05', 'Patient?birthdate=1970-05-17', 'Patient?birthdate=1970-06', 'Patient?gender=male,female&birthdate=1970-05-17',
    'Encounter?date=2020-02', 'Condition?onset-date=2019-02', 'ValueSet?date=2020-06-15', 'Patient?birthdate=ne1970-05-17',
  ],
  'R4 compares moments to their own precision; it compares them as texts, in part': [
    'Observation?date=2020-06', 'Observation?date=2020-06-15T08:00:00Z', 'Observation?date=2020-06-15T08:05:00.250Z', 'Procedure?date=sa2015-02',
  ],
  'R4 knows times without seconds and alternatives of dates; it refuses them': ['Observation?date=2020-06-15T08:00Z', 'Observation?date=2019,2022'],
  'a Timing has a span of time; it knows none': [
    'Observation?date=2020', 'Observation?date=gt2020-06-15', 'Observation?date=ge2020-06-15', 'Observation?date=lt2020-06-15', 'Observation?date=le2020-06-15',
    'Observation?date=ge2020-06-01&date=lt2020-07-01', 'Observation?date=ge2020-06-15T08:00:00Z&date=le2020-06-15T08:05:00Z',
    'Observation?date=gt2020-06-15T08:05:00Z&date=lt2020-06-16', 'ServiceRequest?occurrence=2020-06',
  ],
  'what has no date is not unlike one (docs/gaps.md, Date and range comparison); it finds it': [
    'Observation?date=ne2020', 'Observation?date=ne2020-06-15', 'Observation?value-date=ne2020', 'Observation?value-date=ne2021',
  ],
  'about is a tenth of the distance to now, as R4 recommends; it takes it for equal': ['Observation?date=ap2020-06-15', 'Observation?date=ap2021-12-31'],
};
