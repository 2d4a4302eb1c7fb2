import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import type { UserDeactivated } from '../../../src/events/users/users.events.js';
import { deactivationNotice } from '../../../src/features/users/reactors/deactivation-notice.js';
import { Fence } from '../../../src/platform/cluster/fence.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { type Reactor, reactor } from '../../../src/platform/consumers/reactor.js';
import { Reactors } from '../../../src/platform/consumers/reactors.js';
import type { Engines } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { Links } from '../../../src/platform/links/links.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import type { Mail } from '../../../src/platform/mail/mailer.js';
import { eventually } from '../../support/eventually.js';
import { withScratch } from '../../support/scratch.js';
import { userCreated } from '../../support/users.js';

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
    [running, sent, reported, refuses] = [[], [], [], () => false];
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
      codec: new EventCodec(engines.contentKeys, eventRegistry),
      mailer: {
        send: async (mail) => {
          if (refuses(mail)) throw new Error('the mail server is away');
          sent.push(mail);
        },
      },
      links: new Links(engines.contentKeys),
      site: () => 'http://localhost',
      reactors,
      report: (error) => reported.push(error),
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
      name: 'dying',
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
