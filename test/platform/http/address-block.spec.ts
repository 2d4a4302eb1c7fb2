import { describe, expect, it } from '@jest/globals';
import { addressBlock } from '../../../src/platform/http/address-block.js';

describe('limits count a client', () => {
  it('by its IPv4 address, however it is written', () => {
    for (const written of ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207'])
      expect(addressBlock(written)).toBe('192.0.2.7');
  });

  it('by the network of its IPv6 address', () => {
    const network = addressBlock('2001:db8:1:2::1');
    expect(network).toBe('2001:db8:1:2::/64');
    expect(addressBlock('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(network);
    expect(addressBlock('2001:db8:1:3::1')).not.toBe(network);
    expect(addressBlock('::1')).toBe('::/64');
    expect(addressBlock('fe80::1%eth0')).toBe('fe80::/64');
  });

  it('by the text of what is no address', () => {
    expect(addressBlock('unix socket')).toBe('unix socket');
  });
});
