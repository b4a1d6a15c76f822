// The token endpoint and the APIs as a client's server sees them.
import { Person } from '../world/person.mjs';

export async function token(stage, fields) {
  const answer = await fetch(`${stage.base}/apiToken.action`, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: answer.status, ...(await answer.json()) };
}

export function redeem(stage, landed, clientId = 'strict-app') {
  return token(stage, { grant_type: 'authorization_code', client_id: clientId, code: landed.searchParams.get('code'), redirect_uri: stage.landing.redirect });
}

export function refresh(stage, refreshToken, clientId = 'strict-app', scope = 'PATIENT') {
  return token(stage, { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken, scope });
}

export async function statusOf(stage, accessToken, path = '/fhir/Patient/amina-osei') {
  const answer = await fetch(`${stage.base}${path}`, { headers: { authorization: `Bearer ${accessToken}`, accept: 'application/fhir+json' } });
  await answer.arrayBuffer();
  return answer.status;
}

/** Tokens of a session that a person has approved elsewhere. */
export async function approvedElsewhere(stage, username = 'amina', clientId = 'strict-app') {
  const landed = await new Person(stage.base, username).decides(stage.authorizeUrl({ client_id: clientId }));
  return redeem(stage, landed, clientId);
}
