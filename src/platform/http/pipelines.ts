import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that wait on one connection before nothing more is read from it. */
const READ_AHEAD = 32;

interface Pipeline {
  isBusy: boolean;
  readonly waiting: { readonly response: ServerResponse; readonly begin: () => void }[];
}

/**
 * Carries out the requests of one connection one after the other, however many its client sends at once. The next one
 * begins when the answer before it has left the process, so a client that does not read has one answer in memory.
 */
export class Pipelines {
  private readonly bySocket = new WeakMap<Socket, Pipeline>();

  /** Calls `begin` when the requests before it are answered; never if the connection ends earlier. */
  enter(socket: Socket, response: ServerResponse, begin: () => void): void {
    const pipeline = this.bySocket.get(socket) ?? this.open(socket);
    if (!pipeline.isBusy) {
      this.begin(socket, pipeline, response, begin);
      return;
    }
    pipeline.waiting.push({ response, begin });
    // Node reads on at the end of each request: it is told to pause after that.
    if (pipeline.waiting.length === READ_AHEAD) queueMicrotask(() => socket.pause());
  }

  /** Whether a silent connection is of no more use: its client takes nothing of an answer, or has asked for nothing. */
  isStalled(socket: Socket): boolean {
    return socket.writableLength > 0 || !this.bySocket.get(socket)?.isBusy;
  }

  private open(socket: Socket): Pipeline {
    const pipeline = { isBusy: false, waiting: [] };
    this.bySocket.set(socket, pipeline);
    return pipeline;
  }

  private begin(socket: Socket, pipeline: Pipeline, response: ServerResponse, begin: () => void): void {
    pipeline.isBusy = true;
    response.once('close', () => {
      pipeline.isBusy = false;
      this.next(socket, pipeline);
    });
    // An answer without its socket stands behind one that took no part in this, such as health. Node tells of its end only
    // once it has the socket.
    if (response.socket) begin();
    else response.once('socket', () => begin());
  }

  private next(socket: Socket, pipeline: Pipeline): void {
    // Nobody would get the answer of a later request.
    if (socket.destroyed || socket.writableEnded) pipeline.waiting.length = 0;
    const next = pipeline.waiting.shift();
    if (!next) return;
    if (pipeline.waiting.length < READ_AHEAD) socket.resume();
    this.begin(socket, pipeline, next.response, next.begin);
  }
}
