import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { may } from '../../../directory/permissions.js';
import { WELCOME_BOT } from '../../../events/shared/system-bots.js';
import { Command, refuse } from '../../../platform/kernel/deciding.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import { NoticeSending } from '../../messages/commands/notice-sending.js';

/** Sends an administrator the message with which people who join would be welcomed. */
export class PreviewWelcome extends Command<{ callerId: number; text: string }, number> {}

@CommandHandler(PreviewWelcome)
export class PreviewWelcomeHandler implements ICommandHandler<PreviewWelcome> {
  constructor(
    private readonly directory: Directory,
    private readonly notices: NoticeSending,
  ) {}

  /**
   * @returns the message's id
   * @throws DomainError ADMINISTRATOR_REQUIRED, MESSAGE_EMPTY
   */
  async execute({ callerId, text, by }: PreviewWelcome): Promise<number> {
    const reader = this.directory.user(callerId) ?? refuse('USER_NOT_FOUND');
    if (!may(reader, 'administer', this.directory)) refuse('ADMINISTRATOR_REQUIRED');
    const shown = text.trimEnd();
    if (shown === '') refuse('MESSAGE_EMPTY');
    const key = `welcome preview ${newEventId()}`;
    return this.notices.send({ key, reader, sender: WELCOME_BOT, text: async () => shown, by });
  }
}
