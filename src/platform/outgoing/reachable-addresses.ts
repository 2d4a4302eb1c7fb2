import type { LookupAddress } from 'node:dns';
import ipaddr from 'ipaddr.js';

/** Finds the addresses of a host, as `dns.lookup` does. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** A request would go to an address that requests from this server may not reach. */
export class AddressRefused extends Error {
  constructor(readonly host: string) {
    super(`${host} has no public address, nor one in ANNALS_OUTGOING_PRIVATE_NETWORKS`);
  }
}

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** `10.0.0.0/8`, or one address. */
function networkOf(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** `10.0.0.0/8,fd00::/8,192.168.1.7` */
export const areNetworks = (text: string): boolean =>
  text.split(',').every((entry) => {
    const network = entry.trim();
    return network.includes('/') ? ipaddr.isValidCIDR(network) : ipaddr.isValid(network);
  });

/** The IPv6 addresses of the internet. Outside them are, for example, `::7f00:1`, which stands for 127.0.0.1. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6));

/**
 * The addresses that requests may be sent to: public ones, and those of networks that the operator has named. IPv6
 * addresses that stand for an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are never public.
 */
export class ReachableAddresses {
  private readonly networks: readonly Network[];

  /** @param privateNetworks networks separated by commas, checked by `areNetworks`; null: none */
  constructor(privateNetworks: string | null) {
    this.networks = (privateNetworks?.split(',') ?? []).map((entry) => networkOf(entry.trim()));
  }

  has(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.parse(text);
    if (isPublic(address)) return true;
    return this.networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  }
}
