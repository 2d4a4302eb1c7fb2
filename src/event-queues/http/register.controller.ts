import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { Caller, commandContext } from '../../http/caller.decorator.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import type { Registration } from '../commands/register-queue.handler.js';
import { RegisterQueue } from '../domain/register-queue.js';
import { queueOf } from './register.mapping.js';
import { RegisterParameters } from './register.parameters.js';

@Controller('register')
export class RegisterController {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
  ) {}

  @Post()
  async register(
    @Caller() caller: Caller,
    @Parameters(RegisterParameters) parameters: RegisterParameters,
  ): Promise<object> {
    const queue = queueOf(parameters, caller.user, this.directory);
    const fetchTypes = parameters.fetch_event_types ?? queue.eventTypes;
    const { queueId, lastEventId, state } = await this.commands.execute<RegisterQueue, Registration>(
      new RegisterQueue(caller.user._id, queue, fetchTypes, commandContext(caller)),
    );
    return { ...state, queue_id: queueId, last_event_id: lastEventId };
  }
}
