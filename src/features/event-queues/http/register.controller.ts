import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Registers } from '../../../directory/http/read-turn.guard.js';
import { JsonInTurns } from '../../../platform/http/json-in-turns.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { RegisterQueue } from '../domain/register-queue.js';
import { ClientEventTexts } from '../queries/client-event-texts.js';
import { queueOf } from './register.mapping.js';
import { RegisterParameters } from './register.parameters.js';

@Controller('register')
export class RegisterController {
  constructor(
    private readonly commands: CommandBus,
    private readonly texts: ClientEventTexts,
  ) {}

  @Post()
  @Registers()
  async register(
    @Caller() caller: Caller,
    @Parameters(RegisterParameters) parameters: RegisterParameters,
  ): Promise<JsonInTurns> {
    const queue = queueOf(parameters, caller.user, this.texts.narrowing);
    const fetchTypes = parameters.fetch_event_types ?? queue.eventTypes;
    const { queueId, lastEventId, state } = await this.commands.execute(
      new RegisterQueue({
        userId: caller.user._id,
        queue,
        fetchTypes,
        presenceHistoryDays: parameters.presence_history_limit_days ?? null,
        by: commandContext(caller),
      }),
    );
    return JsonInTurns.of({ ...state, queue_id: queueId, last_event_id: lastEventId });
  }
}
