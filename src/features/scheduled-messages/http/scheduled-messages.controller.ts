import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { startsRead } from '../../messages/domain/starts-read.js';
import { ScheduledMessageSender } from '../commands/scheduled-message-sender.js';
import { DeleteScheduledMessage } from '../domain/delete-scheduled-message.js';
import { EditScheduledMessage } from '../domain/edit-scheduled-message.js';
import { ScheduleMessage } from '../domain/schedule-message.js';
import { GetScheduledMessages, type ScheduledMessageForClients } from '../queries/scheduled-messages.queries.js';
import { addresseeOf, changesOf } from './scheduled-messages.mapping.js';
import { EditScheduledMessageParameters, ScheduleMessageParameters } from './scheduled-messages.parameters.js';

@Controller('scheduled_messages')
export class ScheduledMessagesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly sender: ScheduledMessageSender,
  ) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ scheduled_messages: readonly ScheduledMessageForClients[] }> {
    return { scheduled_messages: await this.queries.execute(new GetScheduledMessages({ userId: user._id })) };
  }

  @Post()
  async schedule(
    @Caller() caller: Caller,
    @Parameters(ScheduleMessageParameters) parameters: ScheduleMessageParameters,
  ): Promise<{ scheduled_message_id: number }> {
    const by = commandContext(caller);
    const command = new ScheduleMessage({
      userId: caller.user._id,
      message: { to: addresseeOf(parameters), content: parameters.content },
      sendAt: parameters.scheduled_delivery_timestamp * 1000,
      readBySender: parameters.read_by_sender ?? startsRead(by.client),
      by,
    });
    const scheduleId = await this.commands.execute(command);
    this.sender.expect(command.sendAt);
    return { scheduled_message_id: scheduleId };
  }

  @Patch(':scheduled_message_id')
  async edit(
    @Caller() caller: Caller,
    @PathId('scheduled_message_id') scheduleId: number,
    @Parameters(EditScheduledMessageParameters) parameters: EditScheduledMessageParameters,
  ): Promise<void> {
    const changes = changesOf(parameters);
    await this.commands.execute(
      new EditScheduledMessage({ userId: caller.user._id, scheduleId, changes, by: commandContext(caller) }),
    );
    if (changes.sendAt !== undefined) this.sender.expect(changes.sendAt);
  }

  @Delete(':scheduled_message_id')
  async remove(@Caller() caller: Caller, @PathId('scheduled_message_id') scheduleId: number): Promise<void> {
    await this.commands.execute(
      new DeleteScheduledMessage({ userId: caller.user._id, scheduleId, by: commandContext(caller) }),
    );
  }
}
