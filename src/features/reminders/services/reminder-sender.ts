import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type ReminderDocument, reminders } from '../../../../projections/reminders/reminders.projection.js';
import { Facts } from '../../../directory/facts.js';
import { DueSweeper } from '../../../platform/commands/due-sweeper.js';
import { NoticeSending } from '../../messages/services/notice-sending.js';
import { BeginReminder, DropReminder, EndReminder } from '../domain/reminders.js';
import { ReminderTexts } from './reminder-texts.js';

/**
 * Sends the reminders whose time has come, however late. The id of the message follows from the id of the reminder's key,
 * so it is sent once even if several processes go on with it.
 */
@Injectable()
export class ReminderSender extends DueSweeper<ReminderDocument> {
  constructor(
    private readonly commands: CommandBus,
    private readonly facts: Facts,
    private readonly notices: NoticeSending,
    private readonly texts: ReminderTexts,
  ) {
    super({ name: 'Reminders', item: 'reminder', list: reminders, readModels: facts.readModels });
  }

  protected async deliver(reminder: ReminderDocument): Promise<void> {
    const { userId, reminderId, keyId } = reminder;
    const of = { userId, reminderId, by: this.context() };
    const reader = this.facts.directory.user(userId);
    if (!reader?.isActive) return this.commands.execute(new DropReminder(of));
    if (!(await this.isBegun(() => this.commands.execute(new BeginReminder(of))))) return;
    const messageId = await this.notices.send({
      key: `reminder ${keyId}`,
      reader,
      text: () => this.texts.toSend(reminder, reader),
      by: { ...of.by, client: 'Internal' },
    });
    await this.commands.execute(new EndReminder({ ...of, messageId }));
  }
}
