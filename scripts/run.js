// @ts-check
// Runs a TypeScript program of this repository: node scripts/run.js scripts/dev.ts [arguments]
import transpile, { compiled } from './transpile.js';

await transpile();
const [program = ''] = process.argv.splice(2, 1);
process.argv[1] = compiled(program);
await import(compiled(program));
