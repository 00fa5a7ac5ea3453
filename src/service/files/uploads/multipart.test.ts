import { readdirSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { heldClock } from '../../service.fixture.ts'
import { openTestFiles } from '../files.fixture.ts'
import { createHasher } from './hasher.ts'
import { receiveForm } from './multipart.ts'
import { UploadStore } from './upload-store.ts'

/** Sends a form, the beginning of one, or one that never ends, and answers what came of it. */
async function meet(type: string, body: string, isWhole: boolean, silenceMs: number, isEndless = false) {
  const { files } = await openTestFiles()
  const hasher = createHasher()
  onTestFinished(() => hasher.close())
  const store = new UploadStore(hasher, heldClock())
  const met = Promise.withResolvers<string>()
  const server = createServer((incoming, answer) => {
    receiveForm(incoming, files, store, hasher, () => {}, silenceMs)
      .then(
        ({ path }) => met.resolve(path),
        (error: Error & { code?: string }) => met.resolve(error.code ?? `no refusal: ${error.message}`),
      )
      .finally(() => answer.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const asking = request({ port, method: 'POST', headers: { 'Content-Type': type } })
  asking.on('error', () => {}).on('response', (response) => response.resume())
  asking.write(body)
  if (isWhole) asking.end()
  const piece = Buffer.alloc(65_536, 'x')
  const goOn = () => {
    while (!asking.destroyed && asking.write(piece));
    asking.once('drain', goOn)
  }
  if (isEndless) goOn()
  const result = await met.promise
  await expect.poll(() => readdirSync(files.staging)).toEqual([])
  return result
}

const TYPE = 'multipart/form-data; boundary=x'
const field = '--x\r\nContent-Disposition: form-data; name="path"\r\n\r\na.dat\r\n'
const begun = `${field}--x\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n123`

test('a form that arrives whole is placed', async () => {
  expect(await meet(TYPE, `${begun}\r\n--x--\r\n`, true, 60_000)).toBe('a.dat')
})

test('a form that stands still is given up, and nothing of it stays', async () => {
  expect(await meet(TYPE, begun, false, 50)).toBe('files.stalled')
})

test('what ends in the middle, or is no form, is told so', async () => {
  expect(await meet(TYPE, begun, true, 60_000)).toBe('files.cut-off')
  expect(await meet('multipart/form-data; of=nothing', begun, true, 60_000)).toBe('files.cut-off')
})

test('what never ends before the file, within a field, or behind the file is refused', async () => {
  for (const beginning of ['junk', field.slice(0, -2), `${begun}\r\n--x--\r\n`])
    expect(await meet(TYPE, beginning, false, 60_000, true)).toBe('request.too-large')
})
