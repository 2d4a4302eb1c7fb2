import { messagesThen } from './message-then.js';

messagesThen({ seeds: [2, 3, 4, 5], acts: 300, questions: 300 });
