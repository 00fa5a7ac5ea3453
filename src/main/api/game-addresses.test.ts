import { expect, test } from 'vitest'
import { api } from '../../contract/areas/index.ts'
import type { Server } from '../../contract/areas/servers.ts'
import { addressText, gameAddress } from '../../contract/rules/game-address.ts'
import { readValue } from './answers/read-answer.ts'

/** The address of a server as the panel shows it. */
function shown(sent: object): string | null {
  const text = JSON.stringify({ id: 'a', name: 'Lobby', ...sent })
  const { value, fit } = readValue(api.servers.read, text, { contentType: 'application/json' })
  expect(fit).toEqual({ kind: 'fits' })
  const { address } = value as Server
  const read = address && gameAddress(address)
  return read ? addressText(read) : null
}

test.each<[sent: object, text: string | null]>([
  [{ address: { host: '127.0.0.1', port: 25565 } }, '127.0.0.1:25565'],
  [{ address: { host: '127.0.0.1', port: '25565' } }, '127.0.0.1:25565'],
  [{ address: { ip: '127.0.0.1', port: 25565 } }, '127.0.0.1:25565'],
  [{ address: { hostname: 'play.example.com' } }, 'play.example.com'],
  [{ connection: { host: '::1', port: 25570 } }, '[::1]:25570'],
  [{ connection: { host: '127.0.0.1:25570', port: 25570 } }, '127.0.0.1:25570'],
  [{ endpoint: { host: 'tcp://play.example.com:25570' } }, 'play.example.com:25570'],
  [{ allocation: { ip: '127.0.0.1', port: 25570, notes: null } }, '127.0.0.1:25570'],
  // Where it runs is not where players connect.
  [{ port: 25565 }, null],
  [{ address: null }, null],
  [{ address: '' }, null],
  [{ address: 7 }, null],
])('the address in %j is shown as %j', (sent, text) => expect(shown(sent)).toBe(text))
