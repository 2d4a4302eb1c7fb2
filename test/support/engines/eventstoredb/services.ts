import gossipServices, { type IGossipServer } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import featuresServices, {
  type IServerFeaturesServer,
} from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsServices, { type IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Server, type ServerReadableStream, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import type { AppendRequest } from './append-rules.js';
import type { Appender, Outcome } from './appender.js';
import type { Faults } from './faults.js';
import type { Proposed } from './log.js';
import { appendResponse, batchResponse, failure, placed, proposed, target } from './messages.js';
import type { Reading } from './reading.js';

const STREAMS = 'event_store.client.streams.Streams';
const MAX_MESSAGE = 16 * 1024 * 1024;
const DENIED = { kind: 'denied' } as const;

interface Parts {
  readonly appender: Appender;
  readonly reading: Reading;
  readonly faults: Faults;
  readonly port: () => number;
}

/** An append that arrives in several messages. */
interface Begun extends Omit<AppendRequest, 'events'> {
  readonly events: Proposed[];
  readonly correlationId: shared.UUID | undefined;
}

/** The gRPC services that a client calls. */
export function grpcServer({ appender, reading, faults, port }: Parts): Server {
  const server = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE });

  /** @returns undefined if the answer is to be lost */
  const append = async (call: { getPeer(): string }, request: AppendRequest): Promise<Outcome | undefined> => {
    const outcome = faults.isDenied || faults.deniesAppends ? DENIED : await appender.append(request);
    return faults.losesAnswer(call) ? undefined : outcome;
  };

  const appendPlainly = async (
    call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
    answer: sendUnaryData<streams.AppendResp>,
  ): Promise<void> => {
    const events: Proposed[] = [];
    let request: AppendRequest = { ...target(undefined), events };
    for await (const message of call as AsyncIterable<streams.AppendReq>) {
      if (message.hasOptions()) request = { ...target(message.getOptions()), events };
      else events.push(proposed(message.getProposedMessage()));
    }
    const outcome = await append(call, request);
    if (!outcome) return;
    if (outcome.kind === 'success' || outcome.kind === 'wrong') answer(null, appendResponse(outcome, request));
    else answer(failure(outcome, request));
  };

  const remove = async (
    { request: asked }: ServerUnaryCall<streams.DeleteReq | streams.TombstoneReq, unknown>,
    isForEver: boolean,
  ): Promise<number> => {
    const request = { ...target(asked.getOptions()), isForEver };
    const outcome = faults.isDenied ? DENIED : await appender.remove(request);
    if (outcome.kind !== 'success') throw failure(outcome, request);
    return outcome.position ?? -1;
  };

  server.addService(
    streamsServices.StreamsService,
    faults.before<IStreamsServer>({
      read: (call) => {
        if (faults.isDenied) call.emit('error', failure(DENIED, {}));
        else void reading.read(call);
      },
      append: (call, answer) => void appendPlainly(call, answer).catch(answer),
      delete: (call, answer) => {
        const { Position } = streams.DeleteResp;
        const removed = (at: number) => answer(null, new streams.DeleteResp().setPosition(placed(new Position(), at)));
        remove(call, false).then(removed, answer);
      },
      tombstone: (call, answer) => {
        const { Position } = streams.TombstoneResp;
        const removed = (at: number) =>
          answer(null, new streams.TombstoneResp().setPosition(placed(new Position(), at)));
        remove(call, true).then(removed, answer);
      },
      batchAppend: (call) => {
        const begun = new Map<string, Begun>();
        const take = async (message: streams.BatchAppendReq): Promise<void> => {
          const correlationId = message.getCorrelationId();
          const key = correlationId?.getString() ?? '';
          const request: Begun = begun.get(key) ?? { events: [], correlationId, ...target(message.getOptions()) };
          begun.set(key, request);
          request.events.push(...message.getProposedMessagesList().map(proposed));
          if (!message.getIsFinal()) return;
          begun.delete(key);
          const outcome = await append(call, request);
          if (outcome && !call.cancelled && !call.writableEnded) call.write(batchResponse(outcome, request));
        };
        call.on('data', (message: streams.BatchAppendReq) => {
          if (!faults.swallows) take(message).catch((error) => call.emit('error', error));
        });
        call.on('end', () => call.end());
      },
    }),
  );

  server.addService(
    featuresServices.ServerFeaturesService,
    faults.before<IServerFeaturesServer>({
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
    faults.before<IGossipServer>({
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
