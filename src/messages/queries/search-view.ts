import { type Position, START } from '../../kernel/position.js';
import type { Lane, MessageView } from './message-view.js';
import type { Reach } from './readable-messages.js';
import type { Messages } from './scan-messages.js';

const MOST_EDGES = 64;
const FEW = 1000;

/**
 * A view to search for words: the index of words has ids, and no positions. Both are in the same order, so that what
 * lanes reach is the same stretch of either.
 *
 * @param own the view where nothing is searched
 */
export async function searchView(messages: Messages, own: MessageView): Promise<MessageView> {
  const { $text, ...where } = own.where;
  if (!$text) return own;
  // `includes` knows words too.
  if (isOfIds(own) || (await isOfFew(messages, where))) return { ...own, where };
  const edges = fewEdges(own.lanes);
  const ids = await Promise.all(edges.map((position) => lastIdAt(messages, position)));
  const idFrom = (position: Position): number => ids[edges.findLastIndex((edge) => edge <= position)] ?? 0;
  const idTo = (position: Position): number | null => {
    const at = edges.findIndex((edge) => edge >= position);
    return at < 0 ? null : (ids[at] ?? 0) + 1;
  };
  const reachOf = (reach: Reach): Reach =>
    reach.map(({ from, to }) => ({ from: idFrom(from), to: to === null ? null : idTo(to) }));
  return { ...own, lanes: own.lanes.map((lane) => ({ ...lane, reach: reachOf(lane.reach) })), order: '_id' };
}

const isOfIds = ({ lanes }: MessageView): boolean => lanes.every(({ field }) => field === '_id');

/** A topic is found by no word: the few messages of a small one are looked at, whatever else its channel holds. */
async function isOfFew(messages: Messages, { channelId, topicKey }: MessageView['where']): Promise<boolean> {
  if (typeof channelId !== 'number' || typeof topicKey !== 'string') return false;
  return (await messages.countDocuments({ channelId, topicKey })) <= FEW;
}

/** Ends of what the lanes reach, ascending. Of very many, some: what lies between two is looked at in vain. */
function fewEdges(lanes: readonly Lane[]): Position[] {
  const all = new Set(lanes.flatMap(({ reach }) => reach.flatMap(({ from, to }) => (to === null ? from : [from, to]))));
  const sorted = [...all].sort((a, b) => a - b);
  const step = Math.ceil(sorted.length / MOST_EDGES);
  return sorted.filter((_, index) => index % step === 0);
}

/** Of the last message up to a position; 0 where there is none. */
async function lastIdAt(messages: Messages, position: Position): Promise<number> {
  if (position === START) return 0;
  const [last] = await messages.find(
    { sentPosition: { $lte: position } },
    { sort: { sentPosition: -1 }, limit: 1, projection: { sentPosition: 1 } },
  );
  return last?._id ?? 0;
}
