import { type ClientEventDocument, positionOf } from '../../../projections/client-events.documents.js';
import type { DeletedMessageDocument } from '../../../projections/message-life.js';
import { MOVES, type MoveDocument } from '../../../projections/message-moves.js';
import {
  DELETED_MESSAGES,
  MESSAGES,
  type MessageDocument,
  messages,
} from '../../../projections/messages.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';
import type { Directory } from '../../directory/directory.js';
import type { Position } from '../../kernel/position.js';
import type { MovedMessage } from '../../messages/queries/message-places.js';
import { idsIn } from '../../read-state/domain/read-state.events.js';
import { AskedAnew } from './asked-anew.js';

export type MoveEvent = Extract<
  ClientEventDocument,
  { readonly kind: 'update_message/moved' | 'update_message_flags/moved' | 'delete_message/moved' }
>;

const KINDS: ReadonlySet<string> = new Set([
  'update_message/moved',
  'update_message_flags/moved',
  'delete_message/moved',
] satisfies MoveEvent['kind'][]);

export const isOfMove = (event: ClientEventDocument): event is MoveEvent => KINDS.has(event.kind);

/** What a move really took, as far as it is still there. */
export interface MovedMessages {
  /** Ascending. */
  readonly ids: readonly number[];
  /** What was deleted since, ascending: whoever had lost it before is not told of that. */
  readonly goneIds: readonly number[];
  /** Where those have been that not every reader knows of: empty where this one does. */
  readonly places: ReadonlyMap<number, MovedMessage>;
}

/** As long as it takes the queues of one moment to fetch them. */
const HELD_MS = 2000;
const PAGE = 1000;

/** The messages that moves took: looked up once or twice, whatever number of queues their events leave for together. */
export class MovedMessagesLookUp {
  private readonly ids = new AskedAnew((position: Position) => this.taken(position));
  private readonly places = new Map<Position, Promise<ReadonlyMap<number, MovedMessage>>>();

  constructor(
    private readonly readModels: ReadModels,
    private readonly directory: Directory,
  ) {}

  /**
   * By the position of the move, as of now: who asks after having found that a message is gone does not find it here.
   *
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async of(events: readonly ClientEventDocument[], userId: number): Promise<ReadonlyMap<Position, MovedMessages>> {
    const found = new Map<Position, MovedMessages>();
    for (const event of events) {
      const position = positionOf(event._id);
      if (!isOfMove(event) || found.has(position)) continue;
      const taken = await this.ids.ask(position);
      const isKnown = knowsAll(userId, event, this.directory);
      const places = isKnown ? NOWHERE : await held(this.places, position, () => this.placesOf(taken));
      found.set(position, { ...taken, places });
    }
    return found;
  }

  private async taken(position: Position): Promise<Pick<MovedMessages, 'ids' | 'goneIds'>> {
    const move = await this.readModels.collection<MoveDocument>(messages, MOVES).findOne({ _id: position });
    const ids = idsIn(move?.messageIds ?? []);
    const gone = await this.byId<DeletedMessageDocument>(DELETED_MESSAGES, ids, { _id: 1 });
    return { ids: ids.filter((id) => !gone.has(id)), goneIds: [...gone.keys()].sort((a, b) => a - b) };
  }

  private async placesOf({
    ids,
    goneIds,
  }: Pick<MovedMessages, 'ids' | 'goneIds'>): Promise<ReadonlyMap<number, MovedMessage>> {
    const fields = { sentPosition: 1, channelId: 1, arrivedPosition: 1, firstChannelId: 1, between: 1 } as const;
    const there = await this.byId<MessageDocument>(MESSAGES, ids, fields);
    const gone = await this.byId<DeletedMessageDocument>(DELETED_MESSAGES, goneIds, fields);
    return new Map<number, MovedMessage>([...there, ...gone]);
  }

  private async byId<D extends MessageDocument | DeletedMessageDocument>(
    collection: string,
    ids: readonly number[],
    projection: Readonly<Record<string, 1>>,
  ): Promise<ReadonlyMap<number, D>> {
    const found = new Map<number, D>();
    for (let at = 0; at < ids.length; at += PAGE) {
      const $in = ids.slice(at, at + PAGE);
      const page = await this.readModels.collection<D>(messages, collection).find({ _id: { $in } }, { projection });
      for (const document of page) found.set(document._id, document);
    }
    return found;
  }
}

const NOWHERE: ReadonlyMap<number, MovedMessage> = new Map();

/** Whoever is where the messages come to, or was where the whole of the history is open, knows of all of them. */
export function knowsAll(userId: number, { _id, payload: { from, to } }: MoveEvent, directory: Directory): boolean {
  const isThere = directory.wasSubscribed(userId, to.channelId, positionOf(_id));
  return isThere && (from.channelId !== to.channelId || to.isHistoryOpen);
}

async function held<T>(all: Map<Position, Promise<T>>, position: Position, fetch: () => Promise<T>): Promise<T> {
  let found = all.get(position);
  if (!found) {
    found = fetch();
    all.set(position, found);
    // A failed read is no knowledge: whoever asks next reads again.
    found.catch(() => all.delete(position));
    setTimeout(() => all.delete(position), HELD_MS).unref();
  }
  return found;
}
