import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Bytes } from '../bytes/methods.ts'
import { fsProblem } from '../../base/fs-problem.ts'
import { claimName } from '../items/claim-name.ts'

/** Saves atomically under a free name, readable by this user only. Returns the path. */
export async function saveText(
  bytes: Pick<Bytes, 'renameIfFree'>,
  target: string,
  text: string | Readable,
): Promise<string> {
  const part = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`)
  try {
    await mkdir(dirname(target), { recursive: true })
    const file = await open(part, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    return await claimName(bytes, part, target, async () => undefined)
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined)
    throw fsProblem(error, basename(target))
  }
}
