// Runs what one runs before a commit, side by side: npm run check
// Prints the output of each command as it ends.
import { Program } from './processes.js';

const COMMANDS = ['npm run types', 'npm run lint', 'npm run arrows', 'npm run test:unit'];

const failed: string[] = [];
const startedAt = performance.now();
await Promise.all(
  COMMANDS.map(async (command) => {
    const program = new Program(command);
    const code = await program.ended();
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`${program.output.trim()}\n\n=== ${command}: ${code === 0 ? 'ok' : 'FAILED'} after ${seconds} s\n`);
    if (code !== 0) failed.push(command);
  }),
);
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
