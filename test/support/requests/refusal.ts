import { expect } from '@jest/globals';
import { ACCESSES_STREAM } from '../../../src/events/accesses/accesses.events.js';
import type { Annals } from '../servers/annals.js';
import type { Answer } from './http.js';

/** The body of a refusal, without `result`. The code is `BAD_REQUEST` unless another is named. */
export interface Refusal {
  readonly msg: unknown;
  readonly code?: string;
  readonly [field: string]: unknown;
}

/**
 * Asserts status and whole body of the answer to a refused request, and that the request appends nothing:
 * `expectRefusal(annals, () => iris.api.delete('/drafts/1'), 'Draft does not exist', 404)`.
 * @param refusal the message, or the fields that differ from other refusals
 */
export async function expectRefusal(
  annals: Annals,
  ask: () => Promise<Pick<Answer, 'status' | 'body'>>,
  refusal: string | Refusal,
  status = 400,
): Promise<void> {
  const answer = await appendsNothing(annals, ask);
  const fields = typeof refusal === 'string' ? { msg: refusal } : refusal;
  expect({ status: answer.status, body: answer.body }).toStrictEqual({
    status,
    body: { result: 'error', code: 'BAD_REQUEST', ...fields },
  });
}

/**
 * Asserts that a request appends nothing to the log, and answers its answer. Traces of earlier accesses are appended at any time: specs
 * about them look for them by themselves.
 */
export async function appendsNothing<Result>(annals: Annals, ask: () => Promise<Result>): Promise<Result> {
  const head = await annals.head();
  const answer = await ask();
  const appended = await annals.events(undefined, head);
  expect(appended.filter(({ stream }) => stream !== ACCESSES_STREAM)).toEqual([]);
  return answer;
}
