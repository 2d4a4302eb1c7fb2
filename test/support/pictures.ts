import { deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Noise, so that a picture of it is no smaller than others. */
const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });

export const jpeg = (width: number, height: number, orientation = 1): Promise<Buffer> =>
  noise(width, height).withMetadata({ orientation }).jpeg().toBuffer();

export const png = (width: number, height: number): Promise<Buffer> => noise(width, height).png().toBuffer();

/** A flat picture with few bytes, whatever its size. */
export const flatPng = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();

export async function animatedGif(width: number, height: number, frames: number): Promise<Buffer> {
  const pictures = Array.from({ length: frames }, (_, n) =>
    sharp({ create: { width, height, channels: 3, background: { r: (n * 50) % 256, g: 0, b: 0 } } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(pictures), { join: { animated: true } })
    .gif()
    .toBuffer();
}

/** A GIF with as many frames of one pixel. */
export function endlessGif(width: number, height: number, frames: number): Buffer {
  const screen = Buffer.from([...Buffer.from('GIF89a'), 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
  screen.writeUInt16LE(width, 6);
  screen.writeUInt16LE(height, 8);
  const frame = Buffer.from([
    ...[0x21, 0xf9, 4, 0, 1, 0, 0, 0],
    ...[0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0],
    ...[2, 2, 0x44, 1, 0],
  ]);
  return Buffer.concat([screen, ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])]);
}

/** The header of a PNG without its size. @param color 0: grey, 2: RGB, 6: RGB with transparency */
export const pngHeader = (bits: number, color: number, isInterlaced: boolean): Buffer =>
  Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, bits, color, 0, 0, isInterlaced ? 1 : 0]);

/** A PNG of one color with one bit a pixel: 50,000 × 50,000 pixels take 300 KB. */
export function hugePng(width: number, height: number, header = pngHeader(1, 0, false)): Buffer {
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 1 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(content.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}

/** The checksum of PNG. Node 20.19 has none of its own. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
