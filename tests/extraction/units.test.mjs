// Quantities in base units: ours are those of the library ucum-lhc, which comes with fhirpath.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { extract } from './ours.mjs';

const { UcumLhcUtils } = createRequire(import.meta.url)('@lhncbc/ucum-lhc');
const AVOGADRO = 6.0221367e23;

const CODES = [
  ...['m', 'cm', 'km', 'g', 'mg', 'ug', 'kg', 't', 's', 'ms', 'min', 'h', 'd', 'wk', 'mo', 'a', 'L', 'dL', 'mL', 'uL', 'l'],
  ...['mol/L', 'mmol/L', 'umol/L', 'nmol/L', 'mg/dL', 'g/L', 'g/dL', 'ng/mL', 'pg/mL', 'ug/mL', 'mmol/mol', 'meq/L', 'mosm/kg'],
  ...['U/L', 'kU/L', 'mU/L', 'kat', 'ukat/L', 'mm[Hg]', 'cm[H2O]', 'kPa', 'bar', 'atm', 'N', 'J', 'kJ', 'kcal', 'cal', '[Cal]'],
  ...['W', 'Hz', 'Bq', 'MBq', 'mCi', 'Gy', 'mSv', 'V', 'mV', 'A', 'mA', 'C', 'K', 'Cel', '[degF]', 'rad', 'cd', 'eV', 'u'],
  ...['%', '[ppm]', '[ppth]', '10*3/uL', '10*9/L', '10*12/L', '10^6/mL', '/uL', '/min', '{beats}/min', 'g/mL', 'kg/m2', 'm2'],
  ...['mL/min', 'mL/min/{1.73_m2}', 'L/min', 'mL/h', 'ug/kg/min', 'mg/kg', 'mg/(kg.h)', 'm/s', 'm/s2', 'cm3', 'fL', 'pg', 'g.m-2'],
  ...['[in_i]', '[ft_i]', '[mi_i]', '[lb_av]', '[oz_av]', '[stone_av]', '[gr]', 'mol', '{score}', '24.h', 'mmol/(24.h)'],
];

const observations = CODES.map((code) => ({
  resourceType: 'Observation',
  valueQuantity: { value: 3, system: 'http://unitsofmeasure.org', code },
}));

test('a quantity in base units is what another library says', () => {
  const values = extract(observations).map((found) => found['value-quantity'][0].canonical);
  for (const [at, code] of CODES.entries()) {
    assert.ok(values[at], `${code} is not known`);
    const [[low, high], base] = values[at];
    const powers = powersOf(base);
    const { status, magnitude, unitToExp } = UcumLhcUtils.getInstance().convertToBaseUnits(code, 3);
    assert.equal(status, 'succeeded', code);
    // A mole is a number of things to UCUM; here it is a base unit, so that it is not taken for a number.
    const ours = low * AVOGADRO ** (powers.mol ?? 0);
    delete powers.mol;
    const close = (a, b) => Math.abs(a - b) <= 1e-9 * Math.abs(b);
    assert.ok(close(ours, magnitude) && low === high, `3 ${code}: ${low} ${base}, not ${magnitude}`);
    assert.deepEqual(powers, { ...unitToExp }, code);
  }
});

function powersOf(base) {
  if (base === '1') return {};
  return Object.fromEntries(
    base.split('.').map((factor) => {
      const [, name, power] = /^(\D+?)(-?\d+)?$/.exec(factor);
      return [name, Number(power ?? 1)];
    }),
  );
}
