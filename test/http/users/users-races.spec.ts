import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { USERS_STREAM } from '../../../src/events/users/users.events.js';
import { decideUpdateUser, UpdateUser, type UserChanges } from '../../../src/features/users/domain/update-user.js';
import { users } from '../../../src/features/users/domain/users.state.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { DomainError } from '../../../src/platform/kernel/deciding.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import type { Answer } from '../../support/requests/http.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

const WRITERS = 50;

describe('a race of fifty requests', () => {
  let annals: Annals;
  let owner: Member;
  let owners: Member[];

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  beforeEach(async () => {
    owners = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      const member = await annals.user(`${name}${(await annals.events('users')).length}`);
      await annals.execute(new UpdateUser({ userId: member.id, changes: { role: 100 }, by }));
      owners.push(member);
    }
  });
  afterEach(async () => {
    for (const { id } of owners) await owner.api.patch(`/users/${id}`, { role: 400 });
  });

  const liveOwners = async (): Promise<number[]> => {
    const { members } = (await owner.api.get('/users')).body;
    return members.filter((one: { is_owner: boolean; is_active: boolean }) => one.is_owner && one.is_active);
  };

  it('for an address gives it to one account', async () => {
    const members = await Promise.all(Array.from({ length: 10 }, (_, at) => annals.user(`racer${at}`)));
    const ask = (at: number): Promise<Answer> =>
      owner.api.patch(`/users/${members[at % 10]?.id}`, {
        new_email: at % 3 ? 'Prize@example.com' : 'prize@example.com',
      });
    const answers = await Promise.all(Array.from({ length: WRITERS }, (_, at) => ask(at)));
    for (const { status, body } of answers) if (status !== 200) expect(body.msg).toMatch(/already in use$/);
    const holders = (await annals.events('users'))
      .filter(({ type }) => type === 'UserEmailChanged')
      .map(({ data }) => (data as { userId: number }).userId);
    expect(new Set(holders).size).toBe(1);
  });

  it('of owners that demote and deactivate each other leaves one owner', async () => {
    const everybody = [owner, ...owners];
    const attempt = async (at: number): Promise<void> => {
      const who = everybody[at % everybody.length] as Member;
      const whom = everybody[(at + 1 + (at % 3)) % everybody.length] as Member;
      // The first owner is only demoted, so that the account can still send requests afterwards.
      if (at % 3 === 0 && whom.id !== owner.id) await who.api.delete(`/users/${whom.id}`);
      else if (at % 3 === 1 && who.id !== owner.id) await who.api.delete('/users/me');
      else await who.api.patch(`/users/${whom.id}`, { role: 400 });
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, at) => attempt(at)));
    expect(await liveOwners()).toHaveLength(1);
    await annals.execute(new UpdateUser({ userId: owner.id, changes: { role: 100 }, by }));
  });

  it('has the same outcome between processes that share nothing but the log', async () => {
    const store = annals.app.get<EventStore>(EVENT_STORE);
    const keys = annals.app.get<ContentKeys>(CONTENT_KEYS);
    const process = () => new CommandRunner(store, keys, new EventCodec(keys, eventRegistry));
    const processes = Array.from({ length: WRITERS }, process);
    const facts = {
      isAdministrator: true,
      isOwner: true,
      mayChangeEmails: true,
      uniqueNames: false,
      profileFields: [],
      render: (text: string) => text,
    };
    const outcomes = async (changes: UserChanges): Promise<(string | number)[]> => {
      const ids = [owner.id, ...owners.map(({ id }) => id)];
      const decided = processes.map((runner, at) => {
        const command = new UpdateUser({ userId: ids[at % ids.length] as number, changes, by });
        const request = {
          stream: USERS_STREAM,
          decider: users,
          expects: 'any' as const,
          decide: decideUpdateUser,
          command,
          context: facts,
          by,
        };
        return runner.decide(request).then(
          ({ events }) => events.length,
          (error: unknown) => {
            if (error instanceof DomainError) return error.code;
            throw error;
          },
        );
      });
      return Promise.all(decided);
    };
    const taken = await outcomes({ email: 'one.for.all@example.com' });
    expect(taken.filter((outcome) => outcome === 1)).toHaveLength(1);
    expect(new Set(taken.filter((outcome) => typeof outcome === 'string'))).toEqual(new Set(['EMAIL_TAKEN']));
    const demoted = await outcomes({ role: 400 });
    expect(demoted.filter((outcome) => outcome === 1)).toHaveLength(owners.length);
    expect(demoted).toContain('ONLY_OWNER_DEMOTED');
  });
});
