// What a value of FHIR is to a search parameter, written from the specification and docs/gaps.md, not from our sources.
const list = (value) => (value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]);
const told = (text) => (typeof text === 'string' && text !== '' ? text : null);

/** The values that a parameter of this kind has in a node: `{ data, type }` with the name of its type. */
export function values(kind, node, parameter, resource) {
  return { token, string, reference, date, number, quantity, uri }[kind](node, parameter, resource);
}

const token = ({ data, type }) => {
  if (typeof data === 'boolean') return [{ token: [null, String(data)] }];
  // The system of a code is the one of its binding, which is not compared here.
  if (typeof data === 'string') return [{ token: ['*', data] }];
  if (type === 'CodeableConcept') {
    return [...list(data.coding).flatMap(coding), ...list(data.text).map((text) => ({ tokenText: fold(text) }))];
  }
  if (type === 'Coding') return coding(data);
  if (type === 'Identifier') return identifier(data);
  if (type === 'ContactPoint') return told(data.value) ? [{ token: [null, data.value] }] : [];
  return [];
};

const coding = ({ system, code, display }) => [
  ...(told(system) || told(code) ? [{ token: [told(system), told(code)] }] : []),
  ...list(display).map((text) => ({ tokenText: fold(text) })),
];

const identifier = ({ system, value, type }) => [
  ...(told(system) || told(value) ? [{ token: [told(system), told(value)] }] : []),
  ...list(type?.text).map((text) => ({ tokenText: fold(text) })),
  ...list(type?.coding)
    .filter((one) => told(one.code) && told(value))
    .map((one) => ({ ofType: [told(one.system), one.code, value] })),
];

/** Case, accents and punctuation folded. */
export function fold(text) {
  const letters = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' };
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g, '')
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => letters[letter])
    .replace(/['’‘ʼ`.]/g, '')
    .replace(/[^\p{Alphabetic}\p{N}\p{M}]+/gu, ' ')
    .trim();
}

const part = (written) => (told(written) ? [{ text: [written, fold(written)] }] : []);

const string = ({ data, type }) => {
  if (typeof data === 'string') return part(data);
  if (type === 'HumanName') {
    const { text, family, given, prefix, suffix } = data;
    const parts = [text, family, ...list(given), ...list(prefix), ...list(suffix)].flatMap(part);
    const spoken = !told(text) && told(family) && list(given).length > 0;
    return spoken ? [...parts, { whole: fold([...list(given), family].join(' ')) }] : parts;
  }
  if (type === 'Address') {
    const { text, line, city, district, state, postalCode, country } = data;
    return [...list(line), text, city, district, state, postalCode, country].flatMap(part);
  }
  return [];
};

const ID = /^[A-Za-z0-9.-]{1,64}$/;

/** The type that a reference is to: as its URL, what is contained, or its own `type` says. */
export function typeOf(reference, resource, isType) {
  const place = reference.reference ?? '';
  if (place.startsWith('#')) {
    const inner = list(resource.contained).find((one) => `#${one.id}` === place);
    if (inner) return inner.resourceType;
  }
  const [id, type] = place.replace(/\/_history\/.*$/, '').split('/').reverse();
  return isType(type) && ID.test(id) ? type : reference.type;
}

const reference = ({ data, type }, { target = [] }, resource) => {
  if (typeof data === 'string') {
    const [url, version] = data.split(/\|(.*)/s);
    return told(data) ? [{ reference: [url, version ?? null] }] : [];
  }
  if (type === 'Reference') {
    const [, place, version] = /^([A-Z]\w+\/[A-Za-z0-9.-]{1,64})\/_history\/([A-Za-z0-9.-]{1,64})$/.exec(data.reference) ?? [];
    return [
      ...(told(data.reference) ? [{ reference: [place ?? data.reference, version ?? null] }] : []),
      ...(told(data.identifier?.value) ? [{ identifier: [told(data.identifier.system), data.identifier.value] }] : []),
    ];
  }
  // A resource inside a Bundle.
  return target.includes(data?.resourceType) && data.id ? [{ reference: [`${data.resourceType}/${data.id}`, null] }] : [];
};

const [NEVER, FOREVER] = ['-9223372036854775808', '9223372036854775807'];

/** [low, high) in microseconds, as texts because they are too large for numbers. */
function span(text) {
  const found = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/.exec(text);
  if (!found) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = found;
  const at = (...parts) => BigInt(new Date(0).setUTCFullYear(...parts)) * 1000n;
  if (!month) return [at(+year, 0, 1), at(+year + 1, 0, 1)];
  if (!day) return [at(+year, month - 1, 1), at(+year, +month, 1)];
  if (!hour) return [at(+year, month - 1, +day), at(+year, month - 1, +day + 1)];
  const whole = BigInt(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second ?? '00'}${zone ?? 'Z'}`)) * 1000n;
  if (!second) return [whole, whole + 60_000_000n];
  if (!fraction) return [whole, whole + 1_000_000n];
  const low = whole + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
  return [low, low + 10n ** BigInt(Math.max(0, 6 - fraction.length))];
}

const between = (start, end) => {
  const [low, high] = [start && span(start), end && span(end)];
  if ((start && !low) || (end && !high) || (!start && !end)) return null;
  return [low ? low[0] : BigInt(NEVER), high ? high[1] : BigInt(FOREVER)];
};

const date = ({ data, type }) => {
  let found = null;
  if (typeof data === 'string') found = span(data);
  else if (type === 'Period') found = between(data.start, data.end);
  else if (type === 'Timing') {
    const { start, end } = data.repeat?.boundsPeriod ?? {};
    const spans = [...list(data.event).map(span), between(start, end)].filter(Boolean);
    const least = (all) => all.reduce((a, b) => (a < b ? a : b));
    const most = (all) => all.reduce((a, b) => (a > b ? a : b));
    if (spans.length > 0) found = [least(spans.map(([low]) => low)), most(spans.map(([, high]) => high))];
  }
  return found ? [{ date: found.map(String) }] : [];
};

const sides = ({ low, high }) =>
  low?.value === undefined && high?.value === undefined ? null : [low?.value ?? '-inf', high?.value ?? 'inf'];

const number = ({ data, type }) => {
  const found = typeof data === 'number' ? [data, data] : type === 'Range' ? sides(data) : null;
  return found ? [{ number: found }] : [];
};

const quantity = ({ data, type }) => {
  const of = (interval, { system, code, unit }) =>
    interval ? [{ quantity: [interval, told(system), told(code), told(unit)] }] : [];
  if (type === 'Range') return of(sides(data), data.low ?? data.high ?? {});
  if (type === 'Money') {
    const system = data.currency && 'urn:iso:std:iso:4217';
    return data.value === undefined ? [] : of([data.value, data.value], { system, code: data.currency });
  }
  if (type === 'SampledData') {
    const samples = (data.data ?? '').split(/\s+/).filter((one) => one !== '' && Number.isFinite(Number(one)));
    const found = samples.map((one) => data.origin.value + Number(one) * (data.factor ?? 1));
    return of(found.length > 0 ? [Math.min(...found), Math.max(...found)] : null, data.origin);
  }
  if (data.value === undefined) return [];
  // One step of a double below or above is all that a limit leaves out.
  const interval = {
    '<': ['-inf', beside(data.value, -1n)],
    '<=': ['-inf', data.value],
    '>=': [data.value, 'inf'],
    '>': [beside(data.value, 1n), 'inf'],
  }[data.comparator];
  return of(interval ?? [data.value, data.value], data);
};

function beside(value, way) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value < 0 ? -way : way));
  return view.getFloat64(0);
}

const uri = ({ data }, { code }) => {
  // Profiles are canonicals; the others are plain.
  const [url, version] = code === '_profile' ? data.split(/\|(.*)/s) : [data];
  return told(data) ? [{ uri: [url, version ?? null] }] : [];
};
