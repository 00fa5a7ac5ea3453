import path from 'node:path'
import { onTestFinished } from 'vitest'
import { SmallDisk } from '../../tests/faults/small-disk.ts'
import { temporaryFolder } from './service.fixture.ts'

/** A small disk for one test; null where there can be none. What stands on it ends before it goes: tests end in reverse. */
export async function smallDisk(megabytes: number): Promise<SmallDisk | null> {
  const folder = await temporaryFolder()
  return SmallDisk.mount(
    {
      at: (...parts) => path.join(folder, ...parts),
      atEnd: (end) => onTestFinished(async () => void (await end())),
    },
    'disk',
    megabytes,
  )
}
