import { run } from './program.js';

// `annals log | head`: whoever reads no further is done.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// Words of Node to whoever writes a program: gRPC brings one about wherever a URL with TLS names an IP address.
process.noDeprecation = true;

// The log, the documents and the keys are their owner's: what this process makes is readable by nobody else.
process.umask(0o077);

const code = await run(process.argv.slice(2));
// A pipe that is full takes the rest as it is read: what has not left the process by its exit is lost.
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((taken) => stream.write('', taken))));
process.exit(code);
