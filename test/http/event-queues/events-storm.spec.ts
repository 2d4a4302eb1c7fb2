import { stormOfChanges } from './events-storm.js';

/** `events-storm.slow.spec.ts` has more. */
stormOfChanges({ seeds: [1] });
