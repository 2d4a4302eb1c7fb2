import { run } from './program.js';

// `annals log | head`: whoever reads no further is done.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// The log, the documents and the keys are their owner's: what this process makes is readable by nobody else.
process.umask(0o077);

process.exit(await run(process.argv.slice(2)));
