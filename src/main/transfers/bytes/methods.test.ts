import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { expect, it } from 'vitest'
import type { TransferredResult } from '../../base/worker-thread.ts'
import { temporary } from '../transfers.fixture.ts'
import { createMethods } from './methods.ts'
import type { PackedBatch, SmallFile } from './pack-batch.ts'

const fileOf = (path: string, content: Buffer): SmallFile => ({
  path,
  source: '',
  sourceAt: null,
  content,
  size: content.length,
  modifiedAt: 1_700_000_000_123,
})

async function unpack({ value }: TransferredResult): Promise<[string, string][]> {
  const found: [string, string][] = []
  const tar = extract()
  Readable.from([Buffer.from((value as PackedBatch).bytes)]).pipe(tar)
  for await (const entry of tar) found.push([entry.header.name, await text(entry)])
  return found
}

it('packs one batch after the other', async () => {
  const { packBatch } = createMethods()
  for (let round = 0; round < 3; round++) {
    const contents = ['', 'x', 'y'.repeat(511), 'z'.repeat(512), 'w'.repeat(100_000)]
    // Names so long that they take more room than is reckoned with.
    const files = contents.map((content, at) =>
      fileOf(`${'long name/'.repeat(400)}${at}`, Buffer.from(content)),
    )
    const expected = files.map(({ path }, at) => [path, contents[at]])
    expect(await unpack(await packBatch(files))).toEqual(expected)
  }
})

it('packs files that lie in one file, and none of them that does not end in it', async () => {
  const { packBatch } = createMethods()
  const source = join(await temporary(), 'together')
  await writeFile(source, 'abcdef')
  const part = (path: string, sourceAt: number, size: number): SmallFile => ({
    ...{ path, source, sourceAt, size, modifiedAt: 1_700_000_000_123 },
  })
  const packed = await packBatch([part('a', 0, 2), part('none', 2, 0), part('b', 2, 4), part('cut', 4, 3)])
  expect(await unpack(packed)).toEqual([
    ['a', 'ab'],
    ['none', ''],
    ['b', 'cdef'],
  ])
  expect(packed.value).toMatchObject({ faults: [{ index: 3, code: 'CHANGED' }] })
})
