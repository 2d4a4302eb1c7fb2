import { describe, expect, it } from '@jest/globals';
import { pictureSource } from '../../../src/features/uploads/domain/picture-source.js';

const SITE = 'https://chat.example.com';
const FILE_ID = 'abcdefghijklmnopqrstuvwx';

describe('the source of a picture in a message', () => {
  it.each([
    `user_uploads/1/${FILE_ID}/p.png`,
    `/user_uploads/1/${FILE_ID}/p.png`,
    `user_uploads/1/${FILE_ID}/p.png?x=1#y`,
    `user_uploads/download/1/${FILE_ID}/p.png`,
    `user_uploads/thumbnail/1/${FILE_ID}/p.png/840x560.webp`,
    `${SITE}/user_uploads/1/${FILE_ID}/p.png`,
  ])('is an uploaded file for %j', (url) => {
    expect(pictureSource(url, SITE)).toEqual({ realmId: '1', fileId: FILE_ID, name: 'p.png' });
  });

  it.each(['', 'download/', 'thumbnail/'])('has a folder in newer addresses: %j', (kind) => {
    const source = { realmId: '1', folder: '4e', fileId: FILE_ID, name: 'p.png' };
    expect(pictureSource(`user_uploads/${kind}1/4e/${FILE_ID}/p.png`, SITE)).toEqual(source);
  });

  it('has its name as it was uploaded', () => {
    expect(pictureSource(`user_uploads/1/${FILE_ID}/k%C5%AF%C5%88.png`, SITE)).toMatchObject({ name: 'kůň.png' });
    expect(pictureSource(`user_uploads/1/${FILE_ID}/kůň.png`, SITE)).toMatchObject({ name: 'kůň.png' });
    expect(pictureSource(`user_uploads/1/${FILE_ID}/100%.png`, SITE)).toMatchObject({ name: '100%.png' });
  });

  it.each([
    '',
    'https://example.org/p.png',
    `https://example.org/user_uploads/1/${FILE_ID}/p.png`,
    `${SITE}.example.org/user_uploads/1/${FILE_ID}/p.png`,
    'user_avatars/1/p.png',
    `user_uploads/1/${FILE_ID}`,
    'user_uploads/1//p.png',
  ])('is elsewhere for %j', (url) => {
    expect(pictureSource(url, SITE)).toBeNull();
  });
});
