import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACCESSES_STREAM } from '../../../../src/events/accesses/accesses.events.js';
import type { Role } from '../../../../src/events/shared/role.js';
import { AccessLog } from '../../../../src/features/accesses/services/access-log.js';
import { PushServices } from '../../../support/outside/push/push-services.js';
import { Annals, type Member } from '../../../support/servers/annals.js';
import type { AuditEvent } from '../audit-versions.js';
import { ACTS } from './acts.js';
import { type Actor, type AuditedAct, EVERYBODY } from './audited-act.js';
import { hasPart } from './has-part.js';
import { type Done, Scene } from './scene.js';

/** The roles of a list that try an act. */
export type Tried = (roles: readonly Role[]) => readonly Role[];

interface Trial extends Pick<AuditedAct, 'ask'> {
  readonly role: Role;
  /** Numbers the acts of an operation. */
  readonly number: number;
}

const trialsOf = (acts: readonly AuditedAct[], roles: (act: AuditedAct) => readonly Role[]): Trial[] =>
  acts.flatMap((act, index) => roles(act).map((role) => ({ role, ask: act.ask, number: index + 1 })));

const permitted = ({ may = EVERYBODY }: AuditedAct): readonly Role[] => may;
const refused = (act: AuditedAct): readonly Role[] =>
  act.mayNot ?? EVERYBODY.filter((role) => !permitted(act).includes(role));

/**
 * Tries every operation that changes something, and asks the audit for each act.
 * @param tried which of the roles that may do it, and of those that are refused
 */
export function describeEveryAct(tried: { readonly permitted: Tried; readonly refused: Tried }): void {
  let services: PushServices;
  let annals: Annals;
  let auditor: Member;
  let scene: Scene;
  const actors = new Map<Role, Actor>();

  beforeAll(async () => {
    services = await PushServices.start();
    annals = await Annals.start({
      ...services.settings,
      ANNALS_TRUSTED_PROXIES: 'loopback',
      ANNALS_ACCESS_DAYS: '30',
      ANNALS_INVITATION_PAUSE_SECONDS: '0',
    });
    auditor = await annals.owner();
    scene = await Scene.of(annals, auditor);
  });
  afterAll(async () => {
    await annals.stop();
    await services.stop();
  });

  async function actor(role: Role): Promise<Actor> {
    const known = actors.get(role) ?? (await scene.user(role));
    actors.set(role, known);
    return known;
  }

  async function found(question: object): Promise<readonly AuditEvent[]> {
    const { status, body } = await auditor.api.get('/audit/events', { words: true, limit: 1000, ...question });
    expect([status, body.msg]).toEqual([200, '']);
    return body.events;
  }

  /** When it was, to the millisecond: between the question and the answer. */
  const expectBetween = (at: number, { began, ended }: Done): void =>
    expect([at >= began, at <= ended]).toEqual([true, true]);

  async function expectFound(operation: string, { role, ask }: Trial): Promise<void> {
    const by = await actor(role);
    const asked = await ask(scene, by);
    const done = await scene.send(operation, asked, by);
    expect({ status: done.status, msg: done.body.msg }).toEqual({ status: 200, msg: '' });
    const { kind, data = {} } = asked.becomes;
    const events = await found({ order: 'oldest', after: done.head, kind: [kind] });
    const event = events.find(({ request_id }) => request_id === done.requestId);
    expect(event).toMatchObject({
      ...{ kind, data, caused_by: null, client: 'Completer', address: done.address },
      actor: { user_id: done.by.id, email: done.by.email, name: expect.any(String) },
    });
    expectBetween(Date.parse(event?.time ?? ''), done);
    if (!asked.was) return;
    const { kind: before, data: was = {} } = asked.was;
    const older = (await found({ kind: [before], limit: 100 })).filter(({ position }) => position <= done.head);
    expect(older.filter(({ data: known }) => hasPart(known, was))).not.toEqual([]);
  }

  async function expectRefused(operation: string, { role, ask }: Trial): Promise<void> {
    // An account of its own: of one account, only some refusals a minute are recorded.
    const by = await scene.user(role);
    const done = await scene.send(operation, await ask(scene, by), by);
    expect([done.status >= 400, done.status < 500, done.body.result]).toEqual([true, true, 'error']);
    const later = await annals.events(undefined, done.head);
    // Accesses are appended within a second: the refusal, and the first use of the account's key.
    const others = later.filter(({ stream }) => stream !== ACCESSES_STREAM);
    expect(others.filter(({ metadata }) => metadata.correlationId === done.requestId)).toEqual([]);
    await annals.app.get(AccessLog).flush();
    const [method, path = ''] = operation.split(' ');
    const route = `/api/v1${path.replace(/\{(\w+)\}/g, ':$1')}`;
    const refusals = await found({ kind: ['ActRefused'], actor: done.by.id, after: done.head, order: 'oldest' });
    const refusal = refusals.find(({ data }) => data.method === method && data.route === route);
    expect(refusal).toMatchObject({
      ...{ data: { message: done.body.msg }, client: 'Completer', address: done.address },
      actor: { user_id: done.by.id, email: done.by.email },
    });
    expectBetween(refusal?.data.lastAt, done);
  }

  describe.each(Object.entries(ACTS))('%s', (operation, acts) => {
    const done = trialsOf(acts, (act) => tried.permitted(permitted(act)));
    if (done.length > 0)
      it.each(done)('is found with all that an audit needs: act $number by role $role', (trial) =>
        expectFound(operation, trial),
      );
    const notDone = trialsOf(acts, (act) => tried.refused(refused(act)));
    if (notDone.length > 0)
      it.each(notDone)('changes nothing, and the refusal is found: act $number by role $role', (trial) =>
        expectRefused(operation, trial),
      );
  });
}
