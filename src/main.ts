import { run } from './app/cli/program.js';
import { processEnvironment } from './app/config/environment.js';

// The reader of a pipe, as in `annals log | head`, may stop early: then the command is done.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// Hides Node's deprecation warnings, which address programmers: gRPC causes one for each URL with TLS and an IP
// address.
process.noDeprecation = true;

// Makes files readable by their owner alone: the log, the documents and the keys are private.
process.umask(0o077);

const code = await run(process.argv.slice(2), {
  output: process.stdout,
  errors: process.stderr,
  environment: processEnvironment(),
  input: process.stdin,
});
// Waits until full pipes have taken the output: output that is left at the exit is lost.
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((taken) => stream.write('', taken))));
process.exit(code);
