import type { Writable } from 'node:stream';
import { ContentKeysUnavailable } from '../../platform/content-keys/content-keys.js';
import type { Engines } from '../../platform/engines/engines.js';
import { FileStoreUnavailable } from '../../platform/file-store/file-store.js';
import { EventStoreUnavailable } from '../../platform/log/event-store.js';
import type { Config } from '../config/config.js';
import { duration, type ReportOutput, WorkReport } from './build-report.js';
import { type Copied, type CopyStep, copyLog } from './copy-log.js';
import { type CopyPlace, checkApart, openSource, openTarget, placeNamed } from './copy-places.js';
import { counted, number } from './text.js';

const PASSING = [EventStoreUnavailable, ContentKeysUnavailable, FileStoreUnavailable];

/** Two places as typed. */
interface PlaceWords {
  readonly from: string;
  readonly to: string;
}

/** @throws UsageError unless the words name two places; CopyRefused and errors of the engines */
export async function runCopy(words: PlaceWords, config: Config, output: Writable & ReportOutput): Promise<void> {
  const from = placeNamed(words.from, config);
  const to = placeNamed(words.to, config);
  await checkApart(from, to);
  const startedAt = performance.now();
  const source = await openSource(from);
  try {
    const target = await openTarget(to);
    try {
      const copied = await copyReporting(source, target, new WorkReport(output));
      const seconds = (performance.now() - startedAt) / 1000;
      output.write(said(copied, { from, to, seconds }));
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copyReporting(source: Engines, target: Engines, report: WorkReport): Promise<Copied> {
  try {
    return await copyLog(source, target, reporting(report));
  } catch (error) {
    if (!(error instanceof Error && PASSING.some((kind) => error instanceof kind))) throw error;
    throw new Error(`${error.message}; what was copied stays: run the same command again to go on`, { cause: error });
  } finally {
    report.end();
  }
}

function reporting(report: WorkReport): (step: CopyStep) => void {
  let phase: CopyStep['phase'] = 'copying';
  let startedAt = performance.now();
  let steppedAt = startedAt;
  return (step) => {
    if (step.phase !== phase) {
      report.end();
      phase = step.phase;
      startedAt = steppedAt;
    }
    steppedAt = performance.now();
    const seconds = (steppedAt - startedAt) / 1000;
    const eventsPerSecond = seconds > 0 ? step.events / seconds : 0;
    const secondsLeft = step.position > 0 ? (seconds * (step.head - step.position)) / step.position : null;
    const what = phase === 'copying' ? 'Copying' : 'Reading the copy back';
    report.update({ what, done: step.position, total: step.head, eventsPerSecond, secondsLeft });
  };
}

interface Journey {
  readonly from: CopyPlace;
  readonly to: CopyPlace;
  readonly seconds: number;
}

function said(copied: Copied, { from, to, seconds }: Journey): string {
  const { appended, count, sourceRoot, targetRoot, keysDestroyed, files, queues, queuesEnded } = copied;
  const lines = [
    appended === 0
      ? `Nothing was left to copy: ${to.name} has every event of ${from.name}.`
      : `Copied ${counted(appended, 'event')} from ${from.name} to ${to.name} in ${duration(seconds)}; ` +
        `${number(count - appended)} were there.`,
    `Source: ${counted(count, 'event')}, root ${sourceRoot}`,
    `Target: ${counted(count, 'event')}, root ${targetRoot}`,
  ];
  if (files > 0) lines.push(`The copy has ${counted(files, 'uploaded file')}.`);
  if (keysDestroyed > 0)
    lines.push(`Destroyed ${counted(keysDestroyed, 'key')}, which the source has destroyed since an earlier copy.`);
  if (queuesEnded > 0) {
    lines.push(
      `Ended ${counted(queuesEnded, 'event queue')}: a queue is a position in the log, and positions differ in the copy. ` +
        'Clients register new ones by themselves.',
    );
  } else if (queues > 0) lines.push(`Its ${counted(queues, 'event queue')} had been ended before.`);
  lines.push('Documents are not copied: the first start on the copy builds them from the log.');
  return `${lines.join('\n')}\n`;
}
