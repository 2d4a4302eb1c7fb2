import type { FactoryProvider } from '@nestjs/common';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import { FLAGS, type FlagDocument, readState } from '../../../../projections/read-state/read-state.projection.js';
import { LruMap } from '../../../platform/kernel/lru-map.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { MutedSenders, type MuteHistory } from '../queries/muted-senders.js';
import { ReadState } from '../queries/read-state.js';

/** A state takes a few kilobytes for every 65,536 messages that its user has read. */
const MOST_HELD = 500;

interface Held {
  readonly state: ReadState;
  /** Documents up to this position are in it. */
  readonly position: Position;
}

const shared = new WeakMap<ReadModels, ReadStates>();

/** The flags of users, decoded once: reads only documents that have changed since. */
export class ReadStates {
  /** Drops the least recently used states first. */
  private readonly held = new LruMap<number, Held>(MOST_HELD);
  private readonly mutes: MutedSenders;

  constructor(private readonly readModels: ReadModels) {
    this.mutes = new MutedSenders(readModels);
  }

  /** The instance shared by all readers of the same documents. */
  static sharedBy(readModels: ReadModels): ReadStates {
    let states = shared.get(readModels);
    if (!states) {
      states = new ReadStates(readModels);
      shared.set(readModels, states);
    }
    return states;
  }

  /**
   * A user's flags, at least as new as the documents at the time of the call.
   * @param through position of the documents read beside it; the state should not be older
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async of(userId: number, through: Position = START): Promise<ReadState> {
    const { readModels } = this;
    await readModels.waitFor([readState], through);
    // Taken before the documents are read: newer ones among them are read again the next time.
    const position = readModels.position(readState);
    const before = this.held.get(userId) ?? { state: ReadState.none(userId), position: START };
    if (position <= before.position && position !== START) return before.state;
    const changed = await readModels
      .collection<FlagDocument>(readState, FLAGS)
      .find({ userId, position: { $gt: before.position } }, { sort: { position: 1 } });
    const mutes = await this.mutes.of(userId, position);
    const state = (await this.knowingIds(changed.length > 0 ? before.state.with(changed) : before.state)).withMutes(
      mutes,
    );
    this.remember(userId, { state, position });
    return state;
  }

  /**
   * The flags of many users, as new as `of` gives them. None is held: whoever asks for many asks once.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async ofMany(userIds: readonly number[], through: Position): Promise<readonly ReadState[]> {
    await this.readModels.waitFor([readState], through);
    const position = this.readModels.position(readState);
    const documents = new Map<number, FlagDocument[]>(userIds.map((userId) => [userId, []]));
    const filter = { userId: { $in: userIds }, position: { $gt: START } };
    for (const document of await this.readModels.collection<FlagDocument>(readState, FLAGS).find(filter))
      documents.get(document.userId)?.push(document);
    const mutesOf = await this.mutes.ofAll(position);
    return Promise.all(
      userIds.map(async (userId) => {
        const state = await this.knowingIds(ReadState.none(userId).with(documents.get(userId) ?? []));
        return state.withMutes(mutesOf(userId));
      }),
    );
  }

  /** A user's mutes: they alone decide whether a new message arrives read. */
  mutesOf(userId: number, through: Position): Promise<MuteHistory> {
    return this.mutes.of(userId, through);
  }

  /** The mutes of all users, by user. */
  mutesOfAll(through: Position): Promise<(userId: number) => MuteHistory> {
    return this.mutes.ofAll(through);
  }

  private remember(userId: number, state: Held): void {
    const known = this.held.get(userId);
    if (known && known.position > state.position) return;
    this.held.set(userId, state);
  }

  /** Finds the newest message that `allReadAt` covers, once all of them are in the documents. */
  private async knowingIds(state: ReadState): Promise<ReadState> {
    const { readModels } = this;
    if (state.allReadThroughId > 0 || state.allReadAt === START) return state;
    if (readModels.position(messages) < state.allReadAt) return state;
    const [last] = await readModels
      .collection<MessageDocument>(messages, MESSAGES)
      .find(
        { sentPosition: { $lt: state.allReadAt } },
        { sort: { sentPosition: -1 }, limit: 1, projection: { _id: 1 } },
      );
    return last ? state.withAllReadThrough(last._id) : state;
  }
}

export const sharedReadStates: FactoryProvider<ReadStates> = {
  provide: ReadStates,
  inject: [READ_MODELS],
  useFactory: ReadStates.sharedBy,
};
