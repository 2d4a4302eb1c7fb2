import { describe, expect, it } from '@jest/globals';
import { unservedOperations } from '../../../../src/app/description/unserved.js';
import { operationKey } from '../../../../src/platform/http/openapi/described-api.js';
import { operationsOf } from '../../../support/requests/operations.js';
import { publishedOperations } from '../../../support/requests/published-schemas.js';
import { Annals } from '../../../support/servers/annals.js';
import { ACTS, CHANGE_NOTHING } from './acts.js';
import { describeEveryAct } from './every-act.js';

it('the audit is asked for every operation that changes something, published or not', async () => {
  const annals = await Annals.start();
  const operations = await operationsOf(annals.api);
  await annals.stop();
  const changing = operations
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => operationKey(method, path));
  const asked = [...Object.keys(ACTS), ...Object.keys(CHANGE_NOTHING)].map((name) => {
    const [method = '', path = ''] = name.split(' ');
    return operationKey(method, path);
  });
  expect(asked.sort()).toEqual(changing.sort());
  expect(Object.entries(ACTS).filter(([, acts]) => acts.length === 0)).toEqual([]);
  const served = new Set(operations.map(({ method, path }) => operationKey(method, path)));
  const published = publishedOperations.filter(({ method, path }) => !(`${method} ${path}` in unservedOperations));
  expect(published.filter(({ method, path }) => !served.has(operationKey(method, path)))).toEqual([]);
});

describe('each act, by the lowest role that may do it and the highest that may not,', () =>
  describeEveryAct({ permitted: (roles) => roles.slice(-1), refused: (roles) => roles.slice(0, 1) }));
