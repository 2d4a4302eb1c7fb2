import { messagesThen } from './message-then.js';

messagesThen({ seeds: [1], acts: 150, questions: 100 });
