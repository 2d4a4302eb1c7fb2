import codes from '@eventstore/db-client/generated/code_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import { type AppendRequest, MAX_APPEND_SIZE } from './append-rules.js';
import type { Outcome } from './appender.js';
import { DELETED, type Proposed, type StoredRecord } from './log.js';

type Success = Extract<Outcome, { kind: 'success' }>;
type Expected = AppendRequest['expected'];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const streamName = (identifier: shared.StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? '').toString('utf8');

function streamIdentifier(name: string): shared.StreamIdentifier {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(name));
  return identifier;
}

/** The options that appends and deletions share. */
interface TargetOptions {
  getStreamIdentifier(): shared.StreamIdentifier | undefined;
  hasAny(): boolean;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
  getRevision?(): string;
  getStreamPosition?(): string;
}

/** Reads the stream and the expected revision of an append or a deletion. */
export function target(options: TargetOptions | undefined): Pick<AppendRequest, 'stream' | 'expected'> {
  const exact = () => Number(options?.getRevision?.() ?? options?.getStreamPosition?.());
  return {
    stream: streamName(options?.getStreamIdentifier()),
    expected: options?.hasAny()
      ? 'any'
      : options?.hasNoStream()
        ? 'no_stream'
        : options?.hasStreamExists()
          ? 'stream_exists'
          : exact(),
  };
}

export function proposed(
  message: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage | undefined,
): Proposed {
  const id = message?.getId()?.getString() ?? '';
  if (!message || !UUID.test(id)) throw fail(status.UNKNOWN, 'Exception was thrown by handler.');
  const about = message.getMetadataMap();
  return {
    id: id.toLowerCase(),
    type: about.get('type') ?? '',
    contentType: about.get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

/** Makes the error of a call; `fields` go into its trailer. */
export function fail(code: status, details: string, fields: Readonly<Record<string, unknown>> = {}): ServiceError {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(fields)) metadata.set(name, String(value));
  return Object.assign(new Error(details), { code, details, metadata });
}

const NAMED_VERSIONS = { any: -2, no_stream: -1, stream_exists: -4 } as const;

/** Makes the error of a call that is not part of a batch. */
export function failure(
  outcome: Exclude<Outcome, Success>,
  { stream, expected = 'any' }: { readonly stream?: string; readonly expected?: Expected },
): ServiceError {
  const named = (code: status, details: string, exception: string, fields = {}) =>
    fail(code, details, { exception, ...fields });
  const about = { 'stream-name': stream };
  switch (outcome.kind) {
    case 'deleted':
      return named(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, 'stream-deleted', about);
    case 'too-large':
      return named(status.INVALID_ARGUMENT, 'Maximum Append Size Exceeded.', 'maximum-append-size-exceeded', {
        'maximum-append-size': MAX_APPEND_SIZE,
      });
    case 'denied':
      return named(status.PERMISSION_DENIED, 'Access Denied', 'access-denied');
    case 'wrong':
      return named(status.FAILED_PRECONDITION, 'WrongExpectedVersion', 'wrong-expected-version', {
        ...about,
        'expected-version': typeof expected === 'number' ? expected : NAMED_VERSIONS[expected],
        ...(outcome.actual >= 0 && { 'actual-version': outcome.actual }),
      });
    case 'timeout':
      return fail(status.ABORTED, 'Operation timed out');
  }
}

export function appendResponse(
  outcome: Extract<Outcome, { kind: 'success' | 'wrong' }>,
  { expected }: Pick<AppendRequest, 'expected'>,
): streams.AppendResp {
  const response = new streams.AppendResp();
  if (outcome.kind === 'success') {
    response.setSuccess(succeeded(new streams.AppendResp.Success(), outcome));
  } else {
    response.setWrongExpectedVersion(wrongVersion(new streams.AppendResp.WrongExpectedVersion(), outcome, expected));
  }
  return response;
}

export function batchResponse(
  outcome: Outcome,
  {
    stream,
    expected,
    correlationId,
  }: Pick<AppendRequest, 'stream' | 'expected'> & { readonly correlationId: shared.UUID | undefined },
): streams.BatchAppendResp {
  const response = new streams.BatchAppendResp();
  response.setCorrelationId(correlationId);
  response.setStreamIdentifier(streamIdentifier(stream));
  if (outcome.kind === 'success') {
    response.setSuccess(succeeded(new streams.BatchAppendResp.Success(), outcome));
    return response;
  }
  const [name, detail] = batchFailure(outcome, expected);
  const packed = new any.Any();
  packed.pack(detail.serializeBinary(), `event_store.client.${name}`);
  const error = new statuses.Status();
  error.setCode(codes.Code.UNKNOWN);
  error.setMessage(name);
  error.setDetails(packed);
  response.setError(error);
  return response;
}

function batchFailure(outcome: Exclude<Outcome, Success>, expected: Expected) {
  switch (outcome.kind) {
    case 'deleted':
      return ['StreamDeleted', new shared.StreamDeleted()] as const;
    case 'denied':
      return ['AccessDenied', new shared.AccessDenied()] as const;
    case 'timeout':
      return ['Timeout', new shared.Timeout()] as const;
    case 'too-large': {
      const detail = new shared.MaximumAppendSizeExceeded();
      detail.setMaxappendsize(MAX_APPEND_SIZE);
      return ['MaximumAppendSizeExceeded', detail] as const;
    }
    case 'wrong':
      return ['WrongExpectedVersion', wrongVersion(new shared.WrongExpectedVersion(), outcome, expected)] as const;
  }
}

/** Fills one of two messages of this name, whose fields have different names. */
function wrongVersion<Message extends streams.AppendResp.WrongExpectedVersion | shared.WrongExpectedVersion>(
  message: Message,
  { actual }: { readonly actual: number },
  expected: Expected,
): Message {
  if (actual < 0) message.setCurrentNoStream(new shared.Empty());
  else if ('setCurrentRevision' in message) message.setCurrentRevision(String(actual));
  else message.setCurrentStreamRevision(String(actual));
  if (expected === 'any') message.setExpectedAny(new shared.Empty());
  else if (expected === 'no_stream') message.setExpectedNoStream(new shared.Empty());
  else if (expected === 'stream_exists') message.setExpectedStreamExists(new shared.Empty());
  else if ('setExpectedRevision' in message) message.setExpectedRevision(String(expected));
  else message.setExpectedStreamPosition(String(expected));
  return message;
}

function succeeded<Message extends streams.AppendResp.Success | streams.BatchAppendResp.Success>(
  success: Message,
  { revision, position }: Success,
): Message {
  if (revision >= 0) success.setCurrentRevision(String(revision));
  if (position === undefined) success.setNoPosition(new shared.Empty());
  else if (success instanceof streams.AppendResp.Success)
    success.setPosition(placed(new streams.AppendResp.Position(), position));
  else if (success instanceof streams.BatchAppendResp.Success)
    success.setPosition(placed(new shared.AllStreamPosition(), position));
  return success;
}

interface Placed {
  setCommitPosition(position: string): unknown;
  setPreparePosition(position: string): unknown;
}

export function placed<Message extends Placed>(message: Message, position: number): Message {
  message.setCommitPosition(String(position));
  message.setPreparePosition(String(position));
  return message;
}

export function eventResponse(record: StoredRecord): streams.ReadResp {
  const recorded = placed(new streams.ReadResp.ReadEvent.RecordedEvent(), record.position);
  const id = new shared.UUID();
  id.setString(record.id);
  recorded.setId(id);
  recorded.setStreamIdentifier(streamIdentifier(record.stream));
  recorded.setStreamRevision(record.revision === DELETED ? String(2n ** 63n - 1n) : String(record.revision));
  recorded.setData(record.data);
  recorded.setCustomMetadata(record.metadata);
  const about = recorded.getMetadataMap();
  about.set('type', record.type);
  about.set('content-type', record.contentType);
  // Units of 100 ns.
  about.set('created', `${record.created}0000`);
  const event = new streams.ReadResp.ReadEvent();
  event.setEvent(recorded);
  event.setCommitPosition(String(record.position));
  const response = new streams.ReadResp();
  response.setEvent(event);
  return response;
}

export function streamNotFoundResponse(stream: string): streams.ReadResp {
  const notFound = new streams.ReadResp.StreamNotFound();
  notFound.setStreamIdentifier(streamIdentifier(stream));
  const response = new streams.ReadResp();
  response.setStreamNotFound(notFound);
  return response;
}

export function confirmationResponse(subscriptionId: string): streams.ReadResp {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation();
  confirmation.setSubscriptionId(subscriptionId);
  const response = new streams.ReadResp();
  response.setConfirmation(confirmation);
  return response;
}

export function checkpointResponse(position: number): streams.ReadResp {
  const response = new streams.ReadResp();
  response.setCheckpoint(placed(new streams.ReadResp.Checkpoint(), position));
  return response;
}

export function caughtUpResponse(): streams.ReadResp {
  const response = new streams.ReadResp();
  response.setCaughtUp(new streams.ReadResp.CaughtUp());
  return response;
}
