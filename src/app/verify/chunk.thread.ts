import { parentPort, workerData } from 'node:worker_threads';
import { openEngines } from '../../platform/engines/open-engines.js';
import { PublishedTree } from '../../platform/transparency/published-tree.js';
import type { Chunk } from './chunk.js';
import type { ChunkAnswer, ChunkWork } from './chunk-threads.js';
import { verifyChunk } from './verify-chunk.js';

const port = parentPort;
if (!port) throw new Error('it runs as a thread');
const { settings, opensContent }: ChunkWork = workerData;
const engines = await openEngines({ ...settings, readOnly: true, mustExist: true });
const tree = await PublishedTree.open(engines.documentStore);

port.on('message', async (chunk: Chunk | null) => {
  if (chunk === null) {
    port.close();
    await tree.onApplicationShutdown();
    await engines.close();
    return;
  }
  let answer: ChunkAnswer;
  try {
    answer = { report: await verifyChunk(chunk, { ...engines, tree, opensContent }) };
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) };
  }
  port.postMessage(answer);
});
