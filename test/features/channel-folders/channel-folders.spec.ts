import { describe, it } from '@jest/globals';
import {
  ChangeChannelFolder,
  CreateChannelFolder,
  decideChangeChannelFolder,
  decideCreateChannelFolder,
  decideReorderChannelFolders,
  ReorderChannelFolders,
} from '../../../src/features/channel-folders/domain/channel-folders.js';
import { type ChannelsEvent, channels } from '../../../src/features/channels/domain/channels.state.js';
import { CreateChannel, decideCreateChannel } from '../../../src/features/channels/domain/create-channel.js';
import { decideUpdateChannel, UpdateChannel } from '../../../src/features/channels/domain/update-channel.js';
import { creationFacts, updateFacts } from '../../support/events/channels.js';
import { channelData } from '../../support/events/events.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const ADMINISTRATOR = { mayAdminister: true, render: (text: string) => `<p>${text}</p>` };
const MEMBER = { ...ADMINISTRATOR, mayAdminister: false };

const made = (folderId: number, name = `folder ${folderId}`): ChannelsEvent => ({
  type: 'ChannelFolderCreated',
  data: { folderId, name, description: 'd', renderedDescription: '<p>d</p>', creatorId: 1 },
});
const archived = (folderId: number): ChannelsEvent => ({
  type: 'ChannelFolderArchived',
  data: { folderId, name: `folder ${folderId}` },
});
const channel = (folderId: number | null): ChannelsEvent => ({
  type: 'ChannelCreated',
  data: channelData(1, { folderId }),
});
const put = (from: number | null, to: number | null): ChannelsEvent => ({
  type: 'ChannelPutInFolder',
  data: { channelId: 1, from, to },
});

const creating = (history: readonly ChannelsEvent[], name: string, description = 'd', facts = ADMINISTRATOR) =>
  given(channels, history).when(
    decideCreateChannelFolder,
    new CreateChannelFolder({ name, description, creatorId: 1, by }),
    facts,
  );
const changing = (
  history: readonly ChannelsEvent[],
  changes: ChangeChannelFolder['changes'],
  folderId = 1,
  facts = ADMINISTRATOR,
) =>
  given(channels, history).when(decideChangeChannelFolder, new ChangeChannelFolder({ folderId, changes, by }), facts);
const reordering = (history: readonly ChannelsEvent[], order: readonly number[], facts = ADMINISTRATOR) =>
  given(channels, history).when(decideReorderChannelFolders, new ReorderChannelFolders({ order, by }), facts);

describe('channel folders', () => {
  it('are made by administrators, with the next id and a rendered description', () => {
    creating([], ' Art ').then([made(1, 'Art')]);
    creating([made(2), made(1)], 'Art').then([made(3, 'Art')]);
    creating([], 'Art', 'd', MEMBER).thenRefuses('ADMINISTRATOR_REQUIRED');
  });

  it('have a name of 1 to 60 characters, which no other folder has unless that one is archived', () => {
    creating([], ' ').thenRefuses('CHANNEL_FOLDER_NAME_EMPTY');
    creating([], 'a\u0007').thenRefuses('CHANNEL_FOLDER_NAME_INVALID');
    creating([], '🦉'.repeat(60)).then([made(1, '🦉'.repeat(60))]);
    creating([], '🦉'.repeat(61)).thenRefuses('CHANNEL_FOLDER_NAME_TOO_LONG', { limit: 60 });
    creating([], 'a', 'x'.repeat(1025)).thenRefuses('CHANNEL_FOLDER_DESCRIPTION_TOO_LONG', { limit: 1024 });
    creating([made(1)], 'FOLDER 1').thenRefuses('CHANNEL_FOLDER_NAME_TAKEN');
    creating([made(1), archived(1)], 'folder 1').then([made(2, 'folder 1')]);
  });

  it('are at most 1000', () => {
    const many = Array.from({ length: 1000 }, (_, index) => made(index + 1));
    creating(many, 'one more').thenRefuses('TOO_MANY_CHANNEL_FOLDERS', { limit: 1000 });
  });

  it('change with one event for each difference', () => {
    changing([made(1)], { name: 'New', description: 'e', isArchived: true }).then([
      { type: 'ChannelFolderRenamed', data: { folderId: 1, from: 'folder 1', to: 'New' } },
      {
        type: 'ChannelFolderDescriptionChanged',
        data: { folderId: 1, from: 'd', to: 'e', renderedDescription: '<p>e</p>' },
      },
      { type: 'ChannelFolderArchived', data: { folderId: 1, name: 'New' } },
    ]);
    changing([made(1)], { name: 'folder 1', description: 'd', isArchived: false }).thenNothing();
    changing([made(1)], { name: 'Folder 1' }).then([
      { type: 'ChannelFolderRenamed', data: { folderId: 1, from: 'folder 1', to: 'Folder 1' } },
    ]);
    changing([made(1)], {}, 1, MEMBER).thenRefuses('ADMINISTRATOR_REQUIRED');
    changing([made(1)], {}, 2).thenRefuses('CHANNEL_FOLDER_NOT_FOUND');
    changing([made(1)], { name: '' }).thenRefuses('CHANNEL_FOLDER_NAME_EMPTY');
    changing([made(1), made(2)], { name: 'folder 2' }).thenRefuses('CHANNEL_FOLDER_NAME_TAKEN');
  });

  it('are not archived while they have a channel', () => {
    changing([made(1), channel(1)], { isArchived: true }).thenRefuses('CHANNEL_FOLDER_NOT_EMPTY');
    changing([made(1), channel(null), put(null, 1)], { isArchived: true }).thenRefuses('CHANNEL_FOLDER_NOT_EMPTY');
    changing([made(1), channel(1), put(1, null)], { isArchived: true }).then([archived(1)]);
    changing([made(1), archived(1)], { isArchived: true }).thenNothing();
  });

  it('are restored under a name that no other folder has got meanwhile', () => {
    const history = [made(1), archived(1), made(2, 'folder 1')];
    changing(history, { isArchived: false }).thenRefuses('CHANNEL_FOLDER_NAME_TAKEN');
    changing(history, { description: 'e' }).then([
      {
        type: 'ChannelFolderDescriptionChanged',
        data: { folderId: 1, from: 'd', to: 'e', renderedDescription: '<p>e</p>' },
      },
    ]);
    changing(history, { name: 'Back', isArchived: false }).then([
      { type: 'ChannelFolderRenamed', data: { folderId: 1, from: 'folder 1', to: 'Back' } },
      { type: 'ChannelFolderUnarchived', data: { folderId: 1, name: 'Back' } },
    ]);
  });

  it('are ordered by a list of all of them, archived ones too', () => {
    const three = [made(1), made(2), archived(2), made(3)];
    reordering(three, [3, 1, 2]).then([{ type: 'ChannelFoldersReordered', data: { from: [1, 2, 3], to: [3, 1, 2] } }]);
    reordering(three, [1, 2, 3]).thenNothing();
    for (const order of [[1, 3], [1, 2, 3, 3], [1, 2, 4], []])
      reordering(three, order).thenRefuses('CHANNEL_FOLDER_ORDER_INVALID');
    reordering(three, [3, 2, 1], MEMBER).thenRefuses('ADMINISTRATOR_REQUIRED');
  });
});

describe('a channel', () => {
  const options = { inviteOnly: false, historyPublicToSubscribers: null, description: 'd', subscriberIds: [1] };
  const creatingIn = (history: readonly ChannelsEvent[], folderId: number | null) =>
    given(channels, history).when(
      decideCreateChannel,
      new CreateChannel({ channel: { ...options, name: 'channel 1', folderId }, creatorId: 1, by }),
      creationFacts(),
    );
  const putting = (history: readonly ChannelsEvent[], folderId: number | null) =>
    given(channels, history).when(
      decideUpdateChannel,
      new UpdateChannel({ channelId: 1, changes: { folderId }, by }),
      updateFacts(),
    );

  it('is made in a folder that is there and not archived', () => {
    creatingIn([made(1)], 1).then([channel(1)]);
    creatingIn([made(1)], null).then([channel(null)]);
    creatingIn([made(1)], 2).thenRefuses('CHANNEL_FOLDER_NOT_FOUND');
    creatingIn([made(1), archived(1)], 1).thenRefuses('CHANNEL_FOLDER_ARCHIVED');
  });

  it('is put in a folder, in another and in none', () => {
    const two = [made(1), made(2)];
    putting([...two, channel(null)], 2).then([put(null, 2)]);
    putting([...two, channel(1)], 2).then([put(1, 2)]);
    putting([...two, channel(1)], 1).thenNothing();
    putting([...two, channel(1)], null).then([put(1, null)]);
    putting([channel(null)], 1).thenRefuses('CHANNEL_FOLDER_NOT_FOUND');
    putting([made(1), archived(1), channel(null)], 1).thenRefuses('CHANNEL_FOLDER_ARCHIVED');
  });
});
