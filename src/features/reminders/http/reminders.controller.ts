import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsOptional, IsString } from 'class-validator';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { IsId, IsSecond, JsonText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { ReminderSender } from '../commands/reminder-sender.js';
import { DeleteReminder, SetReminder } from '../domain/reminders.js';
import type { ReminderForClients } from '../queries/reminder-texts.js';
import { GetReminders } from '../queries/reminders.queries.js';

/** `POST /reminders` */
class SetReminderParameters {
  @JsonText()
  @IsId()
  readonly message_id!: number;

  @JsonText()
  @IsSecond()
  readonly scheduled_delivery_timestamp!: number;

  @IsOptional()
  @IsString()
  readonly note?: string;
}

@Controller('reminders')
export class RemindersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly sender: ReminderSender,
  ) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ reminders: Iterable<ReminderForClients> }> {
    return { reminders: await this.queries.execute(new GetReminders({ reader: user })) };
  }

  @Post()
  async set(
    @Caller() caller: Caller,
    @Parameters(SetReminderParameters) parameters: SetReminderParameters,
  ): Promise<{ reminder_id: number }> {
    const { message_id: messageId, scheduled_delivery_timestamp: seconds, note = '' } = parameters;
    const about = { userId: caller.user._id, messageId, sendAt: seconds * 1000, note: note.trim() };
    const reminderId = await this.commands.execute(new SetReminder({ ...about, by: commandContext(caller) }));
    this.sender.expect(about.sendAt);
    return { reminder_id: reminderId };
  }

  @Delete(':reminder_id')
  async remove(@Caller() caller: Caller, @PathId('reminder_id') reminderId: number): Promise<void> {
    await this.commands.execute(
      new DeleteReminder({ userId: caller.user._id, reminderId, by: commandContext(caller) }),
    );
  }
}
