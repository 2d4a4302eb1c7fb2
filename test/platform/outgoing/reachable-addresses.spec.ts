import { describe, expect, it } from '@jest/globals';
import { areNetworks, ReachableAddresses } from '../../../src/platform/outgoing/reachable-addresses.js';

describe('addresses that requests may reach', () => {
  const public_ = new ReachableAddresses(null);

  it.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111'])('%s is one', (address) => {
    expect(public_.has(address)).toBe(true);
  });

  it.each([
    ['this host', '0.0.0.0', '::'],
    ['loopback', '127.0.0.1', '127.9.9.9', '::1'],
    ['private', '10.1.2.3', '172.16.0.1', '192.168.0.1', 'fd00::1', 'fec0::1'],
    ['link-local', '169.254.169.254', 'fe80::1'],
    ["a provider's own", '100.64.0.1'],
    ['multicast', '224.0.0.1', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1', '192.0.2.1', '198.18.0.1', '2001:db8::1', '100::1', '4000::1'],
    [
      'IPv4 in IPv6',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      // As URLs write the former.
      '::7f00:1',
      '::a9fe:a9fe',
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '2002:7f00:1::',
      '2001::1',
    ],
    ['no address', '', 'localhost', '999.1.1.1'],
  ])('addresses that are %s are none', (_, ...addresses) => {
    expect(addresses.filter((address) => public_.has(address))).toEqual([]);
  });

  it('are also those of networks that the operator names', () => {
    const reachable = new ReachableAddresses('10.1.0.0/16, fd00::/8,127.0.0.1');
    expect(['10.1.2.3', 'fd12::1', '127.0.0.1', '8.8.8.8'].every((address) => reachable.has(address))).toBe(true);
    const others = ['10.2.0.1', '127.0.0.2', '::ffff:127.0.0.1', '::1'];
    expect(others.filter((address) => reachable.has(address))).toEqual([]);
  });

  it('are named as addresses and networks', () => {
    expect(['10.0.0.0/8', '10.0.0.7, fd00::/8', '::1'].every(areNetworks)).toBe(true);
    expect(['', 'loopback', '10.0.0.0/33', '10.0.0.1,', '10/8/2'].filter(areNetworks)).toEqual([]);
  });
});
