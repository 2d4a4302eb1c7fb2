import { Controller, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Registers } from '../../../directory/http/read-turn.guard.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { JsonInTurns } from '../../../platform/http/json-in-turns.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { RegisterQueue } from '../domain/register-queue.js';
import { ClientEventTexts } from '../queries/client-event-texts.js';
import { queueOf } from './register.mapping.js';
import { RegisterParameters } from './register.parameters.js';

@Controller('register')
export class RegisterController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly texts: ClientEventTexts,
  ) {}

  @Post()
  @Registers()
  async register(@Caller() { user, by }: Caller, @Parameters() parameters: RegisterParameters): Promise<JsonInTurns> {
    const queue = queueOf(parameters, user, this.texts.narrowing);
    const fetchTypes = parameters.fetch_event_types ?? queue.eventTypes;
    const { queueId, lastEventId, state } = await this.dispatch.do(
      new RegisterQueue({
        userId: user._id,
        queue,
        fetchTypes,
        presenceHistoryDays: parameters.presence_history_limit_days ?? null,
        by,
      }),
    );
    return JsonInTurns.of({ ...state, queue_id: queueId, last_event_id: lastEventId });
  }
}
