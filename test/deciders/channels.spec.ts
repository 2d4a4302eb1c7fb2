import { describe, it } from '@jest/globals';
import type { ChannelEvent } from '../../src/channels/domain/channels.events.js';
import { channels } from '../../src/channels/domain/channels.state.js';
import { CreateChannel, decideCreateChannel } from '../../src/channels/domain/create-channel.js';
import { channelData } from '../support/events.js';
import { given } from '../support/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const facts = { mayCreate: true, renderedDescription: '<p>d</p>' };

const created = (channelId: number, name: string): ChannelEvent => ({
  type: 'ChannelCreated',
  data: channelData(channelId, { name }),
});

const create = (changes: Partial<CreateChannel['channel']> = {}) =>
  new CreateChannel(
    {
      name: 'design',
      description: 'd',
      inviteOnly: false,
      historyPublicToSubscribers: true,
      subscriberIds: [1],
      ...changes,
    },
    1,
    by,
  );

describe('creating a channel', () => {
  it('gives the next id and names its first subscribers', () => {
    given(channels, [created(4, 'general')])
      .when(decideCreateChannel, create(), facts)
      .then([created(5, 'design')]);
  });

  it('drops white space around the name', () => {
    given(channels, [])
      .when(decideCreateChannel, create({ name: '  design ' }), facts)
      .then([created(1, 'design')]);
  });

  it.each(['design', 'DESIGN', ' Design '])('keeps names unique without regard to case: %j', (name) => {
    given(channels, [created(1, 'Design')])
      .when(decideCreateChannel, create({ name }), facts)
      .thenRefuses('CHANNEL_ALREADY_EXISTS', { name: name.trim() });
  });

  it('takes a composed and a decomposed name for the same', () => {
    given(channels, [created(1, 'caf\u00e9')])
      .when(decideCreateChannel, create({ name: 'cafe\u0301' }), facts)
      .thenRefuses('CHANNEL_ALREADY_EXISTS');
  });

  it.each([
    [{ name: ' ' }, 'CHANNEL_NAME_EMPTY'],
    [{ name: 'x'.repeat(61) }, 'CHANNEL_NAME_TOO_LONG'],
    [{ name: 'a\u0000b' }, 'CHANNEL_NAME_INVALID'],
    [{ description: 'x'.repeat(1025) }, 'CHANNEL_DESCRIPTION_TOO_LONG'],
  ])('refuses %j', (changes, code) => {
    given(channels, []).when(decideCreateChannel, create(changes), facts).thenRefuses(code);
  });

  it('is not for guests', () => {
    given(channels, [])
      .when(decideCreateChannel, create(), { ...facts, mayCreate: false })
      .thenRefuses('NOT_AUTHORIZED');
  });
});
