import type { Example } from '../../../src/platform/http/openapi/described-api.js';
import { needed } from '../../properties/extremes.js';
import { furnished, type Valid } from '../../properties/furnished.js';
import { eventually } from '../../support/eventually.js';
import { newDeviceKeys } from '../../support/outside/push/open-sealed-box.js';
import { PushServices } from '../../support/outside/push/push-services.js';
import { type Operation, operationsOf } from '../../support/requests/operations.js';
import { ask as askOverNetwork, uploaded } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';
import { ACTS } from '../audit/complete/acts.js';
import { EVERYBODY } from '../audit/complete/audited-act.js';
import { Scene } from '../audit/complete/scene.js';

const DEVICE = { push_account_id: '8417' };

/** Parameters that an operation needs besides those that it lacks. The register response is long: messages alone are an example. */
const ASKED: Readonly<Record<string, object>> = {
  'POST /register': { event_types: ['message'], fetch_event_types: ['message'] },
  'POST /users/me/presence': { status: 'active' },
  'POST /typing': { type: 'stream', stream_id: 1, topic: 'some' },
  'GET /realm/logo': { night: false },
  'GET /audit/proof': { message_id: 1 },
  'GET /permissions/why': { action: 'can_create_public_channel_group' },
  'POST /mobile_push/e2ee/test_notification': DEVICE,
};
/** Answers that are no JSON of their operation's schema. */
const OTHER_FORMS: Readonly<Record<string, readonly string[]>> = {
  'GET /audit/events': ['application/x-ndjson', 'text/csv'],
  'GET /openapi.json': ['application/json'],
  'GET /asyncapi.json': ['application/json'],
};
/** A few of what a list or a text of lines has say enough. */
const MOST = 2;
/** Redirects have no body. */
const REDIRECT = 302;

/** Asks every operation once, and keeps what was sent and answered. */
export async function recordedExamples(): Promise<Readonly<Record<string, Example>>> {
  const services = await PushServices.start();
  const annals = await Annals.start({ ...services.settings, ANNALS_INVITATION_PAUSE_SECONDS: '0' });
  try {
    const scene = await Scene.of(annals, await annals.owner());
    const asking = await annals.user('asking', 100);
    const ofOneOfEach = await furnished(annals, asking);
    const ofFile = partsOf(await uploaded(annals.url, asking, 'words'));
    await registerDevice(services, asking);
    // Whom the others see.
    const valid: Valid = (name, operation) =>
      ['user', 'user_id'].includes(name) && operation.method === 'GET'
        ? asking.id
        : (ofFile(name, operation) ?? ofOneOfEach(name, operation));
    await scene.done(asking, 'POST', '/users/me/presence', { status: 'active' });
    await scene.done(asking, 'POST', '/users/me/status', { status_text: 'at lunch' });
    await scene.done(scene.owner, 'PATCH', '/realm', { enable_read_receipts: true });
    const found: Record<string, Example> = {};
    const operations = await operationsOf(annals.api);
    for (const operation of operations) {
      const name = `${operation.method} ${operation.path}`;
      if (operation.method !== 'GET') continue;
      const example = await asked(operation, asking, valid, annals.url);
      const otherForms = await inOtherForms(name, annals.url, asking);
      if (example || otherForms.otherForms) found[name] = { sent: {}, ...example, ...otherForms };
    }
    // Acts end accounts and things.
    for (const operation of operations) {
      const name = `${operation.method} ${operation.path}`;
      if (operation.method === 'GET') continue;
      const example = (await ofAct(name, scene)) ?? (await asked(operation, asking, valid, annals.url));
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
  const { params = {}, file, ...more } = await act.ask(scene, actor);
  const { status, body } = await scene.send(name, { params, ...(file && { file }), ...more }, actor);
  if (status !== 200) throw new Error(`${name} is no example: ${JSON.stringify(body)}`);
  const [, template = ''] = name.split(' ');
  const [place = '', query] = (more.path ?? template).split('?');
  const sent = {
    ...Object.fromEntries(new URLSearchParams(query)),
    ...params,
    ...(typeof params.payload === 'string' && { payload: JSON.parse(params.payload) }),
    ...(file?.type.startsWith('text/') && { file: await file.text() }),
  };
  return { ...pathOf(template, place), sent, answer: shortened(body) };
}

async function asked(operation: Operation, who: Member, valid: Valid, url: string): Promise<Example | null> {
  const { method, path } = operation;
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(valid(name, operation))));
  const sent = { ...needed(operation, valid), ...ASKED[`${method} ${path}`] };
  // The published API has one path to files, which has their slashes encoded.
  const isFile = path.startsWith('/user_uploads/');
  const { status, body } = await (isFile
    ? askOverNetwork(url, `/api/v1${place}`, who)
    : who.api.ask(method, place, sent));
  if (status === REDIRECT) return { sent };
  if (status !== 200 || body.result !== 'success') return null;
  return { ...pathOf(path, place), sent, answer: shortened(body) };
}

/** Gives the parts that a path has in the places of names. */
function pathOf(template: string, place: string): Pick<Example, 'path'> {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  const [, ...parts] = new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(place) ?? [];
  const partOf = (name: string, part: string) => (name.endsWith('_id') && /^\d+$/.test(part) ? Number(part) : part);
  return {
    path: Object.fromEntries(names.map((name, at) => [name, partOf(name, decodeURIComponent(parts[at] ?? ''))])),
  };
}

/** Asks for the forms of an answer that are no JSON of its schema. */
async function inOtherForms(name: string, url: string, who: Member): Promise<Pick<Example, 'otherForms'>> {
  const forms = OTHER_FORMS[name];
  if (!forms) return {};
  const [, path = ''] = name.split(' ');
  const otherForms: Record<string, unknown> = {};
  for (const media of forms) {
    const { bytes, body } = await askOverNetwork(url, `/api/v1${path}`, who, { headers: { Accept: media } });
    otherForms[media] = body === null ? firstLines(bytes.toString()) : beginningOf(body);
  }
  return { otherForms };
}

const firstLines = (text: string): string => `${text.split('\n').slice(0, MOST).join('\n')}\n`;

const beginningOf = ({ openapi, asyncapi, info: { title, version } }: Described) => ({
  ...(openapi && { openapi }),
  ...(asyncapi && { asyncapi }),
  info: { title, version },
});

interface Described {
  readonly openapi?: string;
  readonly asyncapi?: string;
  readonly info: { readonly title: string; readonly version: string };
}

/** Gives the parts of a file's URL, which paths of one, two and three names divide differently. */
function partsOf(url: string): (name: string, operation: Operation) => string | undefined {
  const [realm, folder, id, filename] = url.split('/').slice(2);
  return (name, { path }) => {
    if (!path.startsWith('/user_uploads/')) return undefined;
    const file = path.includes('{folder}') ? id : `${folder}/${id}`;
    const last = path.includes('{file_id}') ? filename : `${file}/${filename}`;
    return { realm_id_str: realm, folder, file_id: file, filename: last }[name];
  };
}

async function registerDevice(services: PushServices, { api }: Member): Promise<void> {
  const { publicKey } = newDeviceKeys();
  const device = { kind: 'fcm' as const, token: 'a:b', accountId: DEVICE.push_account_id, publicKey };
  await api.post('/mobile_push/register', services.registration(device));
  await eventually(async () => {
    const { status } = await api.post('/mobile_push/e2ee/test_notification', DEVICE);
    if (status !== 200) throw new Error('the device is not registered yet');
  });
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MOST).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
}
