import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import mime from 'mime';
import { ASKED_AGAIN, FOR_EVER, programFile, type ServedFile } from '../../../platform/http/answers/served-file.js';
import type { Encoding } from '../../../platform/http/compression/accepted-encoding.js';
import { PAGE_HEADERS } from '../../../platform/pages/page.js';
import { PAGE_SETTINGS, type PageSettings } from '../page.settings.js';

/** Scripts, styles and requests stay on this server. `data:` and `blob:` are pictures that a person is about to send. */
const HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
} as const;

/** Endings of a file's encodings, which stand beside it. */
const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

interface PageFiles {
  readonly index: ServedFile;
  /** By their names, which have the hash of the content. */
  readonly assets: ReadonlyMap<string, ServedFile>;
}

/** The page and its files, read once. */
@Injectable()
export class BuiltPage {
  private files: Promise<PageFiles | null> | undefined;

  constructor(@Inject(PAGE_SETTINGS) private readonly settings: PageSettings) {}

  get isServed(): boolean {
    return this.settings.isServed;
  }

  /** null: the page is not built. */
  async index(): Promise<ServedFile | null> {
    return (await this.read())?.index ?? null;
  }

  /** null: there is no such file. */
  async asset(name: string): Promise<ServedFile | null> {
    return (await this.read())?.assets.get(name) ?? null;
  }

  private read(): Promise<PageFiles | null> {
    const { index } = this.settings;
    this.files ??= (index === null ? Promise.resolve(null) : filesOf(index)).catch((error: unknown) => {
      // A build may have been at work. The next request reads anew.
      this.files = undefined;
      throw error;
    });
    return this.files;
  }
}

async function filesOf(index: URL): Promise<PageFiles> {
  const folder = new URL('assets/', index);
  const names = (await readdir(folder)).filter((name) => !Object.values(ENDINGS).includes(extname(name)));
  const assets = names.map(async (name) => [name, await readServed(new URL(name, folder), FOR_EVER)] as const);
  return { index: await readServed(index, { ...HEADERS, ...ASKED_AGAIN }), assets: new Map(await Promise.all(assets)) };
}

async function readServed(file: URL, headers: Readonly<Record<string, string>>): Promise<ServedFile> {
  const type = `${mime.getType(file.pathname) ?? 'application/octet-stream'}; charset=utf-8`;
  const encoded = new Map<Encoding, Buffer>([
    ['br', await readFile(new URL(`${file.href}${ENDINGS.br}`))],
    ['gzip', await readFile(new URL(`${file.href}${ENDINGS.gzip}`))],
  ]);
  return programFile({ type, bytes: await readFile(file), encoded, headers });
}
