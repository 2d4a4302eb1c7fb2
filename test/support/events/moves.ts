import { type MessagesMoved, topicsStream } from '../../../src/events/messages/topics.events.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../src/platform/commands/read-your-writes.js';
import type { Annals } from '../servers/annals.js';

type Move = MessagesMoved['data'];

/** A move of a whole topic, announced in both places. */
export const move = (from: Move['from'], to: Move['to'], more: Partial<Move> & Pick<Move, 'anchorId'>): Move => ({
  propagateMode: 'change_all',
  from,
  to,
  reach: null,
  messageCount: 1,
  isWholeTopic: true,
  notices: { oldThread: true, newThread: true },
  ...more,
});

/** Reports a move as decided, without checks. @returns its position */
export async function moved(annals: Annals, moverId: number, data: Move): Promise<number> {
  const by = { actorId: moverId, client: 'test', correlationId: 'test' };
  const stream = topicsStream(data.from.channelId);
  const event: MessagesMoved = { type: 'MessagesMoved', data };
  const { position } = await annals.app.get(CommandRunner).report(stream, event, by);
  await annals.app.get(ReadYourWrites).waitFor(position, [event]);
  return position;
}
