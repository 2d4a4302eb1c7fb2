import { setTimeout } from 'node:timers/promises';
import type { Engines } from '../../platform/engines/engines.js';
import { isFileName } from '../../platform/file-store/checked-name.js';
import { fileDifference } from '../../platform/file-store/file-difference.js';
import { type ReportOutput, WorkReport } from '../cli/build-report.js';
import { number } from '../cli/text.js';
import { countNamedFiles, type FilesPart, isOf, type NamedFile, NamedFiles } from './named-files.js';
import { NotRight } from './verified-log.js';

type Sources = Pick<Engines, 'eventStore' | 'contentKeys' | 'fileStore'>;

interface VerifyFilesOptions {
  readonly output: ReportOutput;
  /** Lets signals have their turn. Rejects to end the work. */
  readonly goOn: () => Promise<void>;
  /** Most files of which something is remembered at once, about. If the log names more, it is read several times. */
  readonly most?: number;
}

/** Names and events in memory at once: about 100 MB. */
const MOST = 200_000;

/** The bytes of a file are removed after the event that tells it: a server has so long for it, in milliseconds. */
const REMOVED_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 500;

type Kind = 'missing' | 'changed' | 'extra';

/**
 * Compares all stored files with what the log tells of them, and names all that are missing, changed or extra. Only reads
 * the engines, beside a server or without one.
 *
 * @throws NotRight if there is one
 */
export async function verifyFiles(sources: Sources, options: VerifyFilesOptions): Promise<void> {
  const { output, goOn, most = MOST } = options;
  const total = await countNamedFiles(sources.eventStore, goOn);
  const parts = Math.max(1, Math.ceil(total / most));
  const work = new FilesWork(sources, total, options);
  try {
    for (let index = 0; index < parts; index++) await work.compare({ index, of: parts });
  } finally {
    work.end();
  }
  const { faults } = work;
  const isRight = faults.missing + faults.changed + faults.extra === 0;
  output.write(`${isRight ? 'The files are right' : 'The files are not right'}: ${work.summary()}.\n`);
  if (!isRight)
    throw new NotRight(
      `files: ${number(faults.missing)} missing, ${number(faults.changed)} changed, ${number(faults.extra)} extra`,
    );
}

/** What was compared so far. */
class FilesWork {
  readonly faults: Record<Kind, number> = { missing: 0, changed: 0, extra: 0 };
  private files = 0;
  private bytes = 0;
  private withoutDigest = 0;
  private done = 0;
  private readonly startedAt = performance.now();
  private readonly report: WorkReport;

  constructor(
    private readonly sources: Sources,
    private readonly total: number,
    private readonly options: VerifyFilesOptions,
  ) {
    this.report = new WorkReport(options.output);
  }

  async compare(part: FilesPart): Promise<void> {
    const { goOn } = this.options;
    const named = new NamedFiles(this.sources, part);
    await named.readOn(goOn);
    for (const [fileId, file] of named.stored()) {
      await this.compareFile(fileId, file, named);
      this.done++;
      this.progress();
      await goOn();
    }
    for await (const page of this.sources.fileStore.committed()) {
      const suspects = page.filter((fileId) => isOf(fileId, part) && named.get(fileId)?.ended !== null);
      // The log may have grown since it was read: a file is stored before its event.
      if (suspects.length > 0) await named.readOn(goOn);
      for (const fileId of suspects) await this.findExtra(fileId, named.get(fileId));
      await goOn();
    }
  }

  summary(): string {
    const digests = this.withoutDigest > 0 ? ` (${number(this.withoutDigest)} without a digest)` : '';
    return `${number(this.files)} files${digests}, ${number(this.bytes)} bytes; ${number(Math.round(this.speed()))} bytes a second`;
  }

  end(): void {
    this.report.end();
  }

  private async compareFile(fileId: string, { event, measure }: NamedFile, named: NamedFiles): Promise<void> {
    let found = await this.look(fileId, measure);
    if (found !== null) {
      // The file may have been deleted since the log was read.
      await named.readOn(this.options.goOn);
      if (named.get(fileId)?.ended) return;
      found = await this.look(fileId, measure);
    }
    this.files++;
    if (measure.sha256 === null) this.withoutDigest++;
    if (found !== null) this.fault(found.kind, `file ${fileId} of ${event}${found.how}`);
  }

  private async look(
    fileId: string,
    measure: NamedFile['measure'],
  ): Promise<{ readonly kind: Kind; readonly how: string } | null> {
    const stored = await this.sources.fileStore.read(fileId);
    if (stored === null) return { kind: 'missing', how: '' };
    const difference = await fileDifference(stored, measure);
    if (difference !== null) return { kind: 'changed', how: `: ${difference}` };
    this.bytes += stored.size;
    return null;
  }

  private async findExtra(fileId: string, file: NamedFile | undefined): Promise<void> {
    if (file && file.ended === null) return;
    const until = file?.ended ? Math.min(file.ended.at, Date.now()) + REMOVED_WITHIN_MS : 0;
    while (await this.isStored(fileId)) {
      if (Date.now() > until) {
        const why = file?.ended ? ` of ${file.event}: ${file.ended.event} has deleted it` : ': no event names it';
        return this.fault('extra', `file ${fileId}${why}`);
      }
      await setTimeout(LOOK_AGAIN_MS);
      await this.options.goOn();
    }
  }

  private async isStored(fileId: string): Promise<boolean> {
    // The server gives no such name, and removes no such file.
    if (!isFileName(fileId)) return true;
    const stored = await this.sources.fileStore.read(fileId);
    stored?.content.destroy();
    return stored !== null;
  }

  private fault(kind: Kind, text: string): void {
    this.faults[kind]++;
    this.report.end();
    this.options.output.write(`${kind}: ${text}\n`);
  }

  private speed(): number {
    return (this.bytes * 1000) / (performance.now() - this.startedAt);
  }

  private progress(): void {
    const { done, total } = this;
    const filesPerSecond = (done * 1000) / (performance.now() - this.startedAt);
    this.report.update({
      what: 'Comparing files',
      done,
      total,
      eventsPerSecond: filesPerSecond,
      rate: { unit: 'bytes', perSecond: this.speed() },
      secondsLeft: Math.max(0, total - done) / filesPerSecond,
    });
  }
}
