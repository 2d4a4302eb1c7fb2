import { Controller, Delete, Get, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Caller, commandContext } from '../../http/caller.decorator.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { StillAuthenticated } from '../../http/still-authenticated.interceptor.js';
import { DeleteQueue } from '../domain/delete-queue.js';
import { type Asker, GetEvents } from '../queries/get-events.handler.js';
import { DeleteQueueParameters, GetEventsParameters } from './events.parameters.js';
import { JsonTexts, serializeEvents } from './json-texts.js';

@Controller('events')
export class EventsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @StillAuthenticated()
  async get(
    @Caller() caller: Caller,
    @Parameters(GetEventsParameters) { queue_id, last_event_id, dont_block }: GetEventsParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ queue_id: string; events: JsonTexts }> {
    const query = new GetEvents(queue_id, caller.user._id, last_event_id ?? null, dont_block ?? false, askerOf(reply));
    const events = new JsonTexts(await this.queries.execute(query));
    reply.type('application/json; charset=utf-8').serializer(serializeEvents);
    return { queue_id, events };
  }

  @Delete()
  async delete(
    @Caller() caller: Caller,
    @Parameters(DeleteQueueParameters) { queue_id }: DeleteQueueParameters,
  ): Promise<void> {
    await this.commands.execute(new DeleteQueue(queue_id, caller.user._id, commandContext(caller)));
  }
}

/** No AbortSignal: making and aborting one costs more than the rest of finding the events. */
function askerOf({ raw }: FastifyReply): Asker {
  return {
    get isGone() {
      return raw.destroyed;
    },
    onGone: (listener) => void raw.once('close', listener),
  };
}
