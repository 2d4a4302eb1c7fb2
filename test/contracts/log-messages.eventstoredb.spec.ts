import { randomUUID } from 'node:crypto';
import ids from '@eventstore/db-client/dist/utils/grpcUUID.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { appendAnswerFrom, bytesOfAppend, readAnswerFrom } from '../../src/platform/log/eventstoredb/log-messages.js';

const { ReadResp, BatchAppendReq, BatchAppendResp } = streams;
const { RecordedEvent } = ReadResp.ReadEvent;

const text = fc.string({ unit: 'grapheme', maxLength: 400 });
const whole = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const expected = fc.oneof(whole, fc.constantFrom('new' as const, 'any' as const));
const appended = fc.record({ id: fc.uuid(), type: text, data: text, metadata: text });

const wire = (message: { serializeBinary(): Uint8Array }): Buffer => Buffer.from(message.serializeBinary());
const utf8 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** The frequent messages are read and written without the client. The client's classes are the reference. */
describe('the messages of EventStoreDB', () => {
  it('of an event are read as the client reads them', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        text,
        whole,
        whole,
        text,
        text,
        text,
        (id, stream, revision, position, type, data, metadata) => {
          const event = new RecordedEvent()
            .setId(new shared.UUID().setString(id))
            .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
            .setStreamRevision(String(revision))
            .setPreparePosition(String(position))
            .setCommitPosition(String(position))
            .setData(Buffer.from(data))
            .setCustomMetadata(Buffer.from(metadata));
          event.getMetadataMap().set('created', '1').set('type', type).set('content-type', 'application/json');
          const answer = new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(event).setCommitPosition('7'));
          const read = readAnswerFrom(wire(answer));
          expect({
            ...read.event,
            data: read.event?.data.toString(),
            metadata: read.event?.metadata.toString(),
          }).toEqual({
            id,
            streamName: utf8(Buffer.from(stream)),
            revision,
            commitPosition: position,
            type: utf8(Buffer.from(type)),
            contentType: 'application/json',
            data: utf8(Buffer.from(data)),
            metadata: utf8(Buffer.from(metadata)),
          });
        },
      ),
    );
  });

  it('of other records, and with unused fields, are read', () => {
    const checkpoint = new ReadResp.Checkpoint().setCommitPosition('4294967301').setPreparePosition('12');
    expect(readAnswerFrom(wire(new ReadResp().setCheckpoint(checkpoint)))).toEqual({
      checkpoint: { commit: 4294967301, prepare: 12 },
    });
    const confirmation = new ReadResp.SubscriptionConfirmation().setSubscriptionId('one');
    expect(readAnswerFrom(wire(new ReadResp().setConfirmation(confirmation)))).toEqual({ isConfirmation: true });
    expect(readAnswerFrom(wire(new ReadResp().setCaughtUp(new ReadResp.CaughtUp())))).toEqual({ isCaughtUp: true });
    expect(readAnswerFrom(wire(new ReadResp().setFellBehind(new ReadResp.FellBehind())))).toEqual({});
    const link = new ReadResp.ReadEvent().setLink(new RecordedEvent().setStreamRevision('1')).setCommitPosition('30');
    expect(readAnswerFrom(wire(new ReadResp().setEvent(link)))).toEqual({ commitPosition: 30 });
  });

  it('with a position beyond the range of numbers are read as a large position', () => {
    const event = new RecordedEvent().setCommitPosition('18446744073709551615');
    const read = readAnswerFrom(wire(new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(event))));
    expect(read.event?.commitPosition).toBeGreaterThan(2 ** 63);
  });

  it('of an append are written so that the client reads the same append', () => {
    fc.assert(
      fc.property(
        fc.record({
          correlationId: fc.uuid(),
          streamName: text,
          expected,
          deadline: fc.integer({ min: 0, max: 4e12 }),
          events: fc.array(appended, { minLength: 1, maxLength: 5 }),
        }),
        (append) => {
          const read = BatchAppendReq.deserializeBinary(bytesOfAppend(append));
          const options = read.getOptions();
          expect(read.getIsFinal()).toBe(true);
          expect(read.getCorrelationId()?.getString()).toBe(append.correlationId);
          expect(utf8(options?.getStreamIdentifier()?.getStreamName_asU8() ?? Buffer.alloc(0))).toBe(
            utf8(Buffer.from(append.streamName)),
          );
          expect(options?.hasAny()).toBe(append.expected === 'any');
          expect(options?.hasNoStream()).toBe(append.expected === 'new');
          expect(options?.hasStreamPosition()).toBe(typeof append.expected === 'number');
          if (typeof append.expected === 'number') expect(options?.getStreamPosition()).toBe(String(append.expected));
          expect(options?.getDeadline()?.toDate().getTime()).toBe(append.deadline);
          expect(
            read.getProposedMessagesList().map((message) => ({
              id: message.getId()?.getString(),
              marks: Object.fromEntries(message.getMetadataMap().toObject(true)),
              data: utf8(message.getData_asU8()),
              metadata: utf8(message.getCustomMetadata_asU8()),
            })),
          ).toEqual(
            append.events.map(({ id, type, data, metadata }) => ({
              id,
              marks: { type: utf8(Buffer.from(type)), 'content-type': 'application/json' },
              data: utf8(Buffer.from(data)),
              metadata: utf8(Buffer.from(metadata)),
            })),
          );
        },
      ),
    );
  });

  it('are written completely one after the other, even after one of the maximal size', () => {
    const append = (data: string) => ({
      correlationId: randomUUID(),
      streamName: 'a',
      expected: 0,
      deadline: 0,
      events: [{ id: randomUUID(), type: 'Sent', data, metadata: '{}' }],
    });
    const [great, small] = [bytesOfAppend(append('x'.repeat(1024 * 1024))), bytesOfAppend(append('small'))];
    const dataOf = (bytes: Buffer) =>
      utf8(BatchAppendReq.deserializeBinary(bytes).getProposedMessagesList()[0]?.getData_asU8() ?? Buffer.alloc(0));
    expect(dataOf(great)).toHaveLength(1024 * 1024);
    expect(dataOf(small)).toBe('small');
  });

  it('of an append’s answer are read, even if the id comes as two numbers', () => {
    const correlationId = randomUUID();
    const position = new shared.AllStreamPosition().setCommitPosition('77').setPreparePosition('77');
    const success = new BatchAppendResp.Success().setCurrentRevision('0').setPosition(position);
    const structured = new shared.UUID().setStructured(numbersOf(correlationId));
    expect(ids.parseUUID(structured)).toBe(correlationId);
    for (const id of [new shared.UUID().setString(correlationId), structured]) {
      const answer = new BatchAppendResp().setCorrelationId(id).setSuccess(success);
      expect(appendAnswerFrom(wire(answer))).toEqual({ correlationId, revision: 0, commitPosition: 77 });
    }
  });

  it('of an append’s refusal are read, with all bytes of the answer', () => {
    const correlationId = randomUUID();
    const answer = new BatchAppendResp().setCorrelationId(new shared.UUID().setString(correlationId));
    const bytes = wire(answer.setError(new statuses.Status().setMessage('no')));
    expect(appendAnswerFrom(bytes)).toEqual({ correlationId, refusal: bytes });
  });
});

function numbersOf(uuid: string): InstanceType<typeof shared.UUID.Structured> {
  const hex = uuid.replaceAll('-', '');
  const signed = (part: string) => String(BigInt.asIntN(64, BigInt(`0x${part}`)));
  return new shared.UUID.Structured()
    .setMostSignificantBits(signed(hex.slice(0, 16)))
    .setLeastSignificantBits(signed(hex.slice(16)));
}
