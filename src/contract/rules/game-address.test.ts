import { describe, expect, test } from 'vitest'
import { addressText, gameAddress } from './game-address.ts'

describe('what a service sends as the address of a server', () => {
  test.each<[sent: string, port: number | null | undefined, text: string | null]>([
    ['127.0.0.1', 25565, '127.0.0.1:25565'],
    ['127.0.0.1:25565', undefined, '127.0.0.1:25565'],
    ['play.example.com:25570', null, 'play.example.com:25570'],
    ['play.example.com', undefined, 'play.example.com'],
    ['play.example.com:25570', 25570, 'play.example.com:25570'],
    // What stands in one text belongs together.
    ['play.example.com:25570', 25565, 'play.example.com:25570'],
    [' play.example.com:25570\n', undefined, 'play.example.com:25570'],
    ['play.example.com.', 25565, 'play.example.com:25565'],
    ['play.example.com.:25570', undefined, 'play.example.com:25570'],
    ['tcp://play.example.com:25570', undefined, 'play.example.com:25570'],
    ['minecraft://play.example.com/', undefined, 'play.example.com'],
    ['TCP://[::1]:25570/lobby', undefined, '[::1]:25570'],
    ['münchen.example:25570', undefined, 'münchen.example:25570'],
    ['xn--mnchen-3ya.example', 25570, 'xn--mnchen-3ya.example:25570'],
    ['my_server.example', undefined, 'my_server.example'],
    ['localhost:25565', undefined, 'localhost:25565'],
    ['::1', undefined, '[::1]'],
    ['::1', 25565, '[::1]:25565'],
    ['[::1]', undefined, '[::1]'],
    ['[::1]', 25570, '[::1]:25570'],
    ['[::1]:25565', undefined, '[::1]:25565'],
    ['[::1]:25565', 25565, '[::1]:25565'],
    ['2001:db8::25:2556', undefined, '[2001:db8::25:2556]'],
    // No group has five digits.
    ['2001:db8::25:25565', undefined, '[2001:db8::25]:25565'],
    ['2001:DB8:0:0:0:0:0:1', 25565, '[2001:DB8:0:0:0:0:0:1]:25565'],
    // A ninth group is none of the address.
    ['2001:db8:0:0:0:0:0:1:25570', undefined, '[2001:db8:0:0:0:0:0:1]:25570'],
    ['::ffff:192.0.2.1', 25565, '[::ffff:192.0.2.1]:25565'],
    ['fe80::1%eth0', 25565, '[fe80::1%eth0]:25565'],
    ['[fe80::1%eth0]:25570', undefined, '[fe80::1%eth0]:25570'],
    ['127.0.0.1', 0, '127.0.0.1'],
    ['127.0.0.1:0', undefined, '127.0.0.1'],
    // What a service gives as the port is shown, whatever a game makes of it.
    ['127.0.0.1', 70_000, '127.0.0.1:70000'],
    ['127.0.0.1', -1, '127.0.0.1'],
    ['127.0.0.1:', undefined, '127.0.0.1'],
    // Nobody knows what these are: they are shown as they are.
    ['127.0.0.1:70000', undefined, '127.0.0.1:70000'],
    ['play.example.com:lobby', undefined, 'play.example.com:lobby'],
    ['127.0.0.1:70000', 70_000, '127.0.0.1:70000'],
    ['a:b:c', 25565, 'a:b:c:25565'],
    ['[::1]:25565:25565', undefined, '[::1]:25565:25565'],
    ['', 25565, null],
    [' ', undefined, null],
    ['.', undefined, null],
    [':25565', undefined, null],
    ['[]:25565', undefined, '[]:25565'],
  ])('%j with the port %j is %j', (host, port, text) => {
    const address = gameAddress({ host, port })
    expect(address && addressText(address)).toBe(text)
    // What was written once is read as the same.
    const again = text === null ? null : gameAddress({ host: text })
    expect(again && addressText(again)).toBe(text)
  })

  test('host and port are told apart', () => {
    expect(gameAddress({ host: 'play.example.com:25570' })).toEqual({ host: 'play.example.com', port: 25570 })
    expect(gameAddress({ host: '[::1]:25570' })).toEqual({ host: '::1', port: 25570 })
    expect(gameAddress({ host: '::1' })).toEqual({ host: '::1', port: null })
  })

  test('a long one takes no time', () => {
    for (const part of [':', '[', ']', '.', 'a:', '1:', '%', ' ', 'x://', '/'])
      expect(gameAddress({ host: part.repeat(200_000) })?.host ?? '').toBe(part.repeat(200_000).trim())
  })
})
