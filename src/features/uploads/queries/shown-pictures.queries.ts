import type { StoredFile } from '../../../platform/file-store/file-store.js';
import { Query } from '../../../platform/kernel/query.js';
import type { PictureFormat } from '../../../platform/pictures/picture-task.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { RecordedFiles } from '../log/recorded-files.js';

/** A picture that everybody may see. The readers of other files need rights. */
export interface ShownPicture {
  readonly fileId: string;
  /** The stream of the event that names it. */
  readonly stream: string;
  readonly format: PictureFormat;
}

/** Opens a picture; null: it was deleted. Throws as `RecordedFiles.read`. */
export class ReadShownPicture extends Query<ShownPicture, StoredFile | null> {}

export const shownPictureQueries = [
  answersFrom(ReadShownPicture, RecordedFiles, ({ fileId, stream }, files) => files.read(fileId, { stream })),
];
