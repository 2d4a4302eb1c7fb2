import { Injectable } from '@nestjs/common';
import { formatOf, isAnimation } from '../../../platform/pictures/picture-task.js';
import { PictureFiles } from '../../uploads/commands/picture-files.js';
import { NOT_STORED_YET } from '../../uploads/domain/measured-file.js';
import type { AddCustomEmoji, AddCustomEmojiFacts } from '../domain/add-custom-emoji.js';

const SIDE = 64;
const TASK = { maxWidth: SIDE, maxHeight: SIDE, framing: 'contain' } as const;

type EmojiFiles = Pick<AddCustomEmojiFacts, 'picture' | 'still' | 'isPng'>;

/** Makes the pictures of an emoji, and stores them. */
@Injectable()
export class EmojiPictures {
  constructor(private readonly pictures: PictureFiles) {}

  /** Stores a picture, and its first frame if it is an animation. @param append appends the event that names them */
  async stored(
    { picture: content, asker }: Pick<AddCustomEmoji, 'picture' | 'asker'>,
    append: (files: EmojiFiles) => Promise<unknown>,
  ): Promise<void> {
    const made = await this.pictures.made({ ...TASK, animated: true, format: 'as given' }, content, asker);
    // The small picture is the source of the still one: the upload can be read only once.
    const madeStill = isAnimation(made) ? [await this.pictures.remade({ ...TASK, animated: false }, made, asker)] : [];
    await this.pictures.stored([made, ...madeStill], ([picture = NOT_STORED_YET, still = null]) =>
      append({ picture, still, isPng: formatOf(made) === 'png' }),
    );
  }
}
