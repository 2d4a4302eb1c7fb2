import { type CanActivate, type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressBlock } from '../../platform/http/address-block.js';
import { edge } from '../../platform/http/edge-state.js';
import { RouteMark } from '../../platform/http/route-marks.js';
import { disconnected } from '../../platform/kernel/client-connection.js';
import { ReadTurn, type ReadTurns } from '../../platform/kernel/read-turns.js';
import { DirectoryFollower } from '../directory-follower.js';

/**
 * Nest tokens. Polls have a line of their own: thousands of them hold up no other read. So have registrations, which read
 * the whole organization.
 */
export const READS = Symbol('Reads');
export const POLLS = Symbol('Polls');
export const REGISTRATIONS = Symbol('Registrations');

const LINE = 'http:line-of-reads';

type Line = 'reads' | 'polls' | 'registrations';

const lineOf = new RouteMark<Line | 'none'>(LINE);

/** Marks a route that clients poll. */
export const Polled = (): MethodDecorator => SetMetadata(LINE, 'polls');

/** Marks a route that registers event queues. */
export const Registers = (): MethodDecorator => SetMetadata(LINE, 'registrations');

/** Marks a route that answers at any time, or that streams its answer, which takes no memory. */
export const TakesNoTurn = (): MethodDecorator & ClassDecorator => SetMetadata(LINE, 'none');

/** Makes reads take turns by caller when there are many (D19). The caller of a read without an account is its address. */
@Injectable()
export class ReadTurnGuard implements CanActivate {
  private readonly lines: Readonly<Record<Line, ReadTurns>>;

  constructor(
    @Inject(READS) reads: ReadTurns,
    @Inject(POLLS) polls: ReadTurns,
    @Inject(REGISTRATIONS) registrations: ReadTurns,
    private readonly follower: DirectoryFollower,
  ) {
    this.lines = { reads, polls, registrations };
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const line = lineOf.of(context) ?? (isRead ? 'reads' : 'none');
    if (line === 'none') return true;
    // The answer's end, which gives the turn back, has passed unnoticed.
    assertConnected(request);
    const caller = request[edge].user?._id ?? addressBlock(request.ip);
    const turn = new ReadTurn(this.lines[line], caller);
    request[edge].turn = turn;
    http.getResponse<FastifyReply>().raw.once('close', () => turn.closed());
    const waiting = turn.begin();
    return waiting === null ? true : this.begun(request, waiting);
  }

  private async begun(request: FastifyRequest, waiting: Promise<void>): Promise<true> {
    await waiting;
    assertConnected(request);
    await this.follower.freshen();
    return true;
  }
}

function assertConnected({ raw }: FastifyRequest): void {
  if (raw.socket.destroyed) throw disconnected();
}
