import { type Looked, samples } from './health.js';
import { LineChart } from './line-chart.js';
import { ratesOf } from './rates.js';

/** Samples in a chart: two minutes. */
const ROOM = 60;
const MEBIBYTE = 2 ** 20;

type Read = (sample: Looked) => number | null;

/** Figures of the server, as they move. */
export function Charts() {
  const all = samples.value;
  const rates = (count: Read) => ratesOf(all, count).slice(-ROOM);
  const values = (read: Read) => all.slice(-ROOM).map(read);
  const megabytes = (read: Read) =>
    values((sample) => {
      const bytes = read(sample);
      return bytes === null ? null : bytes / MEBIBYTE;
    });
  return (
    <div class="charts">
      <LineChart
        title="Messages sent"
        unit="a second"
        lines={[{ values: rates(({ process }) => process?.messagesSent ?? null) }]}
        room={ROOM}
      />
      <LineChart
        title="Requests"
        unit="a second"
        lines={[{ values: rates(({ process }) => process?.requests ?? null) }]}
        room={ROOM}
      />
      <LineChart
        title="Time of requests"
        unit="ms"
        lines={[
          { name: 'half within', values: values(({ process }) => process?.requestMs?.p50 ?? null) },
          { name: 'dashed: 99 % within', values: values(({ process }) => process?.requestMs?.p99 ?? null) },
        ]}
        room={ROOM}
      />
      <LineChart
        title="Delay of the event loop"
        unit="ms"
        lines={[
          { name: 'half within', values: values(({ process }) => process?.eventLoopDelayMs?.p50 ?? null) },
          { name: 'dashed: 99 % within', values: values(({ process }) => process?.eventLoopDelayMs?.p99 ?? null) },
        ]}
        room={ROOM}
      />
      <LineChart
        title="Memory"
        unit="MiB"
        lines={[
          { name: 'of the process', values: megabytes(({ process }) => process?.residentBytes ?? null) },
          { name: 'dashed: heap', values: megabytes(({ process }) => process?.heapBytes ?? null) },
        ]}
        room={ROOM}
      />
      <LineChart
        title="Event queues"
        unit="queues"
        lines={[{ values: values(({ process }) => process?.eventQueues ?? null) }]}
        room={ROOM}
      />
      <LineChart
        title="Events of the log"
        unit="a second"
        lines={[{ values: rates(({ logEnd }) => logEnd) }]}
        room={ROOM}
      />
      <LineChart
        title="Answer to this page"
        unit="ms"
        lines={[{ values: values(({ tookMs }) => tookMs) }]}
        room={ROOM}
      />
    </div>
  );
}
