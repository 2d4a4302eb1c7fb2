import type { Socket } from 'node:net';
import { type ServiceError, status, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { fail } from './messages.js';

/** The part that all kinds of calls have. */
interface Call {
  on(event: string, listener: () => void): this;
  emit(event: 'error', error: Error): boolean;
  getPeer(): string;
}

type Handler = (call: Call, answer?: (error: ServiceError) => void) => void;

/** The faults that are switched on. */
export class Faults {
  isDenied = false;
  deniesAppends = false;
  /** Requests are accepted and ignored. */
  swallows = false;
  #isRefusing = false;
  #answersToLose = 0;
  readonly #sockets = new Set<Socket>();
  readonly #streams = new Set<Call>();
  readonly #ownVersion: string;
  version: string;

  constructor(version: string) {
    this.#ownVersion = version;
    this.version = version;
  }

  /** Wraps handlers with the faults. */
  before<Handlers extends UntypedServiceImplementation>(handlers: Handlers): Handlers {
    const guarded = Object.entries(handlers).map(([name, handle]) => [name, this.#guarded(handle as Handler)]);
    return Object.fromEntries(guarded);
  }

  #guarded(handle: Handler): Handler {
    return (call, answer) => {
      if (this.swallows) return;
      if (!answer) {
        const end = () => this.#streams.delete(call);
        this.#streams.add(call.on('close', end).on('cancelled', end));
      }
      if (!this.#isRefusing) handle(call, answer);
      else if (answer) answer(unavailable());
      else call.emit('error', unavailable());
    };
  }

  /** Registers a new connection. @returns whether it is to be served */
  accept(socket: Socket): boolean {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => socket.destroy());
    return !this.swallows;
  }

  /** Decides whether the answer to this append is lost, and breaks its connection if so. */
  losesAnswer(call: Pick<Call, 'getPeer'>): boolean {
    if (this.#answersToLose === 0) return this.swallows;
    this.#answersToLose -= 1;
    for (const socket of this.#sockets) if (call.getPeer().endsWith(`:${socket.remotePort}`)) socket.destroy();
    return true;
  }

  loseAnswers(count: number): void {
    this.#answersToLose = count;
  }

  refuse(): void {
    this.#isRefusing = true;
    this.failStreams(unavailable());
  }

  restore(): void {
    // Clients of ignored requests would wait for ever.
    if (this.swallows) this.breakConnections();
    this.swallows = false;
    this.isDenied = false;
    this.deniesAppends = false;
    this.#isRefusing = false;
    this.#answersToLose = 0;
    this.version = this.#ownVersion;
  }

  failStreams(error: Error): void {
    for (const call of this.#streams) call.emit('error', error);
  }

  breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

const unavailable = () => fail(status.UNAVAILABLE, 'Server Is Not Ready');
