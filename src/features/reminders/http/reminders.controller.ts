import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Id, IsSecond, JsonText, OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { DeleteReminder, SetReminder } from '../domain/reminders.js';
import { GetReminders } from '../queries/reminders.queries.js';
import type { ReminderForClients } from '../services/reminder-texts.js';

/** `POST /reminders` */
class SetReminderParameters {
  @Id() readonly message_id!: number;
  @JsonText() @IsSecond() readonly scheduled_delivery_timestamp!: number;
  @OptionalText() readonly note?: string;
}

@Controller('reminders')
export class RemindersController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ reminders: Iterable<ReminderForClients> }> {
    return { reminders: await this.dispatch.ask(new GetReminders({ reader: user })) };
  }

  @Post()
  async set(
    @Caller() { user, by }: Caller,
    @Parameters() parameters: SetReminderParameters,
  ): Promise<{ reminder_id: number }> {
    const { message_id: messageId, scheduled_delivery_timestamp: seconds, note = '' } = parameters;
    const about = { userId: user._id, messageId, sendAt: seconds * 1000, note: note.trim() };
    return { reminder_id: await this.dispatch.do(new SetReminder({ ...about, by })) };
  }

  @Delete(':reminder_id')
  async remove(@Caller() { user, by }: Caller, @PathId('reminder_id') reminderId: number): Promise<void> {
    await this.dispatch.do(new DeleteReminder({ userId: user._id, reminderId, by }));
  }
}
