// A diary app, written on the client that openapi-typescript makes of /openapi.json: what does not fit the document does not compile.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

type Measurement = components['schemas']['Measurement'];
type Refusal = components['schemas']['RestError'];

export class Refused extends Error {
  constructor(readonly said: Refusal) {
    super(said.errorMessage);
  }
}

/** What of an answer is wanted, or the refusal as an error. */
function given<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data !== undefined) return answer.data;
  throw new Refused(answer.error as Refusal);
}

export class Diary {
  private readonly api;

  constructor(baseUrl: string, token: string) {
    this.api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
  }

  async weigh(value: number, dateTaken: string): Promise<Measurement> {
    const made = given(await this.api.POST('/json/measurements', { body: { apiRef: 'weight', value, dateTaken } }));
    if (Array.isArray(made)) throw new Error('one was sent, and several came');
    return made;
  }

  /** All weights, page by page as Link leads. */
  async weights(limit: number): Promise<number[][]> {
    const pages: number[][] = [];
    for (let after: string | undefined; ;) {
      const query = { limit: String(limit), after };
      const answer = await this.api.GET('/json/measurements/byType/{apiRef}', { params: { path: { apiRef: 'weight' }, query } });
      pages.push(given(answer).flatMap((entry) => ('deleted' in entry || entry.value === null ? [] : [entry.value])));
      const next = /<([^>]*)>; rel="next"/.exec(answer.response.headers.get('link') ?? '')?.[1];
      if (next === undefined) return pages;
      after = new URL(next).searchParams.get('after') ?? undefined;
    }
  }

  /** The titles of the letters, and what the first says. */
  async letters(): Promise<{ titles: (string | null)[]; first: string }> {
    const listed = given(await this.api.GET('/json/documents'));
    const documents = listed.flatMap((entry) => ('deleted' in entry ? [] : [entry]));
    const id = documents.flatMap((entry) => entry.attachments)[0]?.id;
    if (typeof id !== 'string') throw new Error('no letter has content');
    const opened = await this.api.GET('/json/attachments/{id}', { params: { path: { id } }, parseAs: 'text' });
    return { titles: documents.map((entry) => entry.title), first: String(given(opened)) };
  }

  /** The same record as FHIR has it. */
  async observations(patient: string): Promise<number | undefined> {
    const found = await this.api.GET('/fhir/{type}', {
      params: { path: { type: 'Observation' }, query: { parameters: { patient, code: 'http://loinc.org|29463-7' } } },
      querySerializer: { object: { style: 'form', explode: true } },
    });
    return given(found).entry?.length;
  }
}
