import type { Placed } from './message.events.js';

/** What of the facts an event keeps of the message's place. */
export const placed = ({ place, placeAsOf }: Placed): Placed =>
  placeAsOf === undefined ? { place } : { place, placeAsOf };
