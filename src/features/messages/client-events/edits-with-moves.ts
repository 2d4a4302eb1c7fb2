import { setTimeout } from 'node:timers/promises';
import type { ClientEventOf } from '../../../../projections/client-events/client-event.js';
import { type ClientEventDocument, positionOf } from '../../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../../projections/client-events/client-events.projection.js';
import { messageUpdate } from '../../../../projections/client-events/messages.js';
import { messagesMoved } from '../../../../projections/client-events/moves.js';
import type { Facts } from '../../../directory/facts.js';
import type { Position } from '../../../platform/kernel/position.js';
import { held } from './held.js';

type Edit = ClientEventOf<typeof messageUpdate>;

/** A request moves a message right after the edit. If the move is not there by then, the edit is told alone. */
const PATIENCE_MS = 1000;
const STEP_MS = 10;
/** Events between the two, at most. */
const BETWEEN = 200;

/** Edits that one request made with a move of the message: the client event of the move tells both. */
export class EditsWithMoves {
  private readonly found = new Map<Position, Promise<boolean>>();

  constructor(private readonly facts: Facts) {}

  /** Positions of the edits whose move is in the feed. */
  async among(events: readonly ClientEventDocument[]): Promise<ReadonlySet<Position>> {
    const positions = new Set<Position>();
    for (const event of events) {
      if (!messageUpdate.is(event) || !event.payload.moves) continue;
      const isMoved = events.some((other) => isMoveOf(event, other)) || (await this.isMoved(event));
      if (isMoved) positions.add(positionOf(event._id));
    }
    return positions;
  }

  private isMoved(event: Edit): Promise<boolean> {
    const position = positionOf(event._id);
    return held(this.found, position, () => this.lookUp(event, position));
  }

  private async lookUp(event: Edit, after: Position): Promise<boolean> {
    const { readModels } = this.facts;
    for (;;) {
      const isLate = Date.now() > event.at + PATIENCE_MS;
      const next = await readModels
        .collection<ClientEventDocument>(clientEvents, 'events')
        .find({ position: { $gt: after } }, { sort: { position: 1, _id: 1 }, limit: BETWEEN });
      if (next.some((other) => isMoveOf(event, other))) return true;
      if (isLate || next.length === BETWEEN) return false;
      await setTimeout(STEP_MS);
    }
  }
}

const isMoveOf = ({ payload: { messageId, contentRevision } }: Edit, other: ClientEventDocument): boolean =>
  messagesMoved.is(other) && other.payload.anchorId === messageId && other.payload.contentRevision === contentRevision;
