import type { NetworkInterfaceInfo } from 'node:os'
import { expect, it } from 'vitest'
import { gameHost, networkAddresses, openToOf, originOf } from './game-host.ts'

const at = (address: string, more: Partial<NetworkInterfaceInfo> = {}) =>
  ({ address, family: 'IPv4', internal: false, ...more }) as NetworkInterfaceInfo

it.each([
  // Where nobody has chosen, a server is reached as its service is.
  [null, '127.0.0.1', '127.0.0.1', 'computer'],
  [null, '0.0.0.0', '0.0.0.0', 'network'],
  [null, '192.0.2.7', '192.0.2.7', 'network'],
  ['computer', '127.0.0.1', '127.0.0.1', 'computer'],
  ['computer', '0.0.0.0', '127.0.0.1', 'computer'],
  ['computer', '192.0.2.7', '127.0.0.1', 'computer'],
  ['computer', '::1', '::1', 'computer'],
  ['network', '127.0.0.1', '0.0.0.0', 'network'],
  ['network', '::', '::', 'network'],
  // A service that keeps to one address has its servers keep to it too.
  ['network', '192.0.2.7', '192.0.2.7', 'network'],
] as const)('open to %s at a service on %s, a server listens on %s', (openTo, service, host, told) => {
  expect(gameHost(openTo, service)).toBe(host)
  expect(openToOf(openTo, service)).toBe(told)
})

it('the address of a computer in its own network comes before those that programs made for themselves', () => {
  const found = networkAddresses({
    lo: [at('127.0.0.1', { internal: true })],
    docker0: [at('172.17.0.1')],
    'vEthernet (WSL)': [at('172.29.0.1')],
    eth0: [at('fe80::1', { family: 'IPv6' }), at('192.168.1.20')],
    wlan0: [at('10.0.0.4')],
    eth1: [at('169.254.3.3')],
  })
  expect(found).toEqual(['192.168.1.20', '10.0.0.4', '172.17.0.1'])
  expect(networkAddresses({})).toEqual([])
})

it.each([
  ['127.0.0.1', 'computer'],
  ['::1', 'computer'],
  ['0:0:0:0:0:0:0:1', 'computer'],
  ['::ffff:127.0.0.1', 'computer'],
  // The own address in the network too.
  ['192.168.1.20', 'computer'],
  ['192.168.1.7', 'network'],
  ['172.31.255.1', 'network'],
  ['172.32.0.1', 'internet'],
  ['100.100.1.1', 'network'],
  ['fd12::7', 'network'],
  ['fe80::7%eth0', 'network'],
  ['::ffff:10.1.2.3', 'network'],
  ['203.0.113.5', 'internet'],
  ['2001:db8::5', 'internet'],
  ['local', null],
  ['', null],
])('who comes from %s comes from %s', (address, from) => {
  expect(originOf(address, { eth0: [at('192.168.1.20')] })).toBe(from)
})
