import { stormOfChanges } from './events-storm.js';

stormOfChanges({ seeds: [2, 3], reconnects: true });
