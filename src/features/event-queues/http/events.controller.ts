import { Controller, Delete, Get, Injectable, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type FastifyAdapter, RouteConfig } from '@nestjs/platform-fastify';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import type { FastifyReply, RouteOptions } from 'fastify';
import { Directory } from '../../../directory/directory.js';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { authenticateAgain } from '../../../directory/http/credentials.js';
import { Polled } from '../../../directory/http/read-turn.guard.js';
import { ReplyConnection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { edge } from '../../../platform/http/edge-state.js';
import { enveloped } from '../../../platform/http/envelope.js';
import { JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { ShutdownSignal } from '../../../platform/http/shutdown-signal.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { DeleteQueue } from '../domain/event-queues.js';
import { BEYOND_THE_LOG, GetEvents, type PollClient } from '../queries/get-events.handler.js';
import { WaitingPolls } from '../services/waiting-polls.js';

class GetEventsParameters {
  @IsString() readonly queue_id!: string;

  /** -1 is before every event. */
  @JsonText() @IsOptional() @IsInt() @Min(-1) @Max(Number.MAX_SAFE_INTEGER) readonly last_event_id?: number;

  @OptionalFlag() readonly dont_block?: boolean;
}

class DeleteQueueParameters {
  @IsString() readonly queue_id!: string;
}

/** Answers every waiting poll when the server begins to close. */
@Injectable()
export class ReleasePolls {
  constructor({ signal }: ShutdownSignal, waiting: WaitingPolls) {
    signal.addEventListener('abort', () => waiting.close(), { once: true });
  }
}

/** Has polls begin where answers to others leave them room. */
@Injectable()
export class BeginPolls {
  constructor({ httpAdapter }: HttpAdapterHost<FastifyAdapter>, waiting: WaitingPolls) {
    httpAdapter.getInstance().addHook('onRoute', (route) => {
      if (isPoll(route)) route.onRequest = (_request, _reply, done) => waiting.begin(done);
    });
  }
}

const POLL = 'isPoll';

const isPoll = ({ config = {} }: RouteOptions): boolean => POLL in config;

@Controller('events')
export class EventsController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly directory: Directory,
  ) {}

  @Get()
  @Polled()
  @RouteConfig({ [POLL]: true })
  async get(
    @Caller() caller: Caller,
    @Parameters() { queue_id, last_event_id, dont_block }: GetEventsParameters,
    // Nest writes no answer then: many queues get the same texts at once.
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = new GetEvents({
      queueId: queue_id,
      userId: caller.user._id,
      lastEventId: last_event_id ?? null,
      dontBlock: dont_block ?? false,
      connection: new PolledConnection(reply),
    });
    const texts = await this.dispatch.ask(query);
    // The key or the account may have ended while the poll waited. An interceptor would cost as much as all else.
    authenticateAgain(this.directory, reply.request);
    if (texts === BEYOND_THE_LOG) {
      // The log may grow past the client's position: then the queue would seem to go on, without what came before.
      await this.delete(caller, { queue_id });
      refuse('BAD_EVENT_QUEUE_ID', { queue_id });
    }
    const rest = JSON.stringify(enveloped(reply.request, { queue_id }));
    void reply.type('application/json; charset=utf-8').send(`${rest.slice(0, -1)},"events":[${texts.join(',')}]}`);
  }

  @Delete()
  async delete(@Caller() { user, by }: Caller, @Parameters() { queue_id }: DeleteQueueParameters): Promise<void> {
    await this.dispatch.do(new DeleteQueue({ queueId: queue_id, userId: user._id, by }));
  }
}

/** Uses no AbortSignal: creating and aborting one costs more than the rest of a poll. */
class PolledConnection extends ReplyConnection implements PollClient {
  onDisconnect(listener: () => void): void {
    this.reply.raw.once('close', listener);
  }

  outside<T>(wait: () => Promise<T>): Promise<T> {
    const state = this.reply.request[edge];
    state.isHeldOpen = true;
    const { turn } = state;
    return turn ? turn.outside(wait) : wait();
  }
}
