import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DeleteDraft, decideDeleteDraft } from '../domain/delete-draft.js';
import { DraftsStream } from './drafts-stream.js';

@CommandHandler(DeleteDraft)
export class DeleteDraftHandler implements ICommandHandler<DeleteDraft, void> {
  constructor(private readonly stream: DraftsStream) {}

  async execute(command: DeleteDraft): Promise<void> {
    await this.stream.decide(decideDeleteDraft, command, undefined);
  }
}
