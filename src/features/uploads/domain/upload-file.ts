import type { FileUploaded } from '../../../events/uploads/uploads.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { contentTypeOf } from './content-type.js';
import { nameInPath, shownName } from './file-name.js';

/** As a client sends it. */
export interface SentFile {
  readonly name: string;
  /** As the client says, which need not be so. */
  readonly contentType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface UploadedFile {
  readonly name: string;
  /** What its URL ends in. */
  readonly pathId: string;
}

export class UploadFile extends Command<UploadedFile> {
  constructor(
    readonly file: SentFile,
    readonly ownerId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
}

/** What is known of others, and of the bytes, when they have come (D4). */
export interface UploadFileFacts {
  /** The bytes' own name, random. */
  readonly fileId: string;
  readonly size: number;
  readonly sha256: string;
  /** What files with a name like this one's mostly are; null: no name of anything known. */
  readonly usualType: string | null;
  /** By now; bytes may take their time to come. */
  readonly isOwnerActive: boolean;
}

/** There is no state to decide on: an upload is a fact that is reported, like a send (D3). */
export function decideUploadFile({ file, ownerId }: UploadFile, facts: UploadFileFacts): FileUploaded {
  const { fileId, size, sha256, usualType, isOwnerActive } = facts;
  if (!isOwnerActive) refuse('USER_DEACTIVATED');
  const name = shownName(file.name);
  return {
    type: 'FileUploaded',
    data: {
      ownerId,
      fileId,
      size,
      content: {
        name,
        pathName: nameInPath(name),
        contentType: contentTypeOf(file.contentType, usualType),
        sha256,
      },
    },
  };
}
