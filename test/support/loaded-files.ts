import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The URLs of the files that each thread of a process has loaded. @param coverage the process's `NODE_V8_COVERAGE` */
export async function loadedFiles(coverage: string): Promise<string[][]> {
  const reports = await Promise.all((await readdir(coverage)).map((file) => readFile(join(coverage, file), 'utf8')));
  return reports.map((report) => (JSON.parse(report) as { result: { url: string }[] }).result.map(({ url }) => url));
}
