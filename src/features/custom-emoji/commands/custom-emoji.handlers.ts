import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { may, requireMember } from '../../../directory/permissions.js';
import { CUSTOM_EMOJI_STREAM, type CustomEmojiEvent } from '../../../events/custom-emoji/custom-emoji.events.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import { type CommandStream, Decisions } from '../../../platform/commands/decisions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { NOT_STORED_YET } from '../../uploads/domain/measured-file.js';
import { AddCustomEmoji, type AddCustomEmojiFacts, decideAddCustomEmoji } from '../domain/add-custom-emoji.js';
import { type CustomEmojiState, customEmoji } from '../domain/custom-emoji.state.js';
import { DeactivateCustomEmoji, decideDeactivateCustomEmoji } from '../domain/deactivate-custom-emoji.js';
import { EmojiPictures } from './emoji-pictures.js';

const customEmojiStream: CommandStream<CustomEmojiState, CustomEmojiEvent> = {
  stream: CUSTOM_EMOJI_STREAM,
  decider: customEmoji,
  expects: 'any',
};

export const deactivateCustomEmojiHandler = decidesOn(DeactivateCustomEmoji, {
  stream: customEmojiStream,
  decide: decideDeactivateCustomEmoji,
  uses: Directory,
  facts: ({ userId }, directory) => ({
    isAdministrator: may(directory.user(userId) ?? refuse('USER_NOT_FOUND'), 'administer', directory),
  }),
});

@CommandHandler(AddCustomEmoji)
export class AddCustomEmojiHandler implements ICommandHandler<AddCustomEmoji> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly pictures: EmojiPictures,
  ) {}

  async execute(command: AddCustomEmoji): Promise<void> {
    // Who may not add the emoji sends no picture in vain.
    const none = { picture: NOT_STORED_YET, still: null, isPng: false };
    const stream = customEmojiStream;
    await this.decisions.check(stream, decideAddCustomEmoji, command, { ...this.rights(command), ...none });
    await this.pictures.stored(command, (files) =>
      this.decisions.decide(stream, decideAddCustomEmoji, command, { ...this.rights(command), ...files }),
    );
  }

  private rights({ authorId }: AddCustomEmoji): Pick<AddCustomEmojiFacts, 'mayAdd' | 'isAdministrator'> {
    const author = this.directory.user(authorId) ?? refuse('USER_NOT_FOUND');
    requireMember(author);
    return {
      mayAdd: may(author, 'can_add_custom_emoji_group', this.directory),
      isAdministrator: may(author, 'administer', this.directory),
    };
  }
}
