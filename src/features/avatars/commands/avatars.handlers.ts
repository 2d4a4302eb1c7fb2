import { Directory } from '../../../directory/directory.js';
import { may } from '../../../directory/permissions.js';
import { type AvatarEvent, avatarStream } from '../../../events/avatars/avatars.events.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { decidesOnPictures } from '../../uploads/commands/decides-on-pictures.js';
import { NOT_STORED_YET } from '../../uploads/domain/upload-file.js';
import {
  type AvatarState,
  avatar,
  ChangeAvatar,
  decideChangeAvatar,
  decideRemoveAvatar,
  RemoveAvatar,
} from '../domain/avatar.js';

const streamOf = ({ userId }: { readonly userId: number }): CommandStream<AvatarState, AvatarEvent> => ({
  stream: avatarStream(userId),
  decider: avatar,
  expects: 'any',
});

function rights({ userId }: { readonly userId: number }, directory: Directory): { readonly mayChange: boolean } {
  const user = directory.existingUser(userId);
  return { mayChange: !directory.setting('avatar_changes_disabled') || may(user, 'administer', directory) };
}

export const removeAvatarHandler = decidesOn(RemoveAvatar, {
  stream: streamOf,
  decide: decideRemoveAvatar,
  uses: Directory,
  facts: rights,
});

/** Sizes in pixels, as clients expect. Clients make the URL of the larger one only if the other's name ends in `.png`. */
const squareOf = (side: number) =>
  ({ maxWidth: side, maxHeight: side, framing: 'cover', format: 'png', animated: false }) as const;

export const changeAvatarHandler = decidesOnPictures(ChangeAvatar, {
  stream: streamOf,
  decide: decideChangeAvatar,
  make: async ({ picture, asker }, pictures) => {
    const medium = await pictures.made(squareOf(500), picture, asker);
    const small = await pictures.remade(squareOf(100), medium, asker);
    return { pictures: [small, medium] };
  },
  facts: (command, directory, [small = NOT_STORED_YET, medium = NOT_STORED_YET]) => ({
    ...rights(command, directory),
    small,
    medium,
  }),
});
