// Runs the program without the follower that keeps the log's tree: the difference is what the tree costs.
import { followers } from '../../dist/src/app/features.js';

const at = followers.findIndex(({ database }) => database === 'transparency');
if (at < 0) throw new Error('no follower keeps the tree');
followers.splice(at, 1);
await import('../../dist/src/main.js');
