import { open, stat, truncate, writeFile } from 'node:fs/promises';

const PAGE = 4096;

/** What a bad disk, or a hand, may do to a file. */
export const DAMAGES = {
  /** A page in the middle is another one. */
  garbage: async (path: string): Promise<void> => {
    const { size } = await stat(path);
    const handle = await open(path, 'r+');
    try {
      await handle.write(Buffer.alloc(PAGE, 0xa5), 0, PAGE, Math.floor(size / 2 / PAGE) * PAGE);
    } finally {
      await handle.close();
    }
  },
  half: async (path: string): Promise<void> => truncate(path, Math.floor((await stat(path)).size / 2)),
  empty: (path: string): Promise<void> => truncate(path),
  text: (path: string): Promise<void> => writeFile(path, 'this is no database\n'.repeat(500)),
} as const;

export type Damage = keyof typeof DAMAGES;
