// npm's @medplum/core, by its own defaults but for the path of the API, which is a setting of it.
import { MedplumClient } from '@medplum/core';

export function medplumClient({ base, token }) {
  const client = new MedplumClient({ baseUrl: `${base}/`, fhirUrlPath: 'fhir' });
  client.setAccessToken(token);
  const statuses = { 'not-found': 404, deleted: 410 };
  return {
    create: (resource) => client.createResource(resource),
    read: (type, id) => client.readResource(type, id, { cache: 'reload' }),
    vread: (type, id, version) => client.readVersion(type, id, version),
    update: (resource) => client.updateResource(resource),
    patch: (type, id, patch) => client.patchResource(type, id, patch),
    remove: (type, id) => client.deleteResource(type, id),
    search: (type, parameters) => client.search(type, parameters, { cache: 'reload' }),
    next: (bundle) => {
      const link = bundle.link.find(({ relation }) => relation === 'next');
      return link && client.get(link.url);
    },
    history: (type, id) => client.readHistory(type, id),
    createUnless: (resource, query) => client.createResourceIfNoneExist(resource, query),
    batch: (bundle) => client.executeBatch(bundle),
    transaction: (bundle) => client.executeBatch(bundle),
    everything: (id) => client.readPatientEverything(id),
    // It keeps the outcome of an error and not its status.
    status: (error) => statuses[error.outcome.issue[0].code],
  };
}
