import { randomReadStates } from './read-state-random.js';

/** `read-state-random.slow.spec.ts` has more. */
randomReadStates({ seeds: [1], byEvents: true });
