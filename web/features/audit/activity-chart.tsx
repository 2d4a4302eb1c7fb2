import { timeOf } from '../../platform/times.js';
import { activityOf } from './activity.js';
import { asked, placeOf } from './asked.js';
import { events } from './found.js';
import { isCounting, whole } from './whole-activity.js';

const HEIGHT = 60;
const STEP = 10;
const BAR = 8;

/** The found events by time. Each bar leads to the events of its time. */
export function ActivityChart() {
  const bars = whole.value ?? activityOf(events.value);
  if (bars.length < 2) return null;
  const most = Math.max(...bars.map(({ count }) => count));
  return (
    <figure>
      <svg class="activity" viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`} preserveAspectRatio="none">
        <title>Events by time</title>
        {bars.map(({ from, to, count }, n) => {
          if (count === 0) return null;
          const height = Math.max(2, (HEIGHT * count) / most);
          const until = new Date(to - 1).toISOString();
          const since = new Date(from).toISOString();
          return (
            <a
              key={from}
              href={placeOf({ ...asked.value, since, until })}
              aria-label={`${eventsIn(count)} from ${timeOf(since)}`}
            >
              <title>{`${eventsIn(count)} from ${timeOf(since)} to ${timeOf(until)}`}</title>
              <rect class="reach" x={n * STEP} y={0} width={STEP} height={HEIGHT} />
              <rect x={n * STEP + 1} y={HEIGHT - height} width={BAR} height={height} />
            </a>
          );
        })}
      </svg>
      <figcaption class="hint">
        {eventsIn(bars.reduce((sum, { count }) => sum + count, 0))}, from{' '}
        {timeOf(new Date(bars[0]?.from ?? 0).toISOString())} on{isCounting.value && ', and more are counted'}. A bar
        leads to its events.
      </figcaption>
    </figure>
  );
}

const eventsIn = (count: number): string => (count === 1 ? '1 event' : `${count.toLocaleString('en')} events`);
