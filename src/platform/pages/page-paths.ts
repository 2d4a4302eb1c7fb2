/** The paths of pages. Every answer at their prefixes and below is a page, errors too. */
export class PagePaths {
  private readonly prefixes: ReadonlySet<string>;

  /** @param prefixes first parts of paths, such as `/join` */
  constructor(prefixes: Iterable<string> = []) {
    this.prefixes = new Set(prefixes);
  }

  /** Routes of pages, for which Nest leaves out the API's prefix. */
  get routes(): string[] {
    return [...this.prefixes].map((prefix) => `${prefix.slice(1)}/*path`);
  }

  has(url: string): boolean {
    for (const prefix of this.prefixes)
      if (url.startsWith(prefix) && /^(?:[/?]|$)/.test(url.slice(prefix.length))) return true;
    return false;
  }

  /** Drops the slash at the end of a page's path: Nest's routes have none, and links do. */
  routed(url: string): string {
    const mayHaveOne = url.endsWith('/') || url.includes('/?');
    return mayHaveOne && this.has(url) ? url.replace(/\/(?=$|\?)/, '') : url;
  }
}
