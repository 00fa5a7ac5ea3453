import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findProcess } from './process-table.ts'
import { RuntimeFixture, tempFolder } from '../runtime.fixture.ts'

let folder: Awaited<ReturnType<typeof tempFolder>>

beforeEach(async () => {
  folder = await tempFolder()
})
afterEach(() => folder.remove())

/** All that is on disk of consoles. */
async function written(): Promise<string> {
  const names = await readdir(join(folder.path, 'console'), { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile())
  return (
    await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))
  ).join('')
}

/** A service in a process of its own, with one server that runs. Killed without warning. Answers the server's pid. */
async function serviceThatDied(commands: string[]): Promise<number> {
  const fixture = new URL('../runtime.fixture.ts', import.meta.url).href
  const program = `
    const { RuntimeFixture } = await import(${JSON.stringify(fixture)})
    const it = await RuntimeFixture.open({ dataDir: ${JSON.stringify(folder.path)} })
    await it.add('a')
    await it.order('a', 'start')
    await it.until('a', 'online')
    for (const command of ${JSON.stringify(commands)}) await it.command('a', command)
    await it.line('a', /say ready/)
    await it.line('a', /\\[Server\\] ready/)
    console.log('ready')
  `
  const host = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: host.stdout }), 'line')) as [string]
  expect(line).toBe('ready')
  // A line is told before it is on disk, and what is not there dies with the service.
  await expect.poll(async () => (await written()).includes('[Server] ready')).toBe(true)
  host.kill('SIGKILL')
  await once(host, 'exit')
  return JSON.parse(await readFile(join(folder.path, 'run', 'a.json'), 'utf8')).pid
}

test('a server that outlived its service is stopped before it can be started again', async () => {
  const pid = await serviceThatDied(['hang', 'say ready'])
  expect(await findProcess(pid)).not.toBeNull()
  // As long as it is asked about below, also on a busy machine.
  const it = await RuntimeFixture.open({ dataDir: folder.path, epoch: 2, survivorMs: 2500 })
  await it.add('a')
  expect(it.runtime.status('a')?.status).toBe('stopping')
  for (const action of ['start', 'stop', 'restart', 'kill'])
    expect(await it.power('a', action)).toMatchObject({
      status: 409,
      body: { error: { code: 'server.stopping' } },
    })
  expect(() => it.runtime.requireDown('a')).toThrow('is running')
  await it.line('a', /service was restarted/, '2-0')
  await it.until('a', 'offline')
  expect(await findProcess(pid)).toBeNull()
  expect((await it.power('a', 'start')).status).toBe(202)
  await it.until('a', 'online')
  await it.close()
})

test('lines of the service that died are read on into the new one', async () => {
  await serviceThatDied(['hang', 'flood 2000', 'say ready'])
  const it = await RuntimeFixture.open({ dataDir: folder.path, epoch: 2, survivorMs: 500 })
  await it.add('a')
  let next = 1
  reading: for await (const { event, data } of it.events({ servers: 'a', after: 'a:1-0' })) {
    if (event === 'gap') throw new Error(`told a gap: ${JSON.stringify(data)}`)
    if (event !== 'lines') continue
    for (const line of data.lines) {
      if (line.id === '2-1') {
        expect(next).toBeGreaterThan(2000)
        break reading
      }
      expect(line.id).toBe(`1-${next++}`)
    }
  }
  await it.close()
})

test('another process that was given the same pid is left alone', async () => {
  const stranger = spawn(process.execPath, ['-e', 'setInterval(()=>{},1000)'], {
    stdio: 'ignore',
    detached: true,
  })
  await once(stranger, 'spawn')
  const first = await RuntimeFixture.open({ dataDir: folder.path })
  await first.close()
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim() || null
  const file = join(folder.path, 'run', 'a.json')
  await writeFile(file, JSON.stringify({ pid: stranger.pid, started: '1', boot }))
  const it = await RuntimeFixture.open({ dataDir: folder.path, epoch: 2, survivorMs: 100 })
  await it.add('a')
  expect(it.runtime.status('a')?.status).toBe('offline')
  expect(await findProcess(stranger.pid!)).not.toBeNull()
  stranger.kill('SIGKILL')
  await it.close()
})
