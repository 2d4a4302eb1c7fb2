import { describe, it } from '@jest/globals';
import type { AvatarChanged, AvatarEvent, AvatarRemoved } from '../../../src/events/avatars/avatars.events.js';
import {
  avatar,
  ChangeAvatar,
  decideChangeAvatar,
  decideRemoveAvatar,
  RemoveAvatar,
} from '../../../src/features/avatars/domain/avatar.js';
import { sha256Of } from '../../../src/platform/kernel/sha256.js';
import { given } from '../../support/events/given.js';
import { asker } from '../../support/requests/asker.js';

const by = { actorId: 7, client: 'test', correlationId: 'c' };
async function* picture(): AsyncGenerator<Uint8Array> {}

const none = { previousFileId: null, previousMediumFileId: null };
const stored = (fileId: string) => ({ fileId, measure: { size: fileId.length, sha256: sha256Of(fileId) } });
const previous = (name: string) => ({ previousFileId: name, previousMediumFileId: `${name} medium` });
const changed = (version: number, name: string, before: typeof none | ReturnType<typeof previous>): AvatarChanged => ({
  type: 'AvatarChanged',
  data: {
    userId: 7,
    version,
    ...stored(name),
    mediumFileId: `${name} medium`,
    mediumMeasure: stored(`${name} medium`).measure,
    ...before,
  },
});
const removed = (version: number, name: string): AvatarRemoved => ({
  type: 'AvatarRemoved',
  data: { userId: 7, version, ...previous(name) },
});

describe('changing an avatar', () => {
  const when = (history: readonly AvatarEvent[], mayChange = true) =>
    given(avatar, history).when(decideChangeAvatar, new ChangeAvatar({ userId: 7, picture: picture(), asker, by }), {
      mayChange,
      small: stored('new'),
      medium: stored('new medium'),
    });

  it('counts, records the pictures, and names those that it replaces', () => {
    when([]).then([changed(2, 'new', none)]);
    when([changed(2, 'old', none)]).then([changed(3, 'new', previous('old'))]);
    when([changed(2, 'old', none), removed(3, 'old')]).then([changed(4, 'new', none)]);
  });

  it('is refused where the organization has disabled it', () => when([], false).thenRefuses('AVATAR_CHANGES_DISABLED'));
});

describe('removing an avatar', () => {
  const when = (history: readonly AvatarEvent[], mayChange = true) =>
    given(avatar, history).when(decideRemoveAvatar, new RemoveAvatar({ userId: 7, by }), { mayChange });

  it('names the pictures', () => when([changed(2, 'old', none)]).then([removed(3, 'old')]));

  it('does nothing if none was uploaded', () => {
    when([]).thenNothing();
    when([changed(2, 'old', none), removed(3, 'old')]).thenNothing();
  });

  it('is refused where the organization has disabled changes', () => {
    when([changed(2, 'old', none)], false).thenRefuses('AVATAR_CHANGES_DISABLED');
    when([], false).thenRefuses('AVATAR_CHANGES_DISABLED');
  });
});
