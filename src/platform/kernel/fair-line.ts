/** What waits for its turn, by caller: callers take turns, and what waits for one caller keeps its order. */
export class FairLine<Caller, Waiting> {
  private count = 0;
  /** The caller with the next turn comes first. */
  private readonly lines = new Map<Caller, Set<Waiting>>();

  /** How many wait. */
  get size(): number {
    return this.count;
  }

  /** How many wait for a caller. */
  sizeOf(caller: Caller): number {
    return this.lines.get(caller)?.size ?? 0;
  }

  /** The callers in the order of their next turns. */
  callers(): Iterable<Caller> {
    return this.lines.keys();
  }

  add(caller: Caller, waiting: Waiting): void {
    const line = this.lines.get(caller);
    if (line) line.add(waiting);
    else this.lines.set(caller, new Set([waiting]));
    this.count += 1;
  }

  /** Gives the next turn. */
  takeNext(): Waiting | undefined {
    for (const caller of this.lines.keys()) return this.take(caller);
    return undefined;
  }

  /** Gives a turn to a caller, who goes to the end of the line. */
  take(caller: Caller): Waiting | undefined {
    const line = this.lines.get(caller);
    if (!line) return undefined;
    const [first] = line;
    if (first !== undefined) this.delete(caller, first);
    if (this.lines.delete(caller)) this.lines.set(caller, line);
    return first;
  }

  /** @returns false if it does not wait any more */
  delete(caller: Caller, waiting: Waiting): boolean {
    const line = this.lines.get(caller);
    if (!line?.delete(waiting)) return false;
    this.count -= 1;
    if (line.size === 0) this.lines.delete(caller);
    return true;
  }

  /** All that wait in the order of their turns: the first of every caller, then the second, and so on. */
  inOrder(): [caller: Caller, waiting: Waiting][] {
    const rounds: [caller: Caller, waiting: Waiting][][] = [];
    for (const [caller, line] of this.lines) {
      for (const [round, waiting] of [...line].entries()) {
        rounds[round] ??= [];
        rounds[round]?.push([caller, waiting]);
      }
    }
    return rounds.flat();
  }
}
