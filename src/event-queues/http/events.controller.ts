import { Controller, Delete, Get, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Caller, commandContext } from '../../http/caller.decorator.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { DeleteQueue } from '../domain/delete-queue.js';
import { GetEvents } from '../queries/get-events.handler.js';
import { DeleteQueueParameters, GetEventsParameters } from './events.parameters.js';
import { JsonTexts, serializeEvents } from './json-texts.js';

@Controller('events')
export class EventsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async get(
    @Caller() caller: Caller,
    @Parameters(GetEventsParameters) { queue_id, last_event_id, dont_block }: GetEventsParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ queue_id: string; events: JsonTexts }> {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const query = new GetEvents(queue_id, caller.user._id, last_event_id ?? null, dont_block ?? false, gone.signal);
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
