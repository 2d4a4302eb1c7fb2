import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { ListInTurns, ObjectInTurns } from '../../kernel/in-turns.js';
import { nextSlice } from '../../kernel/slices.js';
import { enveloped } from '../envelope.js';
import { Answer } from './answer.js';

/** Milliseconds of one turn of the event loop in which an answer is written. */
const SLICE_MS = 5;

/** A handler's result with long lists and objects, as JSON: while it is written, others have turns of the event loop. */
export class JsonInTurns extends Answer {
  /** @param chunks the members of an object, `"name":value`, with commas in between */
  private constructor(private readonly chunks: readonly Buffer[]) {
    super();
  }

  /** @param object without a value that JSON has no word for, except undefined */
  static async of(object: object): Promise<JsonInTurns> {
    const writing = new ChunkWriter();
    for (const [name, value] of Object.entries(object)) {
      if (value === undefined) continue;
      writing.name(name);
      if (value instanceof PreparedJson) writing.bytes(value.bytes);
      else if (Array.isArray(value) || value instanceof ListInTurns) await writing.list(value);
      else if (value instanceof ObjectInTurns) await writing.object(value);
      else writing.text(JSON.stringify(value));
    }
    return new JsonInTurns(writing.end());
  }

  /** The bytes of an object with more members behind its own. */
  behind(object: object): readonly Buffer[] {
    const text = JSON.stringify(object);
    if (this.chunks.length === 0) return [Buffer.from(text)];
    const start = `${text.slice(0, -1)}${text === '{}' ? '' : ','}`;
    return [Buffer.from(start), ...this.chunks, Buffer.from('}')];
  }

  /** Answers with these members in an envelope. A slow client takes one chunk after the other. */
  send(reply: FastifyReply, envelope = enveloped(reply.request, undefined)): FastifyReply {
    const chunks = this.behind(envelope);
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
    return reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .header('Content-Length', bytes)
      .send(Readable.from(chunks, { objectMode: false }));
  }
}

class ChunkWriter {
  private sliceEnd = performance.now() + SLICE_MS;
  private readonly chunks: Buffer[] = [];
  private texts: string[] = [];
  private isFirst = true;

  name(name: string): void {
    this.text(`${this.isFirst ? '' : ','}${JSON.stringify(name)}:`);
    this.isFirst = false;
  }

  text(text: string): void {
    this.texts.push(text);
  }

  bytes(bytes: Buffer): void {
    this.finishChunk();
    this.chunks.push(bytes);
  }

  async list(list: Iterable<unknown>): Promise<void> {
    let separator = '[';
    for (const element of list) {
      // What JSON has no word for is null in a list.
      this.text(`${separator}${JSON.stringify(element) ?? 'null'}`);
      separator = ',';
      if (performance.now() >= this.sliceEnd) await this.nextSlice();
    }
    this.text(separator === '[' ? '[]' : ']');
  }

  async object(members: Iterable<readonly [string, unknown]>): Promise<void> {
    let separator = '{';
    for (const [key, value] of members) {
      this.text(`${separator}${JSON.stringify(key)}:${JSON.stringify(value) ?? 'null'}`);
      separator = ',';
      if (performance.now() >= this.sliceEnd) await this.nextSlice();
    }
    this.text(separator === '{' ? '{}' : '}');
  }

  end(): readonly Buffer[] {
    this.finishChunk();
    return this.chunks;
  }

  /** Leaves the turn of the event loop to others. */
  private async nextSlice(): Promise<void> {
    this.finishChunk();
    await nextSlice();
    this.sliceEnd = performance.now() + SLICE_MS;
  }

  private finishChunk(): void {
    if (this.texts.length > 0) this.chunks.push(Buffer.from(this.texts.join('')));
    this.texts = [];
  }
}

/** A value that is JSON text already. Several answers share its bytes. */
export class PreparedJson {
  readonly bytes: Buffer;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }

  /** For other serializers than `JsonInTurns`. */
  toJSON(): unknown {
    return JSON.parse(this.bytes.toString()) as unknown;
  }
}
