import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { INVITATIONS_STREAM, type InvitationSent } from '../../../src/events/invitations/invitations.events.js';
import { newContentKey } from '../../../src/platform/content-keys/seal.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/requests/api.js';
import { RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

/** Appends an invitation that ends at no time that a date can hold. */
async function appendUnmailable(dataDirectory: string): Promise<string> {
  const engines = await openEngines({ dataDirectory });
  try {
    const codec = new EventCodec(engines.contentKeys, eventRegistry);
    const keyId = newEventId();
    const { key } = await engines.contentKeys.putIfAbsent(keyId, newContentKey());
    const sent: InvitationSent = {
      type: 'InvitationSent',
      data: {
        invitationId: 1,
        inviterId: 1,
        keyId,
        tokenHash: '0'.repeat(64),
        expiresAt: Number.MAX_SAFE_INTEGER,
        terms: { role: 400, channelIds: [], groupIds: [], withDefaultChannels: true },
        notifiesInviter: false,
        followedBy: 0,
        invitee: { email: 'nobody@example.com', welcomeText: null },
      },
    };
    const metadata = { actorId: 1, client: 'test', at: 1, correlationId: 'test', causationId: null };
    await engines.eventStore.append(INVITATIONS_STREAM, [codec.encode(sent, keyId, metadata, { keyId, key })], 'any');
    return keyId;
  } finally {
    await engines.close();
  }
}

it('an event that no reactor can handle is named by health, through restarts, and holds no other up', async () => {
  const data = await temporaryDataDirectory();
  let server = await RunningServer.start(data.path);
  try {
    await eventually(async () => expect((await server.health()).passedOver).toEqual({ count: 0, newest: [] }));
    await server.stop();
    const eventId = await appendUnmailable(data.path);

    server = await RunningServer.start(data.path);
    const listed = {
      ready: true,
      passedOver: {
        count: 1,
        newest: [{ follower: 'invitation-mail', type: 'InvitationSent', eventId, revision: 0, error: 'RangeError' }],
      },
    };
    await eventually(async () => expect(await server.health()).toMatchObject(listed));
    expect(server.printed).toMatch(`invitation-mail passes over InvitationSent ${eventId}`);

    const owner = new Api(await server.owner());
    const invitation = { invitee_emails: 'somebody@example.com', stream_ids: [] };
    expect(await owner.post('invites', invitation)).toMatchObject({ result: 'success' });
    await eventually(async () => expect(await readdir(join(data.path, 'outbox'))).toHaveLength(1));

    await server.kill();
    server = await RunningServer.start(data.path);
    await eventually(async () => expect(await server.health()).toMatchObject(listed));
    expect(server.printed).toMatch(`invitation-mail passes over InvitationSent ${eventId}`);
    expect(await readdir(join(data.path, 'outbox'))).toHaveLength(1);
  } finally {
    await server.kill();
    await data.remove();
  }
});
