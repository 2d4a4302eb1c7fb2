import { Injectable } from '@nestjs/common';
import { isAnimation } from '../../../platform/pictures/picture-task.js';
import { PictureFiles } from '../../uploads/commands/picture-files.js';
import type { AddCustomEmoji } from '../domain/add-custom-emoji.js';

const SIDE = 64;
const TASK = { maxWidth: SIDE, maxHeight: SIDE, framing: 'contain' } as const;

/** Names of stored pictures. */
export interface EmojiFiles {
  readonly fileId: string;
  /** null: the picture does not move. */
  readonly stillFileId: string | null;
}

/** Makes the pictures of an emoji, and stores them. */
@Injectable()
export class EmojiPictures {
  constructor(private readonly pictures: PictureFiles) {}

  /** Stores a picture, and its first frame if it is an animation. @param append appends the event that names them */
  async stored(
    { picture: content, asker }: Pick<AddCustomEmoji, 'picture' | 'asker'>,
    append: (files: EmojiFiles) => Promise<unknown>,
  ): Promise<void> {
    const picture = await this.pictures.made({ ...TASK, animated: true }, content, asker);
    // The small picture is the source of the still one: the upload can be read only once.
    const still = isAnimation(picture)
      ? [await this.pictures.remade({ ...TASK, animated: false }, picture, asker)]
      : [];
    await this.pictures.stored([picture, ...still], ([fileId = '', stillFileId = null]) =>
      append({ fileId, stillFileId }),
    );
  }
}
