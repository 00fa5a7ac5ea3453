import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from './service.fixture.ts'
import { startService } from './service.ts'

const BEGUN = '11111111-2222-3333-4444-555555555555'
const LOST = '01234567-89ab-cdef-0123-456789abcdef'

test('a folder that creating left empty is not called one of a lost server: it goes at the same start', async () => {
  const dataDir = await temporaryFolder()
  await (await startService({ dataDir })).close()
  for (const id of [BEGUN, LOST]) await mkdir(path.join(dataDir, 'servers', id))
  await writeFile(path.join(dataDir, 'servers', LOST, 'level.dat'), 'a world')
  const service = await startService({ dataDir })
  onTestFinished(() => service.close())
  expect(service.found.orphans).toEqual([LOST])
  expect(service.found.sentences.join()).not.toContain(BEGUN)
})
