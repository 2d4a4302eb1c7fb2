import type { Bench } from './bench.js';
import type { Result, Row } from './result.js';

/** Reports how long the servers took to start, and their memory before the first request. */
export async function measureStartUp({ big, small }: Bench): Promise<Result> {
  const rows: Row[] = [];
  for (const server of [big, small]) {
    const messages = `${server.messages.toLocaleString('en-US')} messages`;
    if (server.firstBuildSeconds !== null) {
      rows.push({ what: `first start, nothing built yet, ${messages}`, value: server.firstBuildSeconds, unit: 's' });
    }
    rows.push(
      { what: `start to the first page of messages, ${messages}`, value: server.readySeconds, unit: 's' },
      { what: `resident memory after the start, ${messages}`, value: server.memoryAtStart, unit: 'MiB' },
      { what: `data directory, ${messages}`, value: server.diskMiB, unit: 'MiB' },
    );
  }
  return { rows, targets: [] };
}
