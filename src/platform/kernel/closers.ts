/** Closes opened resources in the opposite order. */
export class Closers {
  private readonly closers: (() => Promise<void>)[] = [];

  add(close: () => Promise<void>): void {
    this.closers.push(close);
  }

  /** Closes the resource later. @returns the resource */
  own<T extends { close(): Promise<void> }>(opened: T): T {
    this.add(() => opened.close());
    return opened;
  }

  /** Closes each resource once, even if others fail to close. @throws the first failure */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.closers.splice(0).reverse()) {
      await close().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
