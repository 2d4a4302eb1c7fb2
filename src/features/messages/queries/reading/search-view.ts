import type { Reach } from '../../../../directory/readable-messages.js';
import { type Position, START } from '../../../../platform/kernel/position.js';
import { type IndexScan, isOfIds, type MessageView } from './message-view.js';
import type { Messages } from './messages-for.js';

const MOST_EDGES = 64;
const SMALL_TOPIC = 1000;

/**
 * A view for a text search. The text index has ids, but no positions; both have the same order, so the scans' reaches
 * become ranges of ids.
 *
 * @param own the view without a text search
 */
export async function searchView(messages: Messages, own: MessageView): Promise<MessageView> {
  const { $text, ...where } = own.where;
  if (!$text) return own;
  // `includes` checks the search too.
  if (isOfIds(own.scans) || (await isSmallTopic(messages, where))) return { ...own, where };
  const edges = fewEdges(own.scans);
  const ids = await Promise.all(edges.map((position) => lastIdAt(messages, position)));
  const idFrom = (position: Position): number => ids[edges.findLastIndex((edge) => edge <= position)] ?? 0;
  const idTo = (position: Position): number | null => {
    const at = edges.findIndex((edge) => edge >= position);
    return at < 0 ? null : (ids[at] ?? 0) + 1;
  };
  const reachOf = (reach: Reach): Reach =>
    reach.map(({ from, to }) => ({ from: idFrom(from), to: to === null ? null : idTo(to) }));
  return { ...own, scans: own.scans.map((scan) => ({ ...scan, reach: reachOf(scan.reach) })), order: '_id' };
}

/** Whether the search is within one small topic. The text index knows no topics: reading a small one is faster. */
async function isSmallTopic(messages: Messages, { channelId, topicKey }: MessageView['where']): Promise<boolean> {
  if (typeof channelId !== 'number' || typeof topicKey !== 'string') return false;
  return (await messages.countDocuments({ channelId, topicKey })) <= SMALL_TOPIC;
}

/**
 * The ends of the scans' reaches, ascending. If they are very many, only some: messages between two of them are read in
 * vain.
 */
function fewEdges(scans: readonly IndexScan[]): Position[] {
  const all = new Set(scans.flatMap(({ reach }) => reach.flatMap(({ from, to }) => (to === null ? from : [from, to]))));
  const sorted = [...all].sort((a, b) => a - b);
  const step = Math.ceil(sorted.length / MOST_EDGES);
  return sorted.filter((_, index) => index % step === 0);
}

/** Id of the last message up to a position; 0 if there is none. */
async function lastIdAt(messages: Messages, position: Position): Promise<number> {
  if (position === START) return 0;
  const [last] = await messages.find(
    { sentPosition: { $lte: position } },
    { sort: { sentPosition: -1 }, limit: 1, projection: { sentPosition: 1 } },
  );
  return last?._id ?? 0;
}
