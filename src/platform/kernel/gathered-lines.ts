/** Kinds of lines that are counted at the same time. Lines of further kinds are written as they come. */
const MOST_KINDS = 200;

/** Lines of one kind that were not written. */
interface Repeats {
  /** Count since the last line. */
  readonly repeats: number;
  /** Whether none has come for the whole time between two lines. */
  readonly isOver: boolean;
}

interface Kind {
  /** Writes as the newest line of the kind would be written. */
  write: (repeats: Repeats | null) => void;
  /** Count since the last line. */
  repeats: number;
  /** Whether any line of the kind was not written. */
  isGathered: boolean;
  timer: NodeJS.Timeout;
}

/**
 * Gathers lines of the same kind for the log, such as a refusal of each request while a disk is full. The first one is
 * written at once. Of the others, one in `every` ms is written with their number, and a last one when no more come.
 */
export class GatheredLines {
  private readonly kinds = new Map<string, Kind>();

  constructor(private readonly every = 60_000) {}

  /** @param write writes the line; null: it is the first one */
  add(name: string, write: (repeats: Repeats | null) => void): void {
    const known = this.kinds.get(name);
    if (known) {
      known.write = write;
      known.repeats += 1;
      known.isGathered = true;
      return;
    }
    write(null);
    if (this.kinds.size >= MOST_KINDS) return;
    const timer = setInterval(() => this.tell(name), this.every).unref();
    this.kinds.set(name, { write, repeats: 0, isGathered: false, timer });
  }

  /** Writes what was gathered until now, and begins anew. */
  flush(): void {
    for (const { write, repeats, timer } of this.kinds.values()) {
      clearInterval(timer);
      if (repeats > 0) write({ repeats, isOver: false });
    }
    this.kinds.clear();
  }

  private tell(name: string): void {
    const kind = this.kinds.get(name);
    if (!kind) return;
    const { repeats, isGathered, write, timer } = kind;
    kind.repeats = 0;
    if (repeats === 0) {
      clearInterval(timer);
      this.kinds.delete(name);
    }
    if (isGathered) write({ repeats, isOver: repeats === 0 });
  }
}

/** The text of a line: of the first one as it is, of a later one with the number of repeats. */
export function gatheredText(text: string, repeats: Repeats | null): string {
  if (repeats === null) return text;
  return repeats.isOver ? `over: ${text}` : `${repeats.repeats} times more: ${text}`;
}
