/* reader-run.ts files|servers reader|parser: reads one long answer many times and prints what the quickest took, in ms of processor time. */
import { api } from '../../src/contract/areas/index.ts'
import type { z } from 'zod'
import { readValue } from '../../src/main/api/answers/read-answer.ts'

const [what, way] = process.argv.slice(2)
const RUNS = 30

const time = (at: number) => new Date(1.7e12 + at * 1_234_567).toISOString()
const entries = () =>
  Array.from({ length: 20_000 }, (_, at) => ({
    name: `file ${at}.dat`,
    kind: at % 20 === 0 ? 'folder' : 'file',
    size: at * 37,
    modifiedAt: time(at),
    mode: 420,
  }))
const servers = () =>
  Array.from({ length: 2000 }, (_, at) => ({
    id: `s-${at}`,
    name: `Server ${at}`,
    status: at % 3 === 0 ? 'offline' : 'online',
    software: { id: 'paper', name: 'Paper', version: '1.21.4' },
    address: { host: '127.0.0.1', port: 25_565 + at },
    players: { online: at % 20, max: 20 },
    memoryMb: 2048,
    role: at % 5 === 0 ? ['server.read', 'console.read', 'control.start'] : 'owner',
    createdAt: time(at),
    group: null,
  }))

const { op, items } =
  what === 'files' ? { op: api.files.list, items: entries() } : { op: api.servers.list, items: servers() }
const text = JSON.stringify({ items, nextCursor: null })

/** As the panel read answers before it tolerated any: whatever the schema's parser refuses is left out. */
function parsed(): unknown[] {
  const item: z.ZodType = op.answer.item
  const body = JSON.parse(text) as { items: unknown[] }
  const kept: unknown[] = []
  for (const one of body.items) {
    const { success, data } = item.safeParse(one)
    if (success) kept.push(data)
  }
  return kept
}

function tolerated(): unknown[] {
  const { value } = readValue(op, text, { contentType: 'application/json' })
  return (value as { items: unknown[] }).items
}

const read = way === 'reader' ? tolerated : parsed
let quickest = Infinity
for (let at = 0; at < RUNS; at++) {
  const before = process.cpuUsage()
  if (read().length !== items.length) throw new Error('not all was read')
  const { user, system } = process.cpuUsage(before)
  quickest = Math.min(quickest, (user + system) / 1000)
}
process.stdout.write(String(quickest))
