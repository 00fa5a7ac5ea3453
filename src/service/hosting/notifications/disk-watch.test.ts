import { onTestFinished, expect, test } from 'vitest'
import { pino } from 'pino'
import { DiskWatch, type HeldBytes } from './disk-watch.ts'

const GIGA = 1024 ** 3

/** A watch over figures that a test sets; `kept` outlives it, as the database does. */
function watching(kept = new Set<string | null>()) {
  const told: string[] = []
  const now = { free: 10 * GIGA, servers: [] as HeldBytes[] }
  const watch = new DiskWatch({
    store: {
      notifications: {
        isNearlyFull: (serverId) => kept.has(serverId),
        setNearlyFull: (serverId, is) => void (is ? kept.add(serverId) : kept.delete(serverId)),
      },
    },
    folder: '/nowhere',
    servers: () => now.servers,
    sources: {
      nearlyFull: (serverId, used, quota) => told.push(`${serverId} ${used} of ${quota}`),
      diskNearlyFull: (free) => told.push(`disk ${free}`),
    },
    log: pino({ level: 'silent' }),
    freeOf: async () => now.free,
  })
  onTestFinished(() => watch.close())
  const look = async (free: number, used: number) => {
    now.free = free * GIGA
    now.servers = [{ serverId: 'a', used, quota: 100 }]
    await watch.check()
    return told.splice(0)
  }
  return { look, kept }
}

test('that room runs out is told once, and again only after there was room', async () => {
  const { look } = watching()
  expect(await look(10, 89)).toEqual([])
  expect(await look(10, 90)).toEqual(['a 90 of 100'])
  expect(await look(10, 95)).toEqual([])
  // It goes up and down around the line.
  expect(await look(10, 85)).toEqual([])
  expect(await look(10, 91)).toEqual([])
  expect(await look(10, 80)).toEqual([])
  expect(await look(10, 90)).toEqual(['a 90 of 100'])
})

test('the disk has a line of its own, and room again at another', async () => {
  const { look } = watching()
  expect(await look(0.9, 0)).toEqual([`disk ${0.9 * GIGA}`])
  expect(await look(1.5, 0)).toEqual([])
  expect(await look(0.5, 0)).toEqual([])
  expect(await look(2, 0)).toEqual([])
  expect(await look(0.5, 0)).toEqual([`disk ${0.5 * GIGA}`])
})

test('a restart tells nothing twice', async () => {
  const { look, kept } = watching()
  expect(await look(0.5, 95)).toHaveLength(2)
  const next = watching(kept)
  expect(await next.look(0.5, 95)).toEqual([])
})
