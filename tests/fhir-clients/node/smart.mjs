// npm's fhirclient (SMART's own), by its own defaults, with a token that it did not fetch.
import smart from 'fhirclient';

export function smartClient({ base, token }) {
  const client = smart({}, {}).client({ serverUrl: `${base}/fhir`, tokenResponse: { access_token: token, token_type: 'Bearer' } });
  // It has no call of its own for a bundle.
  const send = (bundle) => client.request({ url: `${base}/fhir`, method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(bundle) });
  return {
    create: (resource) => client.create(resource),
    read: (type, id) => client.request(`${type}/${id}`),
    vread: (type, id, version) => client.request(`${type}/${id}/_history/${version}`),
    update: (resource) => client.update(resource),
    patch: (type, id, patch) => client.patch(`${type}/${id}`, patch),
    remove: (type, id) => client.delete(`${type}/${id}`),
    search: (type, parameters) => client.request(`${type}?${new URLSearchParams(parameters)}`),
    next: (bundle) => {
      const link = bundle.link.find(({ relation }) => relation === 'next');
      return link && client.request(link.url);
    },
    history: (type, id) => client.request(`${type}/${id}/_history`),
    createUnless: (resource, query) => client.create(resource, { headers: { 'If-None-Exist': query } }),
    batch: (bundle) => send(bundle),
    transaction: (bundle) => send(bundle),
    everything: (id) => client.request(`Patient/${id}/$everything`),
    status: (error) => error.status ?? error.statusCode,
  };
}
