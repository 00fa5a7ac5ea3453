import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../service.fixture.ts'
import {
  openDownloads,
  patient,
  remoteFile,
  serveBytes,
  startFileServer,
} from '../../../../tests/doubles/file-server.ts'

const STAND_IN = fileURLToPath(new URL('../../../../tests/doubles/programs/download.ts', import.meta.url))

test('a process that is killed halfway leaves nothing under a final name, and the next one continues', async () => {
  const bytes = randomBytes(2_000_000)
  const server = await startFileServer((request, response, nth) =>
    serveBytes(request, response, bytes, nth === 1 ? { stallAfter: 1_200_000 } : {}),
  )
  const folder = await temporaryFolder()
  const file = remoteFile(server.url, bytes)
  const child = spawn(process.execPath, [STAND_IN, folder, JSON.stringify(file)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.on('error', () => undefined)
  const exit = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) if (line === '1200000') child.kill('SIGKILL')
  await exit
  expect(readdirSync(path.join(folder, 'content'))).toEqual([])
  const at = await openDownloads(folder).fetch(file, patient())
  expect(readFileSync(at).equals(bytes)).toBe(true)
  expect(server.asked).toEqual(['/', '/ bytes=1200000-'])
})

test('where a run ended between the move of a file to its place and the removal of its note, the next one removes it', async () => {
  const bytes = randomBytes(300_000)
  const server = await startFileServer((request, response, nth) =>
    serveBytes(request, response, bytes, nth === 1 ? { stallAfter: 100_000 } : {}),
  )
  const folder = await temporaryFolder()
  const file = remoteFile(server.url, bytes)
  const partials = path.join(folder, 'partial')
  const stop = new AbortController()
  const onProgress = (done: number) => done >= 100_000 && stop.abort()
  await expect(openDownloads(folder).fetch(file, { signal: stop.signal, onProgress })).rejects.toThrow()
  const [name = ''] = readdirSync(partials).filter((one) => one.endsWith('.json'))
  const note = readFileSync(path.join(partials, name))
  await openDownloads(folder).fetch(file, patient())
  writeFileSync(path.join(partials, name), note)
  const at = await openDownloads(folder).fetch(file, patient())
  expect(readFileSync(at).equals(bytes)).toBe(true)
  expect(readdirSync(partials)).toEqual([])
})

test('what is there is used also where what a killed run left beside it cannot be removed', async () => {
  const bytes = randomBytes(1000)
  const server = await startFileServer((request, response) => serveBytes(request, response, bytes))
  const folder = await temporaryFolder()
  const file = remoteFile(server.url, bytes)
  const downloads = openDownloads(folder)
  const at = await downloads.fetch(file, patient())
  rmSync(path.join(folder, 'partial'), { recursive: true })
  // Nothing lies below a file, and it is not for us to say that nothing was there.
  writeFileSync(path.join(folder, 'partial'), '')
  expect(await downloads.fetch(file, patient())).toBe(at)
})
