import gossipServices from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import featuresServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsServices from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Server } from '@grpc/grpc-js';
import { appendResponse, batchResponse, failure, placed, proposed, target } from './messages.js';

const STREAMS = 'event_store.client.streams.Streams';
const MAX_MESSAGE = 16 * 1024 * 1024;
const DENIED = { kind: 'denied' };

/**
 * The services a client calls, over what does the work.
 *
 * @param {{ appender: import('./appender.js').Appender, reading: import('./reading.js').Reading,
 *   faults: import('./faults.js').Faults, port: () => number }} parts
 */
export function grpcServer({ appender, reading, faults, port }) {
  const server = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE });

  /** Undefined where the client is not to learn of it. */
  const append = async (call, request) => {
    const outcome = faults.isDenied || faults.deniesAppends ? DENIED : await appender.append(request);
    return faults.losesAnswer(call) ? undefined : outcome;
  };

  const appendPlainly = async (call, answer) => {
    const request = { events: [] };
    for await (const message of call) {
      if (message.hasOptions()) Object.assign(request, target(message.getOptions()));
      else request.events.push(proposed(message.getProposedMessage()));
    }
    const outcome = await append(call, request);
    if (!outcome) return;
    if (outcome.kind === 'success' || outcome.kind === 'wrong') answer(null, appendResponse(outcome, request));
    else answer(failure(outcome, request));
  };

  const remove = async (call, answer, Response, isForEver) => {
    const request = { ...target(call.request.getOptions()), isForEver };
    const outcome = faults.isDenied ? DENIED : await appender.remove(request);
    if (outcome.kind !== 'success') return answer(failure(outcome, request));
    const response = new Response();
    response.setPosition(placed(new Response.Position(), outcome.position));
    answer(null, response);
  };

  server.addService(
    streamsServices.StreamsService,
    faults.before({
      read: (call) => (faults.isDenied ? call.emit('error', failure(DENIED, {})) : reading.read(call)),
      append: (call, answer) => appendPlainly(call, answer).catch(answer),
      delete: (call, answer) => remove(call, answer, streams.DeleteResp, false),
      tombstone: (call, answer) => remove(call, answer, streams.TombstoneResp, true),
      batchAppend: (call) => {
        const begun = new Map();
        const take = async (message) => {
          const correlationId = message.getCorrelationId();
          const key = correlationId.getString();
          const request = begun.get(key) ?? { events: [], correlationId, ...target(message.getOptions()) };
          begun.set(key, request);
          request.events.push(...message.getProposedMessagesList().map(proposed));
          if (!message.getIsFinal()) return;
          begun.delete(key);
          const outcome = await append(call, request);
          if (outcome && !call.cancelled && !call.writableEnded) call.write(batchResponse(outcome, request));
        };
        call.on('data', (message) => {
          if (!faults.swallows) take(message).catch((error) => call.emit('error', error));
        });
        call.on('end', () => call.end());
      },
    }),
  );

  server.addService(
    featuresServices.ServerFeaturesService,
    faults.before({
      getSupportedMethods: (_call, answer) => {
        const methods = ['Read', 'Append', 'BatchAppend', 'Delete', 'Tombstone'].map((name) => {
          const method = new features.SupportedMethod();
          method.setServiceName(STREAMS);
          method.setMethodName(name);
          return method;
        });
        const supported = new features.SupportedMethods();
        supported.setEventStoreServerVersion(faults.version);
        supported.setMethodsList(methods);
        answer(null, supported);
      },
    }),
  );

  server.addService(
    gossipServices.GossipService,
    faults.before({
      read: (_call, answer) => {
        const endPoint = new gossip.EndPoint();
        endPoint.setAddress('127.0.0.1');
        endPoint.setPort(port());
        const id = new shared.UUID();
        id.setString('00000000-0000-0000-0000-000000000001');
        const member = new gossip.MemberInfo();
        member.setInstanceId(id);
        member.setTimeStamp(`${Date.now()}0000`);
        member.setState(gossip.MemberInfo.VNodeState.LEADER);
        member.setIsAlive(true);
        member.setHttpEndPoint(endPoint);
        const info = new gossip.ClusterInfo();
        info.addMembers(member);
        answer(null, info);
      },
    }),
  );

  return server;
}
