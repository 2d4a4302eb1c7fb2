import { Inject, Injectable } from '@nestjs/common';
import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages.projection.js';
import { FLAGS, type FlagDocument, readState } from '../../../projections/read-state.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { type Position, START } from '../../kernel/position.js';
import { MutedSenders, type MuteHistory } from './muted-senders.js';
import { ReadState } from './read-state.js';

/** Each holds a few kilobytes for every 65,536 messages that its user has read. */
const MOST_HELD = 500;

interface Held {
  readonly state: ReadState;
  /** All up to here is in it. */
  readonly position: Position;
}

const shared = new WeakMap<ReadModels, ReadStates>();

/** What users have flagged, decoded once: only what has changed since is read again. */
@Injectable()
export class ReadStates {
  /** The least recently asked for go first. */
  private readonly held = new Map<number, Held>();
  private readonly mutes: MutedSenders;

  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {
    this.mutes = new MutedSenders(readModels);
  }

  /** One for all who read the same documents. */
  static sharedBy(readModels: ReadModels): ReadStates {
    let states = shared.get(readModels);
    if (!states) {
      states = new ReadStates(readModels);
      shared.set(readModels, states);
    }
    return states;
  }

  /**
   * At least as new as the documents are at the time of the call.
   * @param through what is read beside it is as of here, and it should not be older
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async of(userId: number, through: Position = START): Promise<ReadState> {
    const { readModels } = this;
    await readModels.waitFor([readState], through);
    // Known before the documents are read: what they have besides is read again the next time.
    const position = readModels.position(readState);
    const before = this.held.get(userId) ?? { state: ReadState.none(userId), position: START };
    if (position <= before.position && position !== START) return before.state;
    const changed = await readModels
      .collection<FlagDocument>(readState, FLAGS)
      .find({ userId, position: { $gt: before.position } }, { sort: { position: 1 } });
    const mutes = await this.mutes.of(userId, position);
    const state = (await this.knowingIds(changed.length > 0 ? before.state.with(changed) : before.state)).muting(mutes);
    this.hold(userId, { state, position });
    return state;
  }

  /** Whom a user has muted: what alone tells whether a message that has just come arrives read. */
  mutesOf(userId: number, through: Position): Promise<MuteHistory> {
    return this.mutes.of(userId, through);
  }

  /** By user. */
  mutesOfAll(through: Position): Promise<(userId: number) => MuteHistory> {
    return this.mutes.ofAll(through);
  }

  private hold(userId: number, held: Held): void {
    const known = this.held.get(userId);
    if (known && known.position > held.position) return;
    this.held.delete(userId);
    this.held.set(userId, held);
    if (this.held.size > MOST_HELD) this.held.delete(this.held.keys().next().value as number);
  }

  /** Which messages `allReadAt` means, once they are all there. */
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
    return last ? state.knowing(last._id) : state;
  }
}
