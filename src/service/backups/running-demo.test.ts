import { readFileSync } from 'node:fs'
import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { NO_DISK } from '../../../tests/faults/small-disk.ts'
import { smallDisk } from '../small-disk.fixture.ts'
import { startTestService, temporaryFolder } from '../service.fixture.ts'

const SECTOR = 4096

async function withDemo(dataDir?: string) {
  const folder = dataDir ?? (await temporaryFolder())
  const { call, account } = await startTestService({ dataDir: folder })
  const token = await account('ann@example.org')
  const ask = (route: string, body?: unknown) => call(route, { token, body })
  const { body } = await ask('POST /servers', {
    ...{ name: 'one', memoryMb: 512, software: { id: 'demo', version: '1.21.4' } },
  })
  const id = String(body.id)
  const at = (...names: string[]) => path.join(folder, 'servers', id, ...names)
  const status = async () => (await ask(`GET /servers/status/${id}`)).body.status
  const list = async () => (await ask(`GET /servers/backups/${id}`)).body.items
  return {
    ...{ ask, id, at, folder, list },
    power: (action: string) => ask(`POST /servers/power/${id}`, { action }),
    reaches: (wanted: string) => expect.poll(status, { interval: 20, timeout: 30_000 }).toBe(wanted),
    ended: (backup: string) =>
      expect
        .poll(async () => (await list()).find((one: { id: string }) => one.id === backup)?.state, {
          ...{ interval: 20, timeout: 30_000 },
        })
        .toMatch(/done|failed/),
  }
}

/** Each sector says how often its file was written before it; the numbers never fall within a file that fits together. */
const region = (sectors: number) => Buffer.alloc(sectors * SECTOR)

it('a running demo server is backed up while its regions are written; what changed is named, all else is as it was', async () => {
  const { ask, id, at, power, reaches, ended, list } = await withDemo()
  await power('start')
  await reaches('online')
  await mkdir(at('custom/region'), { recursive: true })
  const still = new Map<string, Buffer>()
  for (let n = 0; n < 8; n++) {
    still.set(`custom/region/r.${n}.0.mca`, randomBytes(300_000 + n))
    await writeFile(at(`custom/region/r.${n}.0.mca`), still.get(`custom/region/r.${n}.0.mca`)!)
  }
  const busy = at('custom/region/r.busy.mca')
  await writeFile(busy, region(1000))
  const handle = await open(busy, 'r+')
  onTestFinished(() => handle.close())
  let isWriting = true
  const writing = (async () => {
    for (let n = 0; isWriting; n++) {
      const sector = Buffer.alloc(SECTOR)
      sector.writeUInt32BE(n)
      await handle.write(sector, 0, SECTOR, (n % 1000) * SECTOR)
    }
  })()
  const { body } = await ask(`POST /servers/backups/${id}`, {})
  await ended(body.id)
  isWriting = false
  await writing
  const [made] = await list()
  expect(made).toMatchObject({ state: 'done', unpaused: true })
  expect(made.missing.map(({ name }: { name: string }) => name)).toContain('custom/region/r.busy.mca')
  await power('stop')
  await reaches('offline')
  for (const name of still.keys()) await writeFile(at(name), 'griefed')
  await ask(`POST /servers/backups/restore/${id}`, { backup: body.id, to: 'here' })
  await expect.poll(() => readFileSync(at('custom/region/r.0.0.mca')).length, { interval: 20 }).toBe(300_000)
  await reaches('offline')
  for (const [name, content] of still) expect((await readFile(at(name))).equals(content), name).toBe(true)
  expect((await readFile(at('custom/region/r.busy.mca'))).length).toBe(1000 * SECTOR)
  await power('start')
  await reaches('online')
})

it('is canceled, and leaves the list and the disk', async () => {
  const { ask, id, at, list, folder } = await withDemo()
  await mkdir(at('world'), { recursive: true })
  for (let n = 0; n < 40; n++) await writeFile(at(`world/r.${n}.mca`), randomBytes(2_000_000))
  const made = await Promise.all([
    ask(`POST /servers/backups/${id}`, {}),
    ask(`POST /servers/backups/${id}`, {}),
  ])
  expect(made.map(({ status }) => status)).toEqual([202, 202])
  expect((await ask(`DELETE /servers/backups/work/${id}`)).status).toBe(204)
  expect(await list()).toEqual([])
  expect(await readdir(path.join(folder, 'backups', id)).catch(() => [])).toEqual([])
  expect((await ask(`DELETE /servers/backups/work/${id}`)).status).toBe(204)
})

it('waits in line, and too many are refused', async () => {
  const { ask, id } = await withDemo()
  const made = await Promise.all(Array.from({ length: 8 }, () => ask(`POST /servers/backups/${id}`, {})))
  const codes = made.map(({ status, body }) => (status === 202 ? 'taken' : body.error.code))
  expect(codes.filter((code) => code === 'taken').length).toBeGreaterThanOrEqual(6)
  expect(codes.filter((code) => code !== 'taken' && code !== 'backups.busy')).toEqual([])
  await ask(`DELETE /servers/backups/work/${id}`)
})

it('where there is no room, none is made, and those there are stay', async (test) => {
  const disk = await smallDisk(300)
  if (!disk) return test.skip(NO_DISK)
  const { ask, id, at, ended, list } = await withDemo(path.join(disk.folder, 'data'))
  await mkdir(at('world'), { recursive: true })
  await writeFile(at('world/r.0.0.mca'), randomBytes(30_000_000))
  const first = (await ask(`POST /servers/backups/${id}`, {})).body.id
  await ended(first)
  disk.fill(80_000_000)
  const second = (await ask(`POST /servers/backups/${id}`, {})).body.id
  await ended(second)
  const [failed, done] = await list()
  expect(failed).toMatchObject({ id: second, state: 'failed', error: { code: 'backups.no-room' } })
  expect(done).toMatchObject({ id: first, state: 'done' })
  disk.clear()
  await ended((await ask(`POST /servers/backups/${id}`, {})).body.id)
  expect((await list())[0]).toMatchObject({ state: 'done' })
})
