import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HealthReport } from '../../src/app/health/health.js';
import { CONSEQUENCES_DATABASE } from '../../src/platform/commands/consequences.js';
import { ERASURE_DATABASE } from '../../src/platform/consumers/erased-content.js';
import { passedOverIn } from '../../src/platform/consumers/passed-over.js';
import { REACTORS_DATABASE } from '../../src/platform/consumers/reactors.js';
import { DOCUMENT_STORE } from '../../src/platform/documents/document-store.js';
import { eventually } from '../support/eventually.js';
import { MailServer } from '../support/outside/mail-server.js';
import { EventQueue } from '../support/requests/event-queue.js';
import { type Operation, operationsOf } from '../support/requests/operations.js';
import { Annals, type Member } from '../support/servers/annals.js';
import { type Trial, trialsOf } from './extremes.js';
import { furnished, type Valid } from './furnished.js';

const AT_ONCE = 8;

/** Operations without which nothing can be asked afterwards, and those that answer no JSON of the API. */
const LEFT_OUT = [
  ...['DELETE /users/me', 'POST /users/me/api_key/regenerate', 'GET /openapi.json', 'GET /asyncapi.json'],
  ...['GET /realm/icon', 'GET /realm/logo'],
];

describe('extreme values', () => {
  let mails: MailServer;
  let annals: Annals;
  let owner: Member;
  let asking: Member;
  let operations: readonly Operation[];
  let valid: Valid;

  beforeAll(async () => {
    mails = await MailServer.start();
    annals = await Annals.start({
      ANNALS_SMTP_URL: mails.url,
      ANNALS_INVITATION_PAUSE_SECONDS: '0',
      ANNALS_INVITATIONS_PER_ADMINISTRATOR: '10000',
    });
    owner = await annals.owner();
    asking = await annals.user('asking', 100);
    operations = (await operationsOf(annals.api)).filter(({ method, path }) => !LEFT_OUT.includes(`${method} ${path}`));
    valid = await furnished(annals, asking);
  });
  afterAll(async () => {
    await annals.stop();
    await mails.stop();
  });

  /** What is wrong with an answer; null: nothing. The client checks its shape and that an error has words. */
  async function mistakeOf({ title, send }: Trial): Promise<string | null> {
    try {
      const { status, body } = await send(asking.api);
      const isRefusedLogin = status === 401 && /^POST \/(?:fetch_api_key|session)\b/.test(title);
      const isRight = status < 500 && (status !== 401 || isRefusedLogin) && typeof body.result === 'string';
      return isRight ? null : `${title}: ${status} ${JSON.stringify(body).slice(0, 200)}`;
    } catch (error) {
      return `${title}: ${error instanceof Error ? error.message.slice(0, 500) : error}`;
    }
  }

  it.each([0, 1, 2, 3])('are answered by every operation, part %d', async (part) => {
    const own = operations.filter((_, index) => index % 4 === part).flatMap((one) => trialsOf(one, valid));
    const mistakes: (string | null)[] = [];
    const next = own[Symbol.iterator]();
    const one = async (): Promise<void> => {
      for (const trial of next) mistakes.push(await mistakeOf(trial));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    expect(mistakes.filter((mistake) => mistake !== null)).toEqual([]);
    expect(mistakes).toHaveLength(own.length);
  });

  it('hold no consumer up', async () => {
    const queue = await EventQueue.register(owner.api, { event_types: ['message', 'delete_message'] });
    const content = 'after all that';
    const { body: sent } = await owner.api.post('/messages', { type: 'direct', to: [owner.id], content });
    expect((await owner.api.get(`/messages/${sent.id}`, { apply_markdown: false })).body.message.content).toBe(content);
    expect((await queue.drain()).map(({ type }) => type)).toEqual(['message']);
    await owner.api.post('/invites', { invitee_emails: 'after@example.com', stream_ids: [] });
    await mails.mailTo('after@example.com');
    expect((await owner.api.delete(`/messages/${sent.id}`)).status).toBe(200);
    expect((await queue.drain()).map(({ type }) => type)).toEqual(['delete_message']);
    // Health looks every few seconds, and may not have seen the last ones yet.
    const databases = [CONSEQUENCES_DATABASE, REACTORS_DATABASE, ERASURE_DATABASE, 'pusher'];
    expect(await passedOverIn(annals.app.get(DOCUMENT_STORE), databases, 20)).toEqual({ count: 0, newest: [] });
    await eventually(async () => {
      const { status, body } = await owner.api.get('/health');
      const { projections, passedOver } = body as HealthReport;
      expect({ status, passedOver }).toEqual({ status: 200, passedOver: { count: 0, newest: [] } });
      expect(projections.filter(({ state }) => state !== 'running')).toEqual([]);
    });
  });
});
