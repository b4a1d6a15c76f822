// HL7's own expressions, evaluated by the library fhirpath: what it finds for a search parameter in a resource.
import fhirpath from 'fhirpath';
import r4 from 'fhirpath/fhir-context/r4/index.js';
import { COMPONENTS_MEANT, MEANT } from './exceptions.mjs';
import { typeOf, values } from './values.mjs';

const compiled = new Map();

/**
 * What HL7 writes for FHIRPath of an earlier day: `as` over several values, which the library allows for one only, means
 * `ofType`; `hasExtension` was never defined.
 */
const today = (expression) =>
  expression
    .replace(/^\((\S+) as (\w+)\)/, '$1.ofType($2)')
    .replace(/\.as\((\w+)\)/g, '.ofType($1)')
    .replace(/hasExtension\(('[^']*')\)/g, 'extension($1).exists()');

/** The nodes that an expression finds, each with the name of its type. */
function nodes(expression, resource) {
  if (!compiled.has(expression)) compiled.set(expression, fhirpath.compile(today(expression), r4));
  const found = compiled.get(expression)(resource, { resource });
  const types = fhirpath.types(found);
  return found.map((data, at) => ({ data, type: types[at]?.replace(/^.*\./, '') }));
}

/** The branches of an expression that are about this type, each with what `resolve()` has to be. */
function branches(expression, type) {
  return expression
    .split('|')
    .map((branch) => branch.trim())
    .filter((branch) => /^\(?(\w+)/.exec(branch)[1] === type || /^\(?Resource\./.test(branch))
    .map((branch) => {
      const [, path, target] = /^(.*?)\.where\(resolve\(\) is (\w+)\)$/.exec(branch) ?? [, branch];
      // An expression that ends at an extension means its value.
      return { path: /extension\('[^']*'\)$/.test(path) ? `${path}.value` : path, target };
    });
}

/** What a parameter finds in a resource, as index values. */
export function found(parameter, resource, parameters, isType) {
  const meant = MEANT[parameter.id];
  const expression = typeof meant === 'function' ? meant(parameter.expression) : (meant ?? parameter.expression);
  if (parameter.type === 'composite') return composite(parameter, resource, parameters);
  return branches(expression, resource.resourceType).flatMap(({ path, target }) => {
    const all = nodes(path, resource);
    const right = target ? all.filter(({ data }) => typeOf(data, resource, isType) === target) : all;
    return right.flatMap((node) => values(parameter.type, node, parameter, resource));
  });
}

function composite(parameter, resource, parameters) {
  const components =
    COMPONENTS_MEANT[parameter.id] ??
    parameter.component.map(({ definition, expression }) => [parameters.get(definition).type, expression]);
  return branches(parameter.expression, resource.resourceType).flatMap(({ path }) =>
    nodes(path, resource).flatMap((_, at) => {
      const parts = components.map(([kind, expression]) => {
        const all = nodes(`${path}[${at}].select(${expression})`, resource);
        return all.flatMap((node) => values(kind, node, {}, resource)).filter((value) => !('tokenText' in value));
      });
      return parts.every((part) => part.length > 0) ? [{ composite: parts }] : [];
    }),
  );
}
