// @ts-check

/**
 * What starting took, and what the servers hold in memory before anybody has asked for anything.
 *
 * @param {import('./bench.js').Bench} bench
 * @returns {Promise<import('./result.js').Result>}
 */
export async function measureStartUp({ big, small }) {
  /** @type {import('./result.js').Row[]} */
  const rows = [];
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
