import { describe, it } from '@jest/globals';
import type { OrganizationEvent } from '../../../src/events/organization/organization.events.js';
import {
  AddDefaultChannel,
  type DefaultChannelFacts,
  decideAddDefaultChannel,
  decideRemoveDefaultChannel,
  RemoveDefaultChannel,
} from '../../../src/features/organization/domain/default-channels.js';
import { organization } from '../../../src/features/organization/domain/organization.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const created: OrganizationEvent = { type: 'OrganizationCreated', data: { name: 'Observatory' } };
const added = (channelId: number): OrganizationEvent => ({ type: 'DefaultChannelAdded', data: { channelId } });
const removed = (channelId: number): OrganizationEvent => ({ type: 'DefaultChannelRemoved', data: { channelId } });

describe('adding a default channel', () => {
  const facts = { isAdministrator: true, channel: { isPrivate: false } };
  const add = new AddDefaultChannel({ channelId: 5, callerId: 1, by });

  it('is one event', () => {
    given(organization, [created, added(4)])
      .when(decideAddDefaultChannel, add, facts)
      .then([added(5)]);
    given(organization, [created, added(5), removed(5)])
      .when(decideAddDefaultChannel, add, facts)
      .then([added(5)]);
  });

  it('does nothing the second time', () => {
    given(organization, [created, added(5)])
      .when(decideAddDefaultChannel, add, facts)
      .thenNothing();
  });

  it.each<[string, DefaultChannelFacts, string]>([
    [
      'callers who are not administrators',
      { ...facts, isAdministrator: false, channel: null },
      'ADMINISTRATOR_REQUIRED',
    ],
    ['a channel that does not exist', { ...facts, channel: null }, 'INVALID_CHANNEL_ID'],
    ['a private channel', { ...facts, channel: { isPrivate: true } }, 'DEFAULT_CHANNEL_PRIVATE'],
  ])('refuses %s', (_, otherFacts, code) => {
    given(organization, [created, added(4)])
      .when(decideAddDefaultChannel, add, otherFacts)
      .thenRefuses(code);
  });
});

describe('removing a default channel', () => {
  const facts = { isAdministrator: true, channelExists: true };
  const remove = new RemoveDefaultChannel({ channelId: 5, callerId: 1, by });

  it('is one event', () => {
    given(organization, [created, added(4), added(5)])
      .when(decideRemoveDefaultChannel, remove, facts)
      .then([removed(5)]);
  });

  it('does nothing for a channel that is not a default channel', () => {
    given(organization, [created, added(4)])
      .when(decideRemoveDefaultChannel, remove, facts)
      .thenNothing();
  });

  it.each([
    ['callers who are not administrators', { isAdministrator: false, channelExists: false }, 'ADMINISTRATOR_REQUIRED'],
    ['a channel that never existed', { ...facts, channelExists: false }, 'INVALID_CHANNEL_ID'],
  ])('refuses %s', (_, otherFacts, code) => {
    given(organization, [created, added(5)])
      .when(decideRemoveDefaultChannel, remove, otherFacts)
      .thenRefuses(code);
  });
});
