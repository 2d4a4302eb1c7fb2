import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { beginEffects } from '../../../src/app/roles/log-consumers.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import type { UserDeactivated } from '../../../src/events/users/users.events.js';
import { deactivationNotice } from '../../../src/features/users/reactors/account-mails.js';
import { Fence } from '../../../src/platform/cluster/fence.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { type PassedOverReport, passedOverIn } from '../../../src/platform/consumers/passed-over.js';
import { type Reactor, reactor } from '../../../src/platform/consumers/reactor.js';
import { Reactors } from '../../../src/platform/consumers/reactors.js';
import type { Engines } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import type { DomainEvent, Recorded } from '../../../src/platform/kernel/event.js';
import type { JsonObject } from '../../../src/platform/kernel/json.js';
import { UnavailableError } from '../../../src/platform/kernel/outcome-errors.js';
import { Links } from '../../../src/platform/links/links.js';
import { EventCodec, type EventRegistry } from '../../../src/platform/log/event-codec.js';
import type { Mail } from '../../../src/platform/mail/mailer.js';
import { userCreated } from '../../support/events/users.js';
import { eventually } from '../../support/eventually.js';
import { withScratch } from '../../support/scratch.js';

const by = { actorId: null, client: 'test', correlationId: 'test' };
const ended = (userId: number, comment: string | null = ''): UserDeactivated => ({
  type: 'UserDeactivated',
  data: { userId, notice: comment === null ? null : { comment } },
});

describe('reactors', () => {
  let engines: Engines;
  let append: (stream: string, ...events: DomainEvent[]) => Promise<void>;
  let running: Reactors[];
  let sent: Mail[];
  let reported: unknown[];
  let said: string[];
  let registry: EventRegistry;
  let refuses: (mail: Mail) => boolean;
  let close: () => void;
  let done: Promise<unknown>;

  beforeEach(async () => {
    const scratch = new Promise<string>((ready) => {
      done = withScratch(async (directory) => {
        ready(directory);
        await new Promise<void>((resolve) => {
          close = resolve;
        });
      });
    });
    engines = await openEngines({ dataDirectory: await scratch });
    const runner = new CommandRunner(
      engines.eventStore,
      engines.contentKeys,
      new EventCodec(engines.contentKeys, eventRegistry),
    );
    append = async (stream, ...events) => {
      for (const event of events) await runner.report(stream, event, by);
    };
    [running, sent, reported, said, refuses] = [[], [], [], [], () => false];
    registry = eventRegistry;
    await append('organization', { type: 'OrganizationCreated', data: { name: 'Annals' } });
    await append('users', ...[1, 2, 3, 4, 5].map((id) => userCreated(id)));
  });

  afterEach(async () => {
    for (const one of running) await one.close();
    await engines.close();
    close();
    await done;
  });

  async function start(
    reactors: readonly Reactor[] = [deactivationNotice],
    shared?: { fence: Fence; onFenced: () => void },
  ) {
    const one = new Reactors({
      eventStore: engines.eventStore,
      documentStore: engines.documentStore,
      codec: new EventCodec(engines.contentKeys, registry),
      mailer: {
        send: async (mail) => {
          if (refuses(mail)) throw new UnavailableError('the mail server is away');
          sent.push(mail);
        },
      },
      links: new Links(engines.contentKeys),
      site: () => 'http://localhost',
      reactors,
      report: (error) => reported.push(error),
      say: (line) => said.push(line),
      ...(shared ? { shared } : {}),
    });
    await one.start();
    running.push(one);
    return one;
  }

  const addressees = () => sent.map(({ to }) => to);
  const sentTo = (...ids: number[]) =>
    eventually(() => expect(addressees()).toEqual(ids.map((id) => `user${id}@example.com`)));

  it('handle the events after their first start, in order', async () => {
    await append('users', ended(1));
    await start();
    await append('users', ended(2, 'Farewell!'), ended(3, null), ended(4));
    await sentTo(2, 4);
    expect(sent[0]?.text).toContain('> Farewell!');
  });

  it('of a new organization handle what happened before any of them ran', async () => {
    await beginEffects(engines.documentStore);
    await append('users', ended(1));
    const first = await start();
    await append('users', ended(2));
    await sentTo(1, 2);
    await first.close();
    // Another process that creates the organization at the same moment takes nothing back.
    await beginEffects(engines.documentStore);
    await start();
    await append('users', ended(3));
    await sentTo(1, 2, 3);
  });

  it('go on from their checkpoint after a restart, so that no event is lost or handled twice', async () => {
    const first = await start();
    await append('users', ended(1));
    await sentTo(1);
    await first.close();
    await append('users', ended(2));
    const second = await start();
    await sentTo(1, 2);
    await second.close();
    await start();
    await append('users', ended(3));
    await sentTo(1, 2, 3);
  });

  it('send a mail again that could not be sent, and no other mail', async () => {
    let refusals = 3;
    refuses = ({ to }) => to.startsWith('user2') && refusals-- > 0;
    await start();
    await append('users', ended(1), ended(2), ended(3));
    await sentTo(1, 2, 3);
    expect(reported).toHaveLength(3);
  });

  it('that die between the mail and the checkpoint send the same mail again', async () => {
    refuses = () => true;
    const mails: Mail[] = [];
    const dying = reactor<UserDeactivated>({
      name: deactivationNotice.name,
      on: 'UserDeactivated',
      open: (context) => {
        const react = deactivationNotice.open({ ...context, mailer: { send: async (mail) => void mails.push(mail) } });
        return async (event) => {
          await react(event);
          throw new Error('died');
        };
      },
    });
    const first = await start([dying]);
    await append('users', ended(1));
    await eventually(() => expect(mails.length).toBeGreaterThan(1));
    await first.close();
    refuses = () => false;
    await start();
    await sentTo(1);
    expect(new Set([...mails, ...sent].map(({ id }) => id)).size).toBe(1);
  });

  it('use the present address of a user, and the present name of the organization', async () => {
    await start();
    await append('organization', {
      type: 'RealmSettingChanged',
      data: { setting: 'name', from: 'Annals', to: 'Chronicle' },
    });
    const moved = { userId: 1, from: 'user1@example.com', to: 'moved@example.com' };
    const renamed = { userId: 1, from: 'User 1', to: 'Uma' };
    await append('users', { type: 'UserEmailChanged', data: moved }, { type: 'UserRenamed', data: renamed }, ended(1));
    await eventually(() => expect(addressees()).toEqual(['moved@example.com']));
    expect(sent[0]).toMatchObject({
      fromName: 'Chronicle',
      subject: 'Notification of account deactivation on Chronicle',
      text: expect.stringMatching(/^Hello Uma,/),
    });
  });

  it('start at the end of the log if their checkpoint is lost, so that nobody gets old mail', async () => {
    const first = await start();
    await append('users', ended(1));
    await sentTo(1);
    await first.close();
    await engines.documentStore.dropDatabase('reactors');
    await start();
    await append('users', ended(2));
    await sentTo(1, 2);
  });

  describe('with an event that they cannot handle', () => {
    const listed = (): Promise<PassedOverReport> => passedOverIn(engines.documentStore, ['reactors'], 2);
    const throwing = (ids: readonly number[]): Reactor =>
      reactor<UserDeactivated>({
        name: deactivationNotice.name,
        on: 'UserDeactivated',
        open: (context) => {
          const react = deactivationNotice.open(context);
          return async (event) => {
            if (ids.includes(event.data.userId)) throw new RangeError('Invalid time value');
            return react(event);
          };
        },
      });

    it('pass it over after some tries, keep it in a list, and handle it at a later start', async () => {
      const first = await start([throwing([1, 3])]);
      await append('users', ended(1), ended(2), ended(3), ended(4));
      await sentTo(2, 4);
      expect(await listed()).toMatchObject({
        count: 2,
        newest: [
          { follower: 'deactivation-notice', type: 'UserDeactivated', stream: 'users', error: 'RangeError' },
          { follower: 'deactivation-notice', type: 'UserDeactivated', stream: 'users', error: 'RangeError' },
        ],
      });
      expect(reported).toHaveLength(2);
      expect(said).toEqual([
        expect.stringMatching(
          /^deactivation-notice passes over UserDeactivated \S+ at \d+, .*: RangeError: Invalid time/,
        ),
        expect.stringMatching(/^deactivation-notice passes over UserDeactivated/),
      ]);
      await first.close();

      const second = await start([throwing([1])]);
      await sentTo(2, 4, 3);
      await eventually(async () => expect((await listed()).count).toBe(1));
      expect(said).toHaveLength(4);
      expect(said[3]).toMatch(/^deactivation-notice has handled UserDeactivated \S+ at \d+, which it had passed over$/);
      await append('users', ended(5));
      await sentTo(2, 4, 3, 5);
      await second.close();

      await start();
      await sentTo(2, 4, 3, 5, 1);
      await eventually(async () => expect(await listed()).toEqual({ count: 0, newest: [] }));
    });

    it('wait while something is unavailable, and pass nothing over', async () => {
      let refusals = 6;
      refuses = () => refusals-- > 0;
      await start();
      await append('users', ended(1));
      await sentTo(1);
      expect(await listed()).toEqual({ count: 0, newest: [] });
      expect(said).toEqual([]);
    });

    it('hold no other reactor up while one waits', async () => {
      const waiting = reactor<UserDeactivated>({
        name: 'waiting',
        on: 'UserDeactivated',
        open: () => async () => {
          throw new UnavailableError('it is away');
        },
      });
      const first = await start([waiting, deactivationNotice]);
      await append('users', ended(1), ended(2));
      await sentTo(1, 2);
      await first.close();

      // Each goes on from its own checkpoint.
      const seen: number[] = [];
      const freed = {
        ...waiting,
        open:
          () =>
          async ({ data }: Recorded) =>
            seen.push((data as { userId: number }).userId) > 0,
      };
      await start([freed, deactivationNotice]);
      await append('users', ended(3));
      await sentTo(1, 2, 3);
      await eventually(() => expect(seen).toEqual([1, 2, 3]));
    });

    it('pass over an event that cannot be decoded', async () => {
      const definition = eventRegistry.get('UserDeactivated');
      if (!definition) throw new Error('no such event');
      const upcast = (data: JsonObject): JsonObject => {
        if (data.userId === 1) throw new TypeError('no step leads there');
        return data;
      };
      registry = new Map(eventRegistry).set(definition.type, {
        ...definition,
        version: definition.version + 1,
        upcasters: { ...definition.upcasters, [definition.version]: upcast },
      });
      await start();
      await append('elsewhere', ended(1));
      await append('users', ended(2));
      await sentTo(2);
      expect(await listed()).toMatchObject({
        count: 1,
        newest: [{ stream: 'elsewhere', error: 'UnreadableEvent' }],
      });
    });
  });

  it('go on from the one checkpoint that all of them had in earlier versions', async () => {
    await append('users', ended(1));
    const shared = await engines.documentStore.database('reactors');
    await shared.write({ writes: [], checkpoint: await engines.eventStore.head() });
    await shared.close();
    await append('users', ended(2));
    await start();
    await append('users', ended(3));
    await sentTo(2, 3);
  });

  it('go on where an earlier version came to in between', async () => {
    const first = await start();
    await append('users', ended(1));
    await sentTo(1);
    await first.close();
    await append('users', ended(2));
    const shared = await engines.documentStore.database('reactors');
    await shared.write({ writes: [], checkpoint: await engines.eventStore.head() });
    await shared.close();
    await start();
    await append('users', ended(3));
    await sentTo(1, 3);
  });

  it('stop when another process takes over', async () => {
    const fenced: string[] = [];
    await start([deactivationNotice], { fence: new Fence(1), onFenced: () => void fenced.push('the first') });
    await new Fence(2).close(await engines.documentStore.database('reactors'));
    await append('users', ended(1));
    await eventually(() => expect(fenced).toEqual(['the first']));
    const before = sent.length;
    await append('users', ended(2));
    await start([deactivationNotice], { fence: new Fence(3), onFenced: () => {} });
    await eventually(() => expect(addressees()).toContain('user2@example.com'));
    // The first process may have sent the first mail without its checkpoint. Then the same mail is sent again.
    expect(before).toBeLessThanOrEqual(1);
    const firsts = sent.filter(({ to }) => to === 'user1@example.com');
    expect(new Set(firsts.map(({ id }) => id)).size).toBe(1);
    expect(addressees().filter((to) => to === 'user2@example.com')).toHaveLength(1);
  });
});
