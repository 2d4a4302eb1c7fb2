import { parentPort, workerData } from 'node:worker_threads';
import type { Engines } from '../../platform/engines/engines.js';
import { openEngines } from '../../platform/engines/open-engines.js';
import { PublishedTree } from '../../platform/transparency/published-tree.js';
import type { Chunk } from './chunk.js';
import type { ChunkAnswer, ChunkWork } from './chunk-threads.js';
import { verifyChunk } from './verify-chunk.js';

const port = parentPort;
if (!port) throw new Error('it runs as a thread');
const { settings, opensContent }: ChunkWork = workerData;

interface Opened {
  readonly engines: Engines;
  readonly tree: PublishedTree;
}

/** With the first part: modules are loaded while others still look whether there is a log. */
let opened: Promise<Opened> | null = null;

async function open(): Promise<Opened> {
  const engines = await openEngines({ ...settings, readOnly: true, mustExist: true });
  return { engines, tree: await PublishedTree.open(engines.documentStore) };
}

async function close(): Promise<void> {
  port?.close();
  const { engines, tree } = (await opened?.catch(() => null)) ?? {};
  await tree?.onApplicationShutdown();
  await engines?.close();
}

async function answerTo(chunk: Chunk): Promise<ChunkAnswer> {
  try {
    opened ??= open();
    const { engines, tree } = await opened;
    return { report: await verifyChunk(chunk, { ...engines, tree, opensContent }) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

port.on('message', async (chunk: Chunk | null) => {
  if (chunk === null) await close();
  else port.postMessage(await answerTo(chunk));
});
