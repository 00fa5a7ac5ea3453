import { open } from 'node:fs/promises'

/** Makes new names in a folder survive a power failure. Windows and some file systems can't. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
