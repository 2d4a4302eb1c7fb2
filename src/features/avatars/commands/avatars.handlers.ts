import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { may } from '../../../directory/permissions.js';
import { type AvatarEvent, avatarStream } from '../../../events/avatars/avatars.events.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import { type CommandStream, Decisions } from '../../../platform/commands/decisions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { PictureFiles } from '../../uploads/commands/picture-files.js';
import { NOT_STORED_YET } from '../../uploads/domain/measured-file.js';
import { type AvatarState, avatar } from '../domain/avatar.state.js';
import { ChangeAvatar, decideChangeAvatar } from '../domain/change-avatar.js';
import { decideRemoveAvatar, RemoveAvatar } from '../domain/remove-avatar.js';

const streamOf = ({ userId }: { readonly userId: number }): CommandStream<AvatarState, AvatarEvent> => ({
  stream: avatarStream(userId),
  decider: avatar,
  expects: 'any',
});

function rights({ userId }: { readonly userId: number }, directory: Directory): { readonly mayChange: boolean } {
  const user = directory.user(userId) ?? refuse('USER_NOT_FOUND');
  return { mayChange: !directory.setting('avatar_changes_disabled') || may(user, 'administer', directory) };
}

export const removeAvatarHandler = decidesOn(RemoveAvatar, {
  stream: streamOf,
  decide: decideRemoveAvatar,
  uses: Directory,
  facts: rights,
});

/** Sides of the pictures in pixels, as clients expect. */
const [SIDE, MEDIUM_SIDE] = [100, 500];
/** Clients make the URL of the larger picture only if the name of the other one ends in `.png`. */
const STILL = { framing: 'cover', format: 'png', animated: false } as const;

@CommandHandler(ChangeAvatar)
export class ChangeAvatarHandler implements ICommandHandler<ChangeAvatar> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly pictures: PictureFiles,
  ) {}

  async execute(command: ChangeAvatar): Promise<void> {
    // Whoever may not change the avatar sends no picture in vain.
    const facts = { ...rights(command, this.directory), small: NOT_STORED_YET, medium: NOT_STORED_YET };
    await this.decisions.check(streamOf(command), decideChangeAvatar, command, facts);
    const mediumPicture = await this.pictures.made(
      { ...STILL, maxWidth: MEDIUM_SIDE, maxHeight: MEDIUM_SIDE },
      command.picture,
      command.asker,
    );
    const smallPicture = await this.pictures.remade(
      { ...STILL, maxWidth: SIDE, maxHeight: SIDE },
      mediumPicture,
      command.asker,
    );
    const pictures = [smallPicture, mediumPicture];
    await this.pictures.stored(pictures, ([small = NOT_STORED_YET, medium = NOT_STORED_YET]) =>
      this.decisions.decide(streamOf(command), decideChangeAvatar, command, {
        ...rights(command, this.directory),
        small,
        medium,
      }),
    );
  }
}
