import { parentPort } from 'node:worker_threads';
import { colourCode } from './colour-code.js';
import { type FromColours, READY, type ToColours } from './colours-protocol.js';

const post = (message: FromColours): void => parentPort?.postMessage(message);

parentPort?.on('message', async (blocks: ToColours) => {
  for (const { language, code } of blocks) post(await colourCode(language, code).catch(() => null));
});

// Loads the grammars that all others need.
await colourCode('HTML', '');
post(READY);
