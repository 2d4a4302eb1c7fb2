import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { newEventId } from '../../kernel/new-event-id.js';
import { decideEditDraft, EditDraft } from '../domain/edit-draft.js';
import { DraftsStream } from './drafts-stream.js';

@CommandHandler(EditDraft)
export class EditDraftHandler implements ICommandHandler<EditDraft, void> {
  constructor(private readonly stream: DraftsStream) {}

  async execute(command: EditDraft): Promise<void> {
    const facts = this.stream.factsFor(command.userId, [command.draft]);
    await this.stream.decide(decideEditDraft, command, { ...facts, keyId: newEventId() });
  }
}
