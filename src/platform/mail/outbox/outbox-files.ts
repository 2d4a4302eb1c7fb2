import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentKeys } from '../../content-keys/content-keys.js';
import { isMissing } from '../../files/is-missing.js';
import { endedAmong, type Mail, type MailedLink } from '../mailer.js';

/** A file without a link is kept for so long. */
const KEPT_MS = 30 * 86_400_000;
/** A file that is being written is younger than so. */
const WRITTEN_WITHIN_MS = 60_000;
/** The headers lie within so many bytes of a file's beginning. */
const HEAD_BYTES = 16 * 1024;

const HEADER = 'X-Annals-Link';
const LINK = /^X-Annals-Link: (\S+) (never|\d+)\r?$/m;

/** Header of a mail's file that says which link is in it. */
export const headersOf = ({ link }: Pick<Mail, 'link'>): Readonly<Record<string, string>> =>
  link ? { [HEADER]: `${link.keyId} ${link.expiresAt ?? 'never'}` } : {};

interface MailFile extends MailedLink {
  readonly name: string;
}

/** The files of the outbox, and which of them have served. Another program may remove files at any time. */
export class OutboxFiles {
  /** null: without a link. */
  private readonly linkByName = new Map<string, MailedLink | null>();

  constructor(
    private readonly directory: string,
    private readonly contentKeys: Pick<ContentKeys, 'getMany'>,
    private readonly now: () => number,
  ) {}

  written(name: string, { link }: Pick<Mail, 'link'>): void {
    this.linkByName.set(name, link ?? null);
  }

  /** Removes files whose link has ended, old ones without a link, and those that were never finished. @returns their number */
  async removeEnded(): Promise<number> {
    const names = await readdir(this.directory).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const present = new Set(names);
    for (const name of this.linkByName.keys()) if (!present.has(name)) this.linkByName.delete(name);
    const withLink: MailFile[] = [];
    let removed = 0;
    for (const name of names) {
      if (!/\.eml(?:\.new)?$/.test(name)) continue;
      const link = await this.linkIn(name);
      if (link) withLink.push({ name, ...link });
      else if (await this.isOlderThan(name.endsWith('.new') ? WRITTEN_WITHIN_MS : KEPT_MS, name))
        removed += await this.remove(name);
    }
    for (const { name } of await endedAmong(withLink, this.contentKeys, this.now())) removed += await this.remove(name);
    return removed;
  }

  private async linkIn(name: string): Promise<MailedLink | null> {
    const known = this.linkByName.get(name);
    if (known !== undefined || name.endsWith('.new')) return known ?? null;
    const head = await this.headOf(name);
    const [, keyId, expires = ''] = LINK.exec(head.slice(0, head.search(/\r?\n\r?\n/))) ?? [];
    const link = keyId === undefined ? null : { keyId, expiresAt: expires === 'never' ? null : Number(expires) };
    this.linkByName.set(name, link);
    return link;
  }

  private async headOf(name: string): Promise<string> {
    const handle = await this.opened(name);
    if (!handle) return '';
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  private async isOlderThan(age: number, name: string): Promise<boolean> {
    const handle = await this.opened(name);
    if (!handle) return false;
    try {
      return (await handle.stat()).mtimeMs <= this.now() - age;
    } finally {
      await handle.close();
    }
  }

  /** null: another program has removed it. */
  private opened(name: string) {
    return open(join(this.directory, name)).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
  }

  private async remove(name: string): Promise<number> {
    await rm(join(this.directory, name), { force: true });
    this.linkByName.delete(name);
    return 1;
  }
}
