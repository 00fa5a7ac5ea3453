import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporary } from '../../../host/temporary.fixture.ts'
import type { ProgramSpec } from '../programs/driver.ts'
import type { ServerSpec } from '../types.ts'
import { linksOf, relayed } from './links.ts'

const specOf = (id: string, port: number, more: Partial<ServerSpec> = {}): ServerSpec => ({
  ...{ id, name: id, owner: 'ann', folder: `/data/servers/${id}`, memoryMb: 512, port, host: '127.0.0.1' },
  ...{ software: { id: 'paper', version: '1' }, driver: 'docker', ...more },
})
const proxy = specOf('proxy', 25565)
const program = (...reaches: string[]): ProgramSpec => ({
  ...{ file: '/java', args: ['-jar', 'velocity.jar'], cwd: proxy.folder, env: {}, reads: ['/jre'], reaches },
})
const serversOf = (...specs: ServerSpec[]) => new Map([proxy, ...specs].map((spec) => [spec.id, { spec }]))
const found = (servers: ReturnType<typeof serversOf>, ...addresses: string[]) => {
  const { links, unreached } = linksOf(proxy, program(...addresses), servers)
  return { links: [...links], unreached }
}

test.each(['127.0.0.1:25566', 'localhost:25566', 'LocalHost:25566', '[::1]:25566', '0.0.0.0:25566'])(
  'a server is found at %s',
  (address) => {
    expect(found(serversOf(specOf('lobby', 25566)), address)).toEqual({
      links: [[25566, 'lobby']],
      unreached: [],
    })
  },
)

test('only servers in containers, of the same owner, are linked; the others are named', () => {
  const servers = serversOf(
    specOf('foreign', 1, { owner: 'bea' }),
    specOf('bare', 2, { driver: 'process' }),
    specOf('lobby', 3),
  )
  const addresses = ['127.0.0.1:1', '127.0.0.1:2', '127.0.0.1:4', '127.0.0.2:3']
  expect(found(servers, ...addresses, '127.0.0.1:3')).toEqual({ links: [[3, 'lobby']], unreached: addresses })
})

test('what lies elsewhere, the proxy itself, and what is no address at all are left alone', () => {
  const servers = serversOf(specOf('bare', 2, { driver: 'process' }))
  const addresses = ['192.0.2.8:25566', 'games.example.com', '192.0.2.7:2', '127.0.0.1:25565', 'a:b:c', '']
  expect(found(servers, ...addresses)).toEqual({ links: [], unreached: [] })
  expect(found(servers, 'localhost')).toEqual({ links: [], unreached: [] })
})

test('a proxy is linked to 32 servers, and says so of the others', () => {
  const many = Array.from({ length: 40 }, (_, at) => specOf(`s${at}`, at + 1))
  const { links, unreached } = found(serversOf(...many), ...many.map(({ port }) => `127.0.0.1:${port}`))
  expect(links).toHaveLength(32)
  expect(unreached).toEqual(many.slice(32).map(({ port }) => `127.0.0.1:${port}`))
})

test('cut off, it is linked to nothing', () => {
  const { links, unreached } = linksOf(
    proxy,
    { ...program('127.0.0.1:2'), isCutOff: true },
    serversOf(specOf('lobby', 2)),
  )
  expect([links.size, unreached]).toEqual([0, []])
})

test('the relay is loaded before the proxy, and is nothing that others can write', () => {
  const service = temporary()
  const plain = program()
  expect(relayed(plain, new Map(), service)).toBe(plain)
  const { args, reads } = relayed(plain, new Map([[25566, '10.213.0.3'], [25567, '10.213.0.11']]), service) // prettier-ignore
  const jar = path.join(service, 'relay.jar')
  expect(args.slice(1)).toEqual([
    `-javaagent:${jar}=25566=10.213.0.3,25567=10.213.0.11`,
    ...['-jar', 'velocity.jar'],
  ])
  expect(reads).toEqual(['/jre', jar])
  expect(readFileSync(jar).subarray(0, 2).toString()).toBe('PK')
  expect(statSync(jar).mode & 0o777).toBe(0o600)
})
