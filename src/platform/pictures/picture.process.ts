/**
 * Makes one picture, and ends: reads the original from standard input and writes the picture to standard output. What it
 * needs is bounded here, because a library in C cannot be interrupted in a thread. The one argument is a `PictureTask`, or
 * a `MeasureTask`, for which the output is a `PictureHeader`.
 */
import sharp, { type Metadata } from 'sharp';
import { AwakeTimer } from '../kernel/awake-time.js';
import {
  EXIT_CODES,
  LONGEST_MADE,
  LONGEST_ORIGINAL,
  type MeasureTask,
  MOST_COEFFICIENTS,
  MOST_FRAMES,
  MOST_MEMORY,
  MOST_PIXELS,
  MOST_WHOLE,
  type PictureHeader,
  type PictureTask,
} from './picture-task.js';

const LOOK_EVERY_MS = 20;
/** A picture that fits is made smaller all the same if it has more bytes. */
const LONGEST_SMALL = 256 * 1024;
const QUALITY = 80;
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };

const end = (outcome: keyof typeof EXIT_CODES): never => process.exit(EXIT_CODES[outcome]);

const task: PictureTask | MeasureTask = JSON.parse(process.argv[2] ?? '');

// The library works in threads of its own, so these timers run meanwhile.
new AwakeTimer(task.deadline, () => end('excessive'));
setInterval(() => {
  if (process.memoryUsage.rss() > MOST_MEMORY) end('excessive');
}, LOOK_EVERY_MS);

sharp.cache(false);
sharp.concurrency(1);
// Other formats are loaded by more code than pictures in messages are worth: documents, vector graphics, raw cameras.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`),
});

async function original(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    length += chunk.length;
    if (length > LONGEST_ORIGINAL) end('excessive');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isSmall(bytes: Buffer, { autoOrient }: Metadata, { maxWidth, maxHeight }: PictureTask): boolean {
  return bytes.length <= LONGEST_SMALL && autoOrient.width <= maxWidth && autoOrient.height <= maxHeight;
}

/** Others are decoded row by row: an interlaced PNG and a progressive JPEG begin with a coarse picture of the whole. */
function isTooLargeAsAWhole({ format, isProgressive, chromaSubsampling, ...about }: Metadata): boolean {
  if (!isProgressive) return false;
  const pixels = about.width * about.height;
  if (format === 'jpeg') return pixels * 2 * (chromaSubsampling === '4:2:0' ? 1.5 : about.channels) > MOST_COEFFICIENTS;
  return pixels * about.channels * (about.depth === 'ushort' ? 2 : 1) > MOST_WHOLE;
}

const isExcessive = (about: Metadata): boolean => about.width * about.height > MOST_PIXELS || isTooLargeAsAWhole(about);

async function resized(bytes: Buffer, asAnimation: boolean, isPng: boolean, task: PictureTask): Promise<Buffer> {
  const { maxWidth: width, maxHeight: height, framing: fit = 'inside', format } = task;
  const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: asAnimation ? -1 : 1 });
  const result = (asAnimation ? picture : picture.autoOrient()).resize({
    width,
    height,
    fit,
    withoutEnlargement: fit === 'inside',
    background: TRANSPARENT,
  });
  if (format === 'png' || (format === 'as given' && isPng)) return result.png().toBuffer();
  return result.webp({ quality: QUALITY, effort: asAnimation ? 2 : 4 }).toBuffer();
}

const headerOf = (bytes: Buffer): Promise<Metadata> => sharp(bytes, { limitInputPixels: false }).metadata();

async function measured(bytes: Buffer): Promise<Buffer> {
  const about = await headerOf(bytes);
  const { width, height } = about.autoOrient;
  const header: PictureHeader = { width, height, isAnimated: (about.pages ?? 1) > 1, isExcessive: isExcessive(about) };
  return Buffer.from(JSON.stringify(header));
}

async function made(bytes: Buffer, task: PictureTask): Promise<Buffer> {
  const about = await headerOf(bytes);
  const frames = about.pages ?? 1;
  const pixels = about.width * about.height;
  const isPng = about.format === 'png';
  if (isExcessive(about)) end('excessive');
  const mayMove = task.animated && frames > 1 && frames <= MOST_FRAMES && frames * pixels <= MOST_PIXELS;
  if (task.mayBeOriginal && isSmall(bytes, about, task) && (frames === 1 || mayMove)) end('small');
  if (mayMove) {
    const animation = await resized(bytes, true, isPng, task);
    if (animation.length <= LONGEST_MADE) return animation;
  }
  return resized(bytes, false, isPng, task);
}

const bytes = await original();
const picture = await ('measures' in task ? measured(bytes) : made(bytes, task)).catch(() => end('unreadable'));
if (picture.length > LONGEST_MADE) end('excessive');
process.stdout.write(picture, () => end('made'));
