import { connect, type Socket } from 'node:net';
import type { MongodbAddress } from './address.js';
import { commandIn } from './command.js';
import { fieldsAt } from './fields.js';
import {
  bodyOfReply,
  type Header,
  hasMoreToCome,
  headerOf,
  messageOf,
  OP_MSG,
  OP_REPLY,
  withoutChecksum,
} from './message.js';
import { MessageStream } from './message-stream.js';
import type { RuleBook, Verdict } from './rules.js';

/** A reply that must be read, kept back or replaced. */
interface Expected {
  readonly verdict: Verdict;
  /** Earliest time for the answer. */
  readonly at: number;
}

/** A client's connection and the connection to the server behind it. They end together. */
export class Link {
  private readonly server: Socket;
  /** By the request's id. */
  private readonly expected = new Map<number, Expected>();
  /** Replies that may not leave yet, and all replies after them. What they say is settled when they leave. */
  private readonly kept: { readonly reply: () => Buffer; readonly at: number }[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly client: Socket,
    address: MongodbAddress,
    private readonly rules: RuleBook,
    private readonly options: { readonly maxWireVersion?: number },
    onEnd: (link: Link) => void,
  ) {
    this.server = connect(address);
    const requests = new MessageStream(
      ({ opcode }) => opcode === OP_MSG,
      (message) => this.ask(message),
      (bytes) => this.toServer(bytes),
    );
    const replies = new MessageStream(
      (header) => this.isRead(header),
      (message) => this.answer(message),
      (bytes) => this.toClient(() => bytes),
    );
    this.client.on('data', (bytes: Buffer) => requests.push(bytes)).on('drain', () => this.server.resume());
    this.server.on('data', (bytes: Buffer) => replies.push(bytes)).on('drain', () => this.client.resume());
    for (const socket of [this.client, this.server]) socket.setNoDelay().on('error', () => socket.destroy());
    this.client.on('close', () => this.server.destroySoon());
    this.server.on('close', () => {
      clearTimeout(this.timer);
      for (const { verdict } of this.expected.values()) verdict.onEnd?.();
      this.client.destroySoon();
      onEnd(this);
    });
  }

  destroy(): void {
    this.client.destroy();
    this.server.destroy();
  }

  private ask(message: Buffer): void {
    const command = commandIn(message);
    const verdict = command && this.rules.judge(command);
    if (!command || !verdict) {
      this.toServer(message);
      return;
    }
    const header = headerOf(message);
    const at = verdict.least ? performance.now() + verdict.least : 0;
    if (command.wantsReply) this.expected.set(header.id, { verdict, at });
    const asked = verdict.instead ? messageOf({ id: header.id, responseTo: 0 }, verdict.instead) : message;
    if (verdict.after) void verdict.after.then(() => this.toServer(asked));
    else this.toServer(asked);
  }

  /** The first `hello` of a connection may be asked and answered in older messages. */
  private isRead({ responseTo, opcode }: Header): boolean {
    return this.expected.has(responseTo) || (opcode === OP_REPLY && this.options.maxWireVersion !== undefined);
  }

  private answer(message: Buffer): void {
    const header = headerOf(message);
    const found = this.expected.get(header.responseTo);
    const { verdict, at }: Expected = found ?? { verdict: this.options, at: 0 };
    // The next reply of a stream refers to this one. In the stand-in, it refers to the request.
    if (found && header.opcode === OP_MSG && hasMoreToCome(message)) this.expected.set(header.id, found);
    else this.expected.delete(header.responseTo);
    verdict.onEnd?.();
    this.toClient(() => this.answered(message, header, verdict), at);
  }

  private answered(message: Buffer, header: Header, verdict: Verdict): Buffer {
    const { answer, onReply, maxWireVersion } = verdict;
    if (answer) return messageOf(header, answer);
    if (maxWireVersion !== undefined) return withWireVersion(message, maxWireVersion);
    const instead = onReply?.({ bytes: message, fields: fieldsAt(message, bodyOfReply(message)) });
    return instead ? messageOf(header, instead) : message;
  }

  private toServer(bytes: Buffer): void {
    if (!this.server.write(bytes)) this.client.pause();
  }

  /** @param at earliest time to send it */
  private toClient(reply: () => Buffer, at = 0): void {
    if (this.kept.length === 0 && at <= performance.now()) this.send(reply());
    else {
      this.kept.push({ reply, at });
      if (this.kept.length === 1) this.release();
    }
  }

  private readonly release = (): void => {
    for (let first = this.kept[0]; first; first = this.kept[0]) {
      const wait = first.at - performance.now();
      if (wait > 0) {
        this.timer = setTimeout(this.release, Math.ceil(wait));
        return;
      }
      this.kept.shift();
      this.send(first.reply());
    }
  };

  private send(bytes: Buffer): void {
    if (!this.client.write(bytes)) this.server.pause();
  }
}

/** The reply with a smaller wire version in the place of its own. */
function withWireVersion(reply: Buffer, most: number): Buffer {
  const changed = Buffer.from(withoutChecksum(reply));
  const field = fieldsAt(changed, bodyOfReply(changed)).get('maxWireVersion');
  if (field && changed.readInt32LE(field.at) > most) changed.writeInt32LE(most, field.at);
  return changed;
}
