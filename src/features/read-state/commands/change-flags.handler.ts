import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import { Facts } from '../../../directory/facts.js';
import { mayRead } from '../../../directory/readable-messages.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { OwnFlags } from '../../message-flags/queries/own-flags.js';
import { ReadStates } from '../../message-flags/queries/read-states.js';
import { knownMessage } from '../../messages/queries/message-to-change.js';
import { ChangeFlags, type FlagChanges, ownFlagNamed } from '../domain/change-flags.js';
import { FlagReports } from './flag-reports.js';

/** Ids looked up at once. */
const PAGE = 500;

@CommandHandler(ChangeFlags)
export class ChangeFlagsHandler implements ICommandHandler<ChangeFlags> {
  constructor(
    private readonly facts: Facts,
    private readonly readStates: ReadStates,
    private readonly reports: FlagReports,
  ) {}

  async execute({ userId, messageIds, operation, flag: named, by }: ChangeFlags): Promise<FlagChanges> {
    const { directory } = this.facts;
    const flag = ownFlagNamed(named);
    const reader = directory.user(userId) ?? refuse('USER_NOT_FOUND');
    const ids = [...new Set(messageIds)];
    const found = await this.found(ids);
    const known = new Set(found.map(({ _id }) => _id));
    for (const id of ids)
      if (!known.has(id)) found.push((await knownMessage(id, this.facts)) ?? refuse('INVALID_MESSAGE'));
    if (!found.every((message) => mayRead(reader, message, directory))) refuse('INVALID_MESSAGE');
    const state = await this.readStates.of(userId, this.facts.readModels.position(messages));
    const own = new OwnFlags(reader, state, directory);
    const changes = await this.reports.change(reader, found, own, { flag, operation }, by, true);
    if (changes.overtaken.length > 0) refuse('INVALID_MESSAGE');
    return changes;
  }

  private async found(ids: readonly number[]): Promise<MessageDocument[]> {
    const collection = this.facts.readModels.collection<MessageDocument>(messages, MESSAGES);
    const found: MessageDocument[] = [];
    for (let at = 0; at < ids.length; at += PAGE)
      found.push(...(await collection.find({ _id: { $in: ids.slice(at, at + PAGE) } })));
    return found;
  }
}
