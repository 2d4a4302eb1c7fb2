const WIDTH = 300;
const HEIGHT = 60;

interface Line {
  /** Absent if the chart has one line. */
  readonly name?: string;
  /** The newest is last; null: not known. */
  readonly values: readonly (number | null)[];
}

interface Chart {
  readonly title: string;
  /** Behind each number. */
  readonly unit: string;
  /** The second one has dashes. */
  readonly lines: readonly Line[];
  /** Values that the chart has room for. */
  readonly room: number;
}

/** Lines that grow to the right, then move to the left. The words beside them tell the same. */
export function LineChart({ title, unit, lines, room }: Chart) {
  const most = Math.max(1, ...lines.flatMap(({ values }) => values.filter(isKnown)));
  return (
    <figure class="line-chart">
      <figcaption>
        {title}:
        {lines.map((line) => (
          <Words key={line.name} of={line} unit={unit} />
        ))}
      </figcaption>
      <svg viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`} preserveAspectRatio="none" aria-hidden="true">
        {lines.map(({ name, values }) => (
          <polyline key={name} points={pointsOf(values, room, most)} />
        ))}
      </svg>
    </figure>
  );
}

function Words({ of: { name, values }, unit }: { readonly of: Line; readonly unit: string }) {
  const newest = values.at(-1) ?? null;
  const known = values.filter(isKnown);
  return (
    <span class="line-words">
      {name && ` ${name}`} <strong>{newest === null ? '–' : `${rounded(newest)} ${unit}`}</strong>
      {known.length > 0 && `, at most ${rounded(Math.max(...known))}`}
    </span>
  );
}

const isKnown = (value: number | null): value is number => value !== null;

const pointsOf = (values: Line['values'], room: number, most: number): string =>
  values
    .flatMap((value, index) =>
      value === null ? [] : [`${((room - values.length + index) * WIDTH) / (room - 1)},${HEIGHT * (1 - value / most)}`],
    )
    .join(' ');

const rounded = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
