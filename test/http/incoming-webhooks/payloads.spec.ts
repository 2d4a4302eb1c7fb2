import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { integrations } from '../../../src/features/incoming-webhooks/domain/integrations.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const FOLDER = join(import.meta.dirname, 'payloads');

/** A payload as its service publishes it, and the message that is posted. */
interface Example {
  readonly service: string;
  readonly name: string;
  readonly payload: Record<string, unknown>;
  readonly page: string;
}

const examples: Example[] = readdirSync(FOLDER).flatMap((service) =>
  readdirSync(join(FOLDER, service))
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      service,
      name: file.replace('.json', ''),
      payload: JSON.parse(readFileSync(join(FOLDER, service, file), 'utf8')),
      page: join(FOLDER, service, file.replace('.json', '.md')),
    })),
);

/** `UPDATE_DOCS=1` writes the pages. */
describe('a payload is posted as its page says', () => {
  let annals: Annals;
  let owner: Member;
  let key: string;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    const { body } = await owner.api.post('/bots', { full_name: 'Hooks', short_name: 'hooks', bot_type: 2 });
    key = body.api_key;
  });
  afterAll(() => annals.stop());

  it('for every service', () => {
    expect([...new Set(examples.map(({ service }) => service))].sort()).toEqual(
      integrations.map(({ name }) => name).sort(),
    );
  });

  it.each(examples.map((one) => [`${one.service}/${one.name}`, one] as const))('%s', async (_, example) => {
    const { service, name, payload, page } = example;
    const { eventHeader } = integrations.find((one) => one.name === service) ?? {};
    const headers = eventHeader === undefined ? {} : { [eventHeader]: name.split('.')[0] ?? '' };
    const path = `/external/${service}?api_key=${key}&stream=general`;
    const { status, body } = await annals.api.post(path, payload, { encoding: 'json', headers });
    expect(status).toBe(200);
    const said = body.id === undefined ? `ignored: ${body.ignored}\n` : await posted(body.id);
    if (process.env.UPDATE_DOCS) writeFileSync(page, said);
    expect(said).toBe(readFileSync(page, 'utf8'));
  });

  async function posted(id: number): Promise<string> {
    const { body } = await owner.api.get(`/messages/${id}`, { apply_markdown: false });
    return `topic: ${body.message.subject}\n\n${body.message.content}\n`;
  }
});
