/** Something that happens again and again in this process, for whoever counts it. Costs nothing while nobody does. */
export class Instrument<Happened extends object> {
  private readonly listeners = new Set<(happened: Happened) => void>();

  get isHeard(): boolean {
    return this.listeners.size > 0;
  }

  tell(happened: Happened): void {
    for (const hear of this.listeners) hear(happened);
  }

  /** @param hear must not throw, nor take time @returns ends it */
  listen(hear: (happened: Happened) => void): () => void {
    this.listeners.add(hear);
    return () => this.listeners.delete(hear);
  }
}
