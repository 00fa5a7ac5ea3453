import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openPaper } from '../../service/changes/server-changes.fixture.ts'
import { startTarget } from '../transfers/transfers.fixture.ts'
import { countedAt, type Line, openCopies, temporary, texts } from './copies.fixture.ts'

const PROGRAM = new URL('../../../tests/doubles/programs/copying-panel.ts', import.meta.url)

function copying({ baseUrl, token }: Line, dataDir: string, serverId: string): ChildProcess {
  const child = fork(PROGRAM, [baseUrl, token, dataDir, serverId], { execArgv: ['--no-warnings'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function of40Files() {
  const target = await startTarget()
  await rm(target.folder, { recursive: true })
  await mkdir(join(target.folder, 'world'), { recursive: true })
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`world/r.${at}.mca`, `chunks of ${at}`]),
  )
  for (const [name, text] of Object.entries(files)) await writeFile(join(target.folder, name), text)
  return { ...target, files, own: { baseUrl: target.service.baseUrl, token: target.token } }
}

it('what a panel fetched before it was killed is not fetched again, and nothing of it stays', async () => {
  const { own, files, serverId, folder } = await of40Files()
  const dataDir = await temporary()
  let child: ChildProcess | null = null
  const { line, read } = await countedAt(own, ({ reads }) => {
    if (reads === 25) child?.kill('SIGKILL')
  })
  child = copying(line, dataDir, serverId)
  await once(child, 'exit')
  expect(read.length).toBeGreaterThanOrEqual(25)
  expect(read.length).toBeLessThan(40)
  // Gone at the service since.
  await rm(join(folder, 'world/r.0.mca'))
  const { 'world/r.0.mca': _gone, ...left } = files
  read.length = 0
  const at = await openCopies(line, dataDir)
  expect((await at.copies.state(at.server(serverId))).copies).toEqual([])
  const { copies } = await at.copy(serverId)
  expect(copies).toMatchObject([{ files: 39, missingCount: 0, isWhole: true }])
  // Those in the middle of being read, at most eight, are read again; one that was there already is gone.
  expect(read.length).toBeLessThanOrEqual(39 - (25 - 8 - 1))
  const path = await at.pathOf(serverId, 0)
  expect(await texts(path)).toEqual(left)
  expect(await readdir(join(path, '..', '.wheelhouse'))).toHaveLength(2)
})

it('a copy that was cancelled leaves nothing', async () => {
  const { own, serverId } = await of40Files()
  const dataDir = await temporary()
  const { line } = await countedAt(own, ({ reads }) => {
    if (reads === 10) at.copies.cancel(at.server(serverId))
  })
  const at = await openCopies(line, dataDir)
  const { copies, last } = await at.copy(serverId)
  expect(copies).toEqual([])
  expect(last?.problem).toMatchObject({ text: { key: 'copies.cancelled' } })
  expect(await texts(join(dataDir, 'copies'))).toEqual({})
})

it('a panel that ends in the middle makes the copy at its next start', async () => {
  const { own, serverId } = await of40Files()
  const dataDir = await temporary()
  const begun = Promise.withResolvers<void>()
  const { line } = await countedAt(own, ({ reads }) => {
    if (reads === 10) begun.resolve()
  })
  const first = await openCopies(line, dataDir)
  const server = first.server(serverId)
  const day = (date: number) => new Date(2026, 5, date, 4).getTime()
  first.now = day(1)
  await first.copies.change(server, { on: true, hour: 3 })
  first.now = day(2)
  await first.copies.look()
  await begun.promise
  await first.close()
  const second = await openCopies(line, dataDir)
  second.now = day(2)
  await second.copies.look()
  const { copies, last } = await second.until((state) => state.copies.length === 1)
  expect(last?.problem ?? null).toBeNull()
  expect(copies[0]?.files).toBe(40)
})

it('a running server pauses its saving for the last look, and saves again after it', async () => {
  const paper = await openPaper()
  await paper.power('start')
  await paper.reaches('online')
  const { line, read } = await countedAt(paper.line())
  const at = await openCopies(line, await temporary())
  const { copies, last } = await at.copy(paper.id)
  expect(last?.problem).toBeNull()
  expect(copies).toMatchObject([{ saving: 'paused', isWhole: true }])
  await expect
    .poll(async () => (await paper.said()).join('\n'))
    .toMatch(/disabled[^]*Saved the game[^]*now enabled/)
  expect(read.filter((path) => path === 'notes.txt')).toEqual(['notes.txt'])
  expect((await at.plans.of(at.server(paper.id))).isPaused).toBe(false)
})

it('a panel that was killed while saving was paused turns it on at its next start', async () => {
  const paper = await openPaper()
  await paper.power('start')
  await paper.reaches('online')
  const dataDir = await temporary()
  let child: ChildProcess | null = null
  let commands = 0
  const { line } = await countedAt(paper.line(), ({ method, path }) => {
    if (method === 'POST' && path.startsWith('/servers/command/') && ++commands === 2) child?.kill('SIGKILL')
  })
  child = copying(line, dataDir, paper.id)
  await once(child, 'exit')
  const said = async () => (await paper.said()).join('\n')
  await expect.poll(said).toMatch(/disabled/)
  expect(await said()).not.toMatch(/now enabled/)
  const at = await openCopies(line, dataDir)
  await at.copies.look()
  await expect.poll(said).toMatch(/now enabled/)
  expect((await at.plans.of(at.server(paper.id))).isPaused).toBe(false)
})

it('a server that cannot pause its saving is copied as it runs, and the copy says so', async () => {
  const { own, serverId, service, token } = await of40Files()
  await service.call(`POST /servers/power/${serverId}`, { token, body: { action: 'start' } })
  await expect
    .poll(async () => (await service.call(`GET /servers/status/${serverId}`, { token })).body.status)
    .toBe('online')
  const at = await openCopies(own, await temporary())
  expect((await at.copy(serverId)).copies).toMatchObject([{ saving: 'running' }])
})
