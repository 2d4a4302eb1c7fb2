import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ATTACHMENTS,
  type AttachmentDocument,
  attachments,
} from '../../../../projections/attachments/attachments.projection.js';
import { Directory } from '../../../directory/directory.js';
import { Sweeper } from '../../../platform/commands/sweeper.js';
import { DomainError } from '../../../platform/kernel/deciding.js';
import { DAY_MS } from '../../../platform/kernel/durations.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { DeleteFile } from '../domain/upload-file.js';
import { isLinked } from '../queries/is-linked.js';

/** Age at which a file that no message links is deleted (published description of `DELETE /attachments`: a few weeks). */
export const UNUSED_FOR_MS = 35 * DAY_MS;
const FIRST_AFTER_MS = 600_000;
const PAGE = 200;

/** Deletes unused files. Several processes may sweep at the same time: each file is still deleted only once. */
@Injectable()
export class UnusedFileSweeper extends Sweeper<readonly number[]> {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {
    super({
      name: 'Uploads',
      failure: 'unused files could not be looked for',
      every: DAY_MS,
      firstAfter: FIRST_AFTER_MS,
    });
  }

  /** @returns ids of the deleted files */
  async sweep(now = Date.now()): Promise<readonly number[]> {
    const by = this.context();
    const deleted: number[] = [];
    // Documents that lag may miss links.
    const { position } = this.directory;
    await this.readModels.waitFor([attachments], position);
    if (this.readModels.position(attachments) < position) return deleted;
    for (let after = 0; !this.isOver; ) {
      const files = this.readModels.collection<AttachmentDocument>(attachments, ATTACHMENTS);
      const page = await files.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: PAGE });
      for (const { _id, uploadedAt } of page) {
        // Files with higher ids were uploaded later.
        if (uploadedAt > now - UNUSED_FOR_MS) return deleted;
        if (
          !(await isLinked(_id, this.readModels)) &&
          (await this.delete(new DeleteFile({ attachmentId: _id, userId: null, by })))
        )
          deleted.push(_id);
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE) return deleted;
      after = last._id;
    }
    return deleted;
  }

  /** @returns false if another process was first */
  private async delete(command: DeleteFile): Promise<boolean> {
    try {
      await this.commands.execute(command);
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }
}
