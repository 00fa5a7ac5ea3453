import { randomBytes } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../service.fixture.ts'
import {
  openDownloads,
  patient,
  remoteFile,
  serveBytes,
  startFileServer,
  sumOf,
} from '../../../../tests/doubles/file-server.ts'

const bytes = randomBytes(300_000)
const read = (folder: string, name: string) => readdirSync(path.join(folder, name))

test.each([
  [
    'was damaged since',
    (part: string) => writeFileSync(part, Buffer.alloc(100_000)),
    ['/ bytes=100000-', '/'],
  ],
  ['is gone since', (part: string) => writeFileSync(part, ''), ['/']],
  ['is as it was', () => undefined, ['/ bytes=100000-']],
])(
  'of which a part is there from an earlier run, which %s, is whole in the end',
  async (_how, act, asked) => {
    const server = await startFileServer((request, response, nth) =>
      serveBytes(request, response, bytes, nth === 1 ? { stallAfter: 100_000 } : {}),
    )
    const folder = await temporaryFolder()
    const earlier = openDownloads(folder)
    const file = remoteFile(server.url, bytes, { checksum: sumOf(bytes, 'sha1') })
    const stop = new AbortController()
    const onProgress = (done: number) => done >= 100_000 && stop.abort()
    await expect(earlier.fetch(file, { signal: stop.signal, onProgress })).rejects.toThrow()
    act(path.join(folder, 'partial', path.basename(read(folder, 'partial')[0]!, '.json')))
    const at = await openDownloads(folder).fetch(file, patient())
    expect(readFileSync(at).equals(bytes)).toBe(true)
    expect(path.basename(at)).toBe(sumOf(bytes).value)
    expect(server.asked).toEqual(['/', ...asked])
  },
)

test('a file that grew on the disk while it arrived is fetched once more', async () => {
  const server = await startFileServer((request, response) => serveBytes(request, response, bytes))
  const folder = await temporaryFolder()
  let grown = false
  const onProgress = (done: number) => {
    if (done < bytes.length || grown) return
    grown = true
    const [part = ''] = read(folder, 'partial').filter((name) => !name.endsWith('.json'))
    appendFileSync(path.join(folder, 'partial', part), 'more')
  }
  const at = await openDownloads(folder).fetch(remoteFile(server.url, bytes), { ...patient(), onProgress })
  expect(readFileSync(at).equals(bytes)).toBe(true)
  expect(server.asked).toEqual(['/', '/'])
})
