const WIDTH = 300;
const HEIGHT = 60;

interface Line {
  readonly title: string;
  /** Behind each number. */
  readonly unit: string;
  /** The newest is last. */
  readonly values: readonly number[];
  /** Values that the chart has room for. */
  readonly room: number;
}

/** A line that grows to the right, then moves to the left. The words beside it tell the same. */
export function LineChart({ title, unit, values, room }: Line) {
  const most = Math.max(1, ...values);
  const points = values
    .map((value, index) => `${((room - values.length + index) * WIDTH) / (room - 1)},${HEIGHT * (1 - value / most)}`)
    .join(' ');
  const newest = values.at(-1);
  return (
    <figure class="line-chart">
      <figcaption>
        {title}: <strong>{newest === undefined ? '–' : `${rounded(newest)} ${unit}`}</strong>
        {values.length > 0 && `, at most ${rounded(Math.max(...values))}`}
      </figcaption>
      <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={points} />
      </svg>
    </figure>
  );
}

const rounded = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
