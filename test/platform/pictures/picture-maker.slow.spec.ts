import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { PictureMaker } from '../../../src/platform/pictures/picture-maker.js';
import { isAnimation, type PictureOutcome, type PictureTask } from '../../../src/platform/pictures/picture-task.js';
import { animatedGif, endlessGif, flatPng, hugePng, jpeg, png, pngHeader } from '../../support/pictures.js';
import { asker } from '../../support/requests/asker.js';

describe('making a picture smaller', () => {
  const maker = new PictureMaker();
  const still = { maxWidth: 840, maxHeight: 560, animated: false, mayBeOriginal: true };
  const moving = { ...still, animated: true };

  const make = (bytes: Buffer, task = still): Promise<PictureOutcome> =>
    maker.make({ asker, task, open: async () => Readable.from([bytes]) });
  const about = async (outcome: PictureOutcome) => {
    if (outcome.kind !== 'made') return outcome.kind;
    const { format, width, height, pages = 1 } = await sharp(outcome.bytes).metadata();
    return { format, width, height, pages };
  };

  it('keeps proportions, and turns it as its camera was held', async () => {
    expect(await about(await make(await png(2000, 1000)))).toEqual({
      format: 'webp',
      width: 840,
      height: 420,
      pages: 1,
    });
    expect(await about(await make(await jpeg(2000, 1000, 6)))).toMatchObject({ width: 280, height: 560 });
  });

  it('can be told by its header, with the size that it is shown with', async () => {
    const measure = (bytes: Buffer) => maker.measure({ asker, open: async () => Readable.from([bytes]) });
    const plain = { isAnimated: false, isExcessive: false };
    expect(await measure(await flatPng(300, 200))).toEqual({ ...plain, width: 300, height: 200 });
    expect(await measure(await jpeg(60, 40, 6))).toEqual({ ...plain, width: 40, height: 60 });
    expect(await measure(await animatedGif(30, 20, 3))).toEqual({ ...plain, width: 30, height: 20, isAnimated: true });
    expect(await measure(hugePng(50_000, 50_000))).toMatchObject({ isExcessive: true });
    expect(await measure(Buffer.from('no picture'))).toBe('unreadable');
  });

  it('is not done for a picture that is small in pixels and bytes', async () => {
    expect(await about(await make(await flatPng(840, 560)))).toBe('small');
    expect(await about(await make(await png(800, 500)))).toMatchObject({ format: 'webp', width: 800, height: 500 });
  });

  it('is always done where clients cannot be sent the original', async () => {
    const outcome = await make(await flatPng(100, 50), { ...still, mayBeOriginal: false });
    expect(await about(outcome)).toMatchObject({ format: 'webp', width: 100, height: 50 });
  });

  it('has exactly the size that is asked for', async () => {
    const exact = { maxWidth: 64, maxHeight: 64, animated: true, framing: 'contain', mayBeOriginal: false } as const;
    const whole = async (bytes: Buffer) => {
      const outcome = await maker.make({ asker, task: exact, open: async () => Readable.from([bytes]) });
      if (outcome.kind !== 'made') return outcome.kind;
      const { width, height, pageHeight = height, pages = 1 } = await sharp(outcome.bytes).metadata();
      return { width, height: pageHeight, pages, isAnimation: isAnimation(outcome.bytes) };
    };
    const square = { width: 64, height: 64 };
    expect(await whole(await png(200, 100))).toEqual({ ...square, pages: 1, isAnimation: false });
    expect(await whole(await flatPng(1, 2))).toEqual({ ...square, pages: 1, isAnimation: false });
    expect(await whole(await animatedGif(100, 20, 3))).toEqual({ ...square, pages: 3, isAnimation: true });
  });

  it('is cut to its middle, as a PNG, if that is asked for', async () => {
    const task = {
      maxWidth: 50,
      maxHeight: 50,
      animated: false,
      framing: 'cover',
      format: 'png',
      mayBeOriginal: false,
    };
    const bars = await sharp(await flatPng(100, 50))
      .extend({ left: 50, right: 50, background: 'red' })
      .png()
      .toBuffer();
    for (const picture of [bars, await sharp(bars).resize({ width: 20 }).png().toBuffer()]) {
      const outcome = await maker.make({
        asker,
        task: task as Omit<PictureTask, 'deadline'>,
        open: async () => Readable.from([picture]),
      });
      expect(await about(outcome)).toMatchObject({ format: 'png', width: 50, height: 50 });
      if (outcome.kind !== 'made') throw new Error('no picture was made');
      const { dominant } = await sharp(outcome.bytes).stats();
      expect([dominant.r < 64, dominant.b > 64]).toEqual([true, true]);
    }
  });

  it('lets an animation move or stand still, as asked', async () => {
    const animation = await animatedGif(1000, 1000, 5);
    expect(await about(await make(animation, moving))).toMatchObject({ width: 560, pages: 5 });
    expect(await about(await make(animation, still))).toMatchObject({ width: 560, height: 560, pages: 1 });
    const small = await animatedGif(100, 100, 5);
    expect(await about(await make(small, moving))).toBe('small');
    expect(await about(await make(small, still))).toMatchObject({ width: 100, height: 100, pages: 1 });
  });

  it('shows one frame of an animation of 10,000', async () => {
    const animation = endlessGif(1000, 1000, 10_000);
    expect(await about(await make(animation, moving))).toMatchObject({ width: 560, height: 560, pages: 1 });
  });

  it('is refused for 50,000 × 50,000 pixels', async () => {
    expect(await about(await make(hugePng(50_000, 50_000)))).toBe('excessive');
  });

  it('is refused for an interlaced or progressive picture that takes too much memory as a whole', async () => {
    const interlaced = (bits: number, width: number) => hugePng(width, 5000, pngHeader(bits, 6, true));
    expect(await about(await make(interlaced(16, 4500)))).toBe('excessive');
    expect(await about(await make(interlaced(8, 8500)))).toBe('excessive');
    // Its rows are too short for its header: it was tried.
    expect(await about(await make(interlaced(16, 3500)))).toBe('unreadable');
    const progressive = (width: number, chromaSubsampling: '4:2:0' | '4:4:4') =>
      sharp({ create: { width, height: 6000, channels: 3, background: 'teal' } })
        .jpeg({ progressive: true, chromaSubsampling })
        .toBuffer();
    expect(await about(await make(await progressive(6000, '4:4:4')))).toBe('excessive');
    expect(await about(await make(await progressive(8000, '4:2:0')))).toMatchObject({ width: 747, height: 560 });
  });

  it.each([
    ['text', Buffer.from('hello, this is text')],
    ['empty file', Buffer.alloc(0)],
    ['vector graphics', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['document', Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\n')],
  ])('reads no %s', async (_, bytes) => {
    expect(await about(await make(bytes))).toBe('unreadable');
  });

  it('reads no picture that is cut off', async () => {
    const whole = await png(2000, 1000);
    expect(await about(await make(whole.subarray(0, whole.length / 2)))).toBe('unreadable');
  });

  it('ends at its deadline', async () => {
    const hurried = new PictureMaker({ deadline: 300 });
    expect(await hurried.make({ asker, task: still, open: async () => new PassThrough() })).toEqual({
      kind: 'excessive',
    });
  });

  it('fails if the original cannot be read, and if it cannot be opened', async () => {
    const broken = async function* () {
      yield Buffer.from('half');
      throw new Error('the disk is gone');
    };
    await expect(maker.make({ asker, task: still, open: async () => Readable.from(broken()) })).rejects.toThrow(
      'the disk is gone',
    );
    await expect(
      maker.make({
        asker,
        task: still,
        open: async () => {
          throw new Error('no such file');
        },
      }),
    ).rejects.toThrow('no such file');
    expect(await about(await make(await flatPng(10, 10)))).toBe('small');
  });

  it('is done for two pictures at once, and the others wait', async () => {
    const hurried = new PictureMaker({ deadline: 300 });
    let open = 0;
    let mostOpen = 0;
    const outcomes = Array.from({ length: 5 }, () =>
      hurried.make({
        asker,
        task: still,
        open: async () => {
          open += 1;
          mostOpen = Math.max(mostOpen, open);
          return new PassThrough();
        },
        finish: async () => {
          open -= 1;
        },
      }),
    );
    expect(await Promise.all(outcomes)).toEqual(Array(5).fill({ kind: 'excessive' }));
    expect(mostOpen).toBe(2);
  });
});
