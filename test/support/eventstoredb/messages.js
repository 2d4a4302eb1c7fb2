import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, status } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import { MAX_APPEND_SIZE } from './append-rules.js';
import { DELETED } from './log.js';

/** @typedef {import('./appender.js').Outcome} Outcome */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const streamName = (identifier) => Buffer.from(identifier.getStreamName_asU8()).toString('utf8');

function streamIdentifier(name) {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(name));
  return identifier;
}

/** The stream and the revision that an append or a deletion asks for. */
export function target(options) {
  const exact = () => Number(options.getRevision?.() ?? options.getStreamPosition());
  return {
    stream: streamName(options.getStreamIdentifier()),
    /** @type {'any' | 'no_stream' | 'stream_exists' | number} */
    expected: options.hasAny()
      ? 'any'
      : options.hasNoStream()
        ? 'no_stream'
        : options.hasStreamExists()
          ? 'stream_exists'
          : exact(),
  };
}

/** @returns {import('./log.js').Proposed} */
export function proposed(message) {
  const id = message.getId()?.getString() ?? '';
  if (!UUID.test(id)) throw fail(status.UNKNOWN, 'Exception was thrown by handler.');
  const about = message.getMetadataMap();
  return {
    id: id.toLowerCase(),
    type: about.get('type'),
    contentType: about.get('content-type'),
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

/** An error of a call; `fields` go into its trailer. */
export function fail(code, details, fields = {}) {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(fields)) metadata.set(name, String(value));
  return Object.assign(new Error(details), { code, details, metadata });
}

/** How a call of its own fails. @param {Outcome} outcome */
export function failure({ kind, actual }, { stream, expected }) {
  const named = (code, details, exception, fields) => fail(code, details, { exception, ...fields });
  const about = { 'stream-name': stream };
  switch (kind) {
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
        'expected-version': { any: -2, no_stream: -1, stream_exists: -4 }[expected] ?? expected,
        ...(actual >= 0 && { 'actual-version': actual }),
      });
    case 'timeout':
      return fail(status.ABORTED, 'Operation timed out');
  }
}

/** @param {Outcome} outcome */
export function appendResponse(outcome, { expected }) {
  const response = new streams.AppendResp();
  if (outcome.kind === 'success') {
    response.setSuccess(succeeded(new streams.AppendResp.Success(), new streams.AppendResp.Position(), outcome));
  } else {
    response.setWrongExpectedVersion(wrongVersion(new streams.AppendResp.WrongExpectedVersion(), outcome, expected));
  }
  return response;
}

/** @param {Outcome} outcome */
export function batchResponse(outcome, { stream, expected, correlationId }) {
  const response = new streams.BatchAppendResp();
  response.setCorrelationId(correlationId);
  response.setStreamIdentifier(streamIdentifier(stream));
  if (outcome.kind === 'success') {
    response.setSuccess(succeeded(new streams.BatchAppendResp.Success(), new shared.AllStreamPosition(), outcome));
    return response;
  }
  const [name, fill] = BATCH_FAILURES[outcome.kind];
  const detail = new shared[name]();
  fill?.(detail, outcome, expected);
  const packed = new any.Any();
  packed.pack(detail.serializeBinary(), `event_store.client.${name}`);
  const error = new statuses.Status();
  error.setCode(status.UNKNOWN);
  error.setMessage(name);
  error.setDetails(packed);
  response.setError(error);
  return response;
}

const BATCH_FAILURES = {
  deleted: ['StreamDeleted'],
  denied: ['AccessDenied'],
  timeout: ['Timeout'],
  'too-large': ['MaximumAppendSizeExceeded', (detail) => detail.setMaxappendsize(MAX_APPEND_SIZE)],
  wrong: ['WrongExpectedVersion', wrongVersion],
};

/** The two messages of this name call their fields differently. */
function wrongVersion(message, { actual }, expected) {
  const set = (names, value) => message[names.find((name) => name in message)](value);
  if (actual < 0) message.setCurrentNoStream(new shared.Empty());
  else set(['setCurrentRevision', 'setCurrentStreamRevision'], String(actual));
  if (expected === 'any') message.setExpectedAny(new shared.Empty());
  else if (expected === 'no_stream') message.setExpectedNoStream(new shared.Empty());
  else if (expected === 'stream_exists') message.setExpectedStreamExists(new shared.Empty());
  else set(['setExpectedRevision', 'setExpectedStreamPosition'], String(expected));
  return message;
}

function succeeded(success, at, { revision, position }) {
  if (revision >= 0) success.setCurrentRevision(String(revision));
  if (position === undefined) success.setNoPosition(new shared.Empty());
  else success.setPosition(placed(at, position));
  return success;
}

export function placed(message, position) {
  message.setCommitPosition(String(position));
  message.setPreparePosition(String(position));
  return message;
}

const response = (field, value) => {
  const message = new streams.ReadResp();
  message[`set${field}`](value);
  return message;
};

/** @param {import('./log.js').StoredRecord} record */
export function eventResponse(record) {
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
  // In units of 100 ns.
  about.set('created', `${record.created}0000`);
  const event = new streams.ReadResp.ReadEvent();
  event.setEvent(recorded);
  event.setCommitPosition(String(record.position));
  return response('Event', event);
}

export function streamNotFoundResponse(stream) {
  const notFound = new streams.ReadResp.StreamNotFound();
  notFound.setStreamIdentifier(streamIdentifier(stream));
  return response('StreamNotFound', notFound);
}

export function confirmationResponse(subscriptionId) {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation();
  confirmation.setSubscriptionId(subscriptionId);
  return response('Confirmation', confirmation);
}

export const checkpointResponse = (position) =>
  response('Checkpoint', placed(new streams.ReadResp.Checkpoint(), position));

export const caughtUpResponse = () => response('CaughtUp', new streams.ReadResp.CaughtUp());
