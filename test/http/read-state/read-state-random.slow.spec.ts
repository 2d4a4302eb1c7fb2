import { randomReadStates } from './read-state-random.js';

randomReadStates({ seeds: [2, 3] });
