import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { Annals, type Member } from '../../support/servers/annals.js';

/** Draft 7 has no `nullable`. */
const withNull = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema), (_, value) => {
    if (value?.nullable !== true) return value;
    const { nullable: _nullable, ...others } = value;
    return { anyOf: [others, { type: 'null' }] };
  });

/** Members that are not described are faults, too. */
const closed = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema), (_, value) =>
    value?.properties && !('additionalProperties' in value) ? { ...value, additionalProperties: false } : value,
  );

describe('the OpenAPI document of the audit', () => {
  let annals: Annals;
  let owner: Member;
  let messageId: number;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    const message = { type: 'channel', to: 'general', topic: 'plans', content: 'words' };
    messageId = (await owner.api.post('/messages', message)).body.id;
    await owner.api.patch(`/messages/${messageId}`, { topic: 'ideas' });
  });
  afterAll(() => annals.stop());

  it.each([
    ['/audit/events', () => ({ proofs: true })],
    ['/audit/message', () => ({ message_id: messageId })],
    ['/audit/proof', () => ({ message_id: messageId })],
    ['/audit/auditors', () => ({})],
  ])('says what GET %s does, asks and answers', async (path, asked) => {
    const { body } = await annals.api.get('/openapi.json');
    const { summary, parameters, responses } = body.paths[`/api/v1${path}`].get;
    expect(summary).toMatch(/\.$/);
    expect(parameters.filter(({ description }: { description?: string }) => !description)).toEqual([]);
    const validate = new Ajv({ strict: false, formats: { 'date-time': true } }).compile(
      closed(withNull(responses[200].content['application/json'].schema)) as object,
    );
    const answer = await owner.api.get(path, asked());
    expect(answer.status).toBe(200);
    validate(answer.body);
    expect(validate.errors).toBeNull();
  });
});
