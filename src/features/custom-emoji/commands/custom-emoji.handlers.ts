import { Directory } from '../../../directory/directory.js';
import { may, requireMember } from '../../../directory/permissions.js';
import { CUSTOM_EMOJI_STREAM, type CustomEmojiEvent } from '../../../events/custom-emoji/custom-emoji.events.js';
import { decidesOn } from '../../../platform/commands/decides-on.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { formatOf, isAnimation } from '../../../platform/pictures/picture-task.js';
import { decidesOnPictures } from '../../uploads/commands/decides-on-pictures.js';
import { NOT_STORED_YET } from '../../uploads/domain/upload-file.js';
import {
  AddCustomEmoji,
  type CustomEmojiState,
  customEmoji,
  DeactivateCustomEmoji,
  decideAddCustomEmoji,
  decideDeactivateCustomEmoji,
} from '../domain/custom-emoji.js';

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
    isAdministrator: may(directory.existingUser(userId), 'administer', directory),
  }),
});

const SIDE = 64;
const TASK = { maxWidth: SIDE, maxHeight: SIDE, framing: 'contain' } as const;

/** Stores the picture, and its first frame if it is an animation. */
export const addCustomEmojiHandler = decidesOnPictures(AddCustomEmoji, {
  stream: customEmojiStream,
  decide: decideAddCustomEmoji,
  make: async ({ picture: content, asker }, pictures) => {
    const picture = await pictures.made({ ...TASK, animated: true, format: 'as given' }, content, asker);
    const isPng = formatOf(picture) === 'png';
    if (!isAnimation(picture)) return { pictures: [picture], isPng };
    // The small picture is the source of the still one: the upload can be read only once.
    return { pictures: [picture, await pictures.remade({ ...TASK, animated: false }, picture, asker)], isPng };
  },
  facts: ({ authorId }, directory, [picture = NOT_STORED_YET, still = null], made) => {
    const author = directory.existingUser(authorId);
    requireMember(author);
    return {
      mayAdd: may(author, 'can_add_custom_emoji_group', directory),
      isAdministrator: may(author, 'administer', directory),
      picture,
      still,
      isPng: made?.isPng ?? false,
    };
  },
});
