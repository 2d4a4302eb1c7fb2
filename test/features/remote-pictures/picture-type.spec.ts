import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { pictureTypeOf } from '../../../src/features/remote-pictures/domain/picture-type.js';
import { animatedGif, flatPng, jpeg } from '../../support/pictures.js';

describe('the type of a picture', () => {
  it('is told by its bytes', async () => {
    const picture = await flatPng(8, 8);
    expect(pictureTypeOf(picture)).toBe('image/png');
    expect(pictureTypeOf(await jpeg(8, 8))).toBe('image/jpeg');
    expect(pictureTypeOf(await animatedGif(8, 8, 2))).toBe('image/gif');
    expect(pictureTypeOf(await sharp(picture).webp().toBuffer())).toBe('image/webp');
  });

  it.each([
    '',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<!DOCTYPE html>',
    'GIF88a',
    '%PDF-1.4',
    'RIFF\0\0\0\0WAVE',
    ' GIF89a',
  ])('is none for %j', (content) => {
    expect(pictureTypeOf(Buffer.from(content))).toBeNull();
  });
});
