import { run } from './program.js';

// `annals log | head`: whoever reads no further is done.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exit(await run(process.argv.slice(2)));
