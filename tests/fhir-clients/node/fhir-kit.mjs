// npm's fhir-kit-client, by its own defaults.
import { Client } from 'fhir-kit-client';

export function fhirKit({ base, token }) {
  const client = new Client({ baseUrl: `${base}/fhir`, bearerToken: token });
  return {
    create: (body) => client.create({ resourceType: body.resourceType, body }),
    read: (resourceType, id) => client.read({ resourceType, id }),
    vread: (resourceType, id, version) => client.vread({ resourceType, id, version }),
    update: (body) => client.update({ resourceType: body.resourceType, id: body.id, body }),
    patch: (resourceType, id, jsonPatch) => client.patch({ resourceType, id, jsonPatch }),
    remove: (resourceType, id) => client.delete({ resourceType, id }),
    search: (resourceType, searchParams) => client.search({ resourceType, searchParams }),
    next: (bundle) => client.nextPage({ bundle }),
    history: (resourceType, id) => client.history({ resourceType, id }),
    createUnless: (body, query) => client.create({ resourceType: body.resourceType, body, options: { headers: { 'If-None-Exist': query } } }),
    batch: (body) => client.batch({ body }),
    transaction: (body) => client.transaction({ body }),
    everything: (id) => client.operation({ name: 'everything', resourceType: 'Patient', id, method: 'GET' }),
    status: (error) => error.response.status,
  };
}
