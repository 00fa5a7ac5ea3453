import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { expect, it } from 'vitest'
import type { Moved } from '../../worker-thread.ts'
import { createMethods } from './methods.ts'
import type { PackedBatch, SmallFile } from './pack-batch.ts'

const fileOf = (path: string, content: Buffer): SmallFile => ({
  path,
  source: '',
  content,
  size: content.length,
  modifiedAt: 1_700_000_000_123,
})

async function unpack({ value }: Moved): Promise<[string, string][]> {
  const found: [string, string][] = []
  const tar = extract()
  Readable.from([Buffer.from((value as PackedBatch).bytes)]).pipe(tar)
  for await (const entry of tar) found.push([entry.header.name, await text(entry)])
  return found
}

it('packs one batch after the other, and holds the content of none', async () => {
  const { packBatch } = createMethods()
  for (let round = 0; round < 3; round++) {
    const contents = ['', 'x', 'y'.repeat(511), 'z'.repeat(512), 'w'.repeat(100_000)]
    // Names so long that they take more room than is reckoned with.
    const files = contents.map((content, at) =>
      fileOf(`${'long name/'.repeat(400)}${at}`, Buffer.from(new TextEncoder().encode(content).buffer)),
    )
    const expected = files.map(({ path }, at) => [path, contents[at]])
    expect(await unpack(await packBatch(files))).toEqual(expected)
    expect(files.map(({ content }) => content?.length)).toEqual(files.map(() => 0))
  }
})
