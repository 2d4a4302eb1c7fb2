import { describe, expect, it } from '@jest/globals';
import sodium from 'libsodium-wrappers';
import { isPublicBoxKey } from '../../../src/platform/push/box-key.js';
import { boxKeysOf, openBox, sealInBox as sealFor } from '../../../src/platform/push/sealed-box.js';
import {
  base64,
  deviceKeysOf,
  newDeviceKeys,
  openSealedBox,
  sealBox,
} from '../../support/outside/push/open-sealed-box.js';

const PRIVATE_KEY = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
const PUBLIC_KEY = 'B6N8vBQgk8i3VdwbEOhstCY3StFqqFPtC9/AsrhtHHw=';
const BOX =
  'fmt2mtOZBOb6UpD4x39B/s2Dmq7Kt/XPmRypmTADo3r3zOHAU/Xjd3ZcEK8ji2Q0uys4yzohRFZW4BS+CcKBfq1YXeUnu/E1d5ieaL2qLJXx62ZVJCHHTdGp38A1IobxFTZzWAyYRM4gWVK7RbGWFeeGAwS8ODMLadzP4VclHqEym87PrPqBzgeBv3xxuvnjYEzN4anKosQ=';
const TEXT = '{"type":"test","realm_url":"https://chat.example","realm_name":"Example","user_id":10,"time":1754577820}';

/** Points whose order is small, least byte first, with the top bit that X25519 ignores. */
const LOW_ORDER = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
  `${'00'.repeat(31)}80`,
  `ed${'ff'.repeat(31)}`,
].map((hex) => Buffer.from(hex, 'hex'));

describe('a sealed box', () => {
  it('is opened with the private key', async () => {
    const keys = await boxKeysOf(base64(PRIVATE_KEY));
    expect(base64(keys.publicKey)).toBe(PUBLIC_KEY);
    expect(await openBox(BOX, keys)).toBe(TEXT);
    expect(openSealedBox(BOX, deviceKeysOf(PRIVATE_KEY))).toBe(TEXT);
    expect(await openBox(sealBox('Grüße', keys.publicKey), keys)).toBe('Grüße');
  });

  it('is opened by the device that it is sealed for, and by no other', async () => {
    const device = newDeviceKeys();
    const box = (await sealFor(base64(device.publicKey), 'Grüße')) ?? '';
    expect(openSealedBox(box, device)).toBe('Grüße');
    expect(Buffer.from(box, 'base64')).toHaveLength(Buffer.byteLength('Grüße') + 48);
    expect(() => openSealedBox(box, newDeviceKeys())).toThrow();
    expect(await openBox(box, await boxKeysOf(base64(PRIVATE_KEY)))).toBeNull();
    expect(await openBox('AAAA', await boxKeysOf(base64(PRIVATE_KEY)))).toBeNull();
  });

  it.each(LOW_ORDER)('is not made for a key of low order, for which libsodium makes none: %#', async (bytes) => {
    await sodium.ready;
    expect(() => sodium.crypto_box_seal('x', bytes)).toThrow();
    expect(isPublicBoxKey(base64(bytes))).toBe(false);
    expect(await sealFor(base64(bytes), 'x')).toBeNull();
  });

  it.each(['', 'c2hvcnQ=', `${PUBLIC_KEY}x`, 'no base64'])('is not made for %j', async (key) => {
    expect(await sealFor(key, 'x')).toBeNull();
  });
});
