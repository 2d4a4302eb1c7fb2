import type { Example } from '../../../src/app/description/examples.js';
import { needed } from '../../properties/extremes.js';
import { furnished, type Valid } from '../../properties/furnished.js';
import { PushServices } from '../../support/outside/push/push-services.js';
import { type Operation, operationsOf } from '../../support/requests/operations.js';
import { Annals, type Member } from '../../support/servers/annals.js';
import { ACTS } from '../audit/complete/acts.js';
import { EVERYBODY } from '../audit/complete/audited-act.js';
import { Scene } from '../audit/complete/scene.js';

/** Parameters that an operation needs besides those that it lacks. The register response is long: messages alone are an example. */
const ASKED: Readonly<Record<string, object>> = {
  'POST /register': { event_types: ['message'], fetch_event_types: ['message'] },
  'POST /users/me/presence': { status: 'active' },
  'POST /typing': { type: 'stream', stream_id: 1, topic: 'some' },
  'GET /audit/proof': { message_id: 1 },
  'GET /permissions/why': { action: 'can_create_public_channel_group' },
};
/** A few of what a list or a map has say enough. */
const MOST = 2;

/** Asks every operation that answers JSON once, and keeps what was sent and answered. */
export async function recordedExamples(): Promise<Readonly<Record<string, Example>>> {
  const services = await PushServices.start();
  const annals = await Annals.start({ ...services.settings, ANNALS_INVITATION_PAUSE_SECONDS: '0' });
  try {
    const scene = await Scene.of(annals, await annals.owner());
    const asking = await annals.user('asking', 100);
    const ofOneOfEach = await furnished(annals, asking);
    // Whom the others see.
    const valid: Valid = (name, operation) =>
      ['user', 'user_id'].includes(name) && operation.method === 'GET' ? asking.id : ofOneOfEach(name, operation);
    await scene.done(asking, 'POST', '/users/me/presence', { status: 'active' });
    await scene.done(asking, 'POST', '/users/me/status', { status_text: 'at lunch' });
    await scene.done(scene.owner, 'PATCH', '/realm', { enable_read_receipts: true });
    const found: Record<string, Example> = {};
    const operations = await operationsOf(annals.api);
    for (const operation of operations) {
      const name = `${operation.method} ${operation.path}`;
      if (operation.method !== 'GET') continue;
      const example = await asked(operation, asking, valid);
      if (example) found[name] = example;
    }
    // Acts end accounts and things.
    for (const operation of operations) {
      const name = `${operation.method} ${operation.path}`;
      if (operation.method === 'GET') continue;
      const example = (await ofAct(name, scene)) ?? (await asked(operation, asking, valid));
      if (example) found[name] = example;
    }
    return Object.fromEntries(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)));
  } finally {
    await annals.stop();
    await services.stop();
  }
}

async function ofAct(name: string, scene: Scene): Promise<Example | null> {
  const act = ACTS[name]?.find(({ may = EVERYBODY }) => may.length > 0);
  if (!act || name in ASKED) return null;
  const actor = await scene.user(act.may?.[0] ?? 100);
  const { params = {}, ...more } = await act.ask(scene, actor);
  const { status, body } = await scene.send(name, { params, ...more }, actor);
  if (status !== 200) throw new Error(`${name} is no example: ${JSON.stringify(body)}`);
  return { sent: params, answer: shortened(body) };
}

async function asked(operation: Operation, { api }: Member, valid: Valid): Promise<Example | null> {
  const { method, path } = operation;
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(valid(name, operation))));
  const sent = { ...needed(operation, valid), ...ASKED[`${method} ${path}`] };
  const { status, body } = await api.ask(method, place, sent);
  return status === 200 && body.result === 'success' ? { sent, answer: shortened(body) } : null;
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MOST).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
}
