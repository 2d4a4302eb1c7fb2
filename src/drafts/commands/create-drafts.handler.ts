import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { derivedId } from '../../kernel/derived-id.js';
import { newEventId } from '../../kernel/new-event-id.js';
import { CreateDrafts, decideCreateDrafts } from '../domain/create-drafts.js';
import { DraftsStream } from './drafts-stream.js';

/** Answers the ids of the drafts, in the order in which they were given. */
@CommandHandler(CreateDrafts)
export class CreateDraftsHandler implements ICommandHandler<CreateDrafts, readonly number[]> {
  constructor(private readonly stream: DraftsStream) {}

  async execute(command: CreateDrafts): Promise<readonly number[]> {
    const facts = this.stream.factsFor(command.userId, command.drafts);
    const request = newEventId();
    const keyId = (index: number): string => derivedId('draft', request, index);
    const created = await this.stream.decide(decideCreateDrafts, command, { ...facts, keyId });
    return created.map(({ data }) => data.draftId);
  }
}
