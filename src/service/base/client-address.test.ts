import { expect, test } from 'vitest'
import { addressGroup, clientAddress, SOME_PROXY } from './client-address.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ['64:ff9b::192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s is counted as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})

test.each([
  // What a stranger writes stands before what the proxy adds.
  ['127.0.0.1', '203.0.113.9, 192.0.2.7', true, '192.0.2.7'],
  ['::1', '2001:db8::1', true, '2001:db8::1'],
  ['127.0.0.1', '192.0.2.7:50123', true, '192.0.2.7'],
  ['127.0.0.1', '[2001:db8::1]:50123', true, '2001:db8::1'],
  // The local panel asks without a proxy.
  ['127.0.0.1', undefined, true, '127.0.0.1'],
  ['127.0.0.1', 'nonsense', true, SOME_PROXY],
  ['127.0.0.1', '', true, SOME_PROXY],
  // The service was not told to believe it, but it is not the local panel either.
  ['127.0.0.1', '192.0.2.7', false, SOME_PROXY],
  ['127.0.0.1', undefined, false, '127.0.0.1'],
  ['198.51.100.3', '192.0.2.7', true, '198.51.100.3'],
])('from %s with X-Forwarded-For %s, proxy %s: %s', (peer, forwarded, behindProxy, address) => {
  expect(clientAddress(peer, forwarded, behindProxy)).toBe(address)
})
