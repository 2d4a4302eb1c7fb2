import type { Placed } from '../../../events/messages/message.events.js';

/** The part of the facts that an event keeps about the message's place. */
export const placed = ({ place, placeAsOf }: Placed): Placed =>
  placeAsOf === undefined ? { place } : { place, placeAsOf };
