import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { CustomEmojiForClients } from '../../../directory/custom-emoji.js';
import { Directory } from '../../../directory/directory.js';
import { CUSTOM_EMOJI_STREAM } from '../../../events/custom-emoji/custom-emoji.events.js';
import type { StoredFile } from '../../../platform/file-store/file-store.js';
import { Query } from '../../../platform/kernel/query.js';
import type { PictureFormat } from '../../../platform/pictures/picture-task.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { RecordedFiles } from '../../uploads/log/recorded-files.js';

export class GetCustomEmoji extends Query<object, Readonly<Record<string, CustomEmojiForClients>>> {}

export const customEmojiQueries = [
  answersFrom(GetCustomEmoji, Directory, (_query, { customEmoji }) => customEmoji.forClients),
];

/** Opens the picture of an emoji, deactivated or not. null: there is none. */
export class ReadEmojiPicture extends Query<{ id: number; isStill: boolean }, EmojiPicture | null> {}

export interface EmojiPicture {
  readonly file: StoredFile | null;
  readonly format: PictureFormat;
}

@QueryHandler(ReadEmojiPicture)
export class ReadEmojiPictureHandler implements IQueryHandler<ReadEmojiPicture> {
  constructor(
    private readonly directory: Directory,
    private readonly files: RecordedFiles,
  ) {}

  /** @throws as `RecordedFiles.read` */
  async execute({ id, isStill }: ReadEmojiPicture): Promise<EmojiPicture | null> {
    const emoji = this.directory.customEmoji.withId(id);
    const fileId = isStill ? emoji?.stillFileId : emoji?.fileId;
    if (!fileId) return null;
    const file = await this.files.read(fileId, { stream: CUSTOM_EMOJI_STREAM });
    return { file, format: emoji?.isPng && !isStill ? 'png' : 'webp' };
  }
}
